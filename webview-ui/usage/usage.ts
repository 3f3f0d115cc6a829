// The usage page's data: what the host sent last, and which part is shown.
import { signal } from '@preact/signals';
import type { UsageAnswer } from '../../src/shared/answers';
import type { UsagePart } from '../../src/shared/host-messages';
import { type ContextReport } from '../../src/shared/usage-view';
import { focusComposer } from '../state/draft';
import { request } from '../host/vscode-api';
import { announce } from '../state/announce';
import { page } from '../state/chat';

/** Undefined until the host has answered. */
export const answer = signal<UsageAnswer | undefined>(undefined);
export const part = signal<UsagePart>('cost');
/** The API counts now. */
export const counting = signal(false);

export function openUsage(wanted: UsagePart): void {
  part.value = wanted;
  answer.value = undefined;
  counting.value = false;
  page.value = 'usage';
  void loadUsage(false);
}

export const howCounted: Record<ContextReport['counted'], string> = {
  estimate: 'Estimated.',
  counted: 'Counted by the API; the split between kinds of messages is estimated.',
  cannot: 'Estimated: this provider does not count tokens.',
  failed: 'Estimated: the API did not count.',
};

/** "98,000 of 200,000 tokens of Opus 5." */
export function fullText({ used, window, model }: ContextReport): string {
  return `${used.toLocaleString()} of ${window.toLocaleString()} tokens of ${model}.`;
}

/** `count`: by the API. */
async function loadUsage(count: boolean): Promise<void> {
  const { usage, context } = await request('usage', { count });
  answer.value = { usage, context };
  // Asked for by a press: whoever cannot see the number hears it.
  if (counting.value) announce(`${fullText(context)} ${howCounted[context.counted]}`);
  counting.value = false;
}

export function countContext(): void {
  counting.value = true;
  void loadUsage(true);
}

/** A turn has ended. */
export function refreshUsage(): void {
  if (page.peek() === 'usage') void loadUsage(false);
}

export function closeUsage(): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(focusComposer);
}
