// `npm test`: sets everything up and runs every check, one stage after the other; stops at the first that fails.
// `--keep-going` runs the rest too; names of stages run only those: `node test/all.mjs types unit`.
import process from 'node:process';
import { ensureDependencies } from './rig/dependencies.mjs';
import { projectRoot } from './rig/load.mjs';
import { failedStages, finish, format, lint, stage, timed, types } from './rig/stages.mjs';

const node = process.execPath;
/** Each stage with its commands. Stages in one row need one core each and no quiet: they run at the same time. */
const ROWS = [
  { types: [types], lint: [format, lint] },
  // Two processes of its own.
  { unit: [[node, 'test/run.mjs', 'unit', 'golden', '--processes', '2']] },
  { build: [[node, 'esbuild.mjs']] },
  { integration: [[node, 'test/integration.mjs']] },
  // Behind the first that sets up the rig, which brings the Node that the suite wants.
  { conformance: [[node, 'test/run.mjs', 'conformance']] },
  // Two again: for a third of its time a window waits.
  { e2e: [[node, 'test/e2e/run.mjs', '--processes', '2']] },
];

process.chdir(projectRoot);
const args = process.argv.slice(2);
const keepGoing = args.includes('--keep-going');
const chosen = args.filter((argument) => !argument.startsWith('--'));
const names = ROWS.flatMap(Object.keys);
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
for (const row of ROWS) {
  const stages = Object.entries(row).filter(([name]) => chosen.length === 0 || chosen.includes(name));
  if (process.exitCode === 130 || (failedStages.length > 0 && !keepGoing)) break;
  await Promise.all(stages.map(([name, commands], index) => stage(name, commands, index > 0)));
}
finish();
