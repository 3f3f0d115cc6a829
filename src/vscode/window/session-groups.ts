// The groups of the lists of sessions: who needs the user first, then what the user has put apart, then by time.
import { type BoardRow } from './board-row';
import { type SessionMarks } from './session-marks';

export const groupNames = {
  waiting: 'Waiting for you',
  working: 'Working',
  pinned: 'Pinned',
  today: 'Today',
  earlier: 'Earlier',
  elsewhere: 'Other folders of this repository',
  archived: 'Archived',
} as const;

export interface RowGroup {
  key: keyof typeof groupNames;
  rows: BoardRow[];
  /** Rows that were cut. */
  hidden: number;
}

/** These grow for ever. The others have what happens now, or what the user put there. */
const cut: readonly RowGroup['key'][] = ['earlier', 'elsewhere'];

/** In the order of the names; of those that are cut, the first `most` rows. */
export function groupsOf(
  rows: readonly BoardRow[],
  marks: Pick<SessionMarks, 'of'>,
  now: number,
  most = Infinity,
): RowGroup[] {
  const keys = Object.keys(groupNames) as RowGroup['key'][];
  const groups = new Map(keys.map((key): [RowGroup['key'], BoardRow[]] => [key, []]));
  for (const row of rows) groups.get(groupOf(row, marks, now))?.push(row);
  return [...groups]
    .filter(([, own]) => own.length > 0)
    .map(([key, own]) => {
      const shown = cut.includes(key) ? own.slice(0, most) : own;
      return { key, rows: shown, hidden: own.length - shown.length };
    });
}

function groupOf(
  { id, state, updatedAt, elsewhere }: BoardRow,
  marks: Pick<SessionMarks, 'of'>,
  now: number,
): RowGroup['key'] {
  if (state === 'waiting' || state === 'working') return state;
  const mark = marks.of(id);
  if (mark !== undefined) return mark;
  if (elsewhere !== undefined) return 'elsewhere';
  return new Date(updatedAt).toDateString() === new Date(now).toDateString() ? 'today' : 'earlier';
}
