// buildTool(): a definition over safe defaults.
import { offeredText, type Offers } from '../text/words';
import { type ToolResultBlock } from '../wire/wire';
import { type AnyTool, type Tool } from './tool';

/** What a definition may leave out. Each default is the safe answer. */
export const TOOL_DEFAULTS = {
  aliases: [] as string[],
  isMcp: false,
  strict: false,
  maxResultSizeChars: 50_000,
  asksUser: false,
  isEnabled: () => true,
  isReadOnly: () => false,
  isDestructive: () => false,
  isConcurrencySafe: () => false,
  targets: () => [],
  validateInput: async () => ({ ok: true }) as const,
  checkPermissions: async () => undefined,
  view: (output: unknown) => ({ kind: 'json', text: JSON.stringify(output, undefined, 2) ?? '' }) as const,
  detail: () => '',
} satisfies Partial<AnyTool>;

type Mapping = 'mapToolResultToToolResultBlockParam';
type Optional<Input, Output> = Partial<Pick<Tool<Input, Output>, keyof typeof TOOL_DEFAULTS>>;

/** What the model gets: text or blocks, or the tool's own mapping where an output may also be an error. */
type ResultMapping<Input, Output> =
  | { content: (output: Output, offers: Offers) => ToolResultBlock['content'] }
  | (Pick<Tool<Input, Output>, Mapping> & { content?: undefined });

/** For any input, or by input. A method, as in Tool: a tool that spreads another one keeps its. */
type ConcurrencySafe<Input> = boolean | { isConcurrencySafe(input: Input): boolean }['isConcurrencySafe'];

export type ToolDefinitionInput<Input, Output> = Omit<Tool<Input, Output>, keyof typeof TOOL_DEFAULTS | Mapping> &
  Omit<Optional<Input, Output>, 'isConcurrencySafe'> & {
    isConcurrencySafe?: ConcurrencySafe<Input> | undefined;
  } & ResultMapping<Input, Output>;

const defaults = Object.entries(TOOL_DEFAULTS);

/** Missing and explicitly undefined fields both get their default. */
export function buildTool<Input, Output>(definition: ToolDefinitionInput<Input, Output>): Tool<Input, Output> {
  // One copy and what it lacks: a thousand tools of servers are made at once, and two copies into one take three times as long.
  const { content, isConcurrencySafe: safe, ...rest } = definition;
  const made: Record<string, unknown> = rest;
  made['isConcurrencySafe' satisfies keyof AnyTool] = typeof safe === 'boolean' ? () => safe : safe;
  for (const [name, value] of defaults) if (made[name] === undefined) made[name] = value;
  if (content !== undefined)
    made['mapToolResultToToolResultBlockParam' satisfies Mapping] = (
      output: Output,
      toolUseId: string,
      offers: Offers = () => true,
    ) => ({ type: 'tool_result', tool_use_id: toolUseId, content: content(output, offers) }) satisfies ToolResultBlock;
  return made as unknown as Tool<Input, Output>;
}

/** A description that names only the tools that are offered with it. */
export function promptOf(template: string): AnyTool['prompt'] {
  return async ({ toolNames }) => offeredText(template.trim(), (name) => toolNames.includes(name));
}

/** isConcurrencySafe as the scheduler asks it: a throw counts as false. */
export function concurrencySafe(tool: AnyTool, input: unknown): boolean {
  try {
    return tool.isConcurrencySafe(input) === true;
  } catch {
    return false;
  }
}
