// Streams that are lost wherever they can be, over HTTP, in a whole session: each turn ends, no tool runs twice, the API takes the history.
import assert from 'node:assert/strict';
import { type ModelClient } from '../../../../src/core/ports/model';
import { createAnthropicClient } from '../../../../src/providers/anthropic-client';
import { violationsOf } from '../../../support/accepted-history';
import { fakeTool, said } from '../../../support/fake-tools';
import { dropAfter, recordedReply, reply, type Reply } from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../../support/messages-api/server';
import { ownStreams } from '../../../support/own-streams';
import { createHarness } from '../../../support/session-harness';

/** Cut also within events; the others between them alone. */
const closely = ['tools'];
/** Within eight days it is every byte; `DEFT_CUT_STEP=1` is all of them at once. */
const step = Number(process.env['DEFT_CUT_STEP'] ?? 8);
const first = 1 + (new Date().getUTCDate() % step);

describe('cut streams', () => {
  let server: MessagesApi;
  let client: ModelClient;
  let cuts = 0;
  before(async () => {
    server = await startMessagesApi([], { acceptUnknownThinking: true, keepBodies: false });
    client = createAnthropicClient({ apiKey: 'key', baseUrl: server.url });
  });
  after(async () => {
    await server.close();
    console.log(`    ${cuts} streams cut`);
  });

  /** How often each call ran. */
  const play = async (stream: Reply): Promise<Map<string, number>> => {
    cuts++;
    const before = server.requests.length;
    server.setScript((_request, index) => (index === before ? stream : reply('Recovered.')));
    const runs = new Map<string, number>();
    const act = fakeTool('Act', {
      call: async ({ text = '' }) => {
        runs.set(text, (runs.get(text) ?? 0) + 1);
        return said(text);
      },
    });
    const harness = createHarness({
      model: client,
      tools: [act],
      session: { fallback: () => ({ models: ['claude-opus-4-8'], refusals: true }) },
    });
    assert.equal((await harness.run('Go')).reason, 'completed');
    assert.deepEqual(server.violations, []);
    const refused = violationsOf(harness.stored()).filter(
      (violation) => (violation as { rule: string }).rule !== 'thinking-unknown',
    );
    assert.deepEqual(refused, []);
    assert.ok(
      [...runs.values()].every((count) => count === 1),
      JSON.stringify([...runs]),
    );
    assert.ok(
      !harness
        .chat()
        .items.some(
          (item) =>
            (item.kind === 'text' && item.streaming) ||
            (item.kind === 'tool' && !['done', 'stopped'].includes(item.state)),
        ),
      'no card is left as if it still ran',
    );
    return runs;
  };

  for (const { name, wire, bytes, events } of ownStreams) {
    it(`${name}, lost behind each of its ${events} events`, async () => {
      for (let at = 1; at < events; at++) await play(dropAfter(recordedReply(wire), { events: at }));
    });
    if (!closely.includes(name)) continue;
    it(`${name}, lost behind one of ${step} of its ${bytes} bytes`, async function () {
      this.timeout(300_000);
      let ran = 0;
      for (let at = first; at < bytes; at += step)
        ran += (await play(dropAfter(recordedReply(wire), { bytes: at }))).size;
      if (name === 'tools') assert.ok(ran > 500 / step, 'calls that were whole before the cut have run');
    });
  }

  it('plays each of them whole', async () => {
    for (const { name, wire } of ownStreams) {
      const runs = await play(recordedReply(wire));
      assert.equal(runs.size, name === 'tools' ? 2 : 0, name);
    }
  });
});
