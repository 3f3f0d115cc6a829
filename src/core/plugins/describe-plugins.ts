// Plugins as a page to read: what each one is, what it contains and runs, and what is wrong with it.
import { visible } from '../settings/grant-text';
import { type Plugin, type PluginFault } from './plugin';
import { type PluginParts } from './plugin-parts';

export interface DescribedPlugin {
  plugin: Plugin;
  parts: PluginParts;
  /** Where it came from. */
  from: string;
  /** In words: on, off, waits. */
  state: string;
  /** What a copy does without. */
  leftOut?: readonly string[];
}

export function describePlugins(
  plugins: readonly DescribedPlugin[],
  missing: readonly string[],
  problems: readonly string[],
): string {
  const intro =
    plugins.length === 0
      ? 'There are no plugins. Type /plugin to install one from a marketplace or a folder.'
      : `${plugins.length === 1 ? '1 plugin' : `${plugins.length} plugins`}. Type /plugin to change what is on.`;
  return [
    '# Plugins',
    '',
    intro,
    ...plugins.flatMap((plugin) => ['', ...section(plugin, '##')]),
    ...(missing.length === 0
      ? []
      : ['', '## Named by settings but not installed', '', ...missing.map((id) => `- ${code(id)}`)]),
    ...(problems.length === 0 ? [] : ['', '## Problems', '', ...problems.map((problem) => `- ${plain(problem)}`)]),
    '',
  ].join('\n');
}

/** What the user reads before they install it, or agree to it. */
export function describePlugin(plugin: DescribedPlugin): string {
  return `${section(plugin, '#').join('\n')}\n`;
}

/** "2 skills, 1 agent, 1 hook". How many styles a folder holds is seen where they are read. */
export function countedParts({ plugin, parts }: Pick<DescribedPlugin, 'plugin' | 'parts'>): string {
  const counts: [number, string, string][] = [
    [parts.skills.length, 'skill', 'skills'],
    [parts.agents.length, 'agent', 'agents'],
    [plugin.hooks.length, 'hook', 'hooks'],
    [parts.runs.filter((line) => line.startsWith('MCP server ')).length, 'MCP server', 'MCP servers'],
    [plugin.bin?.programs.length ?? 0, 'program', 'programs'],
  ];
  const contents = counts.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  );
  if (plugin.outputStyles.length > 0)
    contents.push(
      plugin.outputStyles.every((place) => /\.md$/i.test(place))
        ? plugin.outputStyles.length === 1
          ? '1 output style'
          : `${plugin.outputStyles.length} output styles`
        : 'output styles',
    );
  return contents.length === 0 ? 'nothing that Deft can use' : contents.join(', ');
}

function section({ plugin, parts, from, state, leftOut = [] }: DescribedPlugin, heading: string): string[] {
  const faults: readonly PluginFault[] = [...plugin.faults, ...parts.faults];
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `**${title}**`, '', ...lines.map((line) => `- ${line}`)];
  const facts = [
    `${code(plugin.id)}${plugin.version === undefined ? '' : `, version ${plain(plugin.version)}`}${plugin.author === undefined ? '' : `, by ${plain(plugin.author)}`}`,
    state,
    `From ${code(from)}`,
  ];
  return [
    `${heading} ${plain(plugin.name)}`,
    '',
    ...(plugin.description === undefined ? [] : [plain(plugin.description), '']),
    ...facts.map((fact) => `- ${fact}`),
    ...list('Runs or allows, automatically or when used', parts.runs.map(code)),
    ...list(
      'Skills and commands',
      parts.skills.map(({ name, description }) => `${code(`/${name}`)} ${plain(description)}`),
    ),
    ...list(
      'Agents',
      parts.agents.map((name) => code(`${plugin.name}:${name}`)),
    ),
    ...list(
      'Output styles',
      plugin.outputStyles.map((place) => code(inside(plugin, place))),
    ),
    ...list('Not used: links that point outside its folder', leftOut.map(code)),
    ...list(
      'Not used',
      faults.map(({ file, message }) => `${code(inside(plugin, file))}: ${plain(message)}`),
    ),
  ];
}

function inside({ root }: Plugin, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** What somebody else wrote must not become markup, nor hide. */
function code(text: string): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.includes('`') ? `\`\` ${line.replaceAll('``', '` `')} \`\`` : `\`${line}\``;
}

function plain(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim()).replace(/[\\`*_[\]<>#|]/g, '\\$&');
}
