// Suggestions behind "@": files and folders of the workspace that match what has been typed, ranked as Quick Open ranks them.
import { type MentionSuggestion } from '../../../shared/answers';

export const maxSuggestions = 15;

export interface MentionIndex {
  /** Best first. Typing on looks only at what matched before. */
  find(query: string): MentionSuggestion[];
}

/** Paths relative to the workspace, forward slashes; folders are derived and end with a slash. */
export function createMentionIndex(files: readonly string[]): MentionIndex {
  const paths = [...files, ...foldersOf(files)];
  const lower = paths.map((path) => path.toLowerCase());
  const nameStarts = Uint32Array.from(paths, (path) => path.lastIndexOf('/', path.length - 2) + 1);
  const everything = Uint32Array.from(paths, (_path, index) => index);
  let last = { query: '', matching: everything };

  const before = (a: Ranked, b: Ranked): boolean => {
    const [one, other] = [paths[a.at] ?? '', paths[b.at] ?? ''];
    if (a.score !== b.score) return a.score < b.score;
    return one.length === other.length ? one < other : one.length < other.length;
  };
  return {
    find(query) {
      const wanted = query.toLowerCase();
      const from = wanted.startsWith(last.query) ? last.matching : everything;
      const matching: number[] = [];
      const best: Ranked[] = [];
      for (const at of from) {
        const score = scoreOf(lower[at] ?? '', nameStarts[at] ?? 0, wanted, paths[at] ?? '');
        if (score === undefined) continue;
        matching.push(at);
        insert(best, { at, score }, before);
      }
      last = { query: wanted, matching: Uint32Array.from(matching) };
      return best.map(({ at }) => {
        const path = paths[at] ?? '';
        return { path, kind: path.endsWith('/') ? 'folder' : 'file' };
      });
    },
  };
}

interface Ranked {
  at: number;
  score: number;
}

/** Keeps the best few in order: sorting all that match would take longer than finding them. */
function insert(best: Ranked[], found: Ranked, before: (a: Ranked, b: Ranked) => boolean): void {
  const worst = best[maxSuggestions - 1];
  if (worst !== undefined && !before(found, worst)) return;
  let place = Math.min(best.length, maxSuggestions - 1);
  for (let above = best[place - 1]; above !== undefined && before(found, above); above = best[place - 1])
    best[place--] = above;
  best[place] = found;
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of files) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/** Smaller is better; undefined where the letters do not occur in order. What matches the name comes before what matches the path. */
function scoreOf(path: string, nameStart: number, query: string, written: string): number | undefined {
  if (query === '') return depthOf(path);
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  const inName = path.indexOf(query, nameStart);
  if (inName === nameStart) return inName + query.length === end ? 0 : 1;
  const inPath = inName >= 0 ? inName : path.indexOf(query);
  if (inPath === 0) return path.length === query.length ? 0 : 2;
  if (inPath > 0) {
    const whole = path.charCodeAt(inPath - 1) === slash;
    if (inName >= 0) return startsWord(written, inName) ? 3 : 3.5;
    // `src/loop.ts` is more than the end of another folder's name.
    if (whole && path.endsWith(query)) return 1;
    const later = path.indexOf(`/${query}`);
    return later >= 0 ? 4 : 4.5;
  }
  const name = gapsIn(path, written, nameStart, query);
  if (name !== undefined) return 5 + name;
  const all = gapsIn(path, written, 0, query);
  return all === undefined ? undefined : 6 + all;
}

const slash = 47;

function depthOf(path: string): number {
  let depth = 1;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}

/** At the start, behind a separator, or at a capital within a name. */
function startsWord(written: string, at: number): boolean {
  if (at === 0) return true;
  const before = written[at - 1] ?? '';
  if ('/-_. '.includes(before)) return true;
  const letter = written[at] ?? '';
  return letter !== letter.toLowerCase() && before === before.toLowerCase();
}

/** Below 1; letters that begin words count as no gap. Undefined where they do not occur in order. */
function gapsIn(path: string, written: string, from: number, query: string): number | undefined {
  let at = from;
  let gaps = 0;
  for (const letter of query) {
    const found = path.indexOf(letter, at);
    if (found < 0) return undefined;
    if (found > at && !startsWord(written, found)) gaps += found - at;
    at = found + letter.length;
  }
  return gaps / (gaps + 20);
}
