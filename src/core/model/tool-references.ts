// References to deferred tools, and how they read where none are sent.
import { madeOnce, mapped, withContent } from './mapped-message';
import { type TextBlock, type ToolReferenceBlock, type UserBlock } from '../wire/wire';

export function referenceInWords({ tool_name: name }: ToolReferenceBlock): TextBlock {
  return { type: 'text', text: `The tool ${name} can now be called.` };
}

/** For a session that does without them, whatever the model takes: as the guard (fit-messages.ts) would make them. */
export const withoutReferences = madeOnce((message) =>
  message.role === 'user'
    ? withContent(
        message,
        mapped(message.content, (block) => [inWords(block)]),
      )
    : message,
);

function inWords(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
  return withContent(
    block,
    mapped(block.content, (part) => [part.type === 'tool_reference' ? referenceInWords(part) : part]),
  );
}
