// Messages with other blocks in them: the same object where nothing is to be changed, so that what was derived from it still holds.
import { type Message } from '../wire/wire';

export function withContent<Holder extends { content: unknown }>(holder: Holder, content: Holder['content']): Holder {
  return content === holder.content ? holder : { ...holder, content };
}

/** The same list where every block stays as it is. */
export function mapped<Block>(blocks: Block[], map: (block: Block) => Block[]): Block[] {
  const made = blocks.flatMap(map);
  return made.length === blocks.length && made.every((block, index) => block === blocks[index]) ? blocks : made;
}

/** Makes the same object of the same message each time. */
export function madeOnce(make: (message: Message) => Message): (message: Message) => Message {
  const made = new WeakMap<Message, Message>();
  return (message) => {
    const known = made.get(message) ?? make(message);
    made.set(message, known);
    return known;
  };
}
