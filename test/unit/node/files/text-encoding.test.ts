// Decoding and encoding: exact round trips, or a refusal.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { corpusPath } from '../../../support/corpus';
import { contentHash, decodeText, encodeText } from '../../../../src/node/files/text-encoding';

describe('text encoding', () => {
  const decodings: [string, number[] | string, string][] = [
    ['empty', [], 'utf8:'],
    ['ASCII', 'abc', 'utf8:abc'],
    ['UTF-8', [0xc3, 0xbc], 'utf8:ü'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], 'utf8bom:a'],
    ['a second mark is text', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], 'utf8bom:\uFEFF'],
    ['UTF-16 little-endian', [0xff, 0xfe, 0x61, 0x00], 'utf16le:a'],
    ['UTF-16 big-endian', [0xfe, 0xff, 0x00, 0x61], 'utf16be:a'],
    ['UTF-16, a mark alone', [0xff, 0xfe], 'utf16le:'],
    ['UTF-16 of odd length', [0xff, 0xfe, 0x61], 'unknown'],
    ['UTF-16 with half a pair', [0xff, 0xfe, 0x00, 0xd8], 'unknown'],
    ['UTF-32 little-endian', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], 'unknown'],
    ['UTF-32 big-endian', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61], 'unknown'],
    ['UTF-16 without a mark', [0x61, 0, 0x62, 0], 'binary'],
    ['Latin-1', [0x67, 0x72, 0xfc], 'unknown'],
    ['UTF-8 cut in the middle', [0x61, 0xc3], 'unknown'],
    ['a broken UTF-8 file with a mark', [0xef, 0xbb, 0xbf, 0xff], 'unknown'],
    ['U+FFFD itself', [0xef, 0xbf, 0xbd], 'utf8:\uFFFD'],
    ['binary', [0x7f, 0x45, 0x4c, 0x46, 0, 0xff], 'binary'],
    ['ISO-2022-JP', '\x1b$B$3$l', 'unknown'],
    ['terminal colours', '\x1b[31mred\x1b[0m', 'utf8:\x1b[31mred\x1b[0m'],
  ];
  for (const [name, bytes, expected] of decodings) {
    it(`reads ${name}`, () => {
      const result = decodeText(typeof bytes === 'string' ? Buffer.from(bytes) : Uint8Array.from(bytes));
      assert.equal(result.outcome === 'text' ? `${result.encoding}:${result.text}` : result.outcome, expected);
    });
  }

  it('writes back the bytes that it read, for any bytes', () => {
    const bom = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
    fc.assert(
      fc.property(bom, fc.uint8Array({ maxLength: 60 }), (mark, rest) => {
        const bytes = Buffer.from([...mark, ...rest]);
        const decoded = decodeText(bytes);
        if (decoded.outcome === 'text') assert.deepEqual(encodeText(decoded.text, decoded.encoding), bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads back the text that it wrote, in every encoding', () => {
    const encodings = fc.constantFrom('utf8bom', 'utf16le', 'utf16be');
    fc.assert(
      fc.property(encodings, fc.string({ unit: 'grapheme' }), (encoding, text) => {
        // Little-endian UTF-16 that begins with NUL looks like UTF-32, whose mark begins the same.
        fc.pre(!text.startsWith('\0'));
        const bytes = encodeText(text, encoding);
        assert.ok(bytes);
        assert.deepEqual(decodeText(bytes), { outcome: 'text', text, encoding });
      }),
    );
  });

  it('refuses half a surrogate pair and external encodings', () => {
    assert.equal(encodeText('a\uD83D', 'utf8'), undefined);
    assert.equal(encodeText('\uDE00b', 'utf16le'), undefined);
    assert.equal(encodeText('a', 'windows1252'), undefined);
    assert.ok(encodeText('😀', 'utf8'));
  });

  it('hashes encoding and text', () => {
    assert.notEqual(contentHash('utf8', 'a'), contentHash('utf8bom', 'a'));
    assert.notEqual(contentHash('utf8', 'a'), contentHash('utf8', 'b'));
    assert.equal(contentHash('utf8', 'a'), contentHash('utf8', 'a'));
  });

  it('reads the corpus right or refuses it', async function () {
    const corpus = corpusPath(this, 'encodings');
    const read: string[] = [];
    for (const entry of await readdir(corpus, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.startsWith('LICENSE')) continue;
      const bytes = await readFile(path.join(entry.parentPath, entry.name));
      const decoded = decodeText(bytes);
      if (decoded.outcome !== 'text') continue;
      // Plain ASCII reads the same in all of them.
      if (bytes.every((byte) => byte < 0x80) && !/^(?:ascii|iso2022)/.test(entry.name)) continue;
      read.push(entry.name);
      assert.deepEqual(encodeText(decoded.text, decoded.encoding), bytes, entry.name);
      assert.ok(!decoded.text.includes('\uFFFD'), entry.name);
    }
    // Only what these names promise may be read: the others are in encodings that cannot be determined for sure.
    const right = /^(?:ascii|utf8|utf16le|utf16be|lang_\w+)$/;
    assert.deepEqual(
      read.filter((name) => !right.test(name)),
      [],
    );
    for (const name of ['utf8', 'ascii', 'utf16le']) assert.ok(read.includes(name), name);
  });
});
