import { daysBetween } from './dates.js';

/** A coupon is `{ code, percent, lastDay }`; it can be used up to and including its last day. */
export function isExpired(coupon, today) {
  return daysBetween(today, coupon.lastDay) <= 0;
}

/** What the coupon takes off an amount in cents, in whole cents. */
export function discount(coupon, amount, today) {
  if (isExpired(coupon, today)) return 0;
  return Math.round((amount * coupon.percent) / 100);
}
