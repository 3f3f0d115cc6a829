// Which recorded edit wrote a line: by the exact text of the line in what an edit of this file added, and never by more than the logs hold.
import { isObject } from '../../shared/plain-object';
import { type SessionRecord } from '../ports/record';

/** A line as it stands in the editor now, with its neighbours. */
export interface LineNow {
  text: string;
  /** The lines next to it that are not blank; undefined at the ends of the file. */
  above: string | undefined;
  below: string | undefined;
}

/** One edit of the file that added or removed a line of this text. */
export interface LineEdit {
  session: string;
  toolUseId: string;
  /** ISO 8601. */
  at: string;
  /** Lines of this text in the file's new text here, less those in the old one. */
  change: number;
  /** How many of its neighbours there are those of now; -1 where it only removed lines. */
  near: number;
}

export type LineOrigin =
  | { kind: 'edit'; edit: LineEdit; earlier: LineEdit[] }
  /** A later edit took the last such line away: somebody else has put it back. */
  | { kind: 'removed'; edit: LineEdit; by: LineEdit }
  | { kind: 'none' };

/** What a record says of the file; `path` as sessions name it. */
export function lineEdits(record: SessionRecord, session: string, path: string, line: LineNow): LineEdit[] {
  return editsIn(record, path).flatMap(({ id, at, hunks }) => {
    const found = hunks.map((hunk) => changeIn(hunk, line));
    const adding = found.filter(({ adds }) => adds);
    if (adding.length === 0 && found.every(({ change }) => change === 0)) return [];
    return [
      {
        ...{ session, toolUseId: id, at },
        change: found.reduce((all, one) => all + one.change, 0),
        near: adding.length === 0 ? -1 : Math.max(...adding.map(({ near }) => near)),
      },
    ];
  });
}

/** The log has only the beginning of a very long edit. */
export function isCutEdit(record: SessionRecord, path: string): boolean {
  return editsIn(record, path).some(
    ({ added, hunks }) => added > hunks.flat().filter((line) => line.startsWith('+')).length,
  );
}

interface RecordedEdit {
  id: string;
  at: string;
  added: number;
  /** The lines of each hunk, with their signs. */
  hunks: string[][];
}

/** Edits of the file that were made: what was refused or failed has written nothing. */
function editsIn(record: SessionRecord, path: string): RecordedEdit[] {
  if ('raw' in record || record.type !== 'user' || typeof record.message.content === 'string') return [];
  const result = record.message.content.find((block) => block.type === 'tool_result');
  if (result?.type !== 'tool_result' || result.is_error === true || record.toolState === 'denied') return [];
  const { toolUseResult: output } = record;
  if (!isObject(output)) return [];
  const files: unknown[] = Array.isArray(output['files']) ? output['files'] : [output];
  return files.filter(isObject).flatMap(({ filePath, structuredPatch, added }) =>
    filePath === path && Array.isArray(structuredPatch)
      ? [
          {
            ...{ id: result.tool_use_id, at: record.timestamp, added: Number(added ?? 0) },
            hunks: structuredPatch.filter(isObject).map(({ lines }) => (Array.isArray(lines) ? lines.map(String) : [])),
          },
        ]
      : [],
  );
}

/** `near` of the best added line of this text. */
function changeIn(
  hunk: readonly string[],
  { text, above, below }: LineNow,
): { change: number; near: number; adds: boolean } {
  let [change, near, adds] = [0, 0, false];
  const now = hunk.filter((line) => !line.startsWith('-') && !line.startsWith('\\'));
  for (const line of hunk) if (line === `-${text}`) change--;
  now.forEach((line, at) => {
    if (line !== `+${text}`) return;
    change++;
    adds = true;
    const beside = (step: 1 | -1): string | undefined => {
      let next = at + step;
      while (now[next]?.slice(1).trim() === '') next += step;
      return now[next]?.slice(1);
    };
    const same = [beside(-1) === above, beside(1) === below].filter(Boolean).length;
    near = Math.max(near, same);
  });
  return { change, near, adds };
}

/** Fewer letters than this are in every file: its neighbours have to be the same. */
const fewest = 3;

export function isTelling(text: string): boolean {
  return (text.match(/[\p{L}\p{N}_]/gu) ?? []).length >= fewest;
}

/** `edits` of all sessions, in any order. */
export function lineOrigin(edits: readonly LineEdit[], line: LineNow): LineOrigin {
  const byTime = [...edits].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  const adds = byTime.filter(({ near }) => near >= (isTelling(line.text) ? 0 : 1));
  const newest = adds.at(-1);
  if (newest === undefined) return { kind: 'none' };
  // As many lines of this text as edits since the newest have taken away again.
  const since = byTime.slice(byTime.indexOf(newest) + 1);
  const known = byTime.reduce((all, { change }) => Math.max(0, all + change), 0);
  const by = since.findLast(({ change }) => change < 0);
  if (known === 0 && by !== undefined) return { kind: 'removed', edit: newest, by };
  // Of several that added the same text, one whose surroundings are these is meant.
  const best = adds.findLast(({ near }) => near === 2) ?? newest;
  return {
    kind: 'edit',
    edit: isTelling(line.text) ? newest : best,
    earlier: adds.filter((one) => one !== newest && one.at < newest.at).reverse(),
  };
}
