// The plan of commits as a text that the user edits: messages, and below each the changes that go into it, a line a change.
import { counted } from '../../shared/counted';
import { type FileChange, linesOf, partsOf, partWords, utf8Of } from './changes';

export interface PlannedCommit {
  message: string;
  /** Ids of changes, in the order of the files. */
  parts: readonly string[];
}

export interface PlanFacts {
  changes: readonly FileChange[];
  commits: readonly PlannedCommit[];
  /** Sentences above the plan: what is committed where, what was cut or left out. */
  notes: readonly string[];
  /** Words behind a change: "staged by you". */
  marks?: (change: FileChange) => string;
}

export interface PlanProblem {
  /** Counted from 0. */
  line: number;
  message: string;
}

export interface ReadPlan {
  commits: (PlannedCommit & { line: number })[];
  /** What no commit takes. */
  left: string[];
  problems: PlanProblem[];
}

const leftHeading = '=== Not committed';
const changesHeading = '--- Changes';
const commitLine = /^===\s*commit\b/i;
const leftLine = /^===\s*not committed\b/i;
const changesLine = /^---\s*changes\b/i;
const partLine = /^(h\d+)(?=\s|$)/;

export function planText({ changes, commits, notes, marks = () => '' }: PlanFacts): string {
  const rows = new Map(partsOf(changes).map(({ change, part }) => [part.id, rowOf(change, part.id, marks(change))]));
  const taken = new Set(commits.flatMap(({ parts }) => parts));
  const rowsOf = (ids: readonly string[]): string[] => ids.flatMap((id) => rows.get(id) ?? []);
  const left = [...rows.keys()].filter((id) => !taken.has(id));
  return [
    ...notes,
    ...commits.flatMap(({ message, parts }, index) => [
      '',
      commits.length === 1 ? '=== Commit' : `=== Commit ${index + 1}`,
      asMessage(message),
      '',
      changesHeading,
      ...rowsOf(parts),
    ]),
    '',
    leftHeading,
    ...rowsOf(left),
    '',
  ].join('\n');
}

/** A line that would be read as a heading or as a change is none behind a blank. */
function asMessage(message: string): string {
  const isRead = (line: string): boolean =>
    [commitLine, leftLine, changesLine, partLine].some((pattern) => pattern.test(line));
  return message
    .split('\n')
    .map((line) => (isRead(line) ? ` ${line}` : line))
    .join('\n');
}

/** "h3  src/a.ts  lines 10-14  +4 -1  function foo". */
function rowOf(change: FileChange, id: string, mark: string): string {
  const part = change.parts.find((one) => one.id === id);
  if (part === undefined) return id;
  const { added, removed } = linesOf(part);
  const around = change.kind === 'modified' ? utf8Of(part.hunks[0]?.around ?? '').trim() : '';
  return [
    id,
    // A line of the plan is a line, whatever the file's name is.
    change.path.replace(/\s/g, ' '),
    partWords(change, part),
    added + removed === 0 ? '' : `+${added} -${removed}`,
    mark === '' ? '' : `(${mark})`,
    around,
  ]
    .filter((word) => word !== '')
    .join('  ');
}

/** What the text plans, and what is wrong with it: only a plan without problems is carried out. */
export function readPlan(text: string, changes: readonly FileChange[]): ReadPlan {
  const order = partsOf(changes).map(({ part }) => part.id);
  const reader = new PlanReader(new Set(order));
  text.split(/\r\n|\n|\r/).forEach((line, at) => reader.line(line, at));
  return reader.end(order);
}

type Section = 'notes' | 'message' | 'changes' | 'left';

class PlanReader {
  readonly #known: ReadonlySet<string>;
  readonly #commits: { line: number; message: string[]; parts: string[] }[] = [];
  readonly #seen = new Map<string, number>();
  readonly #problems: PlanProblem[] = [];
  #section: Section = 'notes';

  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  line(line: string, at: number): void {
    const commit = this.#commits.at(-1);
    if (commitLine.test(line)) {
      this.#commits.push({ line: at, message: [], parts: [] });
      this.#section = 'message';
    } else if (leftLine.test(line)) this.#section = 'left';
    else if (this.#section === 'message' && changesLine.test(line)) this.#section = 'changes';
    else if (this.#section === 'message') this.#messageLine(line, at);
    else if (this.#section !== 'notes')
      this.#changeLine(line, at, this.#section === 'left' ? [] : (commit?.parts ?? []));
  }

  #messageLine(line: string, at: number): void {
    const id = partLine.exec(line)?.[1];
    // A line that was moved too far up would become a part of the message.
    if (id !== undefined && this.#known.has(id))
      this.#problem(at, `${id} stands in the message: move it below “${changesHeading}”.`);
    else this.#commits.at(-1)?.message.push(line);
  }

  #changeLine(line: string, at: number, parts: string[]): void {
    if (line.trim() === '') return;
    const id = partLine.exec(line.trim())?.[1];
    if (id === undefined || !this.#known.has(id)) {
      const what = id ?? 'This line';
      return this.#problem(
        at,
        `${what} is no change of this plan. Lines below a heading begin with the id of a change.`,
      );
    }
    const before = this.#seen.get(id);
    if (before !== undefined)
      return this.#problem(at, `${id} stands in line ${before + 1} already: a change goes into one commit.`);
    this.#seen.set(id, at);
    parts.push(id);
  }

  end(order: readonly string[]): ReadPlan {
    const commits = this.#commits.map(({ line, message, parts }) => ({
      line,
      message: message.join('\n').trim(),
      parts: order.filter((id) => parts.includes(id)),
    }));
    if (commits.length === 0) this.#problem(0, 'There is no commit in this plan: a heading “=== Commit” begins one.');
    for (const { line, message, parts } of commits) {
      if (message === '') this.#problem(line, 'This commit has no message.');
      if (parts.length === 0)
        this.#problem(line, 'This commit has no changes: move lines to it, or delete its heading and message.');
    }
    const taken = new Set(commits.flatMap(({ parts }) => parts));
    return {
      commits,
      left: order.filter((id) => !taken.has(id)),
      problems: this.#problems.sort((one, other) => one.line - other.line),
    };
  }

  #problem(line: number, message: string): void {
    this.#problems.push({ line, message });
  }
}

/** "2 commits · 5 changes · 1 change stays uncommitted". */
export function planSummary({ commits, left }: Pick<ReadPlan, 'commits' | 'left'>): string {
  const parts = commits.reduce((all, { parts: own }) => all + own.length, 0);
  return [
    counted(commits.length, 'commit'),
    counted(parts, 'change'),
    left.length === 0 ? '' : `${counted(left.length, 'change')} ${left.length === 1 ? 'stays' : 'stay'} uncommitted`,
  ]
    .filter((word) => word !== '')
    .join(' · ');
}
