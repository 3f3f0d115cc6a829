// Leads the focus to a row that is not mounted yet.
import { wantedItem } from '../find/wanted-item';

const FOCUSABLE = 'button:not(:disabled), a[href], [tabindex="0"]';
/** Frames in which the row must have come. */
const WITHIN = 10;

/** `backwards`: to the last thing in it that takes the focus, else to the first. */
export function leadTo(id: string, key: string, backwards: boolean): void {
  wantedItem.value = id;
  let frames = 0;
  const look = (): void => {
    const row = document.querySelector<HTMLElement>(`.transcript [data-key="${CSS.escape(key)}"]`);
    if (!row && frames++ < WITHIN) return void requestAnimationFrame(look);
    if (wantedItem.peek() === id) wantedItem.value = undefined;
    if (!row) return;
    const inside = [...row.querySelectorAll<HTMLElement>(FOCUSABLE)];
    const target = backwards ? inside.at(-1) : inside[0];
    if (!target) row.tabIndex = -1;
    (target ?? row).focus();
  };
  requestAnimationFrame(look);
}
