// Which file a path in a specifier means, and how another file is written in the same way. Pure.
import { basename, dirname, join, relative } from 'pathe';
import { type Path } from '../../ports/path';

/** How a path names a file: `exact`; `script`, a .js for a .ts; `bare`, without an extension; `index`, by its folder. */
export interface Reading {
  file: Path;
  form: 'exact' | 'script' | 'bare' | 'index';
}

/** Those that compilers and bundlers add, the first that exists wins. */
const added = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.json', '.mts', '.cts', '.mjs', '.cjs', '.vue', '.svelte'];
/** Those that all of them add. */
const alwaysAdded = new Set(['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.json']);
/** What a name that a program has may be in the source. */
const sources: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};
const programs: Readonly<Record<string, string>> = {
  '.ts': '.js',
  '.tsx': '.js',
  '.mts': '.mjs',
  '.cts': '.cjs',
  '.d.ts': '.js',
  '.d.mts': '.mjs',
  '.d.cts': '.cjs',
};

/** All files that the path may mean, the first that exists wins. */
export function readingsOf(base: Path): Reading[] {
  const extension = extensionOf(base);
  const stem = base.slice(0, base.length - extension.length);
  return [
    { file: base, form: 'exact' },
    ...(sources[extension] ?? []).map((own): Reading => ({ file: stem + own, form: 'script' })),
    ...added.map((own): Reading => ({ file: base + own, form: 'bare' })),
    ...added.map((own): Reading => ({ file: join(base, `index${own}`), form: 'index' })),
  ];
}

/** The path that names `target` as `reading` named its file; the second is for where another file would win. */
export function basesFor(target: Path, { file, form }: Reading): { base: Path; else: Path } {
  const extension = extensionOf(target);
  const stem = target.slice(0, target.length - extension.length);
  const program = programs[extension];
  const full = program === undefined ? target : stem + program;
  if (form === 'exact') return { base: programs[extensionOf(file)] === undefined ? full : target, else: target };
  if (form === 'script') return { base: full, else: target };
  const mayBeBare =
    extension === extensionOf(file) || (alwaysAdded.has(extension) && alwaysAdded.has(extensionOf(file)));
  if (!mayBeBare) return { base: full, else: full };
  return { base: basename(stem) === 'index' ? dirname(target) : stem, else: full };
}

/** Relative to a folder, as a specifier. */
export function relativeSpecifier(folder: Path, base: Path): string {
  const path = relative(folder, base);
  if (path === '') return '.';
  return isRelative(path) ? path : `./${path}`;
}

export function isRelative(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(specifier);
}

/** Without what bundlers read behind it ("?raw"). */
export function splitQuery(specifier: string): { path: string; query: string } {
  const at = specifier.indexOf('?');
  return at < 0 ? { path: specifier, query: '' } : { path: specifier.slice(0, at), query: specifier.slice(at) };
}

/** With ".d.ts" as one. */
export function extensionOf(path: Path): string {
  return /\.d\.[cm]?ts$/i.exec(path)?.[0] ?? /(?<=[^/])\.[^./]+$/.exec(path)?.[0] ?? '';
}

/** The names by which others mention a file: an index is known by its folder, too. */
export function mentionedNames(path: Path): string[] {
  const name = basename(path);
  const stem = name.slice(0, name.length - extensionOf(name).length);
  return stem === 'index' ? [stem, basename(dirname(path))] : [stem];
}
