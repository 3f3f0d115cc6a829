// Compaction in a headless run: /compact as a prompt, near the limit, and after a refusal, reported as in the public SDK.
import assert from 'node:assert/strict';
import { createHeadlessPlace, jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { reply, withFields } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

const long = 'A long answer. '.repeat(3_000);

describe('headless compaction', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  beforeEach(async () => (place = await createHeadlessPlace()));
  afterEach(async () => {
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });
  const messagesOf = (index: number): string => JSON.stringify(server.requests[index]?.body['messages']);
  const run = (prompt: string, ...more: string[]) =>
    place.run(['-p', prompt, '--model', 'claude-haiku-4-5', ...more], { url: server.url });

  it('takes /compact for a prompt, and goes on from the summary', async () => {
    server = await startMessagesApi([reply(long), reply('The sum.'), reply('Yes.')]);
    await run('Tell me');
    const end = await run('/compact the answer', '--continue', '--output-format', 'stream-json');
    assert.equal(end.code, 0, end.stderr);
    const lines = jsonLines(end.stdout);
    const boundary = lines.find(({ subtype }) => subtype === 'compact_boundary');
    const metadata = boundary?.['compact_metadata'] as { trigger: string; pre_tokens: number };
    assert.equal(boundary?.['type'], 'system');
    assert.ok(metadata.trigger === 'manual' && metadata.pre_tokens > 0);
    assert.deepEqual([lines.at(-1)?.['type'], lines.at(-1)?.['subtype']], ['result', 'success']);
    assert.match(messagesOf(1), /keep this: the answer/);
    await run('Go on', '--continue');
    assert.match(messagesOf(2), /The sum\./);
    assert.doesNotMatch(messagesOf(2), /A long answer/);
  });

  it('says once that there is nothing to compact', async () => {
    server = await startMessagesApi([]);
    const end = await run('/compact');
    assert.deepEqual([end.code, end.stdout], [1, '']);
    assert.match(
      end.stderr,
      /^deft: The conversation was not compacted: There is nothing to compact yet\.\ndeft: The work so far is saved: continue with --resume \S+\.\n$/,
    );
  });

  it('compacts by itself near the limit', async () => {
    server = await startMessagesApi([
      withFields(reply(long), { usage: { input_tokens: 170_000, output_tokens: 10 } }),
      reply('The sum.'),
      reply('Yes.'),
    ]);
    await run('Tell me');
    const end = await run('Go on', '--continue', '--output-format', 'stream-json');
    const boundary = jsonLines(end.stdout).find(({ subtype }) => subtype === 'compact_boundary');
    assert.deepEqual((boundary?.['compact_metadata'] as { trigger: string }).trigger, 'auto');
    assert.match(messagesOf(2), /The sum\..*Go on/);
  });

  it('compacts where the API refuses the conversation as too long', async () => {
    const half = reply('A very long answer. '.repeat(5_000));
    server = await startMessagesApi([half, half, reply('The sum.'), reply('Yes.')], { window: { tokens: 55_000 } });
    await run('Tell me');
    await run('Tell me more', '--continue');
    const end = await run('Go on', '--continue');
    assert.deepEqual([end.code, end.stdout], [0, 'Yes.\n'], end.stderr);
    assert.match(messagesOf(server.requests.length - 1), /The sum\..*Go on/);
  });
});
