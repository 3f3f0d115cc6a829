import { discount } from './coupon.js';

/** The price of all items (`{ name, cents, quantity }`) in cents, less the coupon's discount where there is one. */
export function total(items, today, coupon) {
  const sum = items.reduce((cents, item) => cents + item.cents * item.quantity, 0);
  return coupon === undefined ? sum : sum - discount(coupon, sum, today);
}
