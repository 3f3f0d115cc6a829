// Uncommitted changes as parts that can be committed one by one: hunks of text files, and whole files where a part of one would make no sense.
import { counted } from '../../shared/counted';

/** What git keeps of a file: its mode and the id of its content. */
export interface GitEntry {
  mode: string;
  id: string;
}

/** Lines hold bytes as characters, whatever the file's encoding is. */
export interface GitHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** What git names behind the position: the function around it. */
  around: string;
  /** Each with its sign, without its line feed. */
  lines: string[];
}

export type ChangeKind = 'modified' | 'added' | 'deleted' | 'renamed' | 'mode' | 'type' | 'binary' | 'submodule';

export interface ChangePart {
  /** "h1": by this the plan names it. */
  id: string;
  /** Of a whole file that is text, all of them. */
  hunks: GitHunk[];
}

export interface FileChange {
  /** Below the top of the repository. */
  path: string;
  /** Of a renamed file. */
  oldPath?: string;
  kind: ChangeKind;
  before?: GitEntry;
  after?: GitEntry;
  /** Several only of modified text files. */
  parts: ChangePart[];
}

/** One record of `git diff --raw -z`. */
export interface RawChange {
  status: string;
  path: string;
  oldPath?: string;
  /** Undefined where there is no such file. */
  before: GitEntry | undefined;
  after: GitEntry | undefined;
}

const noMode = '000000';
const submoduleMode = '160000';

/** `bytes` as git printed it, a character for a byte. */
export function utf8Of(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/** Of `git diff --raw -z --abbrev=64`, where paths come unquoted. */
export function readRawChanges(bytes: string): RawChange[] {
  const fields = bytes.split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length; at++) {
    const record = /^:(\d+) (\d+) (\w+) (\w+) ([A-Z])\d*$/.exec(fields[at] ?? '');
    if (record === null) continue;
    const [, oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = record;
    const first = utf8Of(fields[++at] ?? '');
    const moved = status === 'R' || status === 'C';
    changes.push({
      status,
      ...(moved ? { oldPath: first, path: utf8Of(fields[++at] ?? '') } : { path: first }),
      before: oldMode === noMode ? undefined : { mode: oldMode, id: oldId },
      after: newMode === noMode ? undefined : { mode: newMode, id: newId },
    });
  }
  return changes;
}

/** Of the same diff as raw records and as a patch, which name the files in the same order. Undefined where they do not fit together. */
export function readChanges(raw: readonly RawChange[], patch: string): FileChange[] | undefined {
  const sections = patch.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
  const changes: FileChange[] = [];
  let next = 0;
  let id = 0;
  for (const change of raw) {
    // The old and the new file, one after the other.
    const many = change.status === 'T' ? 2 : 1;
    const own = sections.slice(next, next + many);
    next += many;
    if (own.length < many) return undefined;
    const kind = kindOf(change, own.join(''));
    const hunks = kind === 'submodule' || kind === 'type' ? [] : own.flatMap(readHunks);
    const parts = kind === 'modified' ? hunks.map((hunk) => [hunk]) : [hunks];
    changes.push({
      path: change.path,
      ...(change.oldPath === undefined ? {} : { oldPath: change.oldPath }),
      kind,
      ...(change.before === undefined ? {} : { before: change.before }),
      ...(change.after === undefined ? {} : { after: change.after }),
      parts: parts.map((part) => ({ id: `h${++id}`, hunks: part })),
    });
  }
  return next === sections.length ? changes : undefined;
}

function kindOf({ status, before, after }: RawChange, section: string): ChangeKind {
  if (before?.mode === submoduleMode || after?.mode === submoduleMode) return 'submodule';
  if (status === 'R' || status === 'C') return 'renamed';
  if (status === 'A') return 'added';
  if (status === 'D') return 'deleted';
  if (status === 'T') return 'type';
  if (before?.mode !== after?.mode) return 'mode';
  return /^@@ /m.test(section) && before?.mode.startsWith('100') ? 'modified' : 'binary';
}

function readHunks(section: string): GitHunk[] {
  const lines = section.split('\n');
  // What follows the last line feed.
  lines.pop();
  const hunks: GitHunk[] = [];
  for (const line of lines) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(line);
    const open = hunks.at(-1);
    if (header !== null) {
      const [, oldStart, oldLines = '1', newStart, newLines = '1', around = ''] = header;
      hunks.push({
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
        around,
        lines: [],
      });
    } else if (open !== undefined && /^[ +\-\\]/.test(line)) open.lines.push(line);
  }
  return hunks;
}

/** The content of a file with some of its hunks. Undefined where they are not of this content. */
export function applyGitHunks(before: string, hunks: readonly GitHunk[]): string | undefined {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines: string[] = [];
  let next = 0;
  for (const hunk of [...hunks].sort((one, other) => one.oldStart - other.oldStart)) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < next || start > old.length) return undefined;
    for (; next < start; next++) lines.push(old[next] ?? '');
    let sign = '';
    for (const line of hunk.lines) {
      if (line.startsWith('\\')) {
        // It speaks of the line before it: only of an added one the content has to be told.
        if (sign === '+') lines.push((lines.pop() ?? '').slice(0, -1));
        continue;
      }
      sign = line.charAt(0);
      const text = line.slice(1);
      if (sign === '+') lines.push(`${text}\n`);
      else {
        const there = old[next++];
        if (there === undefined || there.replace(/\n$/, '') !== text) return undefined;
        if (sign === ' ') lines.push(there);
      }
    }
  }
  return [...lines, ...old.slice(next)].join('');
}

export function partsOf(changes: readonly FileChange[]): { change: FileChange; part: ChangePart }[] {
  return changes.flatMap((change) => change.parts.map((part) => ({ change, part })));
}

/** Added and removed lines. */
export function linesOf({ hunks }: ChangePart): { added: number; removed: number } {
  const count = (sign: string): number =>
    hunks.reduce((all, hunk) => all + hunk.lines.filter((line) => line.startsWith(sign)).length, 0);
  return { added: count('+'), removed: count('-') };
}

/** "lines 10-14", "new file", "renamed from a.ts". */
export function partWords({ kind, oldPath, before, after }: FileChange, part: ChangePart): string {
  switch (kind) {
    case 'added':
      return before === undefined && after?.mode === '120000' ? 'new symlink' : 'new file';
    case 'deleted':
      return 'deleted';
    case 'renamed':
      return `renamed from ${oldPath ?? ''}`;
    case 'mode':
      return after?.mode === '100755' ? 'made executable' : 'no longer executable';
    case 'type':
      return 'another kind of file';
    case 'binary':
      return 'binary';
    case 'submodule':
      return 'submodule';
    case 'modified':
      return placeOf(part);
  }
}

/** Of the new text; where lines only go, the line after them. */
function placeOf({ hunks }: ChangePart): string {
  const runs = changedLines(hunks);
  const [start, end] = [runs[0]?.start, runs.at(-1)?.end];
  if (start === undefined || end === undefined) return '';
  return end <= start + 1 ? `line ${start}` : `lines ${start}-${end - 1}`;
}

export interface LineSpan {
  /** 1-based, the line itself is in it. */
  start: number;
  /** The line after the last one; the same as `start` where lines were only removed. */
  end: number;
}

/** Each run of changed lines, in the new text. */
export function changedLines(hunks: readonly Pick<GitHunk, 'newStart' | 'newLines' | 'lines'>[]): LineSpan[] {
  const runs: LineSpan[] = [];
  for (const { newStart, newLines, lines } of hunks) {
    let line = newLines === 0 ? newStart + 1 : newStart;
    let run: LineSpan | undefined;
    for (const text of lines) {
      const sign = text.charAt(0);
      if (sign === '\\') continue;
      if (sign === ' ') run = undefined;
      else if (run === undefined) runs.push((run = { start: line, end: line }));
      if (sign !== '-') line++;
      if (sign === '+' && run !== undefined) run.end = line;
    }
  }
  return runs;
}

/** The diff of some parts, as text for a model. */
export function diffOf(changes: readonly FileChange[], chosen: (id: string) => boolean, label = false): string {
  return changes
    .flatMap((change) => {
      const parts = change.parts.filter(({ id }) => chosen(id));
      if (parts.length === 0) return [];
      const head = `diff --git a/${change.oldPath ?? change.path} b/${change.path}`;
      const what = change.kind === 'modified' ? [] : [partWords(change, parts[0] ?? { id: '', hunks: [] })];
      const body = parts.flatMap((part) => [
        ...(label ? [`# change ${part.id}`] : []),
        ...part.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, around, lines }) => [
          `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${utf8Of(around)}`.trimEnd(),
          ...lines.map(utf8Of),
        ]),
      ]);
      return [head, ...what, ...body];
    })
    .join('\n');
}

/** "3 changes in 2 files". */
export function countWords(changes: readonly FileChange[], chosen: (id: string) => boolean): string {
  const files = changes.filter(({ parts }) => parts.some(({ id }) => chosen(id)));
  const parts = files.reduce((all, file) => all + file.parts.filter(({ id }) => chosen(id)).length, 0);
  return `${counted(parts, 'change')} in ${counted(files.length, 'file')}`;
}
