// The answer of a turn as one text: what the agent said between its calls, and after them.
import { chat } from './chat';

/** Texts of the turn that this item is in, the first one's id ahead. */
function textsOf(id: string): { id: string; text: string }[] {
  const turn = chat.turns.peek().findLast(({ ids }) => ids.includes(id));
  return (turn?.ids ?? []).flatMap((each) => {
    const item = chat.item(each)?.peek();
    // A damaged entry of the log may have something else in the place of its text.
    const isText = item?.kind === 'text' && typeof item.text === 'string' && item.text.trim() !== '';
    return isText ? [{ id: each, text: item.text }] : [];
  });
}

/** It goes on an answer that has begun before. */
export function continuesAnswer(id: string): boolean {
  const [first] = textsOf(id);
  return first !== undefined && first.id !== id;
}

export function wholeAnswer(id: string): string {
  return textsOf(id)
    .map(({ text }) => text.trim())
    .join('\n\n');
}
