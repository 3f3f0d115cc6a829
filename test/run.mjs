// Bundles and runs mocha tests on Node: `node test/run.mjs unit golden [--filter text]`.
// Every run builds into a folder of its own, so that several can run side by side.
import { build } from 'esbuild';
import Mocha from 'mocha';
import { mkdtemp, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { common } from '../esbuild.mjs';

const args = process.argv.slice(2);
const filterAt = args.indexOf('--filter');
const filter = filterAt >= 0 ? args[filterAt + 1] : '';
const kinds = args.filter((argument, index) => !argument.startsWith('--') && (filterAt < 0 || index !== filterAt + 1));

const files = [];
for (const kind of kinds.length > 0 ? kinds : ['unit']) {
  for (const entry of await readdir(path.join('test', kind), { recursive: true })) {
    const file = path.join('test', kind, entry);
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
let failures = 1;
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
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, reporter: process.env.MOCHA_REPORTER ?? 'dot' });
  const grep = process.env.MOCHA_GREP;
  if (grep) mocha.grep(grep);
  for (const [output, { entryPoint }] of Object.entries(result.metafile.outputs)) {
    if (entryPoint?.startsWith('test/')) mocha.addFile(path.resolve(output));
  }
  await mocha.loadFilesAsync();
  // Tests of real processes have real timers in them: on a busy machine one may need a second try, which is named. Pure ones get none.
  for (const suite of mocha.suite.suites)
    if (/[\\/]unit[\\/](node|headless)[\\/]/.test(suite.file ?? '')) suite.eachTest((test) => test.retries(1));
  failures = await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('retry', (test, error) =>
      console.log(`\nNeeds a second try: ${test.fullTitle()}\n${error.stack ?? error}`),
    );
    runner.on('end', () => {
      const { passes, failures: failed, pending } = runner.stats;
      console.log(`${passes} passed, ${failed} failed, ${pending} skipped`);
      if (passes === 0) process.exitCode = 1;
    });
  });
} finally {
  await rm(outdir, { recursive: true, force: true });
}
// Sockets and child processes that a test forgot must not keep the run alive.
process.exit(failures > 0 ? 1 : (process.exitCode ?? 0));
