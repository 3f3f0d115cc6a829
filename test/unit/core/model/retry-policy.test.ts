// When and how long to wait before a request is sent again.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ModelError, type ModelErrorDetails } from '../../../../src/core/text/errors';
import { defaultRetryPolicy, retryDelay, type RetryPolicy } from '../../../../src/core/model/retry-policy';

const policy: RetryPolicy = { ...defaultRetryPolicy, random: () => 0 };
const failed = (retryable: boolean, details: Partial<ModelErrorDetails> = {}): ModelError =>
  new ModelError('x', { kind: 'overloaded', ...details }, { retryable });

describe('retryDelay', () => {
  it('doubles up to a limit, ten tries in all', () => {
    const delays = Array.from({ length: 11 }, (_, index) => retryDelay(failed(true), index + 1, policy));
    assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000, undefined, undefined]);
  });

  it('never retries what cannot get better, nor what is no model error', () => {
    assert.equal(retryDelay(failed(false), 1, policy), undefined);
    assert.equal(retryDelay(new Error('bug'), 1, policy), undefined);
  });

  it('obeys the server up to two minutes', () => {
    assert.equal(retryDelay(failed(true, { retryAfterMs: 7_000 }), 5, policy), 7_000);
    assert.equal(retryDelay(failed(true, { retryAfterMs: 0 }), 5, policy), 0);
    assert.equal(retryDelay(failed(true, { retryAfterMs: 120_000 }), 1, policy), 120_000);
    assert.equal(retryDelay(failed(true, { retryAfterMs: 120_001 }), 1, policy), undefined);
  });

  it('spreads clients over a quarter of the wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const full = retryDelay(failed(true), attempt, policy) ?? 0;
          const delay = retryDelay(failed(true), attempt, { ...policy, random: () => random }) ?? 0;
          assert.equal(delay, Math.round(full * (1 - random / 4)));
        },
      ),
    );
  });
});
