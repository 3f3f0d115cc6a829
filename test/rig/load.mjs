// Runs the rig's TypeScript on any Node: bundles entry points into a folder of their own under out/ and imports them.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';

/** The project's root folder; every script of the rig works from here, wherever it was called. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bundles TypeScript files (paths from the project root) together, so that they share their modules' state.
 * Returns the output file of each; the folder is removed when the process exits.
 */
export async function bundleForNode(entryPoints) {
  process.chdir(projectRoot);
  ensureDependencies(projectRoot, "the project's packages");
  const [{ build }, { common }] = await Promise.all([import('esbuild'), import('../../esbuild.mjs')]);
  await mkdir('out', { recursive: true });
  const outdir = await mkdtemp(path.resolve('out/rig-'));
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const result = await build({
    ...common,
    entryPoints,
    outdir,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    splitting: true,
    sourcemap: 'inline',
    external: Object.keys(devDependencies),
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    metafile: true,
  });
  const outputs = new Map();
  for (const [output, { entryPoint }] of Object.entries(result.metafile.outputs)) {
    if (entryPoint) outputs.set(entryPoint, path.resolve(output));
  }
  return { outputs, dispose: () => rm(outdir, { recursive: true, force: true }) };
}

/** Bundles one TypeScript file, imports it and calls its `main(arguments)`, whose number becomes the exit code. */
export async function runTypeScript(entryPoint, args = process.argv.slice(2), others = []) {
  process.setSourceMapsEnabled(true);
  try {
    const { outputs } = await bundleForNode([entryPoint, ...others]);
    const { main } = await import(pathToFileURL(outputs.get(entryPoint)).href);
    process.exit(
      await main(
        args,
        others.map((other) => outputs.get(other)),
      ),
    );
  } catch (error) {
    console.error(error instanceof Error && error.name !== 'RigError' ? error.stack : String(error.message ?? error));
    process.exit(1);
  }
}
