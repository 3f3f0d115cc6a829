// The memory files of a session: which ones exist, in the order in which they are sent, with what they import.
import { defined } from '../../shared/defined';
import picomatch from 'picomatch';
import { dirname, isAbsolute, join, normalize } from 'pathe';
import { isInside, isInsideAny, pathBelow } from '../permissions/rules/workspace-path';
import { type Path } from '../ports/path';
import { createMemoryCache, type MemoryFiles } from './memory-cache';
import { type LoadReason, type MemoryEntry } from './memory-entry';
import {
  type AgentsMd,
  ancestorsOf,
  folderMemory,
  foldersBetween,
  type MemoryPlace,
  personalMemory,
  type PersonalPlaces,
} from './memory-places';
import { ruleFiles } from './rule-files';

/** A file of a project that would be read from outside of it. */
export interface OutsideImport {
  /** The file that names it, or that is a link to it. */
  file: Path;
  /** The workspace folder of that file, else the folder that it is in. */
  project: Path;
  /** Links resolved. */
  path: Path;
}

export interface MemorySettings {
  agentsMd: AgentsMd;
  /** Patterns of `claudeMdExcludes`, matched with whole paths. */
  excludes: readonly string[];
  autoMemory: boolean;
}

export interface MemoryOptions extends PersonalPlaces {
  files: MemoryFiles;
  home: Path;
  ignoreCase: boolean;
  /** Asked each time: what follows may change while a session runs. */
  folders: () => readonly Path[];
  settings: () => MemorySettings;
  /** Whose files are read at all; left out: everybody's. */
  reads?: (type: MemoryPlace['type']) => boolean;
  trusted: () => boolean;
  /** The user agreed that this project reads this file. */
  agreed: (outside: OutsideImport) => boolean;
  /** What was left out, since nobody has agreed to it; reported each time it is looked for. */
  waiting: (outside: readonly OutsideImport[]) => void;
}

/** The memory files as they were at one look. */
export interface MemoryLook {
  /** All that holds from the start, and rules that hold for some files: those have `globs`. */
  readonly atStart: readonly MemoryEntry[];
  /** What else belongs to these files, as it stands now; a folder that had nothing is not checked again. Requested after each call. */
  of(paths: readonly Path[]): Promise<MemoryEntry[]>;
}

export interface Memory {
  look(isHidden: (path: Path) => boolean): Promise<MemoryLook>;
}

const maxImportDepth = 4;
/** Characters of all files together. */
const maxTotal = 160_000;

export function createMemory(options: MemoryOptions): Memory {
  const cache = createMemoryCache(options.files);
  const read = (places: MemoryPlace[]): MemoryPlace[] =>
    options.reads === undefined ? places : places.filter(({ type }) => options.reads?.(type));
  const startPlaces = (): MemoryPlace[] => {
    const { agentsMd } = options.settings();
    const folders = [...new Set(options.folders().flatMap(ancestorsOf))];
    return read([...personalMemory(options), ...folders.flatMap((folder) => folderMemory(folder, agentsMd))]);
  };
  return {
    async look(isHidden) {
      const folders = options.folders();
      const real = await Promise.all(folders.map((folder) => options.files.realPath(folder)));
      const collector = new Collector(options, cache, isHidden, [...new Set([...folders, ...real])]);
      const entries = await collector.all(startPlaces(), 'session_start');
      const [first] = folders;
      const auto =
        options.settings().autoMemory && first !== undefined
          ? await collector.auto(autoMemoryFile(options.personalFolder, first))
          : [];
      collector.notifyWaiting();
      /** Folders that had none: they are looked at once, since each look takes a round trip for every place on a remote disk. */
      const bare = new Set<Path>();
      return {
        atStart: withinTotal([...entries, ...auto]),
        async of(paths) {
          // What applies from the start is not sent twice.
          const more = collector.behind();
          const { agentsMd } = options.settings();
          const nested = [
            ...new Set(folders.flatMap((folder) => paths.flatMap((path) => foldersBetween(folder, path)))),
          ].filter((folder) => !bare.has(folder));
          const found = await more.all(
            read(nested.flatMap((folder) => folderMemory(folder, agentsMd))),
            'nested_traversal',
          );
          for (const folder of nested) if (!found.some(({ path }) => path.startsWith(`${folder}/`))) bare.add(folder);
          more.notifyWaiting();
          const rules = [...entries, ...found].filter(
            (entry) => entry.globs !== undefined && !isHidden(entry.path) && more.holdsFor(entry, paths),
          );
          return withinTotal([...found.filter(({ globs }) => globs === undefined), ...rules]);
        },
      };
    },
  };
}

/** As the program that keeps it names the folder. */
function autoMemoryFile(personalFolder: Path, folder: Path): Path {
  return join(personalFolder, 'projects', folder.replace(/[^A-Za-z0-9]/g, '-'), 'memory/MEMORY.md');
}

class Collector {
  readonly #outside: OutsideImport[] = [];
  /** Links resolved. */
  #seen = new Set<Path>();
  #matchers = new Map<MemoryEntry, (path: Path) => boolean>();

  constructor(
    private readonly options: MemoryOptions,
    private readonly cache: ReturnType<typeof createMemoryCache>,
    private readonly isHidden: (path: Path) => boolean,
    /** As written and with links resolved. */
    private readonly folders: readonly Path[],
  ) {}

  /** One that knows what this one has seen. */
  behind(): Collector {
    const next = new Collector(this.options, this.cache, this.isHidden, this.folders);
    next.#seen = new Set(this.#seen);
    next.#matchers = new Map(this.#matchers);
    return next;
  }

  async all(places: readonly MemoryPlace[], reason: LoadReason): Promise<MemoryEntry[]> {
    const { files } = this.options;
    // Side by side what takes time, one after the other what counts once.
    const found = await Promise.all(
      places.map(async (place) => {
        if (place.kind === 'rules') return ruleFiles(place.path, files);
        if ((await files.stat(place.path))?.type !== 'file') return [];
        const others = await Promise.all((place.unless ?? []).map((path) => files.stat(path)));
        return others.some((stat) => stat?.type === 'file') ? [] : [place.path];
      }),
    );
    const entries: MemoryEntry[] = [];
    for (const [index, place] of places.entries())
      for (const path of found[index] ?? []) entries.push(...(await this.#entry(path, place, reason)));
    return entries;
  }

  async auto(path: Path): Promise<MemoryEntry[]> {
    return this.#entry(path, { kind: 'file', type: 'Auto', path }, 'session_start');
  }

  notifyWaiting(): void {
    if (this.#outside.length > 0) this.options.waiting(this.#outside);
  }

  holdsFor(entry: MemoryEntry, paths: readonly Path[]): boolean {
    return paths.some((path) => this.#matchers.get(entry)?.(path) === true);
  }

  async #entry(path: Path, place: MemoryPlace, reason: LoadReason): Promise<MemoryEntry[]> {
    const realPath = await this.options.files.realPath(path);
    if (this.#seen.has(realPath)) return [];
    this.#seen.add(realPath);
    const { type } = place;
    const bare: MemoryEntry = { path, type, reason, text: '', imported: [] };
    const left =
      this.#excluded(path, place) ?? this.#hidden(path, realPath) ?? this.#linkedOutside(path, realPath, place);
    if (left !== undefined) return [{ ...bare, left }];
    const file = await this.cache.read(path, type === 'Auto' ? 'auto' : place.kind === 'rules' ? 'rule' : 'plain');
    if (file === undefined) return [];
    const imported = await this.#imports(path, file.imports, { ...bare, text: file.text }, 1);
    const entry: MemoryEntry = {
      ...bare,
      text: file.text,
      imported,
      ...defined({ left: file.left }),
      ...(file.globs === undefined ? {} : { globs: file.globs.globs, reason: 'path_glob_match' }),
    };
    if (file.globs !== undefined) {
      const roots = place.kind === 'rules' && place.root !== undefined ? [place.root] : this.folders;
      const { matches } = file.globs;
      this.#matchers.set(entry, (touched) =>
        roots.some((root) => matches(pathBelow(touched, root, this.options.ignoreCase) ?? '')),
      );
    }
    return [entry];
  }

  async #imports(file: Path, names: readonly string[], root: MemoryEntry, depth: number): Promise<MemoryEntry[]> {
    if (depth > maxImportDepth) return [];
    const entries: MemoryEntry[] = [];
    for (const name of names) {
      const path = await this.#imported(file, name);
      if (path === undefined) continue;
      const realPath = await this.options.files.realPath(path);
      if (this.#seen.has(realPath)) continue;
      this.#seen.add(realPath);
      const bare: MemoryEntry = { path, type: root.type, reason: 'include', parent: file, text: '', imported: [] };
      const left =
        this.#excluded(path, root) ?? this.#hidden(path, realPath) ?? this.#importedOutside(file, realPath, root);
      if (left !== undefined) {
        entries.push({ ...bare, left });
        continue;
      }
      const read = await this.cache.read(path, 'plain');
      if (read === undefined) continue;
      entries.push({
        ...bare,
        text: read.text,
        ...defined({ left: read.left }),
        imported: await this.#imports(path, read.imports, root, depth + 1),
      });
    }
    return entries;
  }

  /** A word that names no file is just a word. What ends a sentence may follow the name. */
  async #imported(file: Path, name: string): Promise<Path | undefined> {
    const { home, files } = this.options;
    for (const one of new Set([name, name.replace(/[.,;:!?)]+$/, '')])) {
      if (one === '' || one === '~') continue;
      const path = one.startsWith('~/')
        ? join(home, one.slice(2))
        : isAbsolute(one)
          ? normalize(one)
          : join(dirname(file), one);
      if ((await files.stat(path))?.type === 'file') return path;
    }
    return undefined;
  }

  #excluded(path: Path, { type }: Pick<MemoryPlace, 'type'>): string | undefined {
    const { excludes } = this.options.settings();
    if (type === 'Managed' || excludes.length === 0 || !picomatch.isMatch(path, [...excludes], { dot: true }))
      return undefined;
    return 'The setting claudeMdExcludes excludes it.';
  }

  #hidden(path: Path, realPath: Path): string | undefined {
    return this.isHidden(path) || this.isHidden(realPath) ? 'A deny rule blocks it.' : undefined;
  }

  /** A file in the workspace that is a link: whoever wrote the project chose where it leads. */
  #linkedOutside(path: Path, realPath: Path, { type }: MemoryPlace): string | undefined {
    if (type === 'Managed' || type === 'User' || type === 'Auto' || !this.#isInside(path)) return undefined;
    return this.#outsideOf(path, realPath);
  }

  /** What the user wrote for themselves may name any file of theirs. */
  #importedOutside(file: Path, realPath: Path, { type }: MemoryEntry): string | undefined {
    return (type === 'Managed' || type === 'User') && !this.#isInside(file)
      ? undefined
      : this.#outsideOf(file, realPath);
  }

  #outsideOf(file: Path, path: Path): string | undefined {
    // In addition to instructions, the user's own folder holds credentials.
    if (
      this.#isInside(path) ||
      (isInside(path, this.options.personalFolder, this.options.ignoreCase) && path.toLowerCase().endsWith('.md'))
    )
      return undefined;
    const outside = {
      file,
      project: this.folders.find((folder) => isInside(file, folder, this.options.ignoreCase)) ?? dirname(file),
      path,
    };
    if (!this.options.trusted()) return 'It is outside the workspace, which is not trusted.';
    if (this.options.agreed(outside)) return undefined;
    this.#outside.push(outside);
    return 'It is outside the workspace, and you have not agreed to let Deft read it.';
  }

  #isInside(path: Path): boolean {
    return isInsideAny(path, this.folders, this.options.ignoreCase);
  }
}

function withinTotal(entries: readonly MemoryEntry[]): MemoryEntry[] {
  let room = maxTotal;
  const fit = (entry: MemoryEntry): MemoryEntry => {
    const fits = entry.text.length <= room;
    if (fits) room -= entry.text.length;
    const imported = entry.imported.map(fit);
    return fits
      ? { ...entry, imported }
      : {
          ...entry,
          imported,
          text: '',
          left: `All memory files together have more than ${maxTotal.toLocaleString('en')} characters. Read the file to see it.`,
        };
  };
  return entries.map(fit);
}
