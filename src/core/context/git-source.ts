// Sends a session's model the state of the repository once: branch, changed files and last commits.
import { type GitState } from '../ports/git-state';
import { redactText, type Secrets } from '../text/redact';
import { textVersion } from '../text/text-version';
import { type ContextSource, versionKey } from './context-source';

const maxChanges = 40;
const maxCommits = 5;
/** In bytes, of the whole note. */
const maxNote = 2_000;
const maxSubject = 120;

/**
 * `reading` began when the session was opened. A session that continues is sent the state again if it is another one by
 * then. Agents are not sent it: their task says what they need, and a worktree has a state of its own.
 */
export function createGitSource(reading: Promise<GitState | undefined>, secrets: () => Secrets): ContextSource {
  return {
    async present() {
      const state = await reading;
      if (state === undefined) return [];
      const text = redactText(gitText(state), secrets());
      return [{ key: versionKey('git state', textVersion(text)), text }];
    },
    narrowed: () => ({ present: async () => [] }),
  };
}

/** What others wrote, names of files and subjects of commits, is each on a line of its own. */
export function gitText({ branch, changes, commits }: GitState): string {
  const log = commits
    .slice(0, maxCommits)
    .map((line) => (line.length > maxSubject ? `${line.slice(0, maxSubject - 1)}…` : line));
  const head = `Git as this session began; it is not updated. Branch: ${branch}.`;
  const tail = log.length === 0 ? ['No commits yet.'] : ['Last commits:', ...log];
  if (changes.length === 0) return [`${head} Nothing is changed.`, ...tail].join('\n');
  const shown: string[] = [];
  let room = maxNote - bytesOf([head, 'Changed files, as `git status --short`:', '[10000 more]', ...tail].join('\n'));
  for (const line of changes.slice(0, maxChanges)) {
    room -= bytesOf(line) + 1;
    if (room < 0) break;
    shown.push(line);
  }
  const more = changes.length - shown.length;
  return [
    head,
    'Changed files, as `git status --short`:',
    ...shown,
    ...(more > 0 ? [`[${more} more]`] : []),
    ...tail,
  ].join('\n');
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
