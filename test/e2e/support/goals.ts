// Counts what a goal takes, and compares it with the table of docs/ux.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

export interface Hand {
  click(target: Locator): Promise<void>;
  /** At the element, or wherever the focus is. */
  press(target: Locator | Page, key: string): Promise<void>;
}

/** Reaches the goal with a hand that counts. Words that the user types are typed without it. */
export async function takesAsSaid(goal: string, reach: (hand: Hand) => Promise<void>): Promise<void> {
  let clicks = 0;
  let keys = 0;
  await reach({
    async click(target) {
      clicks++;
      await target.click();
    },
    async press(target, key) {
      keys++;
      await ('keyboard' in target ? target.keyboard.press(key) : target.press(key));
    },
  });
  const row = readFileSync('docs/ux.md', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((cells) => cells[1] === goal);
  assert.equal(row?.[2], counted(clicks, keys), goal);
}

function counted(clicks: number, keys: number): string {
  const parts = [
    { count: clicks, name: 'click' },
    { count: keys, name: 'key' },
  ].flatMap(({ count, name }) => (count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]));
  return parts.length === 0 ? '0' : parts.join(', ');
}
