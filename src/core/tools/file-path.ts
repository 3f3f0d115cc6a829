// The path that a model gives, as the absolute path that the ports take.
import { isAbsolute, join, normalize } from 'pathe';
import { type Path } from '../ports';
import { type ToolSession, type ValidationResult } from './tool';

/** Forward slashes, no `.` or `..`; a relative path is taken from `cwd`. */
export function filePath(given: string, cwd: string): Path {
  return normalize(isAbsolute(given) ? given : join(cwd, given));
}

/** Refuses what is no absolute path, and names the one that was probably meant. */
export function checkFilePath(given: string, session: Pick<ToolSession, 'cwd' | 'home'>, parameter = 'file_path'): ValidationResult {
  if (given.trim() === '') return invalid(`${parameter} is empty: give the absolute path of a file.`);
  if (given.includes('\0')) return invalid(`${parameter} holds a NUL character, which no path may have.`);
  if (isAbsolute(given)) return { ok: true };
  const meant = given.startsWith('~/') ? join(session.home, given.slice(2)) : filePath(given, session.cwd);
  return invalid(`${parameter} must be an absolute path, but "${given}" is relative. Did you mean ${meant}?`);
}

function invalid(message: string): ValidationResult {
  return { ok: false, code: 'invalid-path', message };
}
