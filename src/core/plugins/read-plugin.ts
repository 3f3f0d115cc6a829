// Reads a plugin's folder: its manifest, and where each part of it is. Nothing of it runs, and nothing outside of the folder is looked at.
import { defined } from '../../shared/defined';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { basename, join } from 'pathe';
import { parseConfigText } from '../mcp/config-text';
import { type McpConfigSource } from '../mcp/config-source';
import { type HookEntry } from '../hooks/hook-entry';
import { type Path } from '../ports/path';
import { commandFilesIn, type FoundFile, skillFilesIn } from '../skills/find-skills';
import { type PluginManifest, readManifest, withEntry } from './manifest';
import { type Plugin, type PluginFault } from './plugin';
import { type PluginDisk, pluginFiles, type PluginFiles } from '../context/plugin-files';
import { type PluginIdentity } from '../ports/plugin-identity';
import { inlineHooks, readPluginHooks } from '../hooks/plugin-hooks';
import { isObject } from '../../shared/plain-object';

export const manifestFile = '.claude-plugin/plugin.json';
const maxManifestBytes = 1024 * 1024;

export interface ReadPluginRequest extends Omit<PluginIdentity, 'name'> {
  /** What it is called where its manifest does not say. */
  name: string;
  /** What its marketplace says about it. */
  entry?: { strict: boolean; manifest: PluginManifest } | undefined;
}

export async function readPlugin(request: ReadPluginRequest, disk: PluginDisk): Promise<Plugin> {
  const { root } = request;
  const files = pluginFiles(root, disk);
  const faults: PluginFault[] = [];
  const file = join(root, manifestFile);
  const read = await readOptional(file, files, faults);
  const own = read === undefined ? { manifest: {}, problems: [] } : readManifest(file, read);
  for (const message of own.problems) faults.push(faultOf(file, message));
  const { manifest, problem } = withEntry(own.manifest, request.entry);
  if (problem !== undefined) faults.push({ file, message: problem });
  // The marketplace's name is the one that the user installed it by.
  const plugin: PluginIdentity = {
    id: request.id,
    name: request.entry === undefined ? (manifest.name ?? request.name) : request.name,
    root,
    data: request.data,
  };
  const parts: Parts = { plugin, manifest, manifestFile: file, files, faults };
  const [skills, commands, agents, outputStyles, hooks, servers, bin] = await Promise.all([
    findSkills(parts),
    findCommands(parts),
    findPlaces(parts, 'agents', 'agents'),
    findPlaces(parts, 'outputStyles', 'output-styles'),
    findHooks(parts),
    findServers(parts),
    findPrograms(parts),
    reportUnused(parts),
  ]);
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  return {
    ...plugin,
    ...defined({ version: manifest.version, description: manifest.description, author }),
    skills: [...skills, ...commands],
    agents,
    hooks,
    servers,
    ...defined({ bin }),
    outputStyles,
    faults,
  };
}

interface Parts {
  plugin: PluginIdentity;
  manifest: PluginManifest;
  manifestFile: Path;
  files: PluginFiles;
  faults: PluginFault[];
}

async function findSkills({ plugin, manifest, manifestFile: from, files, faults }: Parts): Promise<FoundFile[]> {
  const owner = { source: 'plugin' as const, root: plugin.root, plugin };
  const fault = (file: Path, message: string): void => void faults.push({ file, message });
  const found = await skillFilesIn(join(plugin.root, 'skills'), owner, files, fault);
  for (const written of listOf(manifest.skills)) {
    const placed = await files.place(written);
    if ('refused' in placed) faults.push({ file: from, message: `\`skills\`: ${placed.refused}` });
    else if (placed.type === 'file')
      faults.push({
        file: from,
        message: `\`skills\`: ${JSON.stringify(written)} is a file; name the folder that contains its SKILL.md.`,
      });
    else
      found.push(
        ...((await singleSkill(placed.path, owner, files)) ?? (await skillFilesIn(placed.path, owner, files))),
      );
  }
  if (found.length === 0 && manifest.skills === undefined)
    found.push(...((await singleSkill(plugin.root, owner, files)) ?? []));
  return found.filter(({ file }, index) => found.findIndex((other) => other.file === file) === index);
}

/** A folder that is one skill itself. */
async function singleSkill(
  folder: Path,
  owner: Pick<FoundFile, 'source' | 'root'> & { plugin: PluginIdentity },
  files: PluginFiles,
): Promise<FoundFile[] | undefined> {
  const file = join(folder, 'SKILL.md');
  if ((await files.stat(file).catch(() => undefined))?.type !== 'file') return undefined;
  return [
    {
      name: folder === owner.root ? owner.plugin.name : basename(folder),
      kind: 'skill',
      ...owner,
      file,
      folder,
    },
  ];
}

async function findCommands({ plugin, manifest, manifestFile: from, files, faults }: Parts): Promise<FoundFile[]> {
  const owner = { source: 'plugin' as const, root: plugin.root, plugin };
  const { commands } = manifest;
  const fault = (file: Path, message: string): void => void faults.push({ file, message });
  if (commands === undefined) return commandFilesIn(join(plugin.root, 'commands'), owner, files, fault);
  const named: [name: string | undefined, written: string][] = isObject(commands)
    ? Object.entries(commands).flatMap(([name, value]): [string, string][] => {
        const source = isObject(value) ? value['source'] : undefined;
        if (typeof source === 'string') return [[name, source]];
        faults.push({ file: from, message: `\`commands.${name}\` names no file in \`source\`, so it is ignored.` });
        return [];
      })
    : listOf(commands).map((written) => [undefined, written]);
  const found: FoundFile[] = [];
  for (const [name, written] of named) {
    const placed = await files.place(written);
    if ('refused' in placed) faults.push({ file: from, message: `\`commands\`: ${placed.refused}` });
    else if (placed.type === 'directory') found.push(...(await commandFilesIn(placed.path, owner, files, fault)));
    else if (/\.md$/i.test(placed.path))
      found.push({
        name: name ?? basename(placed.path).slice(0, -3),
        kind: 'command',
        ...owner,
        file: placed.path,
        folder: join(placed.path, '..'),
      });
    else faults.push({ file: from, message: `\`commands\`: ${JSON.stringify(written)} is not a Markdown file.` });
  }
  return found;
}

/** What the manifest names stands in the place of the folder that is looked at otherwise. */
async function findPlaces(
  { plugin, manifest, manifestFile: from, files, faults }: Parts,
  field: 'agents' | 'outputStyles',
  folder: string,
): Promise<Path[]> {
  if (manifest[field] === undefined)
    return (await files.stat(join(plugin.root, folder)).catch(() => undefined))?.type === 'directory'
      ? [join(plugin.root, folder)]
      : [];
  const found: Path[] = [];
  for (const written of listOf(manifest[field])) {
    const placed = await files.place(written);
    if ('refused' in placed) faults.push({ file: from, message: `\`${field}\`: ${placed.refused}` });
    else found.push(placed.path);
  }
  return found;
}

async function findHooks({ plugin, manifest, manifestFile: from, files, faults }: Parts): Promise<HookEntry[]> {
  const usual = join(plugin.root, 'hooks/hooks.json');
  const found: HookEntry[] = [];
  const readFrom = async (file: Path): Promise<void> => {
    const text = await readOptional(file, files, faults);
    if (text === undefined) return;
    const errors: ParseError[] = [];
    const tree = parseTree(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
    const events = tree === undefined || errors.length > 0 ? undefined : (childOf(tree, 'hooks') ?? tree);
    if (events === undefined) faults.push({ file, message: 'It is not valid JSON, so its hooks are missing.' });
    else
      found.push(
        ...readPluginHooks(events, file, plugin, (offset, message) =>
          faults.push({ file, message: `line ${text.slice(0, offset).split('\n').length}: ${message}` }),
        ),
      );
  };
  await readFrom(usual);
  for (const written of Array.isArray(manifest.hooks)
    ? manifest.hooks
    : manifest.hooks === undefined
      ? []
      : [manifest.hooks]) {
    if (typeof written !== 'string') {
      const node = inlineHooks(isObject(written['hooks']) ? written['hooks'] : written);
      if (node !== undefined)
        found.push(...readPluginHooks(node, from, plugin, (_offset, message) => faults.push({ file: from, message })));
      continue;
    }
    const placed = await files.place(written);
    if ('refused' in placed) faults.push({ file: from, message: `\`hooks\`: ${placed.refused}` });
    else if (placed.path !== usual) await readFrom(placed.path);
  }
  return found;
}

async function findServers({ plugin, manifest, manifestFile: from, files, faults }: Parts): Promise<McpConfigSource[]> {
  const usual = join(plugin.root, '.mcp.json');
  const found: McpConfigSource[] = [];
  const readFrom = async (file: Path): Promise<void> => {
    const text = await readOptional(file, files, faults);
    if (text === undefined) return;
    const config = parseConfigText(file, text);
    if (typeof config === 'string') return void faults.push(faultOf(file, config));
    // Some write the servers without the word around them.
    found.push({
      scope: 'plugin',
      name: file,
      file,
      text,
      at: config.valueAt(['mcpServers']) === undefined ? [] : ['mcpServers'],
      plugin,
    });
  };
  await readFrom(usual);
  for (const written of Array.isArray(manifest.mcpServers)
    ? manifest.mcpServers
    : manifest.mcpServers === undefined
      ? []
      : [manifest.mcpServers]) {
    if (typeof written !== 'string') {
      found.push({
        scope: 'plugin',
        name: from,
        file: from,
        text: JSON.stringify(isObject(written['mcpServers']) ? written : { mcpServers: written }),
        at: ['mcpServers'],
        plugin,
      });
      continue;
    }
    if (/^https?:|\.(mcpb|dxt)$/i.test(written)) {
      faults.push({
        file: from,
        message: `\`mcpServers\`: packed servers such as ${JSON.stringify(written)} are not supported.`,
      });
      continue;
    }
    const placed = await files.place(written);
    if ('refused' in placed) faults.push({ file: from, message: `\`mcpServers\`: ${placed.refused}` });
    else if (placed.path !== usual) await readFrom(placed.path);
  }
  // If a name is repeated, the last one counts; among several sources, the first one.
  return found.reverse();
}

async function findPrograms({ plugin, files }: Parts): Promise<Plugin['bin']> {
  const folder = join(plugin.root, 'bin');
  if ((await files.stat(folder).catch(() => undefined))?.type !== 'directory') return undefined;
  const programs = (await files.list(folder).catch(() => []))
    .flatMap(({ name, type }) => (type === 'file' && !name.startsWith('.') ? [name] : []))
    .sort();
  return programs.length === 0 ? undefined : { folder, programs };
}

/** Files and folders. */
const unused: Readonly<Record<string, string>> = {
  '.lsp.json': 'Language servers of plugins are not used: Deft uses those of VS Code.',
  'monitors/monitors.json': 'Monitors are not supported.',
  'settings.json': 'Settings of plugins are not used.',
  workflows: 'Workflows are not supported.',
  themes: 'Themes are not supported.',
};

async function reportUnused({ plugin, files, faults }: Parts): Promise<void> {
  for (const [name, message] of Object.entries(unused)) {
    const file = join(plugin.root, name);
    if ((await files.stat(file).catch(() => undefined)) !== undefined) faults.push({ file, message });
  }
}

async function readOptional(file: Path, files: PluginFiles, faults: PluginFault[]): Promise<string | undefined> {
  if ((await files.stat(file).catch(() => undefined)) === undefined) {
    // A link that leads elsewhere exists, and is reported.
    const left = await files.outside(file);
    if (left !== undefined) faults.push({ file, message: left });
    return undefined;
  }
  const read = await files.readText(file, maxManifestBytes).catch(() => undefined);
  if (read?.outcome === 'read') return read.file.text;
  faults.push({ file, message: read?.message ?? 'It cannot be read.' });
  return undefined;
}

/** Sentences of the shared readers begin with the file's name. */
function faultOf(file: Path, sentence: string): PluginFault {
  return {
    file,
    message: sentence.startsWith(file)
      ? sentence
          .slice(file.length)
          .replace(/^:(\d+):\d+: /, 'line $1: ')
          .replace(/^: /, '')
      : sentence,
  };
}

function childOf(object: Node, name: string): Node | undefined {
  return object.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
