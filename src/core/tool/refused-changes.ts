// Changes of files that the user has rejected or undone: a proposal that makes one of them again is recognised by its lines.
import { type Path } from '../ports/path';
import { diffTexts } from '../edits/diff-hunks';

/** What the user did with it. */
export type Refusal = 'rejected' | 'undone';

/** Of a file before and with a change; undefined where there is none. */
export interface FileChange {
  path: Path;
  before: string | undefined;
  after: string | undefined;
}

interface Run {
  removed: readonly string[];
  added: readonly string[];
}

interface RefusedRun extends Run {
  how: Refusal;
  /** The whole file was new. */
  created: boolean;
}

/** Of all files; those refused last. */
const mostRuns = 1_000;
/** Of one change; more of them say nothing more about which one it is. */
const mostLines = 1_000;
/** This share of a change's lines, in whatever surroundings and split up as it may be, is the change again. */
const same = 0.5;

export class RefusedChanges {
  readonly #runs = new Map<Path, RefusedRun[]>();

  /** The user does not want `after` in place of `before`. */
  refuse({ path, before, after }: FileChange, how: Refusal): void {
    if (after === undefined) return;
    const created = before === undefined;
    const runs = runsOf(before, after);
    const refused = (created && runs.length === 0 ? [{ removed: [], added: [] }] : runs).map((run) => ({
      ...run,
      how,
      created,
    }));
    if (refused.length === 0) return;
    const known = (this.#runs.get(path) ?? []).filter((run) => !refused.some((other) => isEqual(run, other)));
    const all = [...known, ...refused];
    this.#runs.delete(path);
    this.#runs.set(path, all.slice(-mostRuns));
    this.#forgetOldest();
  }

  /** The user wants it now. */
  accept(change: FileChange): void {
    const runs = this.#runs.get(change.path);
    if (runs === undefined) return;
    const again = this.#again(change);
    const left = runs.filter((run) => !again.includes(run));
    if (left.length === 0) this.#runs.delete(change.path);
    else this.#runs.set(change.path, left);
  }

  /** A sentence about what of it was refused before; undefined where nothing was. */
  repeated(change: FileChange): string | undefined {
    const again = this.#again(change);
    const [first] = again;
    if (first === undefined) return undefined;
    const how = again.every((run) => run.how === first.how) ? first.how : 'rejected or undone';
    if (first.created && change.before === undefined) return `It makes a file again that was ${how} before.`;
    return again.length === 1
      ? `It makes a change again that was ${how} before.`
      : `It makes ${again.length} changes again that were ${how} before.`;
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  #again({ path, before, after }: FileChange): RefusedRun[] {
    const refused = this.#runs.get(path);
    if (refused === undefined || after === undefined) return [];
    const runs = runsOf(before, after);
    return refused.filter((run) => (run.created && before === undefined) || isIn(run, runs));
  }

  #forgetOldest(): void {
    let count = [...this.#runs.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [path, { length }] of this.#runs) {
      if (count <= mostRuns) return;
      this.#runs.delete(path);
      count -= length;
    }
  }
}

/** What changes, place by place, in lines whose spaces do not count. */
function runsOf(before = '', after = ''): Run[] {
  const runs: { removed: string[]; added: string[] }[] = [];
  for (const { lines } of diffTexts(before, after, true).hunks) {
    let run: (typeof runs)[number] | undefined;
    for (const line of lines) {
      if (line.startsWith('\\')) continue;
      if (line.startsWith(' ')) {
        run = undefined;
        continue;
      }
      if (run === undefined) runs.push((run = { removed: [], added: [] }));
      const side = line.startsWith('-') ? run.removed : run.added;
      if (side.length < mostLines) side.push(line.slice(1).replace(/\s+/g, ' ').trim());
    }
  }
  return runs;
}

function isIn(refused: Run, runs: readonly Run[]): boolean {
  const [removed, added] = [refused.removed.filter(says), refused.added.filter(says)];
  // Brackets and empty lines are everywhere.
  if (removed.length + added.length === 0) return runs.some((run) => isEqual(run, refused));
  // Who writes something else in place of lines does not remove them.
  if (added.length === 0)
    return runs.some((run) => run.added.length <= run.removed.length * same && hasMost(run.removed, removed));
  return (
    hasMost(
      runs.flatMap((run) => run.added),
      added,
    ) &&
    (removed.length === 0 ||
      hasMost(
        runs.flatMap((run) => run.removed),
        removed,
      ))
  );
}

function hasMost(lines: readonly string[], sought: readonly string[]): boolean {
  const all = new Set(lines);
  return sought.filter((line) => all.has(line)).length >= sought.length * same;
}

function says(line: string): boolean {
  return /[\p{L}\p{N}_]{2}/u.test(line);
}

function isEqual(one: Run, other: Run): boolean {
  const joined = ({ removed, added }: Run): string => `${removed.join('\n')}\n\0\n${added.join('\n')}`;
  return joined(one) === joined(other);
}
