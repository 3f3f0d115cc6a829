// What follows each stop reason: on, a nudge, or the end of the turn with a sentence.
import assert from 'node:assert/strict';
import { maxContinuations } from '../../../../src/core/loop/after-reply';
import { type Message } from '../../../../src/core/wire/wire';
import {
  brokenToolUse,
  rawBlock,
  recordedReply,
  reply,
  thinking,
  toolUse,
  withFields,
  type ScriptedReply,
} from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt, type Harness, type HarnessOptions } from '../../../support/session-harness';

/** A call whose input breaks off, as a stream that closes its block all the same. */
const cutCall = [
  {
    type: 'message_start',
    message: { id: 'msg_cut', model: 'claude-opus-5', usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Acting.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'Act', input: {} } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"text":"unfin' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

describe('stop reasons', () => {
  let model: ScriptedModel;
  let harness: Harness;
  const start = (
    script: readonly ScriptedReply[] | ((index: number) => ScriptedReply),
    session: HarnessOptions['session'] = {},
  ): void => {
    model = createScriptedModel(typeof script === 'function' ? (_request, index) => script(index) : script);
    harness = createHarness({ model, session });
  };
  const lastOf = (request: number): Message =>
    model.requests[request]?.messages.at(-1) ?? assert.fail('no such request');
  const texts = (message: Message): string[] =>
    message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

  afterEach(() => {
    assert.deepEqual(model.violations, []);
    assert.deepEqual(visibleStates(harness), [], 'no card is left as if it still ran');
  });

  it('end_turn ends', async () => {
    start([reply('Hello.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
  });

  it('an empty end_turn gets a nudge, never the same request again', async () => {
    start([
      withFields(reply(), { stopReason: 'end_turn' }),
      withFields(reply('\n\n'), { stopReason: 'end_turn' }),
      reply('Here I am.'),
    ]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(model.requests.length, 3);
    assert.match(texts(lastOf(1)).at(-1) ?? '', /empty/);
    assert.notDeepEqual(model.requests[1]?.messages, model.requests[0]?.messages);
    assert.notDeepEqual(model.requests[2]?.messages, model.requests[1]?.messages);
    assert.ok(
      !harness.chat().items.some((item) => item.kind === 'text' && item.text.trim() === ''),
      'blank text is not shown',
    );
  });

  it('thinking alone counts as empty, and is not sent back', async () => {
    start([reply(thinking('Hm.', 'sig')), reply('Yes.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      model.requests[1]?.messages.map(({ role }) => role),
      ['user'],
    );
    assert.match(texts(lastOf(1)).at(-1) ?? '', /empty/);
  });

  it('empty replies end after so many', async () => {
    start(() => withFields(reply(), { stopReason: 'end_turn' }));
    assert.equal((await harness.run('Go')).reason, 'continuations_exhausted');
    assert.equal(model.requests.length, maxContinuations);
  });

  it('max_tokens in text goes on with more room', async () => {
    start([withFields(reply('A long'), { stopReason: 'max_tokens' }), reply('story.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.match(texts(lastOf(1)).at(-1) ?? '', /output limit/);
    assert.equal(model.requests[1]?.max_tokens, (model.requests[0]?.max_tokens ?? 0) * 2);
  });

  const cutCalls: [string, ScriptedReply][] = [
    [
      'without an end of its block',
      withFields(reply('Acting.', brokenToolUse('Act', '{"text":"unfin')), { stopReason: 'max_tokens' }),
    ],
    ['with an end of its block', recordedReply(cutCall)],
  ];
  for (const [name, cut] of cutCalls) {
    it(`max_tokens in the middle of a call, ${name}: it never runs and is asked for again`, async () => {
      start([cut, reply(toolUse('Act', { text: 'whole' }, 't9')), reply('Done.')]);
      assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
      assert.deepEqual(
        model.requests[1]?.messages[1]?.content.map((block) => (block.type === 'text' ? block.text : block.type)),
        ['Acting.'],
      );
      assert.match(texts(lastOf(1)).at(-1) ?? '', /was not run/);
      assert.ok((model.requests[1]?.max_tokens ?? 0) > (model.requests[0]?.max_tokens ?? 0));
      assert.equal(
        harness.stored().filter((record) => record.type === 'system' && record.subtype === 'tool_started').length,
        1,
      );
      assert.equal(harness.chat().items.filter((item) => item.kind === 'tool').length, 1);
    });
  }

  it('max_tokens behind a whole call: that one runs', async () => {
    start([
      withFields(reply(toolUse('Act', { text: 'a' }, 't1'), brokenToolUse('Act', '{"te')), {
        stopReason: 'max_tokens',
      }),
      reply('Done.'),
    ]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const { content } = lastOf(1);
    assert.equal(content[0]?.type === 'tool_result' && content[0].content, 'a');
    assert.match(texts(lastOf(1)).at(-1) ?? '', /was not run/);
  });

  it('max_tokens with whole calls runs them', async () => {
    start([withFields(reply(toolUse('Act', { text: 'a' }, 't1')), { stopReason: 'max_tokens' }), reply('Done.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      lastOf(1).content.map(({ type }) => type),
      ['tool_result'],
    );
    assert.equal(model.requests[1]?.max_tokens, (model.requests[0]?.max_tokens ?? 0) * 2);
  });

  it('max_tokens in thinking behind a call leaves no message that ends in thinking', async () => {
    start([
      withFields(reply(thinking('first', 's1'), toolUse('Act', { text: 'a' }, 't1'), thinking('cut', 's2')), {
        stopReason: 'max_tokens',
      }),
      reply('Done.'),
    ]);
    await harness.run('Go');
    for (const { messages } of model.requests)
      assert.equal(
        messages.some((message) => message.content.at(-1)?.type === 'thinking'),
        false,
      );
  });

  it('pause_turn is sent again as it is, ten times at most', async () => {
    const search = rawBlock({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } });
    start([withFields(reply('Searching.', search), { stopReason: 'pause_turn' }), reply('Found.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(lastOf(1).role, 'assistant');
    assert.deepEqual(model.requests[1]?.messages.length, 2);
    start(() => withFields(reply('Searching.', search), { stopReason: 'pause_turn' }));
    assert.equal((await harness.run('Go')).reason, 'continuations_exhausted');
    assert.equal(model.requests.length, maxContinuations);
  });

  it('a refusal ends the turn with its explanation, and the next prompt is accepted', async () => {
    start([
      withFields(reply('I cannot'), {
        stopReason: 'refusal',
        stopDetails: { type: 'refusal', explanation: 'Not that.' },
      }),
      reply('Better.'),
    ]);
    const end = await harness.run('Go');
    assert.equal(end.reason, 'refusal');
    assert.match(end.message ?? '', /Not that\./);
    assert.deepEqual(await harness.run('Something else'), { reason: 'completed' });
  });

  it('an exceeded context window ends the turn with advice where the conversation may not be compacted', async () => {
    start([withFields(reply('So far'), { stopReason: 'model_context_window_exceeded' }), reply('ok')], {
      autoCompact: () => ({ enabled: false }),
    });
    const end = await harness.run('Go');
    assert.equal(end.reason, 'context_exceeded');
    assert.match(end.message ?? '', /new session/);
    assert.equal(harness.chat().items.at(-1)?.kind, 'notice');
    assert.deepEqual(await harness.run('Once more'), { reason: 'completed' });
  });

  it('stop_sequence ends like end_turn', async () => {
    start([withFields(reply('Until here'), { stopReason: 'stop_sequence', stopSequence: 'END' })]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
  });

  it('a stop reason of the future ends where there is content', async () => {
    start([withFields(reply('Hello.'), { stopReason: 'tired' })]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
  });

  it("unreadable input of a finished call is the model's to mend", async () => {
    start([recordedReply(cutCall.replace('max_tokens', 'tool_use')), reply('Sorry.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    const [result] = lastOf(1).content;
    assert.ok(result?.type === 'tool_result' && result.is_error === true);
    assert.match(String(result.content), /^<tool_use_error>InputValidationError.*not valid JSON/s);
    const call = model.requests[1]?.messages[1]?.content.at(-1);
    assert.ok(call?.type === 'tool_use');
    assert.deepEqual([call.id, call.input], ['t1', {}]);
  });

  it('a message sent meanwhile is not swallowed by a refusal', async () => {
    start(() => withFields(reply('No'), { stopReason: 'refusal' }));
    harness.session.steer(prompt('Wait'));
    await harness.run('Go');
    const waiting = harness.session.pending.waiting.map(({ display }) => display.text);
    const delivered = harness.chat().items.some((item) => item.kind === 'user' && item.text === 'Wait');
    assert.ok(
      waiting.includes('Wait') !== delivered,
      'it waits or it is in the conversation, never both, never neither',
    );
  });
});

function visibleStates(harness: Harness): string[] {
  return harness.chat().items.flatMap((item) => {
    if (item.kind === 'tool' && (item.state === 'waiting' || item.state === 'running'))
      return [`${item.name}: ${item.state}`];
    return (item.kind === 'text' || item.kind === 'thinking') && item.streaming ? [`${item.kind}: streaming`] : [];
  });
}
