// The user's own messages after a compaction: word for word, and cut only where they are too much, the oldest first.
import assert from 'node:assert/strict';
import { compactFocus } from '../../../../../src/core/features/compaction/compact-command';
import { charsOf } from '../../../../../src/core/model/estimate-tokens';
import { fittingOutput } from '../../../../../src/core/loop/limits';
import { ownWords, ownWordsTokens } from '../../../../../src/core/features/compaction/own-words';
import { type SessionRecord, type UserRecord } from '../../../../../src/core/ports/record';

const said = (text: string, more: Partial<UserRecord> = {}): SessionRecord => ({
  uuid: text,
  parentUuid: null,
  timestamp: '',
  sessionId: 's',
  cwd: '/w',
  version: '1',
  type: 'user',
  message: { role: 'user', content: text },
  ...more,
});
const words = (...records: SessionRecord[]): string => ownWords(records, undefined, '/log.jsonl') ?? '';
const budget = charsOf(ownWordsTokens);

describe("the user's own words", () => {
  it('are what they typed, with what they sent along, and nothing of Deft', () => {
    const result = said('', {
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'result' }] },
    });
    const attached = said('<attachment>file</attachment>', {
      display: { text: '  Do `this`\n\tnow ', attachments: ['a.ts:1-3'], images: 2 },
    });
    assert.equal(
      words(said('reminder', { isMeta: true }), attached, result, said('And that', { steering: true })),
      '## Message 1\n\n  Do `this`\n\tnow \n(attached: a.ts:1-3, 2 images)\n\n## Message 2\n\nAnd that',
    );
    assert.equal(
      ownWords([said('a'), said('b')], 'b', ''),
      '## Message 1\n\na',
      'those that stay as they are do not stand here',
    );
    assert.equal(ownWords([result], undefined, ''), undefined);
  });

  it('lose the middle of the oldest ones where they are too long together', () => {
    const [old, young] = [`OLD${'o'.repeat(budget)}END`, `NEW${'n'.repeat(budget / 2)}`];
    const text = words(said(old), said(young));
    assert.ok(text.includes(young), 'the newest one is whole');
    assert.match(text, /OLDo+\n\[… \d+ characters omitted; the whole message is in \/log\.jsonl …\]\no+END/);
    assert.ok(text.length < budget + 500);
  });

  it('say how many are not shown where there are too many', () => {
    const text = words(...Array.from({ length: 1_000 }, (_, index) => said(`Number ${index}: ${'x'.repeat(400)}`)));
    assert.match(text, /^\[\d+ older messages are not shown here; they are in \/log\.jsonl\]/);
    assert.ok(text.includes('Number 999') && !text.includes('Number 0:'));
  });
});

describe('/compact', () => {
  for (const [text, focus] of [
    ['/compact', ''],
    ['  /compact  the schema\nand more ', 'the schema\nand more'],
    ['/compacted', undefined],
    ['Use /compact', undefined],
    ['/compact/x', undefined],
  ] as const) {
    it(JSON.stringify(text), () => assert.equal(compactFocus(text), focus));
  }
});

describe('the output that fits', () => {
  for (const [refusal, room] of [
    [
      'input length and `max_tokens` exceed context limit: 170000 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      30_000,
    ],
    ['input length and `max_tokens` exceed context limit: 199000 + 64000 > 200000, decrease', undefined],
    ['prompt is too long: 210000 tokens > 200000 maximum', undefined],
  ] as const) {
    it(refusal, () => assert.equal(fittingOutput(refusal), room));
  }
});
