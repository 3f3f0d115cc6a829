// Gives the focus to the composer, or to the page that is shown instead, when the element that had it goes away.
import { focusComposer } from '../state/draft';

/** Never takes the focus from elsewhere: only while this page has it. */
export function keepFocus(root: Element): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', (event) => (last = event.target));
  document.addEventListener('focusout', ({ target }) => {
    // An element that is being removed says so before it is gone; one that stays was left by the user.
    queueMicrotask(() => {
      if (last === target && target instanceof Node && target.isConnected) last = null;
    });
  });
  new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected) return;
    last = null;
    if (document.activeElement === document.body && document.hasFocus()) focusShown(root);
  }).observe(root, { childList: true, subtree: true });
}

/** The composer is not there in a session that is only shown, nor on the other pages. */
function focusShown(root: Element): void {
  focusComposer();
  if (document.activeElement !== document.body) return;
  root
    .querySelector<HTMLElement>('main:not([hidden]) :is(button, input, textarea, [tabindex="0"]):not(:disabled)')
    ?.focus({ preventScroll: true });
}
