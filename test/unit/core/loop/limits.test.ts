// What the next request will weigh, from what the last reply said and what has come since.
import assert from 'node:assert/strict';
import { compactionPoint, isPastPoint, tokensOf } from '../../../../src/core/loop/limits';
import { textTokens } from '../../../../src/core/model/estimate-tokens';
import { type SessionRecord } from '../../../../src/core/ports/record';

const reply = (id: string): SessionRecord =>
  ({ type: 'assistant', message: { id, content: [] } }) as unknown as SessionRecord;
const user = (content: string): SessionRecord =>
  ({ type: 'user', message: { role: 'user', content } }) as unknown as SessionRecord;
const end = (messageId: string, input: number): SessionRecord =>
  ({
    type: 'system',
    subtype: 'reply_end',
    messageId,
    usage: { input_tokens: input, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  }) as unknown as SessionRecord;
const boundary = { type: 'system', subtype: 'compact_boundary' } as unknown as SessionRecord;
const weight = (...texts: string[]): number => texts.reduce((sum, text) => sum + textTokens(JSON.stringify(text)), 0);

describe('the weight of a conversation', () => {
  it('is what the newest reply had, its own words, and all that came since it began', () => {
    const records = [
      user('Begin.'),
      reply('a'),
      user('before'),
      end('a', 100),
      reply('b'),
      user('result one'),
      reply('b'),
      end('b', 500),
      user('result two'),
    ];
    assert.equal(tokensOf(records), 510 + weight('result one', 'result two'));
  });

  it('is unknown until a reply has said how much it was given', () => {
    assert.equal(tokensOf([user('Begin.'), reply('a'), end('a', 0)]), undefined);
    assert.equal(tokensOf([user('Begin.'), reply('a'), end('a', 100), boundary, user('summary')]), undefined);
  });

  it('says nothing of what was compacted', () => {
    assert.equal(
      tokensOf([
        reply('a'),
        end('a', 900),
        boundary,
        user('summary'),
        reply('b'),
        end('b', 50),
        reply('c'),
        end('c', 70),
      ]),
      80,
    );
  });

  it('is near the limit only two replies after a compaction: where one does not help, the next one would not either', () => {
    const full = [reply('b'), end('b', 99_000)];
    assert.equal(isPastPoint(full, compactionPoint(100_000, 10_000)), true);
    assert.equal(isPastPoint([boundary, ...full], compactionPoint(100_000, 10_000)), false);
    assert.equal(
      isPastPoint([boundary, ...full, reply('c'), end('c', 99_500)], compactionPoint(100_000, 10_000)),
      true,
    );
    assert.equal(isPastPoint([reply('b'), end('b', 9_000)], compactionPoint(100_000, 10_000)), false);
  });

  it('takes all that came where the records of the reply itself are gone', () => {
    assert.equal(tokensOf([end('a', 100), user('since')]), 110 + weight('since'));
  });
});
