// The user's comments on lines of files as parts of one message: what they wrote is theirs, the lines are data beside it.
import { commentPlace, commentsSummary, type ReviewComment } from '../../shared/review-comment';
import { headOf } from '../../shared/cut-text';
import { attachment } from '../text/attachment';
import { redactText, type Secrets } from '../text/redact';
import { type TextBlock } from '../wire/wire';

/** Characters of the lines of one comment. */
const maxQuoted = 4_000;

export interface CommentParts {
  content: TextBlock[];
  /** A sentence for the model. */
  hint: string;
  /** What the user has written, each with its comment's id and place. */
  text: string;
  /** The same as the chat shows it. */
  shown: string;
}

export function commentParts(
  comments: readonly ReviewComment[],
  {
    isHidden,
    shownPath,
    secrets,
  }: { isHidden: (path: string) => boolean; shownPath: (path: string) => string; secrets: Secrets },
): CommentParts {
  const placeOf = (comment: ReviewComment): string => commentPlace(comment, shownPath(comment.path));
  return {
    content: comments.map((comment) => ({ type: 'text', text: quotedLines(comment, isHidden, secrets) })),
    hint: hintOf(comments),
    text: comments.map((comment) => `${comment.id} on ${placeOf(comment)}:\n${comment.words}`).join('\n\n'),
    shown: [commentsSummary(comments), ...comments.map((comment) => `${placeOf(comment)}\n${comment.words}`)].join(
      '\n\n',
    ),
  };
}

function hintOf(comments: readonly ReviewComment[]): string {
  return [
    `The user has reviewed the code: ${commentsSummary(comments)}. Do what each of them asks for, then answer every one by its id with the Review tool: load it with the tool search if you don't have it yet.`,
    ...(comments.some(({ outdated }) => outdated === true)
      ? ['Where the lines are marked as outdated, the code has changed since: find the place they are about.']
      : []),
  ].join('\n');
}

function quotedLines(comment: ReviewComment, isHidden: (path: string) => boolean, secrets: Secrets): string {
  const { id, path, start, end, quoted, before, outdated } = comment;
  const lines = start === end ? `${start}` : `${start}-${end}`;
  return attachment(
    {
      comment: id,
      path,
      lines,
      ...(before === true ? { side: 'before the change' } : {}),
      ...(outdated === true ? { state: 'outdated: these lines have changed since' } : {}),
    },
    // Before it is cut: half a secret would not be recognised.
    isHidden(path) ? "The user's rules block this path." : headOf(redactText(quoted, secrets), maxQuoted),
  );
}
