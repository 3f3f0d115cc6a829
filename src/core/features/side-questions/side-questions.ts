// Questions alongside the conversation: they see all of it, and no part of them enters it.
import { messageOf } from '../../text/errors';
import { createReplyAssembler, type ReplyAssembler, type ReplyStep } from '../../model/reply-assembler';
import { type Message, type ModelRequest, type Usage, type UserBlock } from '../../wire/wire';
import { type ModelClient } from '../../ports/model';
import { type SessionRecord } from '../../ports/record';
import { reminder } from '../../text/system-reminder';
import { type SessionBudget } from '../budget/session-budget';

export interface SideQuestions {
  /** Streams the answer's text. Never rejects: what goes wrong is a sentence. */
  ask(question: string, onText: (text: string) => void, signal: AbortSignal): Promise<{ problem?: string }>;
  /** Forgets what was asked. */
  clear(): void;
}

export interface SideQuestionServices {
  model: Pick<ModelClient, 'stream'>;
  /** The request that would go on with the conversation: its beginning comes from the cache. */
  conversation: () => Promise<ModelRequest>;
  countUsage: (model: string, usage: Usage, whom?: string) => void;
  /** Undefined for none. */
  budget: () => SessionBudget | undefined;
  records: readonly SessionRecord[];
}

/** Later ones would read much that has nothing to do with them. */
export const maxSideQuestions = 20;
const maxAnswerTokens = 8_000;

export function createSideQuestions({
  model,
  conversation,
  countUsage,
  budget,
  records,
}: SideQuestionServices): SideQuestions {
  let exchanges: { question: string; answer: string }[] = [];
  return {
    clear: () => void (exchanges = []),
    async ask(question, onText, signal) {
      if (exchanges.length >= maxSideQuestions)
        return { problem: `The limit is ${maxSideQuestions} side questions. Close the panel to start over.` };
      const own = exchanges;
      const job: SessionRecord[] = [];
      const assembler = createReplyAssembler();
      let request: ModelRequest | undefined;
      let answer = '';
      let called = false;
      try {
        const asked = withQuestion(await conversation(), own, question);
        const end = await budget()?.check({ model: asked.model, records: job, like: records, byHand: true }, signal);
        if (end !== undefined) return { problem: end.message ?? '' };
        request = asked;
        for await (const event of model.stream(request, signal)) {
          for (const step of assembler.accept(event)) {
            called ||= step.type === 'block_started' && step.block.type === 'tool_use';
            for (const text of addedTexts(step, assembler, answer)) {
              answer += text;
              if (text !== '') onText(text);
            }
          }
        }
      } catch (error) {
        return { problem: signal.aborted ? 'Stopped.' : messageOf(error) };
      } finally {
        if (request !== undefined && Object.values(assembler.usage).some((tokens) => tokens > 0))
          countUsage(request.model, { ...assembler.usage }, 'Side question');
        budget()?.over(job);
      }
      if (answer.trim() === '')
        return {
          problem: called ? 'The answer needs files or a command: ask it as a message.' : 'The model did not answer.',
        };
      own.push({ question, answer });
      return {};
    },
  };
}

/** What a step adds to the answer: a further text block begins a paragraph. */
function addedTexts(step: ReplyStep, assembler: Pick<ReplyAssembler, 'open'>, answer: string): string[] {
  if (step.type === 'block_started' && step.block.type === 'text')
    return answer === '' ? [step.block.text] : ['\n\n', step.block.text];
  const isText =
    step.type === 'text' && assembler.open().some(({ index, block }) => index === step.index && block.type === 'text');
  return isText ? [step.text] : [];
}

const instructions = `The user asks a side question. Answer it in a few sentences from this conversation and your general knowledge.
Call no tools: none of them works here. The task continues unchanged, and you will not remember this question; if you cannot answer without reading files or running something, say so.`;

function withQuestion(
  request: ModelRequest,
  exchanges: readonly { question: string; answer: string }[],
  question: string,
): ModelRequest {
  const ask = (text: string): UserBlock[] => [
    { type: 'text', text: reminder(instructions) },
    { type: 'text', text },
  ];
  const [first = question, ...later] = [...exchanges.map((one) => one.question), question];
  const last = request.messages.at(-1);
  const opening: Message[] =
    last?.role === 'user'
      ? [...request.messages.slice(0, -1), { role: 'user', content: [...last.content, ...ask(first)] }]
      : [...request.messages, { role: 'user', content: ask(first) }];
  const rest = exchanges.flatMap(({ answer }, index): Message[] => [
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
    { role: 'user', content: ask(later[index] ?? question) },
  ]);
  // What thinks with a budget needs more room than it may think.
  const { thinking } = request;
  const room = thinking?.type === 'enabled' ? thinking.budget_tokens + maxAnswerTokens : maxAnswerTokens;
  return { ...request, messages: [...opening, ...rest], max_tokens: Math.min(request.max_tokens, room) };
}
