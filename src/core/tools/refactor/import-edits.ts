// How the specifiers of a file change when files move: those that lead to a moved file, and all relative ones of a file that moves itself.
import { dirname, join } from 'pathe';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';
import {
  basesFor,
  extensionOf,
  isRelative,
  type Reading,
  readingsOf,
  relativeSpecifier,
  splitQuery,
} from './module-paths';
import { aliasedBases, aliasFor, type PathAliases } from './path-aliases';
import { type Specifier, specifiersOf } from './specifiers';

/** What moves, and what is there besides. */
export interface Moving {
  /** Every moved file: where it was, where it is then. */
  moved: ReadonlyMap<Path, Path>;
  exists(path: Path): Promise<boolean>;
  aliases(file: Path): Promise<PathAliases | undefined>;
}

export interface ImportEdits {
  text: string;
  /** Specifiers that were replaced. */
  replaced: string[];
  /** Strings that name a moved file, but are no imports: with their lines. */
  strings: { line: number; text: string }[];
}

export function createMoving(
  moved: ReadonlyMap<Path, Path>,
  files: Pick<FileSystem, 'stat'>,
  aliases: Moving['aliases'],
): Moving {
  const known = new Map<Path, Promise<boolean>>();
  const onDisk = async (path: Path): Promise<boolean> => (await files.stat(path))?.type === 'file';
  return {
    moved,
    aliases,
    exists(path) {
      const found = known.get(path) ?? onDisk(path);
      known.set(path, found);
      return found;
    },
  };
}

/** `path` is where the file is before. */
export async function editImports(path: Path, text: string, moving: Moving): Promise<ImportEdits> {
  const place = { from: dirname(path), to: dirname(moving.moved.get(path) ?? path), file: path };
  const edits: ImportEdits = { text: '', replaced: [], strings: [] };
  let at = 0;
  for (const specifier of specifiersOf(text, path)) {
    const next = await replacement(specifier, place, moving);
    if (next === undefined) continue;
    if (specifier.kind === 'string') {
      const line = text.slice(0, specifier.start).split(/\r\n|\r|\n/).length;
      edits.strings.push({ line, text: (text.split(/\r\n|\r|\n/)[line - 1] ?? '').trim() });
      continue;
    }
    edits.text += text.slice(at, specifier.start) + next;
    edits.replaced.push(specifier.text);
    at = specifier.end;
  }
  return { ...edits, text: edits.text + text.slice(at) };
}

interface Place {
  /** The folder of the file before and after. */
  from: Path;
  to: Path;
  file: Path;
}

/** Undefined where it stays. */
async function replacement({ text, kind }: Specifier, place: Place, moving: Moving): Promise<string | undefined> {
  const { path, query } = splitQuery(text);
  const next =
    kind === 'reference' || isRelative(path)
      ? await ofRelative(path, place, moving)
      : await ofAlias(path, place, moving);
  if (next === undefined) return undefined;
  const spelled = kind === 'reference' && !isRelative(path) ? next.replace(/^\.\//, '') : next;
  return spelled === path ? undefined : spelled + query;
}

async function ofRelative(path: string, { from, to }: Place, moving: Moving): Promise<string | undefined> {
  const before = join(from, path);
  const reading = await movedReading(withoutSlash(before), moving);
  const base = reading === undefined ? before : await baseOf(reading, moving);
  if (withoutSlash(join(to, path)) === withoutSlash(base)) return undefined;
  // Only of a folder.
  const slash = path.endsWith('/') && (reading === undefined || base === dirname(targetOf(reading, moving)));
  return `${relativeSpecifier(to, base)}${slash ? '/' : ''}`;
}

async function ofAlias(path: string, { file, to }: Place, moving: Moving): Promise<string | undefined> {
  const aliases = await moving.aliases(file);
  if (aliases === undefined) return undefined;
  for (const before of aliasedBases(path, aliases)) {
    const found = await movedReading(before, moving);
    if (found === undefined) continue;
    // The extension is the alias's own, if it has one: what is written has none.
    const isBare = found.form === 'exact' && !path.endsWith(extensionOf(found.file));
    const reading: Reading = isBare ? { ...found, form: 'bare' } : found;
    const base = await baseOf(reading, moving);
    // A folder's own name may stay, as "@/parts" does when parts.ts becomes parts/index.ts.
    return before === base ? undefined : (aliasFor(base, path, aliases) ?? relativeSpecifier(to, base));
  }
  return undefined;
}

/** Undefined where the path means no moved file. */
async function movedReading(base: Path, { moved, exists }: Moving): Promise<Reading | undefined> {
  const readings = readingsOf(base);
  const first = readings.findIndex(({ file }) => moved.has(file));
  for (const { file } of readings.slice(0, Math.max(0, first))) if (await exists(file)) return undefined;
  return readings[first];
}

async function baseOf(reading: Reading, moving: Moving): Promise<Path> {
  const target = targetOf(reading, moving);
  const found = basesFor(target, reading);
  for (const { file } of readingsOf(found.base)) {
    if (file === target) break;
    // Another file would be meant there.
    if (!moving.moved.has(file) && (await moving.exists(file))) return found.else;
  }
  return found.base;
}

function targetOf({ file }: Reading, { moved }: Moving): Path {
  return moved.get(file) ?? file;
}

function withoutSlash(path: Path): Path {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
