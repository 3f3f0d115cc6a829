// A comment of the user on lines of a file, as it was sent to the agent.
import { counted } from './counted';

export interface ReviewComment {
  /** One of its own in the session; the same for what is added to a comment later. */
  id: string;
  /** Absolute. */
  path: string;
  /** The lines are those of the text before the change. */
  before?: true;
  /** One-based, both included. */
  start: number;
  end: number;
  /** The lines as the user saw them. */
  quoted: string;
  words: string;
  /** The id of what a review found there, where the comment asks to fix that. */
  finding?: string;
  /** They have changed since: the numbers say where they were. */
  outdated?: true;
}

/** "8 comments in 4 files". */
export function commentsSummary(comments: readonly Pick<ReviewComment, 'path'>[]): string {
  const files = new Set(comments.map(({ path }) => path)).size;
  return `${counted(comments.length, 'comment')} in ${counted(files, 'file')}`;
}

/** "src/a.ts:3-5". */
export function commentPlace({ start, end, before }: ReviewComment, shownPath: string): string {
  return `${shownPath}:${start === end ? start : `${start}-${end}`}${before === true ? ' (before the change)' : ''}`;
}
