// What a rewind to a checkpoint does to each file, and which of them hold something of the user's. Pure.
import { type Path } from '../ports/path';
import {
  type CheckpointEntry,
  type FileState,
  type RewindPlan,
  type RewindPreview,
  type RewindPoint,
  type RewindStep,
} from '../ports/checkpoints';

/** Undefined if there is no such checkpoint. `disk` holds the present state of every path of `changedSince`. */
export function planRewind(
  entries: readonly CheckpointEntry[],
  to: string,
  disk: ReadonlyMap<Path, FileState>,
): RewindPlan | undefined {
  const at = pointIndex(entries, to);
  if (at < 0) return undefined;
  const plan: RewindPlan = { steps: [], lost: [], asThen: [] };
  for (const [path, changes] of [...changesSince(entries, at)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const from = disk.get(path) ?? { kind: 'absent' };
    const target = asTarget(changes[0]?.before, from);
    if (target !== undefined && sameState(from, target)) plan.asThen.push(path);
    if (target === undefined || sameState(from, target)) continue;
    // What cannot be kept now could not be restored either.
    if (from.kind === 'unkept' && !isFullFolder(from))
      plan.lost.push({ path, why: `${unkeptText[from.why]}, so it is not changed` });
    else if (target.kind === 'unkept') plan.lost.push({ path, why: unkeptText[target.why] });
    else plan.steps.push({ path, action: actionOf(from, target), from, to: target, ...othersOf(changes, from) });
  }
  return plan;
}

/** Of these files alone. */
export function previewOf({ plan, uncovered }: RewindPreview, paths: ReadonlySet<Path>): RewindPreview {
  const steps = plan.steps.filter(({ path }) => paths.has(path));
  const lost = plan.lost.filter(({ path }) => paths.has(path));
  return { plan: { steps, lost, asThen: plan.asThen.filter((path) => paths.has(path)) }, uncovered };
}

/** The paths that may have to be put back. */
export function changedSince(entries: readonly CheckpointEntry[], to: string): Path[] {
  const at = pointIndex(entries, to);
  return at < 0 ? [] : [...changesSince(entries, at).keys()];
}

/** Prompts that can be come back to, oldest first. */
export function promptPoints(entries: readonly CheckpointEntry[]): RewindPoint[] {
  return entries.flatMap((entry) =>
    entry.type === 'point' && entry.kind === 'prompt' ? [{ id: entry.id, at: entry.at, text: entry.text ?? '' }] : [],
  );
}

/** A folder with something in it: a rewind neither keeps nor removes it as such. */
export const fullFolder: FileState = { kind: 'unkept', why: 'special', seen: 'folder' };

export function isFullFolder(state: FileState): boolean {
  return sameState(state, fullFolder);
}

export function sameState(one: FileState, other: FileState): boolean {
  if (one.kind === 'file' && other.kind === 'file') return one.hash === other.hash && one.mode === other.mode;
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind === 'unkept' && other.kind === 'unkept') return one.seen === other.seen;
  return one.kind === other.kind && (one.kind === 'absent' || one.kind === 'folder');
}

/** A full folder comes back with its files; only what is in its place has to go. */
function asTarget(before: FileState | undefined, from: FileState): FileState | undefined {
  if (before === undefined || !isFullFolder(before)) return before;
  return from.kind === 'file' || from.kind === 'link' ? { kind: 'folder' } : undefined;
}

const unkeptText = {
  large: 'too large to back up',
  limit: 'beyond the backup limit of a workspace',
  special: 'neither a file nor a link',
  unreadable: 'could not be read',
};

interface Change {
  by: string;
  before: FileState;
  after?: FileState;
  doubt: boolean;
}

function pointIndex(entries: readonly CheckpointEntry[], to: string): number {
  return entries.findIndex((entry) => entry.type === 'point' && entry.id === to);
}

function changesSince(entries: readonly CheckpointEntry[], at: number): Map<Path, Change[]> {
  const found = new Map<Path, Change[]>();
  for (const entry of entries.slice(at)) {
    if (entry.type === 'before') {
      const change = { by: entry.by, before: entry.state, doubt: entry.doubt === true };
      const changes = found.get(entry.path);
      if (changes === undefined) found.set(entry.path, [change]);
      else {
        // Named by the command, and found by the look after it.
        const same = changes.find(({ by }) => by === entry.by);
        if (same === undefined) changes.push(change);
        else same.doubt ||= change.doubt;
      }
    } else if (entry.type === 'after') {
      const change = found.get(entry.path)?.findLast(({ by }) => by === entry.by);
      if (change !== undefined) change.after = entry.state;
    }
  }
  return found;
}

function actionOf(from: FileState, to: FileState): RewindStep['action'] {
  return to.kind === 'absent' ? 'delete' : from.kind === 'absent' ? 'create' : 'restore';
}

function othersOf(changes: readonly Change[], from: FileState): Pick<RewindStep, 'others'> {
  // Folders go only where they are empty: nobody can lose anything.
  if (from.kind === 'folder' || isFullFolder(from)) return {};
  const last = changes.at(-1);
  // Before it as well: a change that was only announced when the process ended.
  const known =
    last === undefined || sameState(from, last.before) || (last.after !== undefined && sameState(from, last.after));
  if (!known) return { others: last?.after === undefined ? 'unknown' : 'since' };
  if (changes.some(({ doubt }) => doubt)) return { others: 'unknown' };
  return changes.some((change, index) => isExternal(changes, change, index)) ? { others: 'between' } : {};
}

/** What a call found is neither what a call before it left nor what that one had found: calls may overlap. */
function isExternal(changes: readonly Change[], { before }: Change, index: number): boolean {
  if (index === 0) return false;
  const earlier = changes.slice(0, index);
  return !earlier.some(
    (one) => sameState(one.before, before) || one.after === undefined || sameState(one.after, before),
  );
}
