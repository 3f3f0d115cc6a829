// Ids of tool calls that the API accepts: its own characters only, and none twice in one conversation.
import { type Message } from '../wire/wire';

/** What an id may look like; the API refuses any other. */
export const toolUseIdPattern = /^[a-zA-Z0-9_-]+$/;

/** The id itself where it is free and well formed, otherwise a fresh one; it counts as taken afterwards. */
export function takeToolUseId(id: string, taken: Set<string>): string {
  const base = toolUseIdPattern.test(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
  let free = base;
  for (let count = 2; taken.has(free); count++) free = `${base}_${count}`;
  taken.add(free);
  return free;
}

const toolNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/** A tool's name as the API accepts it back: what a gateway or model made up is refused with every later request. */
export function acceptedToolName(name: string): string {
  return toolNamePattern.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed';
}

export function toolUseIdsOf(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const { content } of messages) for (const block of content) if (block.type === 'tool_use') ids.add(block.id);
  return ids;
}
