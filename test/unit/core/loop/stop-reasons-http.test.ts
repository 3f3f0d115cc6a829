// What follows each stop reason, through the real client and a server that refuses what the API refuses.
import assert from 'node:assert/strict';
import { maxContinuations } from '../../../../src/core/loop/after-reply';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { violationsOf } from '../../../support/accepted-history';
import { fakeTool, said } from '../../../support/fake-tools';
import {
  brokenToolUse,
  dropAfter,
  rawBlock,
  reply,
  toolUse,
  withFields,
  type Reply,
  type ScriptedReply,
} from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi, type Script } from '../../../support/messages-api/server';
import { createHarness, prompt, type Harness } from '../../../support/session-harness';

const ended = (stopReason: string, ...content: Parameters<typeof reply>): Reply =>
  withFields(reply(...content), { stopReason });
const search = (id: string) => rawBlock({ type: 'server_tool_use', id, name: 'web_search', input: { query: 'x' } });
const found = (id: string) => rawBlock({ type: 'web_search_tool_result', tool_use_id: id, content: [] });

interface Sent {
  role: string;
  content: { type: string; text?: string }[];
}

describe('stop reasons over HTTP', () => {
  let server: MessagesApi;
  let harness: Harness;
  let runs: string[];
  const start = async (script: Script, onRun: (harness: Harness) => void = () => undefined): Promise<void> => {
    runs = [];
    server = await startMessagesApi(script);
    const act = fakeTool('Act', {
      call: async ({ text = '' }) => {
        runs.push(text);
        onRun(harness);
        return said(text);
      },
    });
    harness = createHarness({ model: createAnthropicClient({ apiKey: 'key', baseUrl: server.url }), tools: [act] });
  };
  const sent = (request: number): Sent[] =>
    (server.requests[request]?.body['messages'] ?? assert.fail('no such request')) as Sent[];
  const types = (message: Sent | undefined): string[] => message?.content.map(({ type }) => type) ?? [];
  const lastText = (request: number): string => sent(request).at(-1)?.content.at(-1)?.text ?? '';

  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
    assert.deepEqual(violationsOf(harness.stored()), []);
  });

  it('pause_turn goes on with the reply as it is', async () => {
    await start([ended('pause_turn', 'Looking.', search('srvtoolu_1')), reply(found('srvtoolu_1'), 'Found.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(types(sent(1).at(-1)), ['text', 'server_tool_use']);
  });

  it('pause_turn ends after ten in a row, and the conversation can go on', async () => {
    await start((_request, index) =>
      index < maxContinuations ? ended('pause_turn', 'Looking.', search(`srvtoolu_${index}`)) : reply('Well.'),
    );
    assert.equal((await harness.run('Go')).reason, 'continuations_exhausted');
    assert.equal(server.requests.length, maxContinuations);
    assert.deepEqual(await harness.run('Then leave it'), { reason: 'completed' });
    assert.equal(
      sent(maxContinuations).flatMap(types).includes('server_tool_use'),
      false,
      'searches without a result are left out',
    );
  });

  it('max_tokens in a text goes on with twice the room', async () => {
    await start([ended('max_tokens', 'A long'), reply('story.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.match(lastText(1), /Continue exactly where it stopped/);
    assert.equal(server.requests[1]?.body['max_tokens'], Number(server.requests[0]?.body['max_tokens']) * 2);
  });

  it('max_tokens in a call never runs it, and asks for it again', async () => {
    await start([
      ended('max_tokens', 'Acting.', brokenToolUse('Act', '{"text":"unfin')),
      reply(toolUse('Act', { text: 'whole' })),
      reply('Done.'),
    ]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(runs, ['whole']);
    assert.match(lastText(1), /was not run/);
  });

  it('max_tokens behind a whole call runs it and goes on', async () => {
    await start([ended('max_tokens', toolUse('Act', { text: 'whole' })), reply('Done.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual([runs, types(sent(1).at(-1))], [['whole'], ['tool_result']]);
  });

  it('an empty end_turn is never sent again as it was', async () => {
    await start([ended('end_turn'), reply('Here.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.match(lastText(1), /was empty/);
    assert.notEqual(server.requests[1]?.text, server.requests[0]?.text);
  });

  it('an exceeded window is compacted, and the turn goes on', async () => {
    await start([
      reply(toolUse('Act', { text: 'first' })),
      ended('model_context_window_exceeded', 'So far'),
      reply('A summary of it all.'),
      reply('And on.'),
    ]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(runs, ['first']);
    assert.ok(harness.stored().some((record) => record.type === 'system' && record.subtype === 'compact_boundary'));
    assert.match(JSON.stringify(sent(3)), /A summary of it all\..*continue where it stopped/);
  });

  it("sends nothing but results while the API's own tool is still open", async () => {
    const script = [
      ended('tool_use', search('srvtoolu_1'), toolUse('Act', { text: 'mine' }, 't1')),
      reply(found('srvtoolu_1'), toolUse('Act', { text: 'again' }, 't2')),
      reply('Done.'),
    ];
    await start(script, ({ session }) => {
      if (runs.length > 1) return;
      session.steer(prompt('And hurry'));
      session.remind('Something has changed.');
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      [types(sent(1).at(-2)), types(sent(1).at(-1))],
      [['server_tool_use', 'tool_use'], ['tool_result']],
    );
    assert.deepEqual(types(sent(2).at(-1)), ['tool_result', 'text', 'text'], 'what waited comes with the next results');
    assert.deepEqual(runs, ['mine', 'again']);
  });

  it('leaves a search out whose result was lost with the connection', async () => {
    const lost: ScriptedReply = dropAfter(reply('Looking.', search('srvtoolu_1'), 'And then a longer text.'), {
      events: 8,
    });
    await start([lost, reply('Found.')]);
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(types(sent(1).at(-2)), ['text']);
  });

  it('a refusal ends the turn, and what it had said is not sent again', async () => {
    await start([
      withFields(reply('I cannot'), {
        stopReason: 'refusal',
        stopDetails: { type: 'refusal', category: null, explanation: null },
      }),
      reply('Better.'),
    ]);
    assert.equal((await harness.run('Go')).reason, 'refusal');
    assert.deepEqual(await harness.run('Something else'), { reason: 'completed' });
    assert.deepEqual(
      sent(1).map(({ role }) => role),
      ['user'],
    );
  });
});
