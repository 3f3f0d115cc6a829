// TodoWrite beyond its table: its place among the tools, and the list that a log adds up to.
import assert from 'node:assert/strict';
import { todosFromRecords } from '../../../../../src/core/sessions/todos-from-records';
import { todoWriteTool } from '../../../../../src/core/tools/tasks/todo-write';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { type TodoItem } from '../../../../../src/shared/tool-view';
import { reply, text, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';

const todo = (content: string, status: TodoItem['status']): TodoItem => ({
  content,
  status,
  activeForm: `${content} …`,
});
describe('TodoWrite', () => {
  it('asks nobody and runs alone', () => {
    const input = { todos: [] };
    assert.deepEqual(
      [todoWriteTool.access, todoWriteTool.isReadOnly(input), todoWriteTool.isConcurrencySafe(input)],
      ['ReadOnly', true, false],
    );
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
    assert.ok(
      begun.chat().items.every((item) => item.kind !== 'tool' || !item.readOnly),
      'it does not fold away with looks',
    );
    assert.deepEqual(begun.chat().todos, first);
    assert.deepEqual(begun.replayed().todos, first);
    assert.deepEqual(begun.approvals, []);

    const resumed = createHarness({
      model: createScriptedModel([reply(toolUse('TodoWrite', { todos: second })), reply(text('Done.'))]),
      tools,
      records: begun.stored(),
    });
    await resumed.run('Go on');
    const last = resumed.stored().findLast((record) => record.type === 'user' && record.toolUseResult !== undefined);
    assert.deepEqual(last?.type === 'user' && last.toolUseResult, { oldTodos: first, newTodos: second });
    assert.deepEqual(resumed.chat().todos, second);
  });
});
