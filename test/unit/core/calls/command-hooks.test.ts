// Hooks for Bash and the commands that other tools run: each command is asked about, and can hold the call up.
import assert from 'node:assert/strict';
import { type HookEntry } from '../../../../src/core/hooks/hook-entry';
import { type PermissionMode } from '../../../../src/shared/permission';
import { askingTool, said } from '../../../support/fake-tools';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { textsOf } from '../../../support/hooked-run';

interface Played {
  /** Tool and command of each question to a hook. */
  seen: string[];
  ran: number;
  asked: number;
  text: string;
}

async function play(
  answer: (command: string) => object | undefined,
  entry: Partial<HookEntry> = { matcher: 'Bash' },
  mode: PermissionMode = 'bypassPermissions',
): Promise<Played> {
  const seen: string[] = [];
  let ran = 0;
  const tool = askingTool('Act', {
    furtherCommands: async () => ['npm test', 'rm -rf build'],
    call: async () => {
      ran++;
      return said('Done.');
    },
  });
  const model = createScriptedModel([reply(toolUse('Act', { text: 'x' })), reply('Done.')]);
  const harness = createHarness({
    model,
    tools: [tool],
    ports: {
      hooks: scriptedHooks((_hook, input) => {
        const { command = '' } = input['tool_input'] as { command?: string };
        seen.push(`${String(input['tool_name'])} ${command}`.trim());
        const specific = answer(command);
        return (
          specific && { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } }) }
        );
      }),
    },
    session: { hooks: () => ({ active: [commandHook('PreToolUse', 'guard', entry)] }), mode },
  });
  await harness.run('Go');
  return { seen, ran, asked: harness.approvals.length, text: textsOf(model.requests[1] ?? assert.fail()) };
}

describe('hooks for Bash and what other tools run', () => {
  it('are asked about every command, and let it pass', async () => {
    const { seen, ran } = await play(() => undefined);
    assert.deepEqual([seen, ran], [['Bash npm test', 'Bash rm -rf build'], 1]);
  });

  it('hooks for the tool are asked about the tool alone, those for all about both', async () => {
    assert.deepEqual((await play(() => undefined, { matcher: 'Act' })).seen, ['Act']);
    assert.deepEqual((await play(() => undefined, { matcher: '' })).seen, [
      'Act',
      'Bash npm test',
      'Bash rm -rf build',
    ]);
  });

  it('deny the call, with the reason', async () => {
    const { ran, text } = await play((command) =>
      command.startsWith('rm')
        ? { permissionDecision: 'deny', permissionDecisionReason: 'Nothing is deleted.' }
        : undefined,
    );
    assert.equal(ran, 0);
    assert.match(text, /Permission denied: Nothing is deleted\./);
  });

  it('ask the user, in every mode', async () => {
    const { ran, asked } = await play((command) =>
      command.startsWith('rm') ? { permissionDecision: 'ask' } : undefined,
    );
    assert.deepEqual([ran, asked], [1, 1]);
  });

  it('allow nothing: they were not asked about the tool', async () => {
    const { ran, asked } = await play(() => ({ permissionDecision: 'allow' }), { matcher: 'Bash' }, 'default');
    assert.deepEqual([ran, asked], [1, 1]);
  });

  it('deny by changing the command, which cannot run in another form', async () => {
    const { ran, text } = await play((command) => ({ updatedInput: { command: `safe ${command}` } }));
    assert.equal(ran, 0);
    assert.match(text, /a hook changes the command `npm test`, which Act cannot run in another form/);
    assert.equal((await play((command) => ({ updatedInput: { command } }))).ran, 1, 'the same command is no change');
  });

  it('add what they say for the model', async () => {
    const { text } = await play((command) => ({ additionalContext: `Seen: ${command}` }));
    assert.match(text, /Seen: npm test[^]*Seen: rm -rf build/);
  });

  it('with a condition look at the command, though the session has no Bash', async () => {
    const condition = { toolName: 'Bash', ruleContent: 'rm *' };
    assert.deepEqual((await play(() => undefined, { matcher: 'Bash', condition })).seen, ['Bash rm -rf build']);
  });
});
