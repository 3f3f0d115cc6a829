// Several hooks after one call, and hooks that fail: no text reaches the model or the log that one of them took out or should have seen.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { type HookEntry } from '../../../../../src/core/hooks/hook-entry';
import { type HookHandlers } from '../../../../../src/core/ports/hook-handlers';
import { createNodeHookHandlers } from '../../../../../src/node/hooks/node-hook-handlers';
import { createSystemClock } from '../../../../../src/node/system-clock';
import { latch, safeTool, said } from '../../../../support/fake-tools';
import { commandHook, hangingHooks } from '../../../../support/hooks';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness } from '../../../../support/session-harness';

const text = 'customer 4711 SECRET';

/** A process that gives back what it is shown, changed by this JavaScript. */
const replacing = (change: string, more: Partial<HookEntry> = {}): HookEntry =>
  commandHook(
    'PostToolUse',
    `'${process.execPath}' -e 'let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => { const output = JSON.parse(text).tool_response; ${change}; console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: output } })); });'`,
    more,
  );
const word = (from: string, to: string): HookEntry =>
  replacing(`output.said = output.said.replace("${from}", "${to}")`);
const unchanged = replacing('');

function world(active: readonly HookEntry[], handlers?: HookHandlers): { harness: Harness; model: ScriptedModel } {
  const model = createScriptedModel([reply(toolUse('Say', { text }, 't1')), reply('Fine.'), reply('Still fine.')]);
  const harness = createHarness({
    model,
    tools: [safeTool('Say', { call: async () => said(text) })],
    ports: {
      hooks: handlers ?? createNodeHookHandlers({ environment: async () => process.env }),
      clock: createSystemClock(),
    },
    session: {
      hooks: () => ({ active }),
      environment: { cwd: tmpdir(), folders: [tmpdir()], platform: 'linux', shell: 'bash', date: '2026-11-21' },
    },
  });
  return { harness, model };
}

/** What the model gets of the call, and what the log has of it. */
function resultOf({ harness, model }: ReturnType<typeof world>): { sent: string; logged: string; notices: string[] } {
  const records = harness.stored();
  const block = (model.requests.at(-1)?.messages ?? [])
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .find((one) => one.type === 'tool_result');
  assert.ok(block);
  return {
    sent: String(block.content),
    logged: JSON.stringify(records.find((record) => record.type === 'user' && record.toolUseResult !== undefined)),
    notices: records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'hook_notice' ? [record.message] : [],
    ),
  };
}

describe('replaced outputs in a session', function () {
  this.timeout(20_000);

  const together: [string, HookEntry[], string][] = [
    ['of which one changes something', [word('SECRET', '[gone]'), unchanged], 'customer 4711 [gone]'],
    ['of which the later one does', [unchanged, word('SECRET', '[gone]')], 'customer 4711 [gone]'],
    ['that both do', [word('SECRET', '[gone]'), word('4711', '[id]')], 'customer [id] [gone]'],
  ];
  for (const [name, active, expected] of together)
    it(`several hooks, ${name}`, async () => {
      const made = world(active);
      await made.harness.run('Go');
      const { sent, logged, notices } = resultOf(made);
      assert.equal(sent, expected);
      assert.doesNotMatch(logged, /SECRET/);
      assert.deepEqual(notices, []);
    });

  it('several hooks that change the same word: the output is withheld, and the user is told', async () => {
    const made = world([word('SECRET', '[one]'), word('SECRET', '[two]')]);
    await made.harness.run('Go');
    const { sent, logged, notices } = resultOf(made);
    assert.match(
      sent,
      /^<tool_use_error>Say has run, but its output is withheld\. Several PostToolUse hooks changed `said`/,
    );
    assert.doesNotMatch(logged, /SECRET|4711/);
    assert.match(notices.join(), /It and another hook changed `said` of the output in ways that do not fit together/);
  });

  it('a guard that fails: withheld with failClosed, and passed on without it', async () => {
    const failing = (more: Partial<HookEntry>): ReturnType<typeof world> =>
      world([commandHook('PostToolUse', 'echo broken >&2; exit 1', more)]);
    const closed = failing({ failClosed: true });
    await closed.harness.run('Go');
    const { sent, logged, notices } = resultOf(closed);
    assert.match(sent, /its output is withheld\. A hook failed, and it is set to let nothing pass/);
    assert.doesNotMatch(logged, /SECRET|4711/);
    assert.match(notices.join(), /exit code 1: broken\. The output is withheld from the model, as its entry says/);
    const open = failing({});
    await open.harness.run('Go');
    assert.equal(resultOf(open).sent, text);
    assert.match(resultOf(open).notices.join(), /Deft continued without it/);
  });

  it('a guard that the user stops: withheld with failClosed', async () => {
    const started = latch();
    const made = world(
      [commandHook('PostToolUse', 'hangs', { failClosed: true })],
      hangingHooks(() => started.open()),
    );
    const stop = new AbortController();
    const turn = made.harness.run('Go', stop.signal);
    await started.opened;
    stop.abort();
    await turn;
    await made.harness.run('Go on');
    const { sent, logged } = resultOf(made);
    assert.match(sent, /its output is withheld\. The hook that guards it was stopped before it had ended/);
    assert.doesNotMatch(logged, /SECRET|4711/);
  });
});
