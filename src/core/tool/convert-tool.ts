// Tools as the API wants them in `tools`.
import { type ModelCapabilities } from '../wire/model-capabilities';
import { type ToolDefinition } from '../wire/wire';
import { createStrictRoom, withoutBounds } from './strict-schema';
import { neutralText, neutralValue } from '../text/system-reminder';
import { jsonSchemaOf } from './tool-schema';
import { type AnyTool, type PromptContext } from './tool';

export interface ConvertContext {
  prompt: PromptContext;
  /** The capabilities of the model at its provider. */
  can: Pick<ModelCapabilities, 'strictTools' | 'toolExamples' | 'eagerToolStreaming'>;
  /** Off unless the user switched strict tools on. */
  strictTools: boolean;
  warn: (message: string) => void;
}

/** All tools of a request, in their order: what they may come to together is counted here. */
export async function convertToolsForAPI(
  tools: readonly AnyTool[],
  context: ConvertContext,
): Promise<ToolDefinition[]> {
  const definitions = await Promise.all(tools.map((tool) => convertToolForAPI(tool, context)));
  const room = createStrictRoom();
  return Promise.all(
    definitions.map((definition, index) => {
      if (definition.strict !== true || room.take(definition.input_schema)) return definition;
      context.warn(`${definition.name} is sent without strict: its schema is not allowed for strict tools.`);
      return convertToolForAPI(tools[index]!, { ...context, strictTools: false });
    }),
  );
}

/** Examples that do not fit the schema are dropped with a warning. */
export async function convertToolForAPI(tool: AnyTool, context: ConvertContext): Promise<ToolDefinition> {
  const examples = (tool.input_examples ?? []).filter((example) => {
    const { success } = tool.inputSchema.safeParse(example);
    if (!success) context.warn(`An example of ${tool.name} does not match its schema and is omitted.`);
    return success;
  });
  const schema = tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema);
  const isStrict = context.strictTools && context.can.strictTools && tool.strict;
  return {
    name: tool.name,
    // Servers and the files of agents write parts of them.
    description: neutralText(await tool.prompt(context.prompt)),
    input_schema: neutralValue(isStrict ? withoutBounds(schema) : schema),
    ...(isStrict ? { strict: true } : {}),
    ...(context.can.toolExamples && examples.length > 0
      ? { input_examples: examples as Record<string, unknown>[] }
      : {}),
    // Its pieces come as they are written, unchecked: they may end as no JSON at all.
    ...(context.can.eagerToolStreaming && tool.liveInput !== undefined ? { eager_input_streaming: true } : {}),
  };
}
