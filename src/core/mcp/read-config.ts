// Reads the servers that files name, the highest scope first, and a sentence for everything that is wrong.
import { type McpScope, type McpServerEntry } from '../ports/mcp';
import { type McpConfigSource } from './config-source';
import { type ConfigText, parseConfigText } from './config-text';
import { readInputs } from './config-inputs';

import { readEntry } from './read-entry';
import { type Variables } from './expand-variables';
import { isObject } from '../../shared/plain-object';
import { pluginEnvironment, type PluginIdentity, pluginVariables } from '../ports/plugin-identity';

export interface McpConfiguration {
  /** The highest scope first; one of a name in each. Which of a name counts is chosen once it is known which may run. */
  entries: McpServerEntry[];
  problems: string[];
}

/** The highest first. */
const order: readonly McpScope[] = ['managed', 'command-line', 'local', 'project', 'user', 'plugin', 'editor'];

/** What the user has answered to the questions of a file for this server; undefined where nobody can be asked. */
export type AnswersOf = (source: McpConfigSource, server: string) => Readonly<Record<string, string>> | undefined;

/** Among several sources of one scope the first wins. An unusable entry hides none of another name, nor the same name further down. */
export function readMcpConfig(
  sources: readonly McpConfigSource[],
  variables: Variables,
  answersOf: AnswersOf = () => undefined,
): McpConfiguration {
  const problems: string[] = [];
  const parsed = new Map<string, ConfigText | string>();
  const parse = ({ name, text }: McpConfigSource): ConfigText | string => {
    const known = parsed.get(name + text);
    if (known !== undefined) return known;
    const made = parseConfigText(name, text);
    if (typeof made === 'string') problems.push(made);
    parsed.set(name + text, made);
    return made;
  };
  const entries = new Map<string, McpServerEntry>();
  const ordered = sources
    .map((source, index) => ({ source, rank: order.indexOf(source.scope), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  for (const { source } of ordered) {
    const config = parse(source);
    if (typeof config === 'string') continue;
    for (const entry of entriesOf(source, config, variables, answersOf, problems))
      if (!entries.has(`${entry.scope}:${entry.name}`)) entries.set(`${entry.scope}:${entry.name}`, entry);
  }
  return { entries: [...entries.values()], problems };
}

function entriesOf(
  named: McpConfigSource,
  config: ConfigText,
  variables: Variables,
  answersOf: AnswersOf,
  problems: string[],
): McpServerEntry[] {
  // A file of VS Code may also be given on the command line.
  const isOfEditor =
    named.scope === 'command-line' &&
    config.valueAt(named.at) === undefined &&
    config.valueAt(['servers']) !== undefined;
  const source = isOfEditor ? { ...named, at: ['servers'] } : named;
  const found = config.valueAt(source.at);
  const questions = readInputs(config.valueAt(['inputs']));
  if (found === undefined) {
    // A file that is for other things too need not name any.
    if (source.scope === 'command-line')
      problems.push(
        `${source.name}: it has no "${source.at.join('.')}". Write { "mcpServers": { "name": { "command": … } } }.`,
      );
    return [];
  }
  if (!isObject(found)) {
    problems.push(
      `${source.name}${config.position(source.at)}: "${source.at.at(-1)}" must be an object with a server under each name.`,
    );
    return [];
  }
  return Object.entries(found).flatMap(([name, value]) => {
    const read = readEntry(
      name,
      value,
      source,
      source.plugin === undefined ? variables : pluginServerVariables(variables, source.plugin),
      { questions, answers: answersOf(source, name) },
    );
    problems.push(
      ...read.problems.map(
        ({ path, message }) => `${source.name}${config.position([...source.at, name, ...path])}: ${message}`,
      ),
    );
    return read.entry === undefined
      ? []
      : source.plugin === undefined
        ? read.entry
        : pluginServer(read.entry, source.plugin);
  });
}

function pluginServerVariables(variables: Variables, plugin: PluginIdentity): Variables {
  return { ...variables, ...pluginVariables(plugin) };
}

/** Two plugins may have servers of one name, and neither takes the user's. */
function pluginServer(entry: McpServerEntry, plugin: PluginIdentity): McpServerEntry {
  const { config } = entry;
  const name = `plugin:${plugin.name}:${entry.name}`;
  return config.type === 'stdio'
    ? { ...entry, name, plugin, config: { ...config, env: { ...pluginEnvironment(plugin), ...config.env } } }
    : { ...entry, name, plugin };
}
