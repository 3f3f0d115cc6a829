// Bundles and runs mocha tests on Node: `node test/run.mjs unit golden [--filter text] [--part programs|pure] [--processes N] [--slow]`.
// The part "programs" is the files that start processes, "pure" the others.
// Every run builds into a folder of its own, so that several can run side by side.
import { build } from 'esbuild';
import { mkdtemp, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { common } from '../esbuild.mjs';
import { deal, runFiles, startsProcesses, tally } from './rig/mocha-run.mjs';

const { values: options, positionals: kinds } = parseArgs({
  allowPositionals: true,
  options: {
    filter: { type: 'string', default: '' },
    part: { type: 'string' },
    processes: { type: 'string', default: '1' },
    slow: { type: 'boolean', default: false },
  },
});
const { filter, part } = options;
if (part !== undefined && !['programs', 'pure'].includes(part)) throw new Error(`There is no part "${part}".`);
const processes = Number(options.processes);

const files = [];
for (const kind of kinds.length > 0 ? kinds : ['unit']) {
  for (const entry of await readdir(path.join('test', kind), { recursive: true })) {
    // Packages that a suite installs for its programs bring tests of their own.
    if (entry.split(path.sep).includes('node_modules')) continue;
    const file = path.join('test', kind, entry);
    if (part !== undefined && startsProcesses(file) !== (part === 'programs')) continue;
    if (/\.test\.tsx?$/.test(file) && file.includes(filter)) files.push(file);
  }
}
if (files.length === 0) {
  console.error(`No test files match ${JSON.stringify({ kinds, filter })}.`);
  process.exit(1);
}

await mkdir('out', { recursive: true });
const outdir = await mkdtemp(path.resolve('out/test-'));
const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
let exitCode = 1;
try {
  const result = await build({
    ...common,
    entryPoints: files,
    outdir,
    outbase: 'test',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    splitting: true,
    sourcemap: 'inline',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: Object.keys(devDependencies),
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    metafile: true,
  });
  const bundled = Object.entries(result.metafile.outputs)
    .filter(([, { entryPoint }]) => entryPoint?.startsWith('test/'))
    .map(([output, { entryPoint }]) => ({ source: entryPoint, output: path.resolve(output) }));
  const sourceOf = new Map(bundled.map(({ source, output }) => [path.relative('.', output), source]));
  const results = tally();
  if (processes > 1) await deal(bundled, processes, results);
  else
    await runFiles(
      bundled.map(({ output }) => output),
      {
        reporter: process.env.MOCHA_REPORTER ?? 'dot',
        grep: process.env.MOCHA_GREP,
        // In `npm test` they get what others leave: only what hangs is to end here.
        ...(part === 'pure' ? { timeout: 300_000 } : {}),
        onEvent: (event) => results.add({ ...event, file: sourceOf.get(event.file) ?? event.file }),
      },
    );
  exitCode = results.finish({ listFailures: processes > 1, slow: options.slow });
} finally {
  await rm(outdir, { recursive: true, force: true });
}
// Sockets and child processes that a test forgot must not keep the run alive.
process.exit(exitCode);
