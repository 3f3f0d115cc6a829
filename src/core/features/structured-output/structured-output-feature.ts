// A run whose answer is one JSON object: the model gives it by a tool of that shape, and no turn ends well without it.
import { z } from 'zod/v3';
import { type FeatureFactory } from '../../feature/session-feature';
import { type TurnEnd } from '../../loop/after-reply';
import { type SessionRecord } from '../../ports/record';
import { buildTool } from '../../tool/build-tool';
import { type AnyTool } from '../../tool/tool';
import { type JsonSchema } from '../../wire/wire';
import prompt from './structured-output.md';

export const structuredOutputName = 'StructuredOutput';
/** How often a turn that ends without the answer is sent back for it. */
const maxReminders = 5;

export interface StructuredOutputOptions {
  /** Of an object. */
  schema: JsonSchema;
  /** What does not fit the schema, as a sentence; undefined where all does. */
  problem: (value: unknown) => string | undefined;
}

export function structuredOutputFeature(options: StructuredOutputOptions): FeatureFactory {
  const tools: readonly AnyTool[] = [answerTool(options)];
  return ({ messages, settings }) => {
    let first = 0;
    let reminders = 0;
    /** The next reply has to be the answer: the request says so, where the model takes that. */
    let forced = false;
    return {
      name: 'structured-output',
      tools: () => tools,
      turnBegins() {
        first = settings.records.length;
        reminders = 0;
        forced = false;
      },
      aroundRequests: (steps) => ({
        ...steps,
        async request(raise, mayCompact) {
          const request = await steps.request(raise, mayCompact);
          return !forced || 'reason' in request
            ? request
            : { ...request, tool_choice: { type: 'tool', name: structuredOutputName } };
        },
      }),
      afterTools: async () => void (forced = false),
      async beforeEnd(end: TurnEnd): Promise<TurnEnd | undefined> {
        if (end.reason !== 'completed' || structuredAnswer(settings.records.slice(first)) !== undefined) return end;
        if (reminders++ >= maxReminders)
          return {
            reason: 'error',
            code: 'structured-output',
            message: `The model gave no answer in the requested format, though it was asked ${maxReminders + 1} times.`,
          };
        forced = true;
        messages.nudge(
          `Give your final answer by calling ${structuredOutputName}. A text does not count as the answer.`,
        );
        return undefined;
      },
    };
  };
}

function answerTool({ schema, problem }: StructuredOutputOptions): AnyTool {
  const input = z.object({}).passthrough();
  return buildTool<Record<string, unknown>, { answer: Record<string, unknown> }>({
    name: structuredOutputName,
    prompt: async () => prompt.trim(),
    inputSchema: input,
    inputJSONSchema: schema,
    outputSchema: z.object({ answer: input }),
    access: 'ReadOnly',
    isReadOnly: () => true,
    describe: () => ({ now: 'Giving the answer', past: 'Gave the answer' }),
    validateInput: async (value) => {
      const wrong = problem(value);
      return wrong === undefined
        ? { ok: true }
        : { ok: false, code: 'schema', message: `The answer does not fit the schema: ${wrong}` };
    },
    call: async (value) => ({ data: { answer: value } }),
    content: () => 'The answer was taken. End your turn now.',
  });
}

/** The last answer among these records. */
export function structuredAnswer(records: readonly SessionRecord[]): unknown {
  const answers = new Map<string, unknown>();
  let last: unknown;
  for (const record of records) {
    if ('raw' in record) continue;
    if (record.type === 'assistant') {
      for (const block of record.message.content)
        if (block.type === 'tool_use' && block.name === structuredOutputName) answers.set(block.id, block.input);
    } else if (record.type === 'user' && record.toolState === 'done' && typeof record.message.content !== 'string') {
      for (const block of record.message.content)
        if (block.type === 'tool_result' && answers.has(block.tool_use_id)) last = answers.get(block.tool_use_id);
    }
  }
  return last;
}
