// Reading output files: characters stay whole at every cut, and the end mark is found wherever it lies.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { newEndMark, quote } from '../../../../src/node/terminal/capture-wrapper';
import {
  findEndMark,
  OUTPUT_IN_MEMORY_BYTES,
  readFrom,
  readOutput,
  readTail,
} from '../../../../src/node/terminal/output-file';
import { plainSpawn } from './battery';

describe('output files', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'deft-test-'));
    file = path.join(folder, 'out');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('end in whole characters wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(60), async (text, bytes) => {
        writeFileSync(file, text);
        const tail = await readTail(file, bytes);
        assert.equal(tail.bytes, Buffer.byteLength(text));
        assert.ok(text.endsWith(tail.text), `${JSON.stringify(tail.text)} of ${JSON.stringify(text)}`);
        assert.ok(tail.bytes - Buffer.byteLength(tail.text) <= Math.max(0, tail.bytes - bytes) + 3);
      }),
    );
  });

  it('show a growing character only when it is whole', async () => {
    const bytes = Buffer.from('a🎉');
    for (const cut of [2, 3, 4]) {
      writeFileSync(file, bytes.subarray(0, cut));
      assert.equal((await readTail(file, 100)).text, 'a');
    }
  });

  it('hold the end mark across the border of what is read at once', async () => {
    const mark = newEndMark();
    for (const after of [0, 1024 * 1024 - 20, 1024 * 1024 - 1, 1024 * 1024 + 3]) {
      writeFileSync(file, Buffer.concat([Buffer.from(`before${mark}`), Buffer.alloc(after, 'z')]));
      assert.equal(await findEndMark(file, mark), 6);
    }
    assert.equal(await findEndMark(file, newEndMark()), undefined);
    assert.equal(await findEndMark(path.join(folder, 'absent'), mark), undefined);
  });

  it('are read in two halves when they are large', async () => {
    const size = OUTPUT_IN_MEMORY_BYTES + 10;
    writeFileSync(file, `${'ä'.repeat(size / 2)}`);
    const { head, tail, omittedBytes, totalBytes } = await readOutput(file, size);
    assert.deepEqual([omittedBytes, totalBytes], [10, size]);
    assert.ok(/^ä+$/.test(head) && /^ä+$/.test(tail));
    assert.equal((await readOutput(path.join(folder, 'absent'), 5)).head, '');
  });

  it('are followed from an offset', async () => {
    writeFileSync(file, 'abcdef');
    assert.deepEqual(await readFrom(file, 2, 3), { bytes: Buffer.from('cde'), next: 5 });
    assert.deepEqual(await readFrom(file, 6, 3), { bytes: Buffer.alloc(0), next: 6 });
  });
});

describe('quote', () => {
  it('is one word for the shell', async () => {
    for (const text of ['', "it's", 'a b\n$c `d` "e" \\f', "''", '-n', '*']) {
      assert.equal((await plainSpawn(`printf %s ${quote(text)}`, '/')).output, text);
    }
  });
});
