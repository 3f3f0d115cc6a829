import assert from 'node:assert/strict';
import { isOutside } from '../../../../src/node/checkpoints/outside-run';

describe('what was changed beside a command', () => {
  const times = { before: 1_000, since: 2_000, until: 5_000, now: 6_000 };
  const cases: [why: string, changedAt: number | undefined, outside: boolean][] = [
    ['nothing is left to tell', undefined, false],
    ["another machine's clock goes behind", 900, false],
    ['after the look before, and before the command', 1_500, true],
    ['at its very beginning, by a clock that goes behind', 1_985, false],
    ['while it ran', 3_000, false],
    ['with its last breath', 5_000, false],
    ['after its end', 5_001, true],
    ["another machine's clock goes ahead", 6_001, false],
  ];
  for (const [why, changedAt, outside] of cases) {
    it(`${outside ? 'is' : 'is not'} another's: ${why}`, () => assert.equal(isOutside(changedAt, times), outside));
  }
});
