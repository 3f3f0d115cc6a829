// What a log says of its costs: by model, turn, agent and tool, with prices that are not known.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { usageReport } from '../../../../src/core/usage/usage-report';
import { cacheText, dollarText, tokenText, usageFacts, usageText } from '../../../../src/shared/usage-view';

const envelope = {
  uuid: 'u',
  parentUuid: null,
  timestamp: '2026-11-22T00:00:00Z',
  sessionId: 's',
  cwd: '/w',
  version: '0',
};
const prompt = (text: string): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: text },
});
const call = (id: string, name: string): SessionRecord => ({
  ...envelope,
  type: 'assistant',
  message: {
    id: `m${id}`,
    role: 'assistant',
    model: 'claude-opus-5',
    content: [{ type: 'tool_use', id, name, input: {} }],
    stop_reason: null,
  },
});
const result = (id: string, text: string): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
  toolUseResult: {},
});
const usage = (input: number, read: number, written: number, output: number) => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
  output_tokens: output,
});
const end = (counts: ReturnType<typeof usage>, more: object = {}): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'reply_end',
  messageId: 'm',
  stopReason: 'end_turn',
  usage: counts,
  model: 'claude-opus-5',
  durationMs: 2_000,
  ...more,
});
const side = (whom: string | undefined, model: string): SessionRecord => ({
  ...envelope,
  type: 'system',
  subtype: 'side_usage',
  model,
  usage: usage(1_000_000, 0, 0, 0),
  ...defined({ whom }),
});
const boundary: SessionRecord = {
  ...envelope,
  type: 'system',
  subtype: 'compact_boundary',
  compactMetadata: { trigger: 'auto', preTokens: 1 },
};

describe('the usage of a session', () => {
  it('adds up by model, turn and agent, with the share of the cache and the time of the API', () => {
    const report = usageReport([
      prompt('First task'),
      end(usage(1_000_000, 3_000_000, 0, 0)),
      side('Explore: look around', 'claude-haiku-4-5'),
      prompt('Second task'),
      end(usage(0, 0, 0, 1_000_000)),
      side(undefined, 'claude-haiku-4-5'),
    ]);
    assert.deepEqual(
      report.byModel.map(({ name, costUsd, replies }) => [name, costUsd, replies]),
      [
        ['Opus 5', 31.5, 2],
        ['Haiku 4.5', 2, 2],
      ],
    );
    assert.deepEqual(
      report.turns.map(({ name, costUsd }) => [name, costUsd]),
      [
        ['First task', 7.5],
        ['Second task', 26],
      ],
    );
    assert.deepEqual(
      report.background.map(({ name }) => name),
      ['Explore: look around', 'Small jobs: titles, judgements, pages'],
    );
    assert.equal(report.total.costUsd, 33.5);
    assert.equal(report.apiMs, 4_000);
    assert.equal(cacheText(report.byModel[0] ?? assert.fail()), '75%');
    assert.ok(usageFacts(report).some(([name, value]) => name === 'API time' && value === '4 s'));
    for (const part of ['Cost: $33.50', 'Opus 5\t4.0M read (75% from the cache)', 'First task', 'Explore: look around'])
      assert.ok(usageText(report).includes(part), part);
  });

  it('is at least so much where a price is not known, and not known where a subscription pays', () => {
    const log = [prompt('a'), end(usage(1_000_000, 0, 0, 0)), end(usage(10, 0, 0, 0), { model: 'local-model' })];
    const report = usageReport(log);
    assert.deepEqual(report.byModel.map(dollarText), ['$5.00', 'not known']);
    assert.equal(dollarText(report.total), 'at least $5.00');
    assert.equal(
      dollarText(usageReport([prompt('a'), end(usage(1_000_000, 0, 0, 0), { provider: 'vscode' })]).total),
      'not known',
    );
  });

  it('counts searches and fast replies where the API says so', () => {
    const report = usageReport([
      prompt('a'),
      end({ ...usage(1, 0, 0, 0), server_tool_use: { web_search_requests: 3 }, speed: 'fast' } as never),
    ]);
    assert.deepEqual([report.searches, report.fastReplies], [3, 1]);
  });

  it("charges a tool's results once for writing and with each later reply for reading, until a compaction", () => {
    const text = 'x'.repeat(35_000);
    const before = [prompt('a'), call('1', 'Read'), result('1', text), end(usage(1, 0, 0, 0))];
    const one = usageReport(before).tools[0] ?? assert.fail();
    assert.ok(one.name === 'Read' && one.calls === 1 && one.tokens >= 10_000 && one.tokens < 10_100);
    const three = usageReport([...before, end(usage(1, 0, 0, 0)), end(usage(1, 0, 0, 0))]).tools[0] ?? assert.fail();
    assert.ok(Math.abs(three.costUsd - one.costUsd * (1 + (2 * 0.1) / 1.25)) < 1e-9);
    const compacted =
      usageReport([...before, boundary, end(usage(1, 0, 0, 0)), end(usage(1, 0, 0, 0))]).tools[0] ?? assert.fail();
    assert.equal(compacted.costUsd, one.costUsd);
  });

  it('shows the newest fifty turns and says how many were before', () => {
    const report = usageReport(
      Array.from({ length: 60 }, (_, index) => [prompt(`Task ${index}`), end(usage(1, 0, 0, 0))]).flat(),
    );
    assert.deepEqual([report.turns.length, report.olderTurns, report.turns[0]?.name], [50, 10, 'Task 10']);
  });

  it('writes tokens short', () => {
    assert.deepEqual([0, 999, 1_000, 9_949, 12_345, 999_499, 1_000_000].map(tokenText), [
      '0',
      '999',
      '1.0k',
      '9.9k',
      '12k',
      '999k',
      '1.0M',
    ]);
  });
});
