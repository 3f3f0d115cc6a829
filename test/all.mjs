// `npm test`: sets everything up and runs every check; starts no more stages when one has failed.
// `--keep-going` runs the rest too; names of stages run only those: `node test/all.mjs types unit`. With `--minutes=N` no further file of
// the browser tests begins after them: those that are left are named, and count as skipped.
import process from 'node:process';
import { ensureDependencies } from './rig/dependencies.mjs';
import { projectRoot } from './rig/load.mjs';
import { failedStages, finish, format, lint, stage, timed, types } from './rig/stages.mjs';

const node = process.execPath;
const minutes = process.argv.slice(2).flatMap((argument) => /^--minutes=(\d+)$/.exec(argument)?.[1] ?? [])[0];
const until = minutes === undefined ? [] : ['--until', String(Date.now() + Number(minutes) * 60_000)];
/** Everything else runs what this has built. */
const build = [[node, 'esbuild.mjs']];
/**
 * Then two lanes at the same time, and in each one stage after the other. What starts programs, opens windows and keeps time
 * goes first; what only computes takes the processor time that the first leaves: half of it while a window waits.
 */
const LANES = [
  {
    rig: [[node, 'test/rig/setup.mjs']],
    programs: [[node, 'test/run.mjs', 'unit', '--part', 'programs', '--processes', '2']],
    conformance: [[node, 'test/run.mjs', 'conformance']],
    integration: [[node, 'test/integration.mjs']],
    e2e: [[node, 'test/e2e/run.mjs', '--processes', '2', ...until]],
  },
  {
    unit: [[node, 'test/run.mjs', 'unit', 'golden', '--part', 'pure']],
    types: [types],
    lint: [format, lint],
  },
];

process.chdir(projectRoot);
const args = process.argv.slice(2);
const keepGoing = args.includes('--keep-going');
const chosen = args.filter((argument) => !argument.startsWith('--'));
const names = [{ build }, ...LANES].flatMap(Object.keys);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. Stages: ${names.join(', ')}`);
  process.exit(2);
}

const installed = await timed('install', async () => {
  ensureDependencies(projectRoot, "the project's packages");
  return 0;
});
if (!installed) process.exit(1);
const over = () => process.exitCode === 130 || (failedStages.length > 0 && !keepGoing);
await lane({ build }, 0);
await Promise.all(LANES.map(lane));
finish();

/** What the first lane prints is seen at once; that of the other at the end of each stage. */
async function lane(stages, index) {
  for (const [name, commands] of Object.entries(stages)) {
    if (over()) return;
    if (chosen.length === 0 || chosen.includes(name)) await stage(name, commands, index > 0);
  }
}
