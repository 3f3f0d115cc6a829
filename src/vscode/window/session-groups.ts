// The groups of the lists of sessions: who needs the user first, then what the user has put apart, then by time, then what is not this folder's.
import { type ExternalSource } from '../../core/external-sessions/external-session';
import { type BoardRow } from './board-row';
import { type SessionMarks } from './session-marks';

const groupNames = {
  waiting: 'Waiting for you',
  working: 'Working',
  pinned: 'Pinned',
  /** Those that the user made have their own names. */
  own: '',
  today: 'Today',
  earlier: 'Earlier',
  'claude-code': 'From Claude Code',
  codex: 'From Codex',
  elsewhere: 'Other folders of this repository',
  archived: 'Archived',
} as const satisfies Record<ExternalSource, string> & Record<string, string>;

type GroupKey = keyof typeof groupNames;

export interface RowGroup {
  key: GroupKey;
  name: string;
  rows: BoardRow[];
  /** Rows that were cut. */
  hidden: number;
}

/** These grow for ever. The others have what happens now, or what the user put there. */
const cut: readonly GroupKey[] = ['earlier', 'claude-code', 'codex', 'elsewhere'];

/** In the order of the names, those of the user by theirs; of those that are cut, the first `most` rows. */
export function groupsOf(
  rows: readonly BoardRow[],
  marks: Pick<SessionMarks, 'of' | 'groupOf'>,
  now: number,
  most = Infinity,
): RowGroup[] {
  const groups = new Map<string, RowGroup>();
  for (const row of rows) {
    const key = groupOf(row, marks, now);
    const name = key === 'own' ? (marks.groupOf(row.id) ?? '') : groupNames[key];
    const id = `${key} ${name}`;
    const group = groups.get(id) ?? { key, name, rows: [], hidden: 0 };
    groups.set(id, group);
    if (cut.includes(key) && group.rows.length >= most) group.hidden++;
    else group.rows.push(row);
  }
  const keys = Object.keys(groupNames) as GroupKey[];
  return [...groups.values()].sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key) || a.name.localeCompare(b.name));
}

function groupOf(
  { id, state, updatedAt, elsewhere, source }: BoardRow,
  marks: Pick<SessionMarks, 'of' | 'groupOf'>,
  now: number,
): GroupKey {
  if (state === 'waiting' || state === 'working') return state;
  const mark = marks.of(id);
  if (mark !== undefined) return mark;
  if (marks.groupOf(id) !== undefined) return 'own';
  if (source !== undefined) return source;
  if (elsewhere !== undefined) return 'elsewhere';
  return new Date(updatedAt).toDateString() === new Date(now).toDateString() ? 'today' : 'earlier';
}
