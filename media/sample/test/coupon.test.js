import assert from 'node:assert/strict';
import test from 'node:test';
import { discount, isExpired } from '../src/coupon.js';

const spring = { code: 'SPRING', percent: 20, lastDay: '2026-03-31' };

test('a coupon is good before its last day', () => {
  assert.equal(isExpired(spring, '2026-03-30'), false);
});

test('a coupon is good on its last day', () => {
  assert.equal(isExpired(spring, '2026-03-31'), false);
  assert.equal(discount(spring, 5000, '2026-03-31'), 1000);
});

test('a coupon has expired the day after', () => {
  assert.equal(isExpired(spring, '2026-04-01'), true);
  assert.equal(discount(spring, 5000, '2026-04-01'), 0);
});

test('a discount is rounded to whole cents', () => {
  assert.equal(discount({ ...spring, percent: 15 }, 999, '2026-03-01'), 150);
});
