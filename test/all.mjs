// `npm test`: sets everything up and runs every check, one stage after the other; stops at the first that fails.
// `--keep-going` runs the rest too; names of stages run only those: `node test/all.mjs types unit`.
import process from 'node:process';
import { ensureDependencies } from './rig/dependencies.mjs';
import { projectRoot } from './rig/load.mjs';
import { failedStages, finish, format, lint, stage, timed, types } from './rig/stages.mjs';

const node = process.execPath;
/** Rows follow each other. The lanes of a row run at the same time, a core each, and the stages of a lane one after the other. */
const ROWS = [
  [
    {
      types: [types],
      // Brings the Node that the next but one wants.
      rig: [[node, 'test/rig/setup.mjs']],
      build: [[node, 'esbuild.mjs']],
      conformance: [[node, 'test/run.mjs', 'conformance']],
    },
    { lint: [format, lint] },
  ],
  // Two processes of its own.
  [{ unit: [[node, 'test/run.mjs', 'unit', 'golden', '--processes', '2']] }],
  [{ integration: [[node, 'test/integration.mjs']] }],
  // Two again: for a third of its time a window waits.
  [{ e2e: [[node, 'test/e2e/run.mjs', '--processes', '2']] }],
];

process.chdir(projectRoot);
const args = process.argv.slice(2);
const keepGoing = args.includes('--keep-going');
const chosen = args.filter((argument) => !argument.startsWith('--'));
const names = ROWS.flat().flatMap(Object.keys);
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
for (const row of ROWS) {
  if (over()) break;
  await Promise.all(row.map(lane));
}
finish();

/** What the first lane prints is seen at once; that of others at the end of each stage. */
async function lane(stages, index) {
  for (const [name, commands] of Object.entries(stages)) {
    if (over()) return;
    if (chosen.length === 0 || chosen.includes(name)) await stage(name, commands, index > 0);
  }
}
