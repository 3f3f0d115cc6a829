// Programs of others that run Deft, in the versions that programs/package.json pins.
import path from 'node:path';
import { ensureDependencies } from '../rig/dependencies.mjs';

/** A file of theirs, or of what runs them. */
export function programFile(name: string): string {
  return path.resolve('test/conformance/programs', name);
}

/** Installs what is missing; the folder of the packages. */
export function installPrograms(): string {
  ensureDependencies(programFile('.'), 'the programs that run Deft in the tests (about 140 MB)');
  return programFile('node_modules');
}
