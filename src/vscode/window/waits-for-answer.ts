// Whether a session waits with a question: whatever is written to it then would be the answer.
import { type BoardRow } from './board-row';

interface AskingChat {
  readonly questions: { readonly requests: readonly unknown[] };
}

/** Of a session that no chat here has, nobody knows for what it waits. */
export function waitsForAnswer(row: Pick<BoardRow, 'state'>, chat: AskingChat | undefined): boolean {
  return chat === undefined ? row.state === 'waiting' : chat.questions.requests.length > 0;
}
