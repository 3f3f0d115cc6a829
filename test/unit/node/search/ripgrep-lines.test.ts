// ripgrep's output cut into pieces at any byte reads the same.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createContentReader, createPathReader, type RipgrepLine } from '../../../../src/node/search/ripgrep-lines';

const output = Buffer.from(
  './a.ts\0' +
    '1:first\n./a.ts\0' +
    '2-ctx: with 3:colons\r\n--\n./new\nline\0' +
    '10:text\n./b\0' +
    '7:\r\n--\r\n./bin: binary file matches (found "\\0" byte around offset 5)\n./ü\0' +
    '3:ende\n',
);
const expected: RipgrepLine[] = [
  { path: './a.ts', line: 1, text: 'first', match: true },
  { path: './a.ts', line: 2, text: 'ctx: with 3:colons', match: false },
  'separator',
  { path: './new\nline', line: 10, text: 'text', match: true },
  { path: './b', line: 7, text: '', match: true },
  'separator',
  { path: './bin', line: 0, text: 'binary file matches', match: true },
  { path: './ü', line: 3, text: 'ende', match: true },
];

describe('ripgrep output', () => {
  const pieces = (bytes: Buffer, cuts: number[]): Buffer[] => {
    const at = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
    return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
  };

  it('reads lines from any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
        const lines: RipgrepLine[] = [];
        const read = createContentReader((line) => void lines.push(line));
        for (const piece of pieces(output, cuts)) read(piece);
        assert.deepEqual(lines, expected);
      }),
    );
  });

  it('reads every byte alone', () => {
    const lines: RipgrepLine[] = [];
    const read = createContentReader((line) => void lines.push(line));
    for (let at = 0; at < output.length; at++) read(output.subarray(at, at + 1));
    assert.deepEqual(lines, expected);
  });

  it('reads paths from any pieces', () => {
    const bytes = Buffer.from('a\0b\nc\0ü/d\0');
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
        const paths: string[] = [];
        const read = createPathReader((found) => void paths.push(found));
        for (const piece of pieces(bytes, cuts)) read(piece);
        assert.deepEqual(paths, ['a', 'b\nc', 'ü/d']);
      }),
    );
  });
});
