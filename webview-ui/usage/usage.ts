// The usage page's data: what the host told last, and which part is shown.
import { signal } from '@preact/signals';
import type { HostMessage, UsagePart } from '../../src/shared/protocol';
import { type ContextReport } from '../../src/shared/usage-view';
import { focusComposer } from '../state/draft';
import { post } from '../host/vscode-api';
import { announce } from '../state/announce';
import { page } from '../state/chat';

export type ToldUsage = Omit<Extract<HostMessage, { type: 'usage' }>, 'type'>;

/** Undefined until the host has answered. */
export const told = signal<ToldUsage | undefined>(undefined);
export const part = signal<UsagePart>('cost');
/** The API counts now. */
export const counting = signal(false);

export function openUsage(wanted: UsagePart): void {
  part.value = wanted;
  told.value = undefined;
  counting.value = false;
  page.value = 'usage';
  post({ type: 'usage', count: false });
}

export const howCounted: Record<ContextReport['counted'], string> = {
  estimate: 'By estimate.',
  counted: 'Counted by the API; the kinds of messages share its number by estimate.',
  cannot: 'By estimate: this provider does not count tokens.',
  failed: 'By estimate: the API did not count.',
};

/** "98,000 of 200,000 tokens of Opus 5." */
export function fullText({ used, window, model }: ContextReport): string {
  return `${used.toLocaleString()} of ${window.toLocaleString()} tokens of ${model}.`;
}

export function takeUsage({ usage, context }: ToldUsage): void {
  told.value = { usage, context };
  // Asked for by a press: whoever cannot see the number hears it.
  if (counting.value) announce(`${fullText(context)} ${howCounted[context.counted]}`);
  counting.value = false;
}

export function countContext(): void {
  counting.value = true;
  post({ type: 'usage', count: true });
}

export function closeUsage(): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(focusComposer);
}
