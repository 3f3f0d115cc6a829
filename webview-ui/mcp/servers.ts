// The manager's data: the servers as the host told them last, and what became of the form.
import { signal } from '@preact/signals';
import type { HostMessage } from '../../src/shared/protocol';
import { focusComposer } from '../state/draft';
import { page } from '../state/chat';

export type ListedServers = Omit<Extract<HostMessage, { type: 'mcpServers' }>, 'type'>;

/** Undefined until the first list arrives. */
export const servers = signal<ListedServers | undefined>(undefined);
/** The form for a new server is open. */
export const adding = signal(false);
/** Why the form was not taken; empty for nothing. */
export const addProblem = signal('');

export function takeServers({ servers: rows, problems }: ListedServers): void {
  servers.value = { servers: rows, problems };
}

export function takeAdded(problem: string | null): void {
  addProblem.value = problem ?? '';
  if (problem === null) adding.value = false;
}

export function closeServers(): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(focusComposer);
}
