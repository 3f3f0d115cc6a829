// Asks a model once, outside the conversation, and waits for the whole answer.
import { type Clock } from '../ports/clock';
import { type ModelClient } from '../ports/model';
import { createReplyAssembler } from './reply-assembler';
import { defaultRetryPolicy, retryDelay } from './retry-policy';
import { type AssistantBlock, type ModelRequest, type StopReason, type Usage } from '../wire/wire';

export interface WholeReply {
  content: AssistantBlock[];
  stopReason: StopReason | null;
}

/** Fewer tries than a turn has: somebody waits for the tool that asks. */
const policy = { ...defaultRetryPolicy, maxAttempts: 3, maxDelayMs: 4_000 };

/** Throws what the last try threw; `used` receives the tokens of each try. */
export async function wholeReply(
  { model, clock }: { model: Pick<ModelClient, 'stream'>; clock: Pick<Clock, 'sleep'> },
  request: ModelRequest,
  signal: AbortSignal,
  used: (usage: Usage) => void,
): Promise<WholeReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readReply(model, request, signal, used);
    } catch (error) {
      const delay = signal.aborted ? undefined : retryDelay(error, attempt, policy);
      if (delay === undefined) throw error;
      await clock.sleep(delay, signal);
    }
  }
}

async function readReply(
  model: Pick<ModelClient, 'stream'>,
  request: ModelRequest,
  signal: AbortSignal,
  used: (usage: Usage) => void,
): Promise<WholeReply> {
  const assembler = createReplyAssembler();
  const content: AssistantBlock[] = [];
  try {
    for await (const event of model.stream(request, signal)) {
      for (const step of assembler.accept(event)) if (step.type === 'block_ended') content.push(step.block);
    }
  } finally {
    if (Object.values(assembler.usage).some((tokens) => tokens > 0)) used({ ...assembler.usage });
  }
  return { content, stopReason: assembler.stopReason };
}

/** What it says: parts of one text that were cut at citations are one again. */
export function textOf(content: readonly AssistantBlock[]): string {
  let text = '';
  let apart = false;
  for (const block of content) {
    if (block.type !== 'text') apart = text !== '';
    else {
      text += apart && block.text.trim() !== '' ? `\n\n${block.text}` : block.text;
      apart = apart && block.text.trim() === '';
    }
  }
  return text.trim();
}
