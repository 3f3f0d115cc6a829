// The Documents port on real worker threads, bundled as they ship; built once for all tests of a run.
import { build, type BuildOptions } from 'esbuild';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

let built: Promise<string> | undefined;

/** The folder with the workers. */
export function documentWorkers(): Promise<string> {
  return (built ??= buildOnce());
}

async function buildOnce(): Promise<string> {
  const { bundles } = (await import(pathToFileURL(path.resolve('esbuild.mjs')).href)) as {
    bundles: { workers: BuildOptions };
  };
  await mkdir('out', { recursive: true });
  const outdir = await mkdtemp(path.resolve('out/workers-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build({ ...bundles.workers, outdir, sourcemap: false });
  return outdir;
}
