// The usage page's data: what the host told last, and which part is shown.
import { signal } from '@preact/signals';
import type { HostMessage, UsagePart } from '../../src/shared/protocol';
import { focusComposer } from '../composer/draft';
import { post } from '../host/vscode-api';
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

export function takeUsage({ usage, context }: ToldUsage): void {
  told.value = { usage, context };
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
