// Which plugin something belongs to, where its files are, and the variables that stand for both folders.
import { type Path } from './path';

export interface PluginIdentity {
  /** "name@marketplace". */
  id: string;
  /** What its skills, agents and servers are called by. */
  name: string;
  root: Path;
  /** The folder that it writes to: it outlives an update. */
  data: Path;
}

/** Asked right before something of it is used: the sentence that keeps it from running, where it is not what the user agreed to. Never rejects. */
export type PluginCheck = (plugin: Pick<PluginIdentity, 'id' | 'root'>) => Promise<string | undefined>;

type Folders = Pick<PluginIdentity, 'root' | 'data'>;

export function pluginVariables({ root, data }: Folders): { CLAUDE_PLUGIN_ROOT: string; CLAUDE_PLUGIN_DATA: string } {
  return { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data };
}

/** The environment of what it starts. Python would write next to its scripts, and so change what the user agreed to. */
export function pluginEnvironment(folders: Folders): Record<string, string> {
  return { PYTHONDONTWRITEBYTECODE: '1', ...pluginVariables(folders) };
}

export function putPluginFolders(text: string, folders: Folders): string {
  const variables = pluginVariables(folders);
  return text.replace(
    /\$\{(CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g,
    (_whole, name: keyof typeof variables) => variables[name],
  );
}

/** The same in every text of a value that came from JSON. */
export function putFoldersDeep(value: unknown, folders: Folders): unknown {
  if (typeof value === 'string') return putPluginFolders(value, folders);
  if (Array.isArray(value)) return value.map((item) => putFoldersDeep(item, folders));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, putFoldersDeep(item, folders)]));
}

/** A folder that a shell would read as more than a name; spaces are the plugin's own to quote. */
export function isShellSafe(path: Path): boolean {
  return !/["'`$\\\r\n;&|<>()]/.test(path);
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** For plugins and marketplaces: their names are parts of paths and of commands. */
export function isPluginName(name: string): boolean {
  return namePattern.test(name);
}

/** Undefined where the text is not "name@marketplace". */
export function parsePluginId(id: string): { name: string; marketplace: string } | undefined {
  const [name = '', marketplace = '', ...more] = id.split('@');
  return more.length === 0 && isPluginName(name) && isPluginName(marketplace) ? { name, marketplace } : undefined;
}
