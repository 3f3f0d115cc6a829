// Suggestions behind "@": files and folders of the workspace that match what has been typed.
import { type MentionSuggestion } from '../../../shared/answers';

export const maxSuggestions = 15;

/** Paths relative to the workspace, forward slashes; folders are derived. Best first. */
export function rankMentions(paths: readonly string[], query: string): MentionSuggestion[] {
  const wanted = query.toLowerCase();
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const candidates: MentionSuggestion[] = [
    ...paths.map((path): MentionSuggestion => ({ path, kind: 'file' })),
    ...[...folders].map((path): MentionSuggestion => ({ path: `${path}/`, kind: 'folder' })),
  ];
  return candidates
    .flatMap((candidate) => {
      const score = scoreOf(candidate.path.toLowerCase(), wanted);
      return score === undefined ? [] : [{ candidate, score }];
    })
    .sort(
      (a, b) =>
        a.score - b.score ||
        a.candidate.path.length - b.candidate.path.length ||
        (a.candidate.path < b.candidate.path ? -1 : 1),
    )
    .slice(0, maxSuggestions)
    .map(({ candidate }) => candidate);
}

/** Smaller is better; undefined where the letters do not occur in order. */
function scoreOf(path: string, query: string): number | undefined {
  if (query === '') return path.split('/').length;
  const name = path.replace(/\/$/, '').split('/').at(-1) ?? path;
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (path.startsWith(query)) return 2;
  if (name.includes(query)) return 3;
  if (path.includes(query)) return 4;
  let at = 0;
  let gaps = 0;
  for (const letter of query) {
    const found = path.indexOf(letter, at);
    if (found < 0) return undefined;
    gaps += found - at;
    at = found + 1;
  }
  return 5 + gaps / 100;
}
