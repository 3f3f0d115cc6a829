// Runs bundled mocha tests in this process, or dealt to several: each takes the next file when it has done its last.
import { fork } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';

const worker = fileURLToPath(new URL('./mocha-worker.mjs', import.meta.url));
/** Dots in a row. */
const rowWidth = 100;

/**
 * Tests of real processes have real timers in them: on a busy machine one may need a second try, which is named. Pure ones get none.
 * They are dealt to one process, so that they have a core for what they start.
 */
export const startsProcesses = (file) => /[\\/]unit[\\/](node|headless|rig)[\\/]/.test(file);

/**
 * Runs these files as one mocha run; `onEvent` is given every result: `{ type: 'pass' | 'fail' | 'skip' | 'retry', file, title, milliseconds, error }`.
 */
export async function runFiles(files, { reporter, grep, onEvent, timeout = 60_000 }) {
  const mocha = new Mocha({ ui: 'bdd', timeout, reporter });
  if (grep) mocha.grep(grep);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  for (const suite of mocha.suite.suites)
    if (startsProcesses(suite.file ?? '')) suite.eachTest((test) => test.retries(1));
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    const listen = (event, type) =>
      runner.on(event, (test, error) =>
        onEvent({
          type,
          file: path.relative('.', test.file ?? ''),
          title: test.fullTitle(),
          milliseconds: test.duration ?? 0,
          ...(error === undefined ? {} : { error: String(error?.stack ?? error) }),
        }),
      );
    listen('pass', 'pass');
    listen('fail', 'fail');
    listen('pending', 'skip');
    listen('retry', 'retry');
  });
}

/** What a run showed, told at its end. */
export function tally() {
  const results = [];
  return {
    add: (event) => void results.push(event),
    /** Prints second tries, on demand the slowest, and the counts; the exit code. */
    finish({ listFailures, slow }) {
      const of = (type) => results.filter((result) => result.type === type);
      if (listFailures)
        of('fail').forEach(({ title, error }, index) => console.log(`\n${index + 1}) ${title}\n\n${error}\n`));
      for (const { title, error } of of('retry')) console.log(`\nNeeds a second try: ${title}\n${error}`);
      if (slow) printSlow(results);
      const [passed, failed, skipped] = [of('pass').length, of('fail').length, of('skip').length];
      console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
      return failed > 0 || passed === 0 ? 1 : 0;
    },
  };
}

function printSlow(results) {
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  `;
  const byFile = new Map();
  for (const { file, milliseconds } of results) byFile.set(file, (byFile.get(file) ?? 0) + milliseconds);
  console.log('\nSlowest tests:');
  for (const { milliseconds, title } of results.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 20))
    console.log(`${seconds(milliseconds)}${title}`);
  console.log('Slowest files:');
  for (const [file, milliseconds] of [...byFile].sort(([, a], [, b]) => b - a).slice(0, 20))
    console.log(`${seconds(milliseconds)}${file}`);
}

/** Takes minutes, and leaves most of them to what it starts: what comes last would be waited for alone. */
const longest = 'test/unit/headless/kill.test.ts';

/** Deals files to processes; `files` are `{ source, output }`. The first process takes those that start processes before others. */
export async function deal(files, processes, results) {
  const starting = files
    .filter(({ source }) => startsProcesses(source))
    .sort((a, b) => Number(b.source === longest) - Number(a.source === longest));
  const pure = files.filter(({ source }) => !startsProcesses(source));
  let dots = 0;
  const show = ({ type }) =>
    void process.stdout.write(
      `${{ pass: '.', fail: '!', skip: ',', retry: '?' }[type]}${++dots % rowWidth === 0 ? '\n' : ''}`,
    );
  await Promise.all(
    Array.from({ length: processes }, (_, index) => {
      const [own, others] = index === 0 ? [starting, pure] : [pure, starting];
      return work(
        () => own.shift() ?? others.shift(),
        (event) => {
          results.add(event);
          show(event);
        },
      );
    }),
  );
  console.log();
}

/** One process, until there are no files left. One that ends too early fails its file, and another takes its place. */
function work(next, onEvent) {
  return new Promise((resolve) => {
    const child = fork(worker, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let file;
    const give = () => {
      file = next();
      if (file === undefined) child.disconnect();
      else child.send({ file: path.resolve(file.output), grep: process.env.MOCHA_GREP });
    };
    child.on('message', (message) => {
      if (message.type === 'done') give();
      else onEvent({ ...message, file: file.source });
    });
    child.on('exit', (code, signal) => {
      if (file === undefined) return resolve();
      const error = `Its process ended (${signal ?? code}).`;
      onEvent({ type: 'fail', file: file.source, title: file.source, milliseconds: 0, error });
      work(next, onEvent).then(resolve);
    });
    give();
  });
}
