// TodoWrite, row by row: which lists are taken, and what it says of them.
import { todoWriteTool } from '../../../src/core/tools/tasks/todo-write';
import { type TodoItem } from '../../../src/shared/tool-view';
import { type ToolRow, toolTable } from '../../support/tool-table';

const todo = (content: string, status: TodoItem['status']): TodoItem => ({
  content,
  status,
  activeForm: `${content} …`,
});
const list = (...todos: unknown[]): object => ({ todos });

const rows: ToolRow[] = [
  { name: 'nothing', input: list(), text: 'The list is empty now.', detail: 'none left' },
  {
    name: 'all to do',
    input: list(todo('A', 'pending'), todo('B', 'pending')),
    text: 'The list is saved: 0 of 2 done. No task is in progress.',
    detail: '0/2',
  },
  {
    name: 'one in progress',
    input: list(todo('A', 'completed'), todo('B', 'in_progress')),
    text: 'The list is saved: 1 of 2 done. In progress: B',
    detail: '1/2',
  },
  {
    name: 'all done',
    input: list(todo('A', 'completed')),
    text: 'The list is saved: every task is done.',
    detail: '1/1',
  },
  { name: 'the same task twice', input: list(todo('A', 'pending'), todo('A', 'pending')), text: /0 of 2 done/ },
  { name: 'other scripts', input: list(todo('größe 漢字 😀', 'in_progress')), text: /In progress: größe 漢字 😀$/ },
  {
    name: 'a long list',
    input: list(...Array.from({ length: 500 }, (_, index) => todo(`${index}`, 'pending'))),
    text: /0 of 500 done/,
    detail: '0/500',
  },
  {
    name: 'two in progress',
    input: list(todo('A', 'in_progress'), todo('B', 'pending'), todo('C', 'in_progress')),
    code: 'several-in-progress',
    text: /Only one task may be in_progress, but these are: "A", "C"\./,
  },
  { name: 'no list', input: {}, code: 'InputValidationError', text: /`todos`: Required/ },
  { name: 'a text', input: { todos: 'A' }, code: 'InputValidationError', text: /Expected array, received string/ },
  {
    name: 'an unknown status',
    input: list({ ...todo('A', 'pending'), status: 'done' }),
    code: 'InputValidationError',
    text: /`todos\.0\.status`/,
  },
  {
    name: 'an empty task',
    input: list({ ...todo('A', 'pending'), content: '' }),
    code: 'InputValidationError',
    text: /`todos\.0\.content`/,
  },
  {
    name: 'a task without its active form',
    input: list({ content: 'A', status: 'pending' }),
    code: 'InputValidationError',
    text: /`todos\.0\.activeForm`: Required/,
  },
  { name: 'a task that is null', input: list(null), code: 'InputValidationError', text: /`todos\.0`/ },
];

describe('TodoWrite, row by row', () => toolTable(todoWriteTool, rows));
