// The names that a tsconfig.json or jsconfig.json gives to folders: `paths` and `baseUrl`.
import { getNodeValue, parseTree } from 'jsonc-parser';
import { dirname, isAbsolute, join, relative } from 'pathe';
import { isObject } from '../../../shared/plain-object';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';

export interface PathAliases {
  /** Where `targets` and plain names start. */
  root: Path;
  /** Names below `root` are found without a pattern. */
  plain: boolean;
  /** "@/*" and what it stands for: "src/*". */
  patterns: readonly { pattern: string; targets: readonly string[] }[];
}

const maxBytes = 1024 * 1024;
const maxExtended = 5;

/** Of the nearest configuration above a file; each is read once. */
export function createAliasReader(
  files: Pick<FileSystem, 'readText'>,
  isInside: (folder: Path) => boolean,
): (file: Path) => Promise<PathAliases | undefined> {
  const known = new Map<Path, Promise<PathAliases | undefined>>();
  const of = (folder: Path): Promise<PathAliases | undefined> => {
    const found = known.get(folder) ?? look(folder);
    known.set(folder, found);
    return found;
  };
  const look = async (folder: Path): Promise<PathAliases | undefined> => {
    if (!isInside(folder)) return undefined;
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const options = await optionsOf(join(folder, name), files);
      if (options !== undefined) return aliasesOf(options);
    }
    return dirname(folder) === folder ? undefined : of(dirname(folder));
  };
  return (file) => of(dirname(file));
}

interface Options {
  baseUrl?: Path;
  paths?: Record<string, unknown>;
  /** Of the configuration that has `paths`. */
  folder: Path;
}

/** Undefined where there is no such file. Packages that a configuration extends have no paths of the project. */
async function optionsOf(file: Path, files: Pick<FileSystem, 'readText'>, depth = 0): Promise<Options | undefined> {
  const read = await files.readText(file, maxBytes);
  if (read.outcome === 'refused') return undefined;
  const tree = parseTree(read.file.text, [], { allowTrailingComma: true });
  const config: unknown = tree && getNodeValue(tree);
  const folder = dirname(file);
  const fields = isObject(config) ? config : {};
  const own = isObject(fields.compilerOptions) ? fields.compilerOptions : {};
  let options: Options = { folder };
  for (const parent of [fields.extends].flat()) {
    if (typeof parent !== 'string' || !/^[./]/.test(parent) || depth >= maxExtended) continue;
    const path = join(folder, parent);
    options = { ...options, ...(await optionsOf(path.endsWith('.json') ? path : `${path}.json`, files, depth + 1)) };
  }
  if (typeof own.baseUrl === 'string') options.baseUrl = join(folder, own.baseUrl);
  return isObject(own.paths) ? { ...options, paths: own.paths, folder } : options;
}

function aliasesOf({ baseUrl, paths = {}, folder }: Options): PathAliases {
  const patterns = Object.entries(paths).flatMap(([pattern, targets]) =>
    Array.isArray(targets) ? [{ pattern, targets: targets.filter((target) => typeof target === 'string') }] : [],
  );
  return { root: baseUrl ?? folder, plain: baseUrl !== undefined, patterns };
}

/** What the specifier may mean; the pattern with the longest beginning counts, as for the compiler. */
export function aliasedBases(specifier: string, { root, plain, patterns }: PathAliases): Path[] {
  if (isAbsolute(specifier)) return [];
  const [best] = patterns
    .flatMap(({ pattern, targets }) => {
      const star = starOf(specifier, pattern);
      return star === undefined ? [] : [{ length: pattern.indexOf('*') >>> 0, targets, star }];
    })
    .sort((one, other) => other.length - one.length);
  const aliased = (best?.targets ?? []).map((target) =>
    join(
      root,
      target.replace('*', () => best?.star ?? ''),
    ),
  );
  return plain ? [...aliased, join(root, specifier)] : aliased;
}

/** The same file by the same kind of name; undefined where there is none for it. `spelled`: the one that it replaces. */
export function aliasFor(base: Path, spelled: string, { root, plain, patterns }: PathAliases): string | undefined {
  const fitting = patterns.filter(({ pattern }) => starOf(spelled, pattern) !== undefined);
  for (const { pattern, targets } of [...fitting, ...patterns]) {
    for (const target of targets) {
      const star = starOf(base, join(root, target));
      if (star !== undefined) return pattern.replace('*', () => star);
    }
  }
  const below = relative(root, base);
  return plain && fitting.length === 0 && !below.startsWith('.') && !isAbsolute(below) ? below : undefined;
}

/** What stands for the star; empty in a pattern without one. */
function starOf(text: string, pattern: string): string | undefined {
  const at = pattern.indexOf('*');
  if (at < 0) return text === pattern ? '' : undefined;
  const [start, end] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits = text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
  return fits ? text.slice(start.length, text.length - end.length) : undefined;
}
