// Files of the browser tests that are dealt to processes: none begins once the time is over.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../rig/cleanup';
import { deal } from '../../rig/e2e-workers';

describe('files that are dealt to processes', () => {
  /** Runs a file by waiting until the time that its name says. */
  const module = path.join(temporaryFolder('worker'), 'module.mjs');
  before(() =>
    writeFileSync(
      module,
      `export async function runFile(file) {
        while (Date.now() < Number(file)) await new Promise((resolve) => setTimeout(resolve, 10));
        return { file, passed: 1, skipped: 0, failures: [], seconds: 0 };
      }
      export async function endFiles() {}`,
    ),
  );
  const ran = async (files: string[], until: number): Promise<string[]> =>
    (await deal(files, { module, grep: undefined, processes: 1, until })).map(({ file }) => file);

  it('are all run where there is time', async () => {
    assert.deepEqual(await ran(['1', '2', '3'], Infinity), ['1', '2', '3']);
  });

  it('end with the one that runs when the time is over', async () => {
    const until = Date.now() + 50;
    assert.deepEqual(await ran([String(until + 20), '2', '3'], until), [String(until + 20)]);
    assert.deepEqual(await ran(['1'], 0), []);
  });
});
