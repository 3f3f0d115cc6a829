// MessageDisplay hooks: they change what the user sees of a text, live and after a reload, and never what the model or the log gets.
import assert from 'node:assert/strict';
import { type HookResult, type HookHandlers } from '../../../../../src/core/ports/hook-handlers';
import { type HookEntry } from '../../../../../src/core/hooks/hook-entry';
import { type SessionEvent } from '../../../../../src/core/events/session-event';
import { createSystemClock } from '../../../../../src/node/system-clock';
import { commandHook, scriptedHooks } from '../../../../support/hooks';
import { latch, safeTool } from '../../../../support/fake-tools';
import { reply, toolUse, type ScriptedReply } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness } from '../../../../support/session-harness';

type Fields = Record<string, unknown>;
const shows = (displayContent: string): Partial<Extract<HookResult, { kind: 'ended' }>> => ({
  stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'MessageDisplay', displayContent } }),
});
const display = commandHook('MessageDisplay', 'x');

function world(
  hooks: readonly HookEntry[],
  handlers: HookHandlers,
  script: readonly ScriptedReply[],
): { harness: Harness; model: ScriptedModel } {
  const model = createScriptedModel(script);
  const judged = { active: hooks };
  const harness = createHarness({
    model,
    tools: [safeTool('Look')],
    ports: { hooks: handlers, clock: createSystemClock() },
    session: { hooks: () => judged },
  });
  return { harness, model };
}
const textsOf = ({ items }: ReturnType<Harness['chat']>): string[] =>
  items.flatMap((item) => (item.kind === 'text' ? [`${item.text}${item.streaming ? ' …' : ''}`] : []));

describe('MessageDisplay hooks', () => {
  it('see each finished text, and what they give stands in its place: in the chat and when its log is opened anew, in its order', async () => {
    const seen: Fields[] = [];
    const hooks = scriptedHooks((_hook, input) => (seen.push(input), shows(String(input['delta']).toUpperCase())));
    const { harness, model } = world([display], hooks, [
      reply('First.', 'Second.', toolUse('Look', {}, 'l1')),
      reply('Third.'),
      reply('Fourth.'),
    ]);
    await harness.run('Go');
    assert.deepEqual(textsOf(harness.chat()), ['FIRST.', 'SECOND.', 'THIRD.']);
    assert.deepEqual(
      harness.chat().items.map(({ kind }) => kind),
      ['user', 'text', 'text', 'tool', 'text'],
    );
    assert.deepEqual(textsOf(harness.replayed()), ['FIRST.', 'SECOND.', 'THIRD.']);
    assert.deepEqual(
      seen.map(({ hook_event_name, delta, index, final }) => [hook_event_name, delta, index, final]),
      [
        ['MessageDisplay', 'First.', 0, true],
        ['MessageDisplay', 'Second.', 1, true],
        ['MessageDisplay', 'Third.', 0, true],
      ],
    );
    assert.ok(
      seen.every(({ message_id, turn_id, prompt_id }) => typeof message_id === 'string' && turn_id === prompt_id),
    );
    await harness.run('More');
    const sent = JSON.stringify(model.requests.at(-1)?.messages);
    assert.match(sent, /First\..*Second\..*Third\./);
    assert.doesNotMatch(sent, /FIRST/);
    const said = harness.stored().flatMap((record) => (record.type === 'assistant' ? record.message.content : []));
    assert.ok(said.some((block) => block.type === 'text' && block.text === 'First.'));
  });

  it('show nothing before they have answered, keep the turn from ending as shown before, and do not hold up the work', async () => {
    const gate = latch();
    const handlers: HookHandlers = {
      ...scriptedHooks(() => undefined),
      command: async () => (
        await gate.opened,
        { kind: 'ended', exitCode: 0, stdout: shows('Hidden number: ***').stdout ?? '', stderr: '' }
      ),
    };
    const { harness } = world([display], handlers, [
      reply('The number is 4711.', toolUse('Look', {}, 'l1')),
      reply('The number is 4712.'),
    ]);
    const over = harness.run('Go');
    // The second reply has come: its text waits like the first one.
    await harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'turn_end',
    );
    // Not the bare digits: a time may hold them too.
    assert.doesNotMatch(JSON.stringify(harness.chat().items), /number is/);
    assert.ok(!harness.events.some(({ type }) => type === 'turn_idle'));
    gate.open();
    await over;
    assert.deepEqual(textsOf(harness.chat()), ['Hidden number: ***', 'Hidden number: ***']);
  });

  it('hide a text with an empty one; one that fails or says nothing leaves it as it was', async () => {
    const hooks = scriptedHooks((_hook, { delta }) =>
      delta === 'Away.' ? shows('') : delta === 'Broken.' ? { exitCode: 1, stderr: 'no' } : undefined,
    );
    const { harness } = world([display], hooks, [reply('Away.', 'Broken.', 'Kept.')]);
    await harness.run('Go');
    for (const chat of [harness.chat(), harness.replayed()]) assert.deepEqual(textsOf(chat), ['Broken.', 'Kept.']);
  });

  it('cost nothing where there are none: texts stream as they come', async () => {
    const { harness } = world(
      [commandHook('Stop', 'x')],
      scriptedHooks(() => undefined),
      [reply('One two three.')],
    );
    await harness.run('Go');
    const streamed = harness.events
      .filter((event): event is Extract<SessionEvent, { type: 'block_delta' }> => event.type === 'block_delta')
      .map(({ text }) => text);
    assert.equal(streamed.join(''), 'One two three.');
    assert.ok(!harness.stored().some((record) => record.type === 'system' && record.subtype === 'message_display'));
  });
});
