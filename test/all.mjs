// `npm test`: sets everything up and runs every check, one stage after the other; stops at the first that fails.
// `--keep-going` runs the rest too; names of stages run only those: `node test/all.mjs types unit`.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { ensureDependencies } from './rig/dependencies.mjs';
import { projectRoot } from './rig/load.mjs';

const node = process.execPath;
const STAGES = {
  types: [node, 'node_modules/typescript/bin/tsc', '-b'],
  lint: [node, 'node_modules/eslint/bin/eslint.js', '.'],
  unit: [node, 'test/run.mjs', 'unit', 'golden'],
  build: [node, 'esbuild.mjs'],
  integration: [node, 'test/integration.mjs'],
  // Behind the first that sets up the rig, which brings the Node that the suite wants.
  conformance: [node, 'test/run.mjs', 'conformance'],
  e2e: [node, 'test/e2e/run.mjs'],
};

process.chdir(projectRoot);
const args = process.argv.slice(2);
const keepGoing = args.includes('--keep-going');
const chosen = args.filter((argument) => !argument.startsWith('--'));
const unknown = chosen.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. Stages: ${Object.keys(STAGES).join(', ')}`);
  process.exit(2);
}

let running;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    // Each stage cleans up after itself; this process waits for it.
    running?.kill(signal);
    process.exitCode = 130;
  });
}

const total = { passed: 0, failed: 0, skipped: 0 };
const failedStages = [];
const installed = await timed('install', async () => {
  ensureDependencies(projectRoot, "the project's packages");
  return 0;
});
if (!installed) process.exit(1);
for (const [name, command] of Object.entries(STAGES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if (process.exitCode === 130 || (failedStages.length > 0 && !keepGoing)) break;
  if (!(await timed(name, () => runStage(command)))) failedStages.push(name);
}
if (failedStages.length > 0) console.log(`Failed: ${failedStages.join(', ')}`);
// A stage without counted tests (types, lint) that fails counts as one failure.
if (failedStages.length > 0 && total.failed === 0) total.failed = failedStages.length;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(process.exitCode ?? (failedStages.length > 0 ? 1 : 0));

async function timed(name, work) {
  const started = performance.now();
  console.log(`── ${name}`);
  let code;
  try {
    code = await work();
  } catch (error) {
    console.error(error.message);
    code = 1;
  }
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return code === 0;
}

/** Shows what a stage prints and adds its last tally line up. */
function runStage([command, ...stageArguments]) {
  return new Promise((resolve) => {
    const child = (running = spawn(command, stageArguments, { stdio: ['ignore', 'pipe', 'inherit'] }));
    let tail = '';
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      tail = (tail + chunk.toString()).slice(-10_000);
    });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (code) => {
      const counts = [...tail.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
      if (counts) {
        for (const [index, key] of Object.keys(total).entries()) total[key] += Number(counts[index + 1]);
      }
      resolve(code ?? 1);
    });
  });
}
