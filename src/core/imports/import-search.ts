// What a look at another agent's files has found so far: each item with where it would go, or a sentence why it is left out.
import { defined } from '../../shared/defined';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { isObject } from '../../shared/plain-object';
import { reservedNames } from '../mcp/read-entry';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { serverEntry } from './convert-server';
import { type Importable, type ImportItem } from './import-item';
import { shownEntry } from './import-words';

/** What an item comes from. */
export interface ImportOrigin {
  program: string;
  from: Path;
}

/** Where items of the user or of the project go. */
export interface ImportTarget {
  /** The file of MCP servers, and the names in it. */
  servers: Path;
  heldServers: ReadonlySet<string>;
  /** The folder of commands. */
  commands: Path;
  /** The project's folder. */
  inside?: Path;
  /** The text of a file that is looked at for this target. */
  read: (path: Path) => Promise<string | undefined>;
}

const maxBytes = 1_000_000;

export class ImportSearch {
  readonly found: Importable = { items: [], left: [] };
  readonly #files: Pick<FileSystem, 'stat' | 'readText'>;
  /** Why a file of the project is not read. */
  readonly #check: (file: Path) => Promise<string | undefined>;
  /** Servers and commands that an earlier item adds. */
  readonly #taken = new Set<string>();

  constructor(files: Pick<FileSystem, 'stat' | 'readText'>, check: (file: Path) => Promise<string | undefined>) {
    this.#files = files;
    this.#check = check;
  }

  add(...items: ImportItem[]): void {
    this.found.items.push(...items);
  }

  leaveOut(reason: string): void {
    this.found.left.push(reason);
  }

  async exists(path: Path): Promise<boolean> {
    return (await this.#files.stat(path).catch(() => undefined)) !== undefined;
  }

  /** Undefined if there is no such file, or it cannot be read. */
  async textOf(path: Path): Promise<string | undefined> {
    const read = (await this.exists(path)) ? await this.#files.readText(path, maxBytes) : undefined;
    if (read?.outcome === 'refused') this.leaveOut(read.message);
    return read?.outcome === 'read' ? read.file.text : undefined;
  }

  /** The text of a file in the project, which may be refused. */
  async projectText(path: Path): Promise<string | undefined> {
    const refused = (await this.exists(path)) ? await this.#check(path) : undefined;
    if (refused === undefined) return this.textOf(path);
    this.leaveOut(`${path}: ${refused}`);
    return undefined;
  }

  /** The object in a TOML file; empty if there is none. */
  async toml(path: Path, read: ImportTarget['read']): Promise<Record<string, unknown>> {
    const text = await read(path);
    try {
      return text === undefined ? {} : parseToml(text);
    } catch {
      this.leaveOut(`${path}: it is not valid TOML.`);
      return {};
    }
  }

  /** The object in a JSON file; empty if there is none. */
  async json(path: Path, read: ImportTarget['read']): Promise<Record<string, unknown>> {
    const { value, broken } = readJson((await read(path)) ?? '{}');
    if (broken) this.leaveOut(`${path}: it is not valid JSON.`);
    return isObject(value) && !broken ? value : {};
  }

  /** The names of the MCP servers in a file of Deft's. */
  async serverNames(file: Path): Promise<ReadonlySet<string>> {
    const { value } = readJson((await this.textOf(file)) ?? '{}');
    return new Set(isObject(value) && isObject(value['mcpServers']) ? Object.keys(value['mcpServers']) : []);
  }

  async addInstructions({ program, from }: ImportOrigin, to: Path): Promise<void> {
    const text = (await this.textOf(from))?.trim() ?? '';
    if (text === '') return;
    if (((await this.textOf(to)) ?? '').includes(text)) return this.leaveOut(`${from}: ${to} already contains it.`);
    this.add({ kind: 'instructions', program, from, title: 'Instructions for all your work', text, to });
  }

  addServers({ program, from }: ImportOrigin, { servers: to, heldServers, inside }: ImportTarget, list: unknown): void {
    for (const [name, given] of Object.entries(isObject(list) ? list : {})) {
      const entry = serverEntry(given);
      const key = `${to}\n${name}`;
      const problem =
        typeof entry === 'string'
          ? entry
          : !/^[A-Za-z0-9_-]{1,64}$/.test(name) || reservedNames.has(name)
            ? 'its name cannot be used here'
            : heldServers.has(name) || this.#taken.has(key)
              ? `${to} already has one with that name`
              : undefined;
      if (problem !== undefined) this.leaveOut(`MCP server ${name} of ${from}: ${problem}.`);
      else if (typeof entry !== 'string') {
        this.#taken.add(key);
        const [title, text] = [`MCP server ${name}`, shownEntry(entry)];
        this.add({ kind: 'server', program, from, title, name, entry, text, to, ...defined({ inside }) });
      }
    }
  }

  async addCommand(
    { program, from }: ImportOrigin,
    { to, inside }: { to: Path; inside?: Path },
    converted: { text: string } | { problem: string },
  ): Promise<void> {
    if ('problem' in converted) this.leaveOut(`${from}: ${converted.problem}.`);
    else if (this.#taken.has(to) || (await this.exists(to))) this.leaveOut(`${from}: ${to} already exists.`);
    else {
      this.#taken.add(to);
      const title = `Command /${to.slice(to.lastIndexOf('/') + 1, -3)}`;
      this.add({ kind: 'command', program, from, title, text: converted.text, to, ...defined({ inside }) });
    }
  }
}

function readJson(text: string): { value: unknown; broken: boolean } {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  return { value: tree === undefined ? undefined : (getNodeValue(tree) as unknown), broken: errors.length > 0 };
}
