// A parameter that a tool does not know is an error that names it: dropped in silence, the call would do something else than was meant.
import assert from 'node:assert/strict';
import { z } from 'zod/v3';
import { inputErrorText } from '../../../../src/core/calls/call-input';
import { describeCall } from '../../../../src/core/projection/describe-call';
import { askUserQuestionTool } from '../../../../src/core/tools/ask-user-question';
import { bashTool, createBashTool } from '../../../../src/core/tools/bash/bash';
import { grepTool } from '../../../../src/core/tools/grep/grep';
import { parseKnownFields } from '../../../../src/core/tool/known-fields';
import { powerShellTool } from '../../../../src/core/tools/bash/power-shell';
import { getAllBaseTools } from '../../../../src/core/tools/registry';
import { withTeams } from '../../../../src/core/tools/teams/team-tools';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { jsonSchemaOf } from '../../../../src/core/tool/tool-schema';
import { todoWriteTool } from '../../../../src/core/tools/tasks/todo-write';

function errorOf(tool: AnyTool, input: unknown): string {
  const parsed = tool.inputSchema.safeParse(input);
  return parsed.success ? '' : inputErrorText(tool, parsed.error);
}

const all = [...new Set([...getAllBaseTools(), ...withTeams(getAllBaseTools(), true)])];

describe('a parameter that no tool has', () => {
  for (const tool of all) {
    it(`is named by ${tool.name}, and the schema that the model reads forbids it`, () => {
      assert.match(errorOf(tool, { no_such_field: 1 }), /^- unknown parameter `no_such_field`/m);
      assert.equal((tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema)).additionalProperties, false);
    });
  }

  it('comes with the nearest one that there is, and with all of them', () => {
    assert.match(
      errorOf(bashTool, { command: 'sleep 9', run_in_backgroud: true }),
      /^InputValidationError: Bash was called with invalid input:\n- unknown parameter `run_in_backgroud` \(did you mean `run_in_background`\?\); valid parameters are `command`, `timeout`, `description`, `run_in_background`$/,
    );
    assert.match(
      errorOf(grepTool, { pattern: 'x', include: '*.md' }),
      /- unknown parameter `include`[^\n]*; valid parameters are `pattern`, `path`, `glob`, /,
    );
  });

  it('is named inside of lists too', () => {
    const question = {
      question: 'Which?',
      header: 'Which',
      options: [
        { label: 'a', description: '' },
        { label: 'b', description: '', detail: 'x' },
      ],
    };
    assert.match(
      errorOf(askUserQuestionTool, { questions: [question] }),
      /- unknown parameter `detail`[^\n]* in `questions\.0\.options\.1`; valid parameters are `label`, `description`, `preview`$/,
    );
    assert.match(
      errorOf(todoWriteTool, { todos: [{ content: 'a', status: 'pending', activeForm: 'b', id: '1' }] }),
      /- unknown parameter `id`[^\n]* in `todos\.0`; valid parameters are `content`, `status`, `activeForm`$/,
    );
  });

  it('that leaves the sandbox is passed over where it is not offered', () => {
    const input = { command: 'ls', dangerouslyDisableSandbox: true };
    for (const tool of [bashTool, powerShellTool]) {
      assert.deepEqual(tool.inputSchema.safeParse(input).data, { command: 'ls' });
      assert.ok(!('dangerouslyDisableSandbox' in (tool.inputJSONSchema?.properties ?? {})));
    }
    assert.deepEqual(createBashTool({ sandbox: { allowsUnsandboxed: true } }).inputSchema.safeParse(input).data, input);
  });

  it('does not hide a call of an older log: it is shown without it', () => {
    assert.equal(
      describeCall(grepTool, { pattern: 'needle', include: '*.md' })?.sentence.now,
      describeCall(grepTool, { pattern: 'needle' })?.sentence.now,
    );
    assert.equal(describeCall(grepTool, { include: '*.md' }), undefined);
  });

  it('hides no such call inside of lists either', () => {
    const todos = [
      { content: 'a', status: 'pending', activeForm: 'b', id: '1', priority: 'high' },
      { content: 'c', status: 'completed', activeForm: 'd', priority: 'low' },
    ];
    assert.equal(describeCall(todoWriteTool, { todos, merge: false })?.sentence.past, 'Updated the tasks');
    const options = [
      { label: 'a', description: '', value: 1 },
      { label: 'b', description: '' },
    ];
    assert.ok(
      describeCall(askUserQuestionTool, { questions: [{ question: 'Which?', header: 'Which', options, id: 'q' }] }),
    );
    assert.equal(
      describeCall(todoWriteTool, { todos: [{ content: 'a', id: '1' }] }),
      undefined,
      'what it lacks is still missing',
    );
  });

  it('is left out of one of several forms, where that wants nothing else', () => {
    const form = z.strictObject({ inner: z.strictObject({ kept: z.string() }) }).transform(({ inner }) => inner.kept);
    const inputSchema = z.strictObject({ one: z.union([z.strictObject({ number: z.number() }), form]) });
    assert.deepEqual(parseKnownFields({ inputSchema }, { one: { inner: { kept: 'a', lost: 1 }, more: 2 }, last: 3 }), {
      ok: true,
      input: { one: 'a' },
      dropped: ['one.inner.lost', 'one.more', 'last'],
    });
    const wrong = parseKnownFields({ inputSchema }, { one: { number: 'x', more: 2 } });
    assert.ok(!wrong.ok);
  });
});
