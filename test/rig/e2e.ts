// Runs the tests that click: their files are dealt to processes, each with a real VS Code in a browser of its own.
import { statSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { ensureBrowser } from './browser';
import type { FileResult } from './e2e-file';
import { deal } from './e2e-workers';
import { tallyLine } from './in-host-records';
import { ensureRig, rigUnavailable } from './install';

/** Take a minute or more: what comes last would be waited for alone. */
const LONGEST = ['page', 'settings'];
/** Named at the end of a run. */
const SLOWEST = 12;

/** `[--grep expression] [--processes N] [--until milliseconds]`, the bundled `e2e-file` and the bundled test files; resolves with the exit code. */
export async function main(args: readonly string[], [module = '', ...files]: readonly string[]): Promise<number> {
  const reason = rigUnavailable();
  if (reason) {
    console.log(`Skipped: the end-to-end tests. ${reason}`);
    console.log(tallyLine({ passed: 0, failed: 0, skipped: await countTests(files) }));
    return 0;
  }
  ensureRig();
  ensureBrowser();
  const valueOf = (name: string): string | undefined =>
    args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const run = { module, grep: valueOf('--grep'), until: Number(valueOf('--until') ?? Infinity) };
  const results = await deal(longestFirst(files), { ...run, processes: Number(valueOf('--processes') ?? 1) });

  // A browser on a busy machine loses a click now and then. What failed is tried again as a whole, in a window of its own and alone:
  // the tests of a file stand on each other, and the state in which one failed says nothing about the next. A fault that stays fails.
  const failed = results.filter(({ failures }) => failures.length > 0);
  const again = failed.map(({ file }) => file);
  if (again.length > 0) console.log(`\nA second try, whole, of: ${again.map((file) => nameOf(file)).join(', ')}`);
  const second = again.length > 0 ? await deal(again, { ...run, processes: 1 }) : [];
  // What there was no time to try again has failed.
  const tried = new Set(second.map(({ file }) => file));
  const last = [...results.filter(({ file }) => !tried.has(file)), ...second];
  for (const { title, error } of failed.filter(({ file }) => tried.has(file)).flatMap(({ failures }) => failures))
    console.log(`Needed a second try: ${title}\n${error.replaceAll(/^/gm, '    ')}`);
  const begun = new Set(results.map(({ file }) => file));
  const left = files.filter((file) => !begun.has(file));
  if (left.length > 0) console.log(`Not run, as the time was over: ${left.map((file) => nameOf(file)).join(', ')}`);
  const slowest = [...results].sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  console.log(`Slowest: ${slowest.map(({ file, seconds }) => `${nameOf(file)} ${seconds.toFixed(0)} s`).join(', ')}`);
  const tally = {
    passed: sum(last, ({ passed }) => passed),
    failed: sum(last, ({ failures }) => failures.length),
    skipped: sum(last, ({ skipped }) => skipped) + left.length,
  };
  if (tally.passed + tally.failed === 0) {
    console.error('No test ran.');
    tally.failed = 1;
  }
  console.log(tallyLine(tally));
  return tally.failed > 0 ? 1 : 0;
}

/** Loaded and not run: so a skipped suite says how much it would have shown. */
async function countTests(files: readonly string[]): Promise<number> {
  const mocha = new Mocha({ ui: 'bdd' });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return mocha.suite.total();
}

function longestFirst(files: readonly string[]): string[] {
  const rank = (file: string): number => (LONGEST.includes(nameOf(file)) ? Infinity : statSync(file).size);
  return [...files].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
}

function nameOf(file: string): string {
  return path.basename(file).replace(/\.test\.mjs$/, '');
}

function sum(results: readonly FileResult[], of: (result: FileResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}
