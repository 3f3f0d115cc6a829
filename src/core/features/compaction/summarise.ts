// Asks the session's model for a summary of the conversation; one that is too long for that loses its oldest results first.
import { DeftError, ModelError } from '../../text/errors';
import { textOf, wholeReply } from '../../model/whole-reply';
import { type Message, type ModelRequest, type Usage, type UserBlock } from '../../wire/wire';
import { type Clock } from '../../ports/clock';
import { type ModelClient } from '../../ports/model';
import instructions from './summary-prompt.md';

export interface SummaryServices {
  model: Pick<ModelClient, 'stream'>;
  clock: Pick<Clock, 'sleep'>;
  /** Receives the tokens of each try. */
  used: (usage: Usage) => void;
}

/** Enough for a long session, with room for the model to think first. */
const summaryTokens = 16_000;
const thinkingTokens = 8_000;

/**
 * `conversation` is the request that would go on with it: the same system prompt, tools and messages, so that all of it comes
 * from the cache. Throws a sentence for the user.
 */
export async function summarise(
  conversation: ModelRequest,
  focus: string,
  { model, clock, used }: SummaryServices,
  signal: AbortSignal,
): Promise<string> {
  for (const shorten of [whole, withoutOldResults, withoutResults, newestHalf]) {
    const request = withQuestion({ ...conversation, messages: shorten(conversation.messages) }, focus);
    try {
      const { content, stopReason } = await wholeReply({ model, clock }, request, signal, used);
      const text = textOf(content);
      if (stopReason === 'refusal') throw failed('The model declined to write a summary.');
      if (stopReason === 'model_context_window_exceeded') continue;
      if (text === '') throw failed('The model wrote no summary.');
      return text;
    } catch (error) {
      if (signal.aborted || !isTooLong(error)) throw error;
    }
  }
  throw failed('The conversation is too long to summarise.');
}

/** The API refused a request for its length. */
export function isTooLong(error: unknown): error is ModelError {
  return error instanceof ModelError && error.details.kind === 'too_large';
}

export function summaryQuestion(focus: string): string {
  const wish = focus.trim() === '' ? '' : `\n\nAbove all, the user asks you to keep this: ${focus.trim()}`;
  return `${instructions.trim()}${wish}`;
}

function failed(message: string): DeftError {
  return new DeftError('compaction', message, { audience: 'user' });
}

function withQuestion(request: ModelRequest, focus: string): ModelRequest {
  const question: UserBlock = { type: 'text', text: summaryQuestion(focus) };
  const last = request.messages.at(-1);
  const messages: Message[] =
    last?.role === 'user'
      ? [...request.messages.slice(0, -1), { role: 'user', content: [...last.content, question] }]
      : [...request.messages, { role: 'user', content: [question] }];
  // Another budget would read the messages anew, not from the cache.
  const { thinking } = request;
  const room =
    thinking?.type === 'enabled'
      ? Math.max(summaryTokens, thinking.budget_tokens + summaryTokens - thinkingTokens)
      : summaryTokens;
  return { ...request, messages, max_tokens: Math.min(request.max_tokens, room) };
}

function whole(messages: Message[]): Message[] {
  return messages;
}

function withoutOldResults(messages: Message[]): Message[] {
  const half = Math.ceil(messages.length / 2);
  return [...withoutResults(messages.slice(0, half)), ...messages.slice(half)];
}

function withoutResults(messages: Message[]): Message[] {
  return messages.map((message): Message =>
    message.role === 'user' ? { role: 'user', content: message.content.map(withoutContent) } : message,
  );
}

function withoutContent(block: UserBlock): UserBlock {
  if (block.type === 'image' || block.type === 'document') return { type: 'text', text: '[a file, omitted]' };
  return block.type === 'tool_result'
    ? { ...block, content: '[result omitted: the conversation was too long]' }
    : block;
}

/** From a message of the user on: results without their calls would be refused. */
function newestHalf(messages: Message[]): Message[] {
  const half = Math.ceil(messages.length / 2);
  const at = messages.findIndex(
    ({ role, content }, index) =>
      index >= half && role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  );
  return withoutResults(at === -1 ? messages : messages.slice(at));
}
