// Programs of others that run Deft, in the versions that programs/package.json pins.
import path from 'node:path';
import { ensureDependencies } from '../rig/dependencies.mjs';

const folder = path.resolve('test/conformance/programs');

/** Installs what is missing; the folder of the packages. */
export function installPrograms(): string {
  ensureDependencies(folder, 'the programs that run Deft in the tests (about 140 MB)');
  return path.join(folder, 'node_modules');
}
