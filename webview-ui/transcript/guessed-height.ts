// How high a row probably is that was never drawn: near enough for a scroll bar, put right when it is drawn.
import { type ChatItem } from '../../src/shared/chat';

const LINE = 20;
const CHARACTER = 6.6;
const TOOL_LINE = 28;
const MOST_DIFF = 320;
/** With the names of the files. */
const MOST_CHANGES = 420;
/** As `.picture` in the styles. */
const MOST_PICTURE = 240;

/** `width` is that of the conversation's text. */
export function guessedHeight(item: ChatItem | undefined, width: number): number {
  switch (item?.kind) {
    case 'user':
      return 64 + linesIn(item.text, width) * LINE;
    case 'text':
      return 12 + linesIn(item.text, width) * LINE;
    case 'tool':
      if (item.view?.kind === 'changes' && item.state === 'done') return TOOL_LINE + MOST_CHANGES;
      if (item.view?.kind === 'picture' && item.state === 'done') return TOOL_LINE + MOST_PICTURE;
      return item.view?.kind === 'diff' && item.state === 'done'
        ? TOOL_LINE + Math.min(MOST_DIFF, 8 + 18 * item.view.hunks.reduce((sum, { lines }) => sum + lines.length, 0))
        : TOOL_LINE;
    case 'notice':
    case 'compaction':
      return 78;
    default:
      return TOOL_LINE;
  }
}

function linesIn(text: string, width: number): number {
  const perLine = Math.max(10, width / CHARACTER);
  // Of a very long text, the beginning tells how long its lines are. A damaged entry may have something else in its place.
  const looked = typeof text === 'string' ? text.slice(0, 4_000) : '';
  const lines = looked.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
  return looked === '' || looked.length === text.length ? lines : (lines * text.length) / looked.length;
}
