// Gives the focus to the composer when the element that had it goes away.
import { focusComposer } from '../composer/draft';

/** Never takes the focus from elsewhere: only while this page has it. */
export function keepFocus(root: Element): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', (event) => (last = event.target));
  document.addEventListener('focusout', ({ target }) => {
    // An element that is being removed says so before it is gone; one that stays was left by the person.
    queueMicrotask(() => {
      if (last === target && target instanceof Node && target.isConnected) last = null;
    });
  });
  new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected) return;
    last = null;
    if (document.activeElement === document.body && document.hasFocus()) focusComposer();
  }).observe(root, { childList: true, subtree: true });
}
