import assert from 'node:assert/strict';
import test from 'node:test';
import { total } from '../src/cart.js';

const items = [
  { name: 'tea', cents: 450, quantity: 2 },
  { name: 'cup', cents: 1100, quantity: 1 },
];

test('a cart without a coupon costs what its items cost', () => {
  assert.equal(total(items, '2026-03-15'), 2000);
});

test('a coupon lowers the total', () => {
  const coupon = { code: 'SPRING', percent: 20, lastDay: '2026-03-31' };
  assert.equal(total(items, '2026-03-15', coupon), 1600);
});
