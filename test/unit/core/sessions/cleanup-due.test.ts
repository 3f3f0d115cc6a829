// When old sessions go: never unannounced where nobody has set how long they are kept.
import assert from 'node:assert/strict';
import { cleanupDue, type CleanupState } from '../../../../src/core/sessions/cleanup-due';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);

describe('cleanup due', () => {
  const cases: [string, Partial<CleanupState>, number, ReturnType<typeof cleanupDue>][] = [
    ['tells of the first ones to go', {}, 3, 'announce'],
    ['takes none unannounced where nobody can be told', { canAsk: false }, 3, 'nothing'],
    ['takes them a week after another host has told', { canAsk: false, announced: now - 7 * day }, 3, 'clean'],
    ['has nothing to tell of where none is old', {}, 0, 'nothing'],
    ['waits a week', { announced: now - 7 * day + 1 }, 3, 'nothing'],
    ['takes them after a week', { announced: now - 7 * day }, 3, 'clean'],
    ['needs no word where somebody has set how long', { set: true }, 3, 'clean'],
    ['goes on once it has begun', { lastCleanup: now - day }, 3, 'clean'],
    ['comes once a day', { lastCleanup: now - day + 1, set: true }, 3, 'nothing'],
    [
      'takes nothing where all are kept',
      { announced: now - 8 * day, lastCleanup: now - 9 * day, set: true, keepAll: true },
      3,
      'nothing',
    ],
  ];
  for (const [name, state, wouldGo, due] of cases)
    it(name, () =>
      assert.equal(
        cleanupDue(
          now,
          { lastCleanup: 0, announced: undefined, set: false, canAsk: true, keepAll: false, ...state },
          wouldGo,
        ),
        due,
      ),
    );
});
