// Looks what Codex and Gemini have that can be taken over: instructions, MCP servers, commands. Reads only.
import { defined } from '../../shared/defined';
import { join } from 'pathe';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { codexCommand, geminiCommand } from './convert-command';
import { type Importable } from './import-item';
import { ImportSearch, type ImportTarget } from './import-search';

export interface ImportPlaces {
  files: Pick<FileSystem, 'stat' | 'list' | 'readText'>;
  /** `~/.codex` and `~/.gemini`, or what the environment names. */
  codex: Path;
  gemini: Path;
  /** `~/.claude`, and the file next to it that names the user's servers. */
  personal: Path;
  servers: Path;
  /** The workspace's folder, if it is trusted. */
  project: Path | undefined;
  /** Why a file of the project is not read. */
  check: (file: Path) => Promise<string | undefined>;
}

const maxCommands = 200;

export async function findImportable(places: ImportPlaces): Promise<Importable> {
  const search = new ImportSearch(places.files, places.check);
  await findPersonal(search, places);
  if (places.project !== undefined) await findInProject(search, places.project, places.files);
  return search.found;
}

async function findPersonal(search: ImportSearch, places: ImportPlaces): Promise<void> {
  const { files, codex, gemini, personal, servers } = places;
  const notes = join(personal, 'CLAUDE.md');
  await search.addInstructions({ program: 'Codex', from: join(codex, 'AGENTS.md') }, notes);
  await search.addInstructions({ program: 'Gemini', from: join(gemini, 'GEMINI.md') }, notes);
  const target: ImportTarget = {
    servers,
    heldServers: await search.serverNames(servers),
    commands: join(personal, 'commands'),
    read: (path) => search.textOf(path),
  };
  await addServers(search, { codex, gemini }, target);
  for (const path of await filesBelow(join(codex, 'prompts'), '.md', files, 0)) {
    const from = join(codex, 'prompts', path);
    const text = await target.read(from);
    const to = join(target.commands, path);
    if (text !== undefined) await search.addCommand({ program: 'Codex', from }, { to }, { text: codexCommand(text) });
  }
  await addGeminiCommands(search, join(gemini, 'commands'), target, files);
}

async function findInProject(search: ImportSearch, project: Path, files: ImportPlaces['files']): Promise<void> {
  const target: ImportTarget = {
    servers: join(project, '.mcp.json'),
    heldServers: await search.serverNames(join(project, '.mcp.json')),
    commands: join(project, '.claude/commands'),
    inside: project,
    read: (path) => search.projectText(path),
  };
  await addServers(search, { codex: join(project, '.codex'), gemini: join(project, '.gemini') }, target);
  await addGeminiCommands(search, join(project, '.gemini/commands'), target, files);
  if ((await target.read(join(project, 'GEMINI.md'))) !== undefined) await addProjectNotes(search, project);
  if (await search.exists(join(project, 'AGENTS.md')))
    search.leaveOut('AGENTS.md of this project: Deft reads it if there is no CLAUDE.md next to it.');
}

async function addServers(
  search: ImportSearch,
  { codex, gemini }: Pick<ImportPlaces, 'codex' | 'gemini'>,
  target: ImportTarget,
): Promise<void> {
  const ofCodex = join(codex, 'config.toml');
  const toml = await search.toml(ofCodex, target.read);
  search.addServers({ program: 'Codex', from: ofCodex }, target, toml['mcp_servers']);
  const ofGemini = join(gemini, 'settings.json');
  const json = await search.json(ofGemini, target.read);
  search.addServers({ program: 'Gemini', from: ofGemini }, target, json['mcpServers']);
}

async function addGeminiCommands(
  search: ImportSearch,
  folder: Path,
  { commands, inside, read }: ImportTarget,
  files: ImportPlaces['files'],
): Promise<void> {
  for (const path of await filesBelow(folder, '.toml', files)) {
    const from = join(folder, path);
    const text = await read(from);
    const to = join(commands, path.replace(/\.toml$/, '.md'));
    if (text !== undefined)
      await search.addCommand({ program: 'Gemini', from }, { to, ...defined({ inside }) }, geminiCommand(text));
  }
}

/** Named, not copied: it stays one file. A new CLAUDE.md takes the place of AGENTS.md, so it names that one too. */
async function addProjectNotes(search: ImportSearch, project: Path): Promise<void> {
  const to = join(project, 'CLAUDE.md');
  const before = await search.textOf(to);
  if (before?.includes('@GEMINI.md') === true) return;
  const agents = before === undefined && (await search.exists(join(project, 'AGENTS.md'))) ? '@AGENTS.md\n' : '';
  search.add({
    kind: 'instructions',
    program: 'Gemini',
    from: join(project, 'GEMINI.md'),
    title: 'Instructions of this project, through a line that imports the file',
    text: `${agents}@GEMINI.md`,
    to,
    inside: project,
  });
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
