// The path that a model gives, as the absolute path that the ports take.
import { isAbsolute, join, normalize } from 'pathe';
import { type Path } from '../../ports/path';
import { fail } from '../../tool/file-failure';
import { type ToolFailure, type ToolSession, type ValidationResult } from '../../tool/tool';

/** Forward slashes, no `.` or `..`; a relative path, as Glob and Grep name files, is taken from `cwd`. */
export function filePath(given: string, cwd: string): Path {
  const path = withoutScheme(given);
  return normalize(isAbsolute(path) ? path : join(cwd, path));
}

/** Without what belongs to a text about the path: quotes around it, blanks and line breaks at its ends. Only to be named: hooks have judged the path as it was given. */
export function withoutWrapping(given: string): string {
  const line = given.trim();
  return /^(["'`])([^"'`]+)\1$/.exec(line)?.[2]?.trim() ?? line;
}

/** The path of a `file://` address; anything else as it is. */
export function withoutScheme(given: string): string {
  const path = /^file:\/\/(?:localhost)?(\/.*)$/s.exec(given)?.[1];
  if (path === undefined) return given;
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:\/)/, '');
  } catch {
    return path;
  }
}

/** Refuses what names no file: no path at all, or one from a home folder, which only a shell expands. */
export function checkFilePath(
  given: string,
  session: Pick<ToolSession, 'home'>,
  parameter = 'file_path',
): ValidationResult {
  if (given.trim() === '') return invalid(`${parameter} is empty: give the absolute path of a file.`);
  if (given.includes('\0')) return invalid(`${parameter} contains a NUL character, which no path may have.`);
  const path = withoutWrapping(given);
  if (/^["'`\r\n]|["'`\r\n]$/.test(given) && path !== given)
    return invalid(`${parameter} is written with quotes or line breaks around it: give ${path} without them.`);
  const [, scheme, rest = ''] = /^([A-Za-z][\w+.-]+):(\/.*)$/s.exec(withoutScheme(path)) ?? [];
  if (scheme !== undefined)
    return invalid(
      `${parameter} is an address of the scheme "${scheme}", and files are named by path. A file of the workspace has its path in it: ${rest.replace(/^\/\/[^/]*(?=\/)/, '')}.`,
    );
  if (!/^~(?:\/|$)/.test(path)) return { ok: true };
  return invalid(
    `${parameter} must be an absolute path: "~" is not expanded. Did you mean ${join(session.home, path.slice(1))}?`,
  );
}

/** A drive where there are none: as a relative path it would make a folder of that name. */
export function noSuchDrive(path: Path, { home, cwd }: Pick<ToolSession, 'home' | 'cwd'>): ToolFailure | undefined {
  if (!home.startsWith('/') || !/^[A-Za-z]:\//.test(path)) return undefined;
  return fail(
    'no-such-drive',
    `${path} is a Windows path, but this machine has no drives: nothing was written. The current folder is ${cwd}.`,
  );
}

function invalid(message: string): ValidationResult {
  return { ok: false, code: 'invalid-path', message };
}
