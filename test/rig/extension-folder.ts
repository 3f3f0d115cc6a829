// Lays the built extension out as an installed one: `publisher.name-version` with what the VSIX holds and nothing else.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RigError } from './rig-error';
import { shippedFiles } from './shipped-files';

/** Of the small extensions that come with the tests: nothing of them is packed. */
const PARTS = ['package.json', 'dist', 'media'];

/** Copies what the VSIX of `source` would hold below `extensionsFolder`, so that a rebuild disturbs no running test. Returns its path. */
export function installExtension(extensionsFolder: string, source = process.cwd()): string {
  const manifest = readManifest(source);
  if (!existsSync(path.join(source, manifest.main))) {
    throw new RigError(`${manifest.main} does not exist in ${source}. Build the extension first: npm run build`);
  }
  const target = path.join(extensionsFolder, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  mkdirSync(target, { recursive: true });
  for (const entry of shippedFiles(source) ?? PARTS) {
    const from = path.join(source, entry);
    if (existsSync(from)) cpSync(from, path.join(target, entry), { recursive: true, dereference: true });
  }
  return target;
}

type Manifest = { publisher: string; name: string; version: string; main: string };

function readManifest(folder: string): Manifest {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Partial<Manifest>;
  const { publisher, name, version, main } = manifest;
  if (!publisher || !name || !version)
    throw new RigError(`${folder}/package.json lacks a publisher, a name or a version.`);
  if (!main) throw new RigError(`${folder}/package.json has no "main", so VS Code would not load the extension.`);
  return { publisher, name, version, main };
}
