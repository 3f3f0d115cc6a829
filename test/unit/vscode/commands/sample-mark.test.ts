// The mark of the sample counts only in a copy that Deft or `npm start` has made.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isSample, sampleMark } from '../../../../src/vscode/commands/sample-mark';

describe('the mark of the sample', () => {
  let base: string;
  beforeEach(() => (base = mkdtempSync(path.join(tmpdir(), 'deft-test-'))));
  afterEach(() => rmSync(base, { recursive: true }));

  const folder = (name: string, mark?: string): string => {
    const made = path.join(base, name);
    mkdirSync(made, { recursive: true });
    if (mark !== undefined) writeFileSync(path.join(made, sampleMark), mark);
    return made;
  };
  const sample = (name: string, mark: string | undefined, token?: string) =>
    isSample(folder(name, mark), { demoFolder: path.join(base, 'storage', 'demo'), token });

  it('counts below the folder of the demo', async () => {
    assert.equal(await sample('storage/demo/1', 'demo\n'), true);
    assert.equal(await sample('storage/demo/2', undefined), false);
  });

  it('says nothing in any other folder', async () => {
    for (const [name, mark] of [
      ['repository', 'demo\n'],
      ['repository', ''],
      ['storage/demo', 'demo\n'],
      ['storage/demo-not', 'demo\n'],
      ['storage', 'demo\n'],
    ] as const) {
      assert.equal(await sample(name, mark), false, name);
      assert.equal(await sample(name, mark, ''), false, `${name}, no token`);
      assert.equal(await sample(name, mark, 'of this start'), false, `${name}, another token`);
    }
  });

  it('counts with the token of this start', async () =>
    assert.equal(await sample('copy', 'of this start\n', 'of this start'), true));
});
