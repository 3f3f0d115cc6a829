// The path that a model gives, as the absolute path that the ports take.
import { isAbsolute, join, normalize } from 'pathe';
import { type Path } from '../ports';
import { type ToolSession, type ValidationResult } from './tool';

/** Forward slashes, no `.` or `..`; a relative path, as Glob and Grep name files, is taken from `cwd`. */
export function filePath(given: string, cwd: string): Path {
  const path = withoutScheme(given);
  return normalize(isAbsolute(path) ? path : join(cwd, path));
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
export function checkFilePath(given: string, session: Pick<ToolSession, 'home'>, parameter = 'file_path'): ValidationResult {
  if (given.trim() === '') return invalid(`${parameter} is empty: give the absolute path of a file.`);
  if (given.includes('\0')) return invalid(`${parameter} holds a NUL character, which no path may have.`);
  if (!/^~(?:\/|$)/.test(given)) return { ok: true };
  return invalid(`${parameter} must be an absolute path: "~" is not expanded. Did you mean ${join(session.home, given.slice(1))}?`);
}

function invalid(message: string): ValidationResult {
  return { ok: false, code: 'invalid-path', message };
}
