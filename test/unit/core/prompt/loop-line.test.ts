// What may follow /loop, and how an agent says when it continues.
import assert from 'node:assert/strict';
import { paceText, readLoopLine, readNextRound } from '../../../../src/core/prompt/loop-line';

describe('a line of /loop', () => {
  for (const [line, expected] of [
    ['5m run the tests', { prompt: 'run the tests', everyMs: 300_000 }],
    ['every 30 seconds look', { prompt: 'look', everyMs: 30_000 }],
    ['1.5h /review the diff', { prompt: '/review the diff', everyMs: 5_400_000 }],
    ['look at CI', { prompt: 'look at CI' }],
    ['5 monkeys', { prompt: '5 monkeys' }],
  ] as const) {
    it(`reads “${line}”`, () => assert.deepEqual(readLoopLine(line), expected));
  }
  for (const line of ['', '5m', '1s look', '25h look', '/loop 5m x', '5m /loop x']) {
    it(`says what is wrong with “${line}”`, () => assert.equal(typeof readLoopLine(line), 'string'));
  }
});

describe('the end of a self-paced round', () => {
  for (const [answer, expected] of [
    ['Looked.\nNEXT: 5m', 300_000],
    ['NEXT: 1s', 10_000],
    ['**NEXT: 2h**', 7_200_000],
    ['NEXT: 5m\nNo, wait.\nNEXT: done', 'done'],
    ['Say NEXT: done at the end.', undefined],
    ['Nothing.', undefined],
  ] as const) {
    it(`${JSON.stringify(answer)} means ${expected}`, () => assert.equal(readNextRound(answer), expected));
  }
  it('is named as people write it', () =>
    assert.deepEqual([10_000, 300_000, 5_400_000, 7_200_000].map(paceText), ['10s', '5m', '90m', '2h']));
});
