// One session of every kind of reply: the page of usage, the number in the chat, a headless run's result and the budget count the same dollars.
import assert from 'node:assert/strict';
import { type Usage } from '../../../../src/core/wire/wire';
import { type SessionRecord, type SystemRecord } from '../../../../src/core/ports/record';
import { withCost } from '../../../../src/core/projection/usage-with-cost';
import { usageReport } from '../../../../src/core/usage/usage-report';
import { summariseTurn } from '../../../../src/headless/turn-summary';
import { type ChatUsage, emptyUsage } from '../../../../src/shared/chat';
import { dollarText } from '../../../../src/shared/usage-view';

const envelope = {
  uuid: 'u',
  parentUuid: null,
  timestamp: '2026-11-22T00:00:00Z',
  sessionId: 's',
  cwd: '/w',
  version: '0',
};
const million = 1_000_000;
const usage = (more: Partial<Usage>): Usage => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  ...more,
});
type Counted = Extract<SystemRecord, { subtype: 'reply_end' | 'side_usage' }>;
const end = (model: string, used: Partial<Usage>, more: object = {}): Counted => ({
  ...envelope,
  type: 'system',
  subtype: 'reply_end',
  messageId: 'm',
  stopReason: 'end_turn',
  model,
  usage: usage(used),
  ...more,
});
const side = (model: string, used: Partial<Usage>, more: object = {}): Counted => ({
  ...envelope,
  type: 'system',
  subtype: 'side_usage',
  model,
  usage: usage(used),
  ...more,
});

const rows: [what: string, record: Counted, dollars: number | undefined][] = [
  ['a reply', end('claude-opus-5', { input_tokens: million, output_tokens: million }), 30],
  ['higher speed', end('claude-opus-5', { input_tokens: million, speed: 'fast' }), 10],
  [
    'writes for an hour',
    end('claude-opus-5', {
      cache_creation_input_tokens: million,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: million },
    }),
    10,
  ],
  ['searches', end('claude-opus-5', { server_tool_use: { web_search_requests: 3 } }), 0.03],
  [
    'a region at Bedrock, though the reply names the model alone',
    end('claude-opus-5', { input_tokens: million }, { provider: 'bedrock', regional: true }),
    5.5,
  ],
  ['Bedrock world-wide', end('claude-opus-5', { input_tokens: million }, { provider: 'bedrock' }), 5],
  [
    'an agent at a region',
    side('claude-opus-5', { input_tokens: million }, { provider: 'vertex', regional: true, whom: 'Explore: look' }),
    5.5,
  ],
  ['compaction by the API', side('claude-opus-5', { input_tokens: million }, { whom: 'Compaction by the API' }), 5],
  ['a broken reply', side('claude-opus-5', { input_tokens: million }, { whom: 'Broken reply' }), 5],
  [
    "VS Code's model, which a subscription pays",
    end('claude-opus-5', { input_tokens: million }, { provider: 'vscode' }),
    undefined,
  ],
  ['a small job there', side('claude-haiku-4-5', { input_tokens: million }, { provider: 'vscode' }), undefined],
  ['the demo', end('deft-demo', { input_tokens: million }), 0],
  ['a model that is not known', end('local-model', { input_tokens: million }), undefined],
];

function inAll(records: readonly SessionRecord[]): {
  page: { costUsd: number; costKnown: boolean };
  chat: ChatUsage;
  headless: number | undefined;
} {
  const counted = records.filter(
    (record): record is Counted =>
      record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'side_usage'),
  );
  return {
    page: usageReport(records).total,
    chat: counted.reduce(withCost, emptyUsage),
    headless: summariseTurn(records).dollars,
  };
}
const same = (actual: number | undefined, wanted: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual - wanted) < 1e-9, `${actual}, not ${wanted}`);

describe('the cost of a session', () => {
  for (const [what, record, dollars] of rows) {
    it(`is the same everywhere for ${what}`, () => {
      const { page, chat, headless } = inAll([record]);
      for (const [sum, known] of [
        [page.costUsd, page.costKnown],
        [chat.costUsd, chat.costKnown],
        [headless, headless !== undefined],
      ] as const) {
        assert.equal(known, dollars !== undefined);
        if (dollars !== undefined || sum !== undefined) same(sum, dollars ?? 0);
      }
    });
  }

  it('is at least what is known of it, where something is not', () => {
    const records = rows.map(([, record]) => record);
    const { page, chat, headless } = inAll(records);
    same(
      page.costUsd,
      rows.reduce((sum, [, , dollars = 0]) => sum + dollars, 0),
    );
    same(chat.costUsd, page.costUsd);
    assert.deepEqual(
      [dollarText({ ...usageReport(records).total }), chat.costKnown, headless],
      ['at least $76.03', false, undefined],
    );
    const known = rows.flatMap(([, record, dollars]) => (dollars === undefined ? [] : [record]));
    same(inAll(known).headless, page.costUsd);
  });
});
