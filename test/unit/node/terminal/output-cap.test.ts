// Output that would fill the disk: what is kept of it, and what is given back.
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { capOutput, outputCap } from '../../../../src/node/terminal/output-cap';

const MB = 1024 * 1024;

describe('the cap of the output of a command', () => {
  let root: string;
  let file: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'deft-test-'));
    file = path.join(root, '1.out');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(megabytes: number): void {
    const handle = openSync(file, 'w');
    for (let at = 0; at < megabytes; at++) writeSync(handle, Buffer.alloc(MB, 97 + (at % 26)));
    closeSync(handle);
  }

  it('gives the middle back, and keeps both ends and the length', async function () {
    if (process.platform !== 'linux') this.skip();
    write(24);
    const before = readFileSync(file);
    assert.deepEqual(await capOutput(file, async () => 8 * MB), { cut: true, full: false, near: true });
    const after = readFileSync(file);
    assert.equal(after.length, before.length);
    assert.deepEqual(after.subarray(0, 2 * MB), before.subarray(0, 2 * MB));
    assert.deepEqual(after.subarray(22 * MB), before.subarray(22 * MB));
    const taken = statSync(file).blocks * 512;
    assert.ok(taken <= 5 * MB, String(taken));
    assert.equal((await capOutput(file, async () => 8 * MB)).cut, false);
  });

  it('leaves alone what fits', async () => {
    write(6);
    assert.deepEqual(await capOutput(file, async () => 8 * MB), { cut: false, full: false, near: true });
    assert.deepEqual(await capOutput(file, async () => 100 * MB), { cut: false, full: false, near: false });
    assert.deepEqual(await capOutput(path.join(root, 'gone')), { cut: false, full: false, near: false });
  });

  it('is a tenth of what is free, 1 GB at most', async () => {
    write(1);
    const cap = await outputCap(file, 0);
    assert.ok(cap >= 4 * MB && cap <= 1024 * MB, String(cap));
  });
});
