// The scripted Messages API knows the thinking it sent: echoes must be whole, unchanged and in order.
import assert from 'node:assert/strict';
import { redactedThinking, reply, text, thinking, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { assistant, body, mark, post, result, use, user } from './raw-requests';

describe('scripted Messages API, echoed thinking', () => {
  let server: MessagesApi;
  afterEach(() => server.close());

  const first = [
    { type: 'thinking', thinking: 'plan', signature: 'sig-1' },
    { type: 'redacted_thinking', data: 'secret' },
    { type: 'text', text: 'Reading.' },
    use('t1'),
    { type: 'thinking', thinking: 'more', signature: 'sig-2' },
    use('t2'),
  ];
  const results = user([result('t1'), result('t2')]);
  const echo = async (blocks: unknown[], answers = results): Promise<string[]> => {
    server = await startMessagesApi([
      reply(
        thinking('plan', 'sig-1'),
        redactedThinking('secret'),
        text('Reading.'),
        toolUse('Read', {}, 't1'),
        thinking('more', 'sig-2'),
        toolUse('Read', {}, 't2'),
      ),
      reply('done'),
    ]);
    const { answer } = await post(server, body([user('a')]));
    assert.deepEqual(answer.content, first);
    await post(server, body([user('a'), assistant(blocks), answers]));
    return server.violations.map((violation) => violation.rule);
  };

  it('passes unchanged, with and without the text', async () => {
    assert.deepEqual(await echo(first), []);
    await server.close();
    assert.deepEqual(await echo(first.filter((block) => block['type'] !== 'text')), []);
  });
  it('passes as far as the client got it', async () => {
    assert.deepEqual(await echo(first.slice(0, 4), user([result('t1')])), []);
  });
  it('passes with results of a session that is older than the server', async () => {
    assert.deepEqual(await echo([use('old')], user([result('old')])), []);
  });
  const changed: [string, unknown[], string][] = [
    ['other text', first.with(0, { type: 'thinking', thinking: 'plan!', signature: 'sig-1' }), 'thinking-changed'],
    ['other signature', first.with(0, { type: 'thinking', thinking: 'plan', signature: 'x' }), 'thinking-changed'],
    ['unknown thinking', first.with(0, { type: 'thinking', thinking: 'y', signature: 'x' }), 'thinking-unknown'],
    ['unknown redacted', first.with(1, { type: 'redacted_thinking', data: 'x' }), 'thinking-unknown'],
    ['other order', [first[1], first[0], ...first.slice(2)], 'thinking-order'],
    ['thinking behind its tool', [first[0], first[1], first[3], first[5], first[4]], 'thinking-order'],
    ['a lost redacted block', first.toSpliced(1, 1), 'thinking-order'],
    ['no thinking at all', [first[3], first[5]], 'thinking-missing'],
  ];
  for (const [name, blocks, rule] of changed) {
    it(`refuses ${name}`, async () => assert.deepEqual(await echo(blocks), [rule]));
  }
  it('refuses a cache mark on thinking', async () => {
    const rules = await echo(first.with(0, { ...first[0], ...mark }));
    assert.ok(rules.includes('cache-control-thinking'), rules.join());
  });
});
