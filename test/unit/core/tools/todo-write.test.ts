// TodoWrite: what it keeps, what it refuses, and the list that a log adds up to.
import assert from 'node:assert/strict';
import { todosFromRecords } from '../../../../src/core/sessions/todos-from-records';
import { todoWriteTool } from '../../../../src/core/tools/todo-write';
import { jsonSchemaOf } from '../../../../src/core/tools/tool-schema';
import { type ToolContext } from '../../../../src/core/tools/tool';
import { type TodoItem } from '../../../../src/shared/tool-view';
import { reply, text, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const todo = (content: string, status: TodoItem['status']): TodoItem => ({ content, status, activeForm: `${content} …` });
const context = {} as ToolContext;

describe('TodoWrite', () => {
  const lists: [string, TodoItem[], string, string][] = [
    ['nothing', [], 'The list is empty now.', 'none left'],
    ['all to do', [todo('A', 'pending'), todo('B', 'pending')], 'The list is saved: 0 of 2 done. No task is in progress.', '0/2'],
    ['one in progress', [todo('A', 'completed'), todo('B', 'in_progress')], 'The list is saved: 1 of 2 done. In progress: B', '1/2'],
    ['all done', [todo('A', 'completed')], 'The list is saved: every task is done.', '1/1'],
  ];
  for (const [name, newTodos, said, detail] of lists) {
    it(`tells of ${name}`, () => {
      const output = { oldTodos: [], newTodos };
      assert.equal(todoWriteTool.mapToolResultToToolResultBlockParam(output, 't').content, said);
      assert.equal(todoWriteTool.detail(output), detail);
      assert.deepEqual(todoWriteTool.view(output, { todos: [] }), { kind: 'todo', items: newTodos });
    });
  }

  it('refuses two tasks in progress, and names them', async () => {
    const valid = await todoWriteTool.validateInput({ todos: [todo('A', 'in_progress'), todo('B', 'pending'), todo('C', 'in_progress')] }, context);
    assert.ok(!valid.ok);
    assert.match(valid.message, /^Only one task may be in_progress, these are: "A", "C"\./);
    assert.equal((await todoWriteTool.validateInput({ todos: [todo('A', 'in_progress')] }, context)).ok, true);
  });

  const bad: [string, unknown][] = [
    ['no list', {}],
    ['a text', { todos: 'A' }],
    ['an unknown status', { todos: [{ ...todo('A', 'pending'), status: 'done' }] }],
    ['an empty task', { todos: [{ ...todo('A', 'pending'), content: '' }] }],
    ['a task without its active form', { todos: [{ content: 'A', status: 'pending' }] }],
  ];
  for (const [name, input] of bad) it(`refuses ${name}`, () => assert.equal(todoWriteTool.inputSchema.safeParse(input).success, false));

  it('asks nobody and runs alone', () => {
    const input = { todos: [] };
    assert.deepEqual([todoWriteTool.access, todoWriteTool.isReadOnly(input), todoWriteTool.isConcurrencySafe(input)], ['ReadOnly', true, false]);
    assert.deepEqual(todoWriteTool.aliases, ['todo_write', 'TodoWriteTool']);
    assert.deepEqual(jsonSchemaOf(todoWriteTool.inputSchema).required, ['todos']);
  });

  it('knows the list before from the log, also after it was opened anew, and shows the present one', async () => {
    const first = [todo('A', 'in_progress'), todo('B', 'pending')];
    const second = [todo('A', 'completed'), todo('B', 'in_progress')];
    const tools = [todoWriteTool];
    const begun = createHarness({
      model: createScriptedModel([
        reply(toolUse('TodoWrite', { todos: first })),
        reply(toolUse('TodoWrite', { todos: [todo('X', 'in_progress'), todo('Y', 'in_progress')] })),
        reply(text('Begun.')),
      ]),
      tools,
    });
    await begun.run('Do A and B');
    assert.deepEqual(todosFromRecords(begun.stored()), first, 'what was refused is not the list');
    assert.ok(begun.chat().items.every((item) => item.kind !== 'tool' || !item.readOnly), 'it does not fold away with looks');
    assert.deepEqual(begun.chat().todos, first);
    assert.deepEqual(begun.replayed().todos, first);
    assert.deepEqual(begun.approvals, []);

    const resumed = createHarness({ model: createScriptedModel([reply(toolUse('TodoWrite', { todos: second })), reply(text('Done.'))]), tools, records: begun.stored() });
    await resumed.run('Go on');
    const last = resumed.stored().findLast((record) => record.type === 'user' && record.toolUseResult !== undefined);
    assert.deepEqual(last?.type === 'user' && last.toolUseResult, { oldTodos: first, newTodos: second });
    assert.deepEqual(resumed.chat().todos, second);
  });
});
