// What the user asks for at the cursor as parts of a message: the words are theirs, the lines are data beside them.
import { headOf } from '../../shared/cut-text';
import { attachment, escapeAttribute } from '../text/attachment';
import { redactText, type Secrets } from '../text/redact';
import { type TextBlock } from '../wire/wire';

export interface InlineEdit {
  /** By which the log tells that the message has arrived. */
  id: string;
  /** Absolute. */
  path: string;
  /** One-based, both included. */
  start: number;
  end: number;
  /** These lines as they are now, unsaved typing included. */
  quoted: string;
}

export interface InlineParts {
  content: TextBlock;
  /** A sentence for the model. */
  hint: string;
  /** The place as the chat shows it. */
  shown: string;
}

const maxQuoted = 60_000;

export function inlineParts(
  { path, start, end, quoted }: InlineEdit,
  {
    isHidden,
    shownPath,
    secrets,
  }: { isHidden: (path: string) => boolean; shownPath: (path: string) => string; secrets: Secrets },
): InlineParts {
  const [lines, named] = start === end ? [`${start}`, `line ${start}`] : [`${start}-${end}`, `lines ${start}-${end}`];
  return {
    content: {
      type: 'text',
      // Before it is cut: half a secret would not be recognised.
      text: attachment(
        { path, lines },
        isHidden(path) ? "The user's rules block this path." : headOf(redactText(quoted, secrets), maxQuoted),
      ),
    },
    hint: `The user writes this in the editor, at ${named} of ${escapeAttribute(path)}, attached above. If they ask for a change, make it there and leave the rest of the file alone. If they ask a question, answer it in a few sentences.`,
    shown: `${shownPath(path)}:${lines}`,
  };
}
