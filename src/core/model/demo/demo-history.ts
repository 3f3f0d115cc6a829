// What a conversation holds that the demo's script goes by: the calls made so far, their results, what the user said.
import { type Message, type ToolResultBlock, type UserBlock } from '../../wire/wire';

export interface DemoStep {
  name: string;
  input: Readonly<Record<string, unknown>>;
  text: string;
  failed: boolean;
}

export interface DemoHistory {
  /** As Deft sent it in its first message. */
  cwd: string | undefined;
  /** Calls that have a result, in order. */
  steps: DemoStep[];
  /** What the user wrote since the last reply; empty where only results came. */
  said: string;
  /** Replies so far. */
  replies: number;
  /** The last reply called no tool. */
  lastReplyWasTextOnly: boolean;
}

export function readHistory(messages: readonly Message[]): DemoHistory {
  const results = new Map<string, ToolResultBlock>();
  for (const block of messages.flatMap(userBlocks))
    if (block.type === 'tool_result') results.set(block.tool_use_id, block);
  const replies = messages.filter((message) => message.role === 'assistant');
  const steps = replies.flatMap((reply) =>
    reply.content.flatMap((block): DemoStep[] => {
      const result = block.type === 'tool_use' ? results.get(block.id) : undefined;
      if (block.type !== 'tool_use' || result === undefined) return [];
      const input = typeof block.input === 'object' && block.input !== null ? { ...block.input } : {};
      return [{ name: block.name, input, text: resultText(result), failed: result.is_error === true }];
    }),
  );
  const lastReply = messages.findLastIndex((message) => message.role === 'assistant');
  return {
    cwd: workingDirectory(messages),
    steps,
    said: messages
      .slice(lastReply + 1)
      .flatMap(userBlocks)
      .flatMap(userText)
      .join('\n')
      .trim(),
    replies: replies.length,
    lastReplyWasTextOnly: replies.at(-1)?.content.every((block) => block.type !== 'tool_use') ?? false,
  };
}

function userBlocks(message: Message): UserBlock[] {
  return message.role === 'user' ? message.content : [];
}

/** Reminders are Deft's own words, not the user's. */
function userText(block: UserBlock): string[] {
  if (block.type !== 'text' || /^\s*<(system-reminder|attachment)\b/.test(block.text)) return [];
  return block.text.trim() === '' ? [] : [block.text];
}

function workingDirectory(messages: readonly Message[]): string | undefined {
  for (const block of messages.flatMap(userBlocks)) {
    const found = block.type === 'text' ? /^Working directory: (.+)$/m.exec(block.text)?.[1] : undefined;
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

function resultText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
