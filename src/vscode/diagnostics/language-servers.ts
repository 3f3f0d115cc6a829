// Guesses from manifests whether a running extension looks after a kind of file. Pure.
import { basename } from 'pathe';

export interface LanguageExtension {
  isActive: boolean;
  /** The extension's package.json. */
  packageJSON: unknown;
}

/** `languageId` where the document is open; else the ids that any extension gives to the file's name. */
export function hasLanguageServer(
  extensions: readonly LanguageExtension[],
  path: string,
  languageId: string | undefined,
): boolean {
  const ids = new Set(
    languageId === undefined ? extensions.flatMap((extension) => languageIds(extension, path)) : [languageId],
  );
  return [...ids].some((id) => languageExtensions(extensions, id).some(({ isActive }) => isActive));
}

/** Those that run code for this language, also where they are not active yet. */
export function languageExtensions<Extension extends LanguageExtension>(
  extensions: readonly Extension[],
  languageId: string,
): Extension[] {
  if (languageId === 'plaintext') return [];
  return extensions.filter((extension) => runs(extension) && activations(extension).includes(languageId));
}

interface Manifest {
  main?: unknown;
  browser?: unknown;
  activationEvents?: unknown;
  contributes?: { languages?: unknown };
}

function manifestOf({ packageJSON }: LanguageExtension): Manifest {
  return typeof packageJSON === 'object' && packageJSON !== null ? (packageJSON as Manifest) : {};
}

function runs(extension: LanguageExtension): boolean {
  const { main, browser } = manifestOf(extension);
  return main !== undefined || browser !== undefined;
}

function activations(extension: LanguageExtension): string[] {
  const { activationEvents } = manifestOf(extension);
  return strings(activationEvents).flatMap((event) =>
    event.startsWith('onLanguage:') ? [event.slice('onLanguage:'.length)] : [],
  );
}

function languageIds(extension: LanguageExtension, path: string): string[] {
  const { contributes } = manifestOf(extension);
  const languages: unknown[] = Array.isArray(contributes?.languages) ? contributes.languages : [];
  const name = basename(path).toLowerCase();
  return languages.flatMap((language) => {
    if (typeof language !== 'object' || language === null || !('id' in language) || typeof language.id !== 'string')
      return [];
    const { extensions, filenames } = language as { extensions?: unknown; filenames?: unknown };
    const fits =
      strings(extensions).some((ending) => name.endsWith(ending.toLowerCase())) ||
      strings(filenames).some((other) => other.toLowerCase() === name);
    return fits ? [language.id] : [];
  });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
