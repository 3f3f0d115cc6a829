// The history's rows in groups, and which of them are in view: only those are drawn.
import { type SessionRow } from '../../src/shared/answers';
import { dayOf } from './session-time';

/** Other programs whose sessions can be looked at. */
export const programs = { 'claude-code': 'Claude Code', codex: 'Codex' };

export interface SessionGroup {
  name: string;
  rows: SessionRow[];
  /** Rows ahead of this group. */
  before: number;
}

/** As in the style sheet. */
export const rowHeight = 28;
export const headHeight = 28;
/** Rows beyond each edge that are drawn too, so that scrolling shows no gap. */
const beyond = 12;

/** Where a row stands: in which group, and at which place. */
export interface RowPlace {
  id: string;
  group: string;
  /** Of the group among the groups. */
  groupAt: number;
  /** Of the row in the group. */
  index: number;
}

export function placeOf(groups: readonly SessionGroup[], id: string): RowPlace | undefined {
  for (const [groupAt, { name, rows }] of groups.entries()) {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) return { id, group: name, groupAt, index };
  }
  return undefined;
}

/**
 * Who waits and who works come first, then by day; another program's sessions stay together under its name.
 * The row that is `held` stays in its place, whatever its session does now.
 */
export function groupRows(rows: readonly SessionRow[], now: Date, held?: RowPlace): SessionGroup[] {
  const heldRow = rows.find(({ id }) => id === held?.id);
  const groups = new Map<string, SessionRow[]>();
  for (const row of rows) {
    if (row === heldRow) continue;
    const name = groupOf(row, now);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  const all = [...groups];
  if (heldRow !== undefined && held !== undefined) {
    const own = groups.get(held.group);
    if (own === undefined) all.splice(held.groupAt, 0, [held.group, [heldRow]]);
    else own.splice(held.index, 0, heldRow);
  }
  let before = 0;
  return all.map(([name, own]) => {
    const group = { name, rows: own, before };
    before += own.length;
    return group;
  });
}

function groupOf({ source, state, updatedAt }: SessionRow, now: Date): string {
  if (state === 'waiting') return 'Waiting for you';
  if (state === 'working') return 'Working';
  return source === undefined ? dayOf(new Date(updatedAt), now) : `From ${programs[source]}`;
}

/** A row to draw, or the height of rows that are not. */
export type Piece = { row: SessionRow; index: number } | { gap: number; index: number };

/** What to draw of a group whose head is `headTop` below the top of the view; `kept` is drawn wherever it is. */
export function piecesOf(
  { rows }: SessionGroup,
  headTop: number,
  viewHeight: number,
  kept: string | undefined,
): Piece[] {
  const listTop = headTop + headHeight;
  const from = Math.max(0, Math.floor(-listTop / rowHeight) - beyond);
  const to = Math.min(rows.length, Math.ceil((viewHeight - listTop) / rowHeight) + beyond);
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  const keptAt = kept === undefined ? -1 : rows.findIndex(({ id }) => id === kept);
  if (keptAt >= 0 && (keptAt < from || keptAt >= to)) {
    if (keptAt < from) shown.unshift(keptAt);
    else shown.push(keptAt);
  }
  const pieces: Piece[] = [];
  let next = 0;
  const gapTo = (end: number): void => {
    if (end > next) pieces.push({ gap: (end - next) * rowHeight, index: next });
  };
  for (const index of shown) {
    const row = rows[index];
    if (row === undefined) continue;
    gapTo(index);
    pieces.push({ row, index });
    next = index + 1;
  }
  gapTo(rows.length);
  return pieces;
}
