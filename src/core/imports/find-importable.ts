// Looks what Codex and Gemini have that can be taken over: instructions, MCP servers, commands. Reads only.
import { defined } from '../../shared/defined';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { join } from 'pathe';
import { parse as parseToml } from 'smol-toml';
import { reservedNames } from '../mcp/read-entry';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { type Importable, type ImportItem } from './import-item';
import { shownEntry } from './import-words';
import { codexCommand, geminiCommand } from './convert-command';
import { serverEntry } from './convert-server';
import { isObject } from '../../shared/plain-object';

export interface ImportPlaces {
  files: Pick<FileSystem, 'stat' | 'list' | 'readText'>;
  /** `~/.codex` and `~/.gemini`, or what the environment names. */
  codex: Path;
  gemini: Path;
  /** `~/.claude`, and the file beside it that names the user's servers. */
  personal: Path;
  servers: Path;
  /** Of the workspace, where it is trusted. */
  project: Path | undefined;
  /** Why a file of the project is not read. */
  check: (file: Path) => Promise<string | undefined>;
}

const maxBytes = 1_000_000;
const maxCommands = 200;

export async function findImportable(places: ImportPlaces): Promise<Importable> {
  const { files, codex, gemini, personal, servers, project, check } = places;
  const found: Importable = { items: [], left: [] };
  const taken = new Set<string>();
  const exists = async (path: Path): Promise<boolean> => (await files.stat(path).catch(() => undefined)) !== undefined;
  const textOf = async (path: Path): Promise<string | undefined> => {
    const read = (await exists(path)) ? await files.readText(path, maxBytes) : undefined;
    if (read?.outcome === 'refused') found.left.push(read.message);
    return read?.outcome === 'read' ? read.file.text : undefined;
  };
  const own = async (path: Path): Promise<string | undefined> => {
    const refused = (await exists(path)) ? await check(path) : undefined;
    if (refused === undefined) return textOf(path);
    found.left.push(`${path}: ${refused}`);
    return undefined;
  };

  const instructions = async (program: string, from: Path): Promise<void> => {
    const text = (await textOf(from))?.trim() ?? '';
    const to = join(personal, 'CLAUDE.md');
    if (text === '') return;
    if (((await textOf(to)) ?? '').includes(text)) return void found.left.push(`${from}: ${to} already contains it.`);
    found.items.push({ kind: 'instructions', program, from, title: 'Instructions for all your work', text, to });
  };
  const server = (
    program: string,
    from: Path,
    to: { file: Path; inside?: Path; held: ReadonlySet<string> },
    list: unknown,
  ): void => {
    for (const [name, given] of Object.entries(isObject(list) ? list : {})) {
      const entry = serverEntry(given);
      const key = `${to.file}\n${name}`;
      const problem =
        typeof entry === 'string'
          ? entry
          : !/^[A-Za-z0-9_-]{1,64}$/.test(name) || reservedNames.has(name)
            ? 'its name cannot be used here'
            : to.held.has(name) || taken.has(key)
              ? `${to.file} already has one with that name`
              : undefined;
      if (problem !== undefined) found.left.push(`MCP server ${name} of ${from}: ${problem}.`);
      else if (typeof entry !== 'string') {
        taken.add(key);
        found.items.push({
          kind: 'server',
          program,
          from,
          title: `MCP server ${name}`,
          name,
          entry,
          text: shownEntry(entry),
          to: to.file,
          ...defined({ inside: to.inside }),
        });
      }
    }
  };
  const command = async (
    program: string,
    from: Path,
    to: Path,
    made: { text: string } | { problem: string },
    inside?: Path,
  ): Promise<void> => {
    if ('problem' in made) found.left.push(`${from}: ${made.problem}.`);
    else if (taken.has(to) || (await exists(to))) found.left.push(`${from}: ${to} already exists.`);
    else {
      taken.add(to);
      found.items.push({
        kind: 'command',
        program,
        from,
        title: `Command /${to.slice(to.lastIndexOf('/') + 1, -3)}`,
        text: made.text,
        to,
        ...defined({ inside }),
      });
    }
  };
  const held = async (file: Path): Promise<ReadonlySet<string>> => {
    const { value } = readJson((await textOf(file)) ?? '{}');
    return new Set(isObject(value) && isObject(value['mcpServers']) ? Object.keys(value['mcpServers']) : []);
  };
  const toml = (path: Path, text: string | undefined): Record<string, unknown> => {
    try {
      return text === undefined ? {} : parseToml(text);
    } catch {
      found.left.push(`${path}: it is not valid TOML.`);
      return {};
    }
  };
  const json = (path: Path, text: string | undefined): Record<string, unknown> => {
    const { value, broken } = readJson(text ?? '{}');
    if (broken) found.left.push(`${path}: it is not valid JSON.`);
    return isObject(value) && !broken ? value : {};
  };
  const geminiCommands = async (
    folder: Path,
    target: Path,
    read: (path: Path) => Promise<string | undefined>,
    inside?: Path,
  ): Promise<void> => {
    for (const path of await filesBelow(folder, '.toml', files)) {
      const text = await read(join(folder, path));
      if (text !== undefined)
        await command(
          'Gemini',
          join(folder, path),
          join(target, 'commands', path.replace(/\.toml$/, '.md')),
          geminiCommand(text),
          inside,
        );
    }
  };

  await instructions('Codex', join(codex, 'AGENTS.md'));
  await instructions('Gemini', join(gemini, 'GEMINI.md'));
  const mine = { file: servers, held: await held(servers) };
  server(
    'Codex',
    join(codex, 'config.toml'),
    mine,
    toml(join(codex, 'config.toml'), await textOf(join(codex, 'config.toml')))['mcp_servers'],
  );
  server(
    'Gemini',
    join(gemini, 'settings.json'),
    mine,
    json(join(gemini, 'settings.json'), await textOf(join(gemini, 'settings.json')))['mcpServers'],
  );
  for (const path of await filesBelow(join(codex, 'prompts'), '.md', files, 0)) {
    const text = await textOf(join(codex, 'prompts', path));
    if (text !== undefined)
      await command('Codex', join(codex, 'prompts', path), join(personal, 'commands', path), {
        text: codexCommand(text),
      });
  }
  await geminiCommands(join(gemini, 'commands'), personal, textOf);
  if (project === undefined) return found;

  const theirs = { file: join(project, '.mcp.json'), inside: project, held: await held(join(project, '.mcp.json')) };
  server(
    'Codex',
    join(project, '.codex/config.toml'),
    theirs,
    toml(join(project, '.codex/config.toml'), await own(join(project, '.codex/config.toml')))['mcp_servers'],
  );
  server(
    'Gemini',
    join(project, '.gemini/settings.json'),
    theirs,
    json(join(project, '.gemini/settings.json'), await own(join(project, '.gemini/settings.json')))['mcpServers'],
  );
  await geminiCommands(join(project, '.gemini/commands'), join(project, '.claude'), own, project);
  if ((await own(join(project, 'GEMINI.md'))) !== undefined)
    found.items.push(...(await projectNotes(project, textOf, exists)));
  if (await exists(join(project, 'AGENTS.md')))
    found.left.push('AGENTS.md of this project: Deft reads it if there is no CLAUDE.md next to it.');
  return found;
}

function readJson(text: string): { value: unknown; broken: boolean } {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  return { value: tree === undefined ? undefined : (getNodeValue(tree) as unknown), broken: errors.length > 0 };
}

/** Named, not copied: it stays one file. A new CLAUDE.md takes the place of AGENTS.md, so it names that one too. */
async function projectNotes(
  project: Path,
  textOf: (path: Path) => Promise<string | undefined>,
  exists: (path: Path) => Promise<boolean>,
): Promise<ImportItem[]> {
  const to = join(project, 'CLAUDE.md');
  const before = await textOf(to);
  if (before?.includes('@GEMINI.md') === true) return [];
  const agents = before === undefined && (await exists(join(project, 'AGENTS.md'))) ? '@AGENTS.md\n' : '';
  return [
    {
      kind: 'instructions',
      program: 'Gemini',
      from: join(project, 'GEMINI.md'),
      title: 'Instructions of this project, through a line that imports the file',
      text: `${agents}@GEMINI.md`,
      to,
      inside: project,
    },
  ];
}

async function filesBelow(folder: Path, ending: string, files: ImportPlaces['files'], depth = 4): Promise<string[]> {
  const entries = (await files.list(folder).catch(() => []))
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const deeper =
    depth === 0
      ? []
      : await Promise.all(
          entries
            .filter(({ type }) => type === 'directory')
            .map(async ({ name }) =>
              (await filesBelow(join(folder, name), ending, files, depth - 1)).map((path) => join(name, path)),
            ),
        );
  return [
    ...entries.filter(({ name, type }) => type === 'file' && name.endsWith(ending)).map(({ name }) => name),
    ...deeper.flat(),
  ].slice(0, maxCommands);
}
