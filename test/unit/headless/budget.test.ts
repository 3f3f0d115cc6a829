// A headless run within its budget, and what the API may do against its length: reported as in the public SDK.
import assert from 'node:assert/strict';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { compaction, reply, toolUse, withFields } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('a headless run and its budget', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    place.run(['-p', 'Look', '--model', 'claude-opus-5', '--output-format', 'json', ...args], { url: server.url, env });
  const looks = () =>
    withFields(reply(toolUse('Glob', { pattern: '*' })), { usage: { input_tokens: 400_000, output_tokens: 0 } });

  it('stops before the request that would pass it, and is not charged for what came before', async () => {
    server.setScript([looks(), looks(), reply('Never.')]);
    const end = await run(['--max-budget-usd', '5']);
    const [result] = jsonLines(end.stdout);
    assert.deepEqual(
      [end.code, result?.['subtype'], result?.['is_error'], result?.['total_cost_usd']],
      [1, 'error_max_budget_usd', true, 4],
    );
    assert.match(String((result?.['errors'] as string[])[0]), /budget of \$5\.00/);
    assert.equal(server.requests.length, 2);
    const usage = Object.values(result?.['modelUsage'] as Record<string, Record<string, unknown>>)[0];
    assert.deepEqual(
      [usage?.['webSearchRequests'], usage?.['maxOutputTokens'], usage?.['inputTokens']],
      [0, 128_000, 800_000],
    );
    server.setScript([looks(), reply('Done.')]);
    const again = await run(['--max-budget-usd', '5', '--continue']);
    assert.equal(jsonLines(again.stdout)[0]?.['subtype'], 'success', again.stderr);
  });

  it('takes only an amount above nothing', async () => {
    for (const amount of ['0', '-1', 'much']) {
      const end = await run(['--max-budget-usd', amount]);
      assert.ok(end.code === 1 && /takes an amount above 0/.test(end.stderr), end.stderr);
    }
  });

  it('lets the API clear or compact where the variable says so, with header and field together', async () => {
    server.setScript([reply('Yes.')]);
    await run([], { DEFT_CONTEXT_MANAGEMENT: 'clear' });
    const [request] = server.requests;
    assert.match(
      JSON.stringify(request?.body['context_management']),
      /clear_thinking_20251015.*clear_tool_uses_20250919/,
    );
    assert.match(String(request?.headers['anthropic-beta']), /context-management-2025-06-27/);
    server.setScript([
      looks(),
      withFields(reply(compaction('The API kept this.')), { stopReason: 'compaction' }),
      reply('Done.'),
    ]);
    const end = await run([], { DEFT_CONTEXT_MANAGEMENT: 'compact' });
    assert.equal(jsonLines(end.stdout)[0]?.['result'], 'Done.', end.stderr);
    assert.match(
      JSON.stringify(server.requests.at(-1)?.body['messages']),
      /^\[\{"role":"assistant","content":\[\{"type":"compaction","content":"The API kept this\."/,
    );
  });

  it('asks the API for nothing where betas are switched off, and names a word that it does not know', async () => {
    server.setScript([reply('Yes.'), reply('Yes.')]);
    await run([], { DEFT_CONTEXT_MANAGEMENT: 'clear', CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1' });
    assert.deepEqual(
      [server.requests[0]?.body['context_management'], server.requests[0]?.headers['anthropic-beta']],
      [undefined, undefined],
    );
    const end = await run([], { DEFT_CONTEXT_MANAGEMENT: 'shrink' });
    assert.match(end.stderr, /DEFT_CONTEXT_MANAGEMENT takes default, clear, compact, not "shrink"/);
  });
});
