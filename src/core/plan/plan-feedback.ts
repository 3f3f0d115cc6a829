// What a user made of a plan, as the model reads it: their edits and their remarks on single lines.
import { unifiedDiff } from '../edits/diff-hunks';

export interface PlanComment {
  /** 1-based. */
  line: number;
  /** What is there. */
  quoted: string;
  words: string;
}

export function commentsText(comments: readonly PlanComment[]): string {
  return [...comments]
    .sort((a, b) => a.line - b.line)
    .map(
      ({ line, quoted, words }) =>
        `On line ${line} of the plan:\n${quoted
          .split('\n')
          .map((one) => `> ${one}`)
          .join('\n')}\n${words}`,
    )
    .join('\n\n');
}

/** Undefined where they changed nothing. */
export function planChanges(proposed: string, text: string): string | undefined {
  const [before, after] = [proposed.replaceAll('\r\n', '\n').trimEnd(), text.replaceAll('\r\n', '\n').trimEnd()];
  return before === after ? undefined : unifiedDiff(`${before}\n`, `${after}\n`, 'plan as proposed', 'plan as edited');
}

/** For a plan that is not accepted: what was typed, the remarks, the edits. Empty if there are none. */
export function planFeedback(words: string, comments: readonly PlanComment[], changes: string | undefined): string {
  return [
    words.trim(),
    commentsText(comments),
    changes === undefined ? '' : `They changed the plan in the editor; build on their version:\n${changes}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
