// A session that another agent wrote, as Deft shows it: the records of its conversation, and what is known about it.
import { type SessionRecord } from '../ports/record';
import { isObject } from '../../shared/plain-object';

export type ExternalSource = 'claude-code' | 'codex';
/** A file that was picked may be one of Deft's own. */
export type ReadSource = ExternalSource | 'deft';

export const sourceNames: Record<ReadSource, string> = { 'claude-code': 'Claude Code', codex: 'Codex', deft: 'Deft' };

export type IncompleteCause = 'session interrupted' | 'tool timeout' | 'hook blocked' | 'permission denied';

/** A call that has no result of its own, or one that only says why it has none. */
export interface IncompleteCall {
  toolUseId: string;
  name: string;
  cause: IncompleteCause;
}

export interface ExternalSession {
  source: ReadSource;
  id: string;
  title: string;
  cwd: string;
  /** Every call has a result here: the missing ones say why they are missing. */
  records: SessionRecord[];
  /** Where the conversation continues: after the last compaction. */
  from: number;
  incomplete: IncompleteCall[];
  /** The ids of agents that calls started. */
  agents: { toolUseId: string; agentId: string }[];
  /** Lines that hold no JSON object, the torn last one among them, and messages of the conversation in a shape that nobody knows. */
  unreadable: number;
  /** Messages of agents that no call of the conversation has started: they are not shown. */
  unplaced?: number;
}

/** What is missing of a session, for the user. */
export function missingOf({ incomplete, unreadable, unplaced = 0 }: ExternalSession): string[] {
  const said = (count: number, noun: string, one: string, more: string): string[] =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'} ${count === 1 ? one : more}`];
  return [
    ...said(incomplete.length, 'call', 'in it has no result.', 'in it have no result.'),
    ...said(unreadable, 'line', 'of it cannot be read.', 'of it cannot be read.'),
    ...said(
      unplaced,
      'message',
      'of an agent belongs to no call in it and is not shown.',
      'of agents belong to no call in it and are not shown.',
    ),
  ];
}

export type Fields = Record<string, unknown>;

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Ids as the API takes them. */
export function callId(id: unknown): string | undefined {
  return textOf(id)?.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** The JSON objects of the lines, and how many lines held none. */
export function parseLines(lines: Iterable<string>): { objects: Fields[]; unreadable: number } {
  const objects: Fields[] = [];
  let unreadable = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      if (isObject(value)) objects.push(value);
      else unreadable++;
    } catch {
      unreadable++;
    }
  }
  return { objects, unreadable };
}
