// What the program says with `initialize` before the run begins, as the options of the command line that mean the same.
import { isObject } from '../../shared/plain-object';
import { type RunOptions } from '../command-line/run-options';

type Fields = Readonly<Record<string, unknown>>;

/** Those that change what is opened: after the start they come too late. */
export const openingFields = [
  'systemPrompt',
  'appendSystemPrompt',
  'agents',
  'jsonSchema',
  'title',
  'skills',
  'mcpServers',
  'plugins',
  'sdkMcpServers',
] as const;

/** A sentence where a field cannot be read: a run that went on without it would be another one than was asked for. */
export function withInitialize(options: RunOptions, fields: Fields): RunOptions | string {
  const { systemPrompt, appendSystemPrompt, agents, jsonSchema, title, skills, mcpServers, plugins, sdkMcpServers } =
    fields;
  const prompt = textsOf(systemPrompt);
  const appended = textsOf(appendSystemPrompt);
  const named = [
    ['systemPrompt', prompt, 'a text or a list of texts'],
    ['appendSystemPrompt', appended, 'a text'],
    ['agents', optional(agents, isObject), 'an object of agents by their names'],
    ['jsonSchema', optional(jsonSchema, isObject), 'a JSON schema'],
    ['title', optional(title, isText), 'a text'],
    ['skills', optional(skills, isTexts), 'a list of names'],
    ['mcpServers', optional(mcpServers, isObject), 'an object of servers by their names'],
    ['plugins', optional(plugins, isPlugins), 'a list of {"type":"local","path"}'],
    ['sdkMcpServers', optional(sdkMcpServers, isTexts), 'a list of names'],
  ] as const;
  const wrong = named.find(([, value]) => value === 'wrong');
  if (wrong !== undefined) return `\`${wrong[0]}\` of initialize must be ${wrong[2]}.`;
  return {
    ...options,
    initialized: true,
    ...(prompt === undefined ? {} : { systemPrompt: { text: prompt, file: undefined } }),
    ...(appended === undefined ? {} : { appendSystemPrompt: { text: appended, file: undefined } }),
    ...(isObject(agents) ? { agents: JSON.stringify({ ...agentsOf(options.agents), ...agents }) } : {}),
    ...(isObject(jsonSchema) ? { jsonSchema: JSON.stringify(jsonSchema) } : {}),
    ...(isText(title) ? { title } : {}),
    ...(isTexts(skills) ? { skills } : {}),
    ...(isObject(mcpServers) ? { mcpConfig: [...options.mcpConfig, JSON.stringify({ mcpServers })] } : {}),
    ...(isPlugins(plugins)
      ? {
          pluginDirectories: [...options.pluginDirectories, ...plugins.map(({ path }) => path)],
          pluginsWithoutServers: [...options.pluginsWithoutServers, ...withoutServers(plugins)],
        }
      : {}),
    ...(isTexts(sdkMcpServers) ? { programServers: sdkMcpServers } : {}),
  };
}

/** `[""]` is the SDK's way to say: no system prompt at all. */
function textsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isText(value)) return value;
  return isTexts(value) ? value.join('\n\n') : 'wrong';
}

function optional(value: unknown, fits: (value: unknown) => boolean): 'wrong' | undefined {
  return value === undefined || value === null || fits(value) ? undefined : 'wrong';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

/** As the SDK names folders of plugins. */
export interface NamedPlugin {
  path: string;
  skipMcpDiscovery?: unknown;
}

export function isPlugins(value: unknown): value is NamedPlugin[] {
  return Array.isArray(value) && value.every((one) => isObject(one) && isText(one['path']));
}

export function withoutServers(plugins: readonly NamedPlugin[]): string[] {
  return plugins.flatMap(({ path, skipMcpDiscovery }) => (skipMcpDiscovery === true ? [path] : []));
}

function agentsOf(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
