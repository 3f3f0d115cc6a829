// What models write almost right is taken as it was meant; what may mean two things is refused.
import assert from 'node:assert/strict';
import { inputErrorText } from '../../../../src/core/calls/call-input';
import { describeCall } from '../../../../src/core/projection/describe-call';
import { askUserQuestionTool } from '../../../../src/core/tools/ask-user-question';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { configTool } from '../../../../src/core/tools/config/config';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { grepTool } from '../../../../src/core/tools/grep/grep';
import { parseRepairedInput } from '../../../../src/core/tool/input-repair';
import { notebookEditTool } from '../../../../src/core/tools/notebook/notebook-edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { skillTool } from '../../../../src/core/tools/skill';
import { sleepTool } from '../../../../src/core/tools/sleep';
import { taskUpdateTool } from '../../../../src/core/tools/tasks/task-update';
import { todoWriteTool } from '../../../../src/core/tools/tasks/todo-write';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { webSearchTool } from '../../../../src/core/tools/web/web-search';
import { writeTool } from '../../../../src/core/tools/edit/write';

const todo = { content: 'a', status: 'in_progress', activeForm: 'b' };
const option = { label: 'x', description: 'y' };
const question = { question: 'Q?', header: 'H', options: [option, option] };

const meant: [tool: AnyTool, input: unknown, as: unknown][] = [
  [readTool, { file_path: '/a', offset: '10', limit: ' 5 ' }, { file_path: '/a', offset: 10, limit: 5 }],
  [readTool, { file_path: '/a', offset: null, limit: '' }, { file_path: '/a' }],
  [readTool, { path: '/a' }, { file_path: '/a' }],
  [readTool, { filePath: '/a', Limit: 3 }, { file_path: '/a', limit: 3 }],
  [writeTool, { path: '/a', contents: 'x' }, { file_path: '/a', content: 'x' }],
  [
    editTool,
    { file_path: '/a', old_str: 'x', new_str: 'y', replace_all: 'True' },
    { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  [
    editTool,
    { file_path: '/a', oldString: 'x', newString: '', replaceAll: 'false' },
    { file_path: '/a', old_string: 'x', new_string: '', replace_all: false },
  ],
  [
    grepTool,
    { pattern: 'x', '-i': 'true', '-n': 'false', head_limit: '3', A: '2', glob: ['*.ts'], output_mode: 'Content' },
    { pattern: 'x', '-i': true, '-n': false, head_limit: 3, '-A': 2, glob: '*.ts', output_mode: 'content' },
  ],
  [grepTool, { query: 'x', path: 'src' }, { pattern: 'x', path: 'src' }],
  [
    bashTool,
    { cmd: 'ls', timeout: '5000', runInBackground: 0 },
    { command: 'ls', timeout: 5000, run_in_background: false },
  ],
  [todoWriteTool, { todos: JSON.stringify([todo]) }, { todos: [todo] }],
  [todoWriteTool, { todos: JSON.stringify([{ ...todo, status: 'in-progress' }]) }, { todos: [todo] }],
  [todoWriteTool, { todos: [JSON.stringify(todo)] }, { todos: [todo] }],
  [
    askUserQuestionTool,
    { questions: { ...question, multiSelect: 'false' } },
    { questions: [{ ...question, multiSelect: false }] },
  ],
  [
    askUserQuestionTool,
    { questions: [{ ...question, options: JSON.stringify([option, option]) }] },
    { questions: [{ ...question, multiSelect: false }] },
  ],
  [webSearchTool, { query: 'x1', allowed_domains: 'a.com' }, { query: 'x1', allowed_domains: ['a.com'] }],
  [webSearchTool, { query: 'x1', allowed_domains: '' }, { query: 'x1' }],
  [taskUpdateTool, { task_id: '3', status: 'Completed' }, { taskId: '3', status: 'completed' }],
  [taskUpdateTool, { id: 3, addBlockedBy: [1, '2'] }, { taskId: '3', addBlockedBy: ['1', '2'] }],
  [configTool, { setting: 'effort', value: null }, { setting: 'effort' }],
  [
    notebookEditTool,
    { notebookPath: '/a.ipynb', newSource: 'x', cell_type: null, edit_mode: 'Insert' },
    { notebook_path: '/a.ipynb', new_source: 'x', edit_mode: 'insert' },
  ],
  [sleepTool, { durationMs: '10' }, { duration_ms: 10 }],
  [skillTool, { command: 'review' }, { skill: 'review' }],
  [skillTool, { command: '/review' }, { skill: 'review' }],
  [skillTool, { command: '/review the last\ncommit ' }, { skill: 'review', args: 'the last\ncommit' }],
  [skillTool, { command: '/review', args: 'all' }, { skill: '/review', args: 'all' }],
];

const refused: [tool: AnyTool, input: unknown, error: RegExp][] = [
  [
    readTool,
    null,
    /\n- the input: Expected object, received null; its fields are `file_path`, `offset`, `limit`, `pages`$/,
  ],
  [taskUpdateTool, { taskId: 1.5 }, /Expected string, received number$/],
  [
    todoWriteTool,
    { todos: ['milk'] },
    /`todos\.0`: Expected object, received string; its fields are `content`, `status`, `activeForm`$/,
  ],
  [grepTool, { pattern: 'x', '-l': true }, /unknown parameter `-l`; valid parameters/],
  [editTool, { file_path: '/a', old_string: 1, new_string: 'x' }, /`old_string`: Expected string, received number$/],
  [readTool, { file_path: '/a', offset: 'ten' }, /`offset`: Expected number, received string$/],
  [readTool, { file_path: '/a', path: '/b' }, /unknown parameter `path`/],
  [readTool, { path: '/a', file: '/b' }, /`file_path`: Required|unknown parameter `file`/],
  [readTool, { file_path: null }, /`file_path`: Required$/],
  [readTool, { path: '/a', limit: 'all' }, /input:\n- `limit`: Expected number, received string$/],
  [bashTool, { command: ['ls', '-la'] }, /`command`: Expected string, received array$/],
  [bashTool, { command: 'ls', run_in_background: 'yes' }, /Expected boolean, received string$/],
  [writeTool, { file_path: '/a', content: { a: 1 } }, /`content`: Expected string, received object$/],
  [grepTool, { pattern: 'x', include: '*.ts' }, /unknown parameter `include`/],
  [
    grepTool,
    { pattern: 'x', output_mode: 'files' },
    /Expected 'content' \| 'files_with_matches' \| 'count', received 'files'$/,
  ],
  [todoWriteTool, { todos: '' }, /`todos`: Required$/],
  [todoWriteTool, { todos: 'milk, bread' }, /`todos`: Expected array, received string$/],
];

describe('input that a model has written almost right', () => {
  for (const [tool, input, as] of meant) {
    it(`${tool.name} ${JSON.stringify(input)}`, () => {
      const parsed = parseRepairedInput(tool, input);
      assert.deepEqual(parsed.success ? parsed.data : inputErrorText(tool, parsed.error), as);
      assert.ok(describeCall(tool, input), 'its card shows it too');
    });
  }

  for (const [tool, input, error] of refused) {
    it(`is refused where it may mean something else: ${tool.name} ${JSON.stringify(input)}`, () => {
      const parsed = parseRepairedInput(tool, input);
      assert.match(parsed.success ? 'taken' : inputErrorText(tool, parsed.error), error);
    });
  }

  it('is left alone where it fits', () => {
    const input = { file_path: '/a', old_string: 'true', new_string: ' 5 ' };
    assert.deepEqual(parseRepairedInput(editTool, input), { success: true, data: input });
  });
});
