// Tools for tests of what runs tools: small, harmless, and as slow or as broken as a test wants them.
import { z } from 'zod/v3';
import { buildTool, type ToolDefinitionInput } from '../../src/core/tool/build-tool';
import { type AnyTool, type ToolContext, type ToolResult } from '../../src/core/tool/tool';

/** A promise that a test opens when it likes. */
export interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}

export function latch(): Latch {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const inputSchema = z.strictObject({ text: z.string().optional().describe('What it answers') });
export type FakeInput = z.infer<typeof inputSchema>;
const outputSchema = z.object({ said: z.string() });
export type FakeOutput = z.infer<typeof outputSchema>;

export type FakeToolFields = Partial<ToolDefinitionInput<FakeInput, FakeOutput>>;

/** Reads only and needs no permission unless `fields` say otherwise; answers with its input's text. */
export function fakeTool(name: string, fields: FakeToolFields = {}): AnyTool {
  return buildTool<FakeInput, FakeOutput>({
    name,
    prompt: async () => `${name} answers with its text.`,
    inputSchema,
    outputSchema,
    access: 'ReadOnly',
    isReadOnly: () => true,
    describe: ({ text = '' }) => ({ now: `Running ${name} ${text}`.trim(), past: `Ran ${name} ${text}`.trim() }),
    call: async (input) => said(input.text ?? name),
    mapToolResultToToolResultBlockParam: (output, id) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output.said,
    }),
    ...fields,
  });
}

/** Concurrency-safe. */
export function safeTool(name: string, fields: FakeToolFields = {}): AnyTool {
  return fakeTool(name, { isConcurrencySafe: () => true, ...fields });
}

/** Asks the user unless a rule allows it. */
export function askingTool(name: string, fields: FakeToolFields = {}): AnyTool {
  return fakeTool(name, { access: 'DangerFullAccess', isReadOnly: () => false, ...fields });
}

export function said(text: string): ToolResult<FakeOutput> {
  return { data: { said: text } };
}

/** Rejects when the call's signal fires; never resolves. */
export function untilAborted({ signal }: ToolContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
