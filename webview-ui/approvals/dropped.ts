// Stops the turn. Proposals that only wait are dropped a moment later: until then the user can bring them back.
import { effect, signal } from '@preact/signals';
import { post } from '../host/vscode-api';
import { announce } from '../state/announce';
import { chat } from '../state/chat';

/** Long enough to read the line and reach its button. */
const HOLD_MS = 6_000;

/** So many proposals are about to be dropped. */
export const dropped = signal(0);

let timer: ReturnType<typeof setTimeout> | undefined;

export function stopTurn(): void {
  const { approvals, queue } = chat.facts.peek();
  // What runs stops at once, and so does a turn that is stopped twice, or for the sake of a message.
  if (dropped.peek() > 0 || approvals.length === 0 || queue.length > 0 || runsSomething()) return stopNow();
  dropped.value = approvals.length;
  timer = setTimeout(stopNow, HOLD_MS);
  announce(`${droppedWords(approvals.length)} Bring back with the button above the message.`);
}

export function bringBack(): void {
  release();
  announce('Brought back.');
}

/** Before anything that comes after the stop. */
export function stopIfDropped(): void {
  if (dropped.peek() > 0) stopNow();
}

export function droppedWords(count: number): string {
  return count === 1 ? '1 proposal dropped.' : `${count} proposals dropped.`;
}

function stopNow(): void {
  release();
  post({ type: 'stop' });
}

function release(): void {
  clearTimeout(timer);
  dropped.value = 0;
}

function runsSomething(): boolean {
  const ids = chat.turns.peek().at(-1)?.ids ?? [];
  return ids.some((id) => {
    const item = chat.item(id)?.peek();
    return (item?.kind === 'tool' && item.state === 'running') || (item?.kind === 'text' && item.streaming);
  });
}

// Answered elsewhere, as in the diff, or of another session: there is nothing left to drop.
effect(() => {
  if (chat.facts.value.approvals.length === 0 && dropped.peek() > 0) release();
});
