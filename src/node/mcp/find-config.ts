// The files of this machine that name servers, as they are now.
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type McpConfigSource } from '../../core/mcp/config-source';
import { managedFolderOf } from '../../core/settings/settings-places';
import { fileErrorKind, fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';

export interface McpFilesRequest {
  /** Native paths of the workspace's folders; the first is the main one. */
  folders: readonly string[];
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Values of `--mcp-config`: a file's path, or JSON. */
  given?: readonly string[];
  /** Also what VS Code's own file of the workspace names. */
  editor: boolean;
  /** What plugins name. */
  plugins?: readonly McpConfigSource[];
  /** An organization's folder; the one of this platform where it is left out. */
  managedFolder?: string;
}

export interface McpFiles {
  sources: McpConfigSource[];
  /** Files that are there and could not be read. */
  problems: string[];
  /** All that a change can come from; they need not exist. */
  watched: string[];
}

/** An organization that has this file decides on all servers. */
const managedName = 'managed-mcp.json';

/** A sentence where an organization names all servers, so that no agent's own file can add one. */
export async function onlyManagedServers(
  managedFolder = managedFolderOf(process.platform),
): Promise<string | undefined> {
  const file = path.join(managedFolder, managedName);
  const isThere = await access(file).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
  return isThere ? `Only the MCP servers in ${file} are used: your organization decides on them.` : undefined;
}

const maxConfigBytes = 32 * 1024 * 1024;

export async function findMcpFiles({
  folders,
  home,
  environment,
  given = [],
  editor,
  plugins = [],
  managedFolder = managedFolderOf(process.platform),
}: McpFilesRequest): Promise<McpFiles> {
  const personal = path.join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
  const places: Omit<McpConfigSource, 'text'>[] = [
    ...folders.map((folder) => place('local', personal, ['projects', portPath(folder), 'mcpServers'])),
    ...folders.map((folder) => place('project', path.join(folder, '.mcp.json'), ['mcpServers'])),
    place('user', personal, ['mcpServers']),
    ...(editor ? folders.map((folder) => place('editor', path.join(folder, '.vscode', 'mcp.json'), ['servers'])) : []),
  ];
  const problems: string[] = [];
  const texts = new Map<string, Promise<string | undefined>>();
  const textOf = (file: string): Promise<string | undefined> => {
    const text = texts.get(file) ?? readText(file, problems);
    texts.set(file, text);
    return text;
  };
  const managed = place('managed', path.join(managedFolder, managedName), ['mcpServers']);
  const watched = [...new Set([managed, ...places].map(({ name }) => name))];
  const only = await onlyManagedServers(managedFolder);
  if (only !== undefined) {
    const text = await textOf(managed.name);
    const ignored = given.length === 0 ? [] : [`--mcp-config is ignored. ${only}`];
    return { sources: text === undefined ? [] : [{ ...managed, text }], problems: [...problems, ...ignored], watched };
  }
  const onCommandLine = given.map(async (value, index): Promise<McpConfigSource[]> => {
    if (value.trimStart().startsWith('{'))
      return [
        {
          scope: 'command-line',
          name: given.length === 1 ? '--mcp-config' : `--mcp-config (${index + 1})`,
          text: value,
          at: ['mcpServers'],
        },
      ];
    const file = path.resolve(folders[0] ?? '.', value);
    const before = problems.length;
    const text = await textOf(file);
    if (text === undefined && problems.length === before)
      problems.push(`${file} does not exist: --mcp-config takes a file or JSON.`);
    return text === undefined ? [] : [{ ...place('command-line', file, ['mcpServers']), text }];
  });
  const found = places.map(async (one): Promise<McpConfigSource[]> => {
    const text = await textOf(one.name);
    return text === undefined ? [] : [{ ...one, text }];
  });
  const sources = [...(await Promise.all([...onCommandLine, ...found])).flat(), ...plugins];
  return { sources, problems, watched };
}

function place(scope: McpConfigSource['scope'], file: string, at: readonly string[]): Omit<McpConfigSource, 'text'> {
  return { scope, name: file, file: portPath(file), at };
}

async function readText(file: string, problems: string[]): Promise<string | undefined> {
  try {
    const bytes = await readFile(file);
    if (bytes.length <= maxConfigBytes) return bytes.toString('utf8');
    problems.push(`${file} is larger than ${maxConfigBytes / 1024 / 1024} MB, so its servers are missing.`);
  } catch (error) {
    if (!isMissing(error)) problems.push(`${fileErrorSentence(error, file, 'read')} Its servers are missing.`);
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  return ['not_found', 'not_a_folder'].includes(fileErrorKind(error));
}
