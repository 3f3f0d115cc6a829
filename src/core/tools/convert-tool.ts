// A tool as the API wants it in `tools`.
import { type ToolDefinition } from '../model/wire';
import { jsonSchemaOf } from './tool-schema';
import { type AnyTool, type PromptContext } from './tool';

export interface ConvertContext {
  prompt: PromptContext;
  model: string;
  /** Off unless the person switched strict tools on. */
  strictTools: boolean;
  /** The provider takes input_examples. */
  inputExamples: boolean;
  warn: (message: string) => void;
}

/** Examples that do not fit the schema are dropped with a warning. */
export async function convertToolForAPI(tool: AnyTool, context: ConvertContext): Promise<ToolDefinition> {
  const examples = (tool.input_examples ?? []).filter((example) => {
    const { success } = tool.inputSchema.safeParse(example);
    if (!success) context.warn(`An example of ${tool.name} does not fit its schema and is left out.`);
    return success;
  });
  return {
    name: tool.name,
    description: await tool.prompt(context.prompt),
    input_schema: tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema),
    ...(context.strictTools && tool.strict && modelSupportsStrictMode(context.model) ? { strict: true } : {}),
    ...(context.inputExamples && examples.length > 0
      ? { input_examples: examples as Record<string, unknown>[] }
      : {}),
  };
}

/** Strict tools came with the 4.5 models. */
export function modelSupportsStrictMode(model: string): boolean {
  const version = /(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (version === null) return false;
  return Number(version[1]) > 4 || (Number(version[1]) === 4 && Number(version[2] ?? 0) >= 5);
}
