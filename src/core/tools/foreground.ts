// Tools where the user wants nothing in the background: the parameter is neither offered nor heeded, and their words do not speak of it.
import { isObject } from '../../shared/plain-object';
import { jsonSchemaOf } from '../tool/tool-schema';
import { type AnyTool } from '../tool/tool';

const parameter = 'run_in_background';

export function inForeground(tool: AnyTool): AnyTool {
  const schema = tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema);
  const { [parameter]: offered, ...properties } = isObject(schema.properties) ? schema.properties : {};
  if (offered === undefined) return tool;
  return {
    ...tool,
    inputSchema: tool.inputSchema.transform(({ [parameter]: _passedOver, ...input }: Record<string, unknown>) => input),
    inputJSONSchema: { ...schema, properties },
    prompt: async (context) => foregroundWords(await tool.prompt(context)),
  };
}

function foregroundWords(prompt: string): string {
  return prompt
    .split('\n')
    .filter((line) => !line.startsWith(`- \`${parameter}\``))
    .map((line) =>
      line
        .replace(/At the timeout the command moves to the background;[^.]*\./, 'At the timeout the command is killed.')
        .replace(/ `run_in_background` returns[^.]*\./, ''),
    )
    .join('\n');
}
