// The manager's data: the servers as the host sent them last, and what became of the form.
import { signal } from '@preact/signals';
import type { McpServerList } from '../../src/shared/answers';
import type { NewMcpServer } from '../../src/shared/mcp-view';
import type { MessageInput } from '../../src/shared/protocol';
import { request } from '../host/vscode-api';
import { focusComposer } from '../state/draft';
import { page } from '../state/chat';

/** Undefined until the first list arrives. */
export const servers = signal<McpServerList | undefined>(undefined);
/** The form for a new server is open. */
export const adding = signal(false);
/** Why the form was not taken; empty for nothing. */
export const addProblem = signal('');

export async function listServers(): Promise<void> {
  servers.value = await request('listMcp', {});
}

export async function changeServer(change: MessageInput<'mcp'>): Promise<void> {
  servers.value = await request('mcp', change);
}

export async function addServer(server: NewMcpServer): Promise<void> {
  const { problem, list } = await request('addMcp', server);
  addProblem.value = problem ?? '';
  if (problem === null) adding.value = false;
  servers.value = list;
}

export function closeServers(): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(focusComposer);
}
