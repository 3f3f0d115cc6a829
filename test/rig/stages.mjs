// Runs the stages of `npm test` and `npm run check`: shows what each prints, adds up its tallies, and names second tries.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';

const node = process.execPath;
const caches = 'out/cache';
const bin = {
  tsc: 'node_modules/typescript/bin/tsc',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  eslint: 'node_modules/eslint/bin/eslint.js',
};

export const types = [node, bin.tsc, '-b'];
export const format = [node, bin.prettier, '--check', '--log-level', 'warn', '.'];
export const lint = [node, bin.eslint, '.'];
export const tidy = [node, 'test/run.mjs', 'unit', '--filter', 'tidy'];

/**
 * The same, reading again only what has changed. A rule that asks for types sees a change in another file late: `npm test` keeps no cache.
 */
export const cached = (command) => [
  ...command,
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  `${caches}/${command === lint ? 'eslint.json' : 'prettier.json'}`,
];

/** What the stages showed together. */
export const total = { passed: 0, failed: 0, skipped: 0 };
export const failedStages = [];
export const secondTries = [];
/** What failing commands printed of their failures: repeated at the end, as whoever reads a long log often has its end alone. */
const failures = [];
/** Characters of one command's failures that are repeated. */
const longestFailure = 6_000;

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    // Each stage cleans up after itself; this process waits for it.
    for (const child of running) {
      if (child.leadsGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
    }
    process.exitCode = 130;
  });
}

/**
 * Runs all commands of a stage, also behind one that fails; true if none did. In the background, they take what processor
 * time others leave, and what they print is kept until the end.
 */
export function stage(name, commands, background = false) {
  return timed(
    name,
    async (show) => {
      let code = 0;
      for (const command of commands) code = (await run(command, show, background)) || code;
      return code;
    },
    background,
  );
}

export async function timed(name, work, quiet = false) {
  const started = performance.now();
  const kept = [];
  const show = (chunk) => void (quiet ? kept.push(chunk) : process.stdout.write(chunk));
  show(`── ${name}\n`);
  let code;
  try {
    code = await work(show);
  } catch (error) {
    show(`${error.message}\n`);
    code = 1;
  }
  show(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`);
  for (const chunk of kept) process.stdout.write(chunk);
  if (code !== 0) failedStages.push(name);
  return code === 0;
}

/** Ends the process with one line that tells all. */
export function finish() {
  for (const text of failures) console.log(text);
  if (failedStages.length > 0) console.log(`Failed: ${failedStages.join(', ')}`);
  if (secondTries.length > 0) console.log(`Second tries: ${secondTries.length}\n  ${secondTries.join('\n  ')}`);
  // A stage without counted tests (types, lint) that fails counts as one failure.
  if (failedStages.length > 0 && total.failed === 0) total.failed = failedStages.length;
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exit(process.exitCode ?? (failedStages.length > 0 ? 1 : 0));
}

const canSetSession = process.platform === 'linux';

/** Mocha lists failures behind their number; other tools print little else. */
function failureIn(printed, command) {
  const found = /^\s*\d+ failing$[^]*/m.exec(printed)?.[0] ?? printed.slice(-longestFailure);
  const cut =
    found.length > longestFailure ? `${found.slice(0, longestFailure)}\n(the rest of it stands above)` : found;
  return `── of ${command}:\n${cut}`;
}

/** Gives a process, and what it starts, the lowest priority. It is a matter of speed alone: where it is refused, all goes on. */
function stepBack(pid) {
  const steps = [
    () => os.setPriority(pid, os.constants.priority.PRIORITY_LOW),
    () => canSetSession && writeFileSync(`/proc/${pid}/autogroup`, String(os.constants.priority.PRIORITY_LOW)),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // Not on this system.
    }
  }
}

function run([command, ...args], show, background) {
  return new Promise((resolve) => {
    // A session of its own: where Linux shares out the processor by session, priorities count only within one.
    const detached = background && canSetSession;
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached });
    running.add(child);
    if (background && child.pid !== undefined) {
      child.leadsGroup = detached;
      stepBack(child.pid);
    }
    let output = '';
    let printed = '';
    child.stdout.on('data', (chunk) => {
      show(chunk);
      output += chunk.toString();
      printed += chunk.toString();
    });
    child.stderr.on('data', (chunk) => {
      show(chunk);
      printed += chunk.toString();
    });
    child.on('error', (error) => {
      show(`${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code) => {
      running.delete(child);
      const counts = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
      if (counts) {
        for (const [index, key] of Object.keys(total).entries()) total[key] += Number(counts[index + 1]);
      }
      if (code !== 0) failures.push(failureIn(printed, args.join(' ')));
      secondTries.push(...[...output.matchAll(/^\s*Need(?:s|ed) a second try: (.*)$/gm)].map(([, title]) => title));
      resolve(code ?? 1);
    });
  });
}
