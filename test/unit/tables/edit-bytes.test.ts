// For every file: an Edit changes its own bytes and no other one, in each encoding and with every kind of line ending.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editTool } from '../../../src/core/tools/edit/edit';
import { readTool } from '../../../src/core/tools/read/read';
import { writeTool } from '../../../src/core/tools/edit/write';
import { encodeText } from '../../../src/node/files/text-encoding';
import { type MemoryEntry } from '../../support/memory-files';
import { type Place, type TableResult, withPlace } from '../../support/tool-table';

const mark = '@@here@@';
const path = '/w/a.txt';

/** Characters that each encoding has; words never look like the mark. */
const wide = fc.constantFrom(
  'a',
  'b b',
  '',
  '\t',
  '$&',
  "$'",
  '\\',
  'é',
  'e\u0301',
  '漢',
  '😀',
  '\u2028',
  '\uFEFF',
  '\u0085',
  '.*',
);
const narrow = fc.constantFrom('a', 'b b', '', '\t', '$&', "$'", '\\', 'é', 'ÿ', 'ß', '\u0085', '.*');
const encodings: [name: string, word: fc.Arbitrary<string>, encode: (text: string) => Buffer][] = [
  ...['utf8', 'utf8bom', 'utf16le', 'utf16be'].map((name): [string, fc.Arbitrary<string>, (text: string) => Buffer] => [
    name,
    wide,
    (text) => encodeText(text, name) ?? assert.fail(name),
  ]),
  ['windows1252', narrow, (text) => Buffer.from(text, 'latin1')],
];
const endings: [name: string, ending: fc.Arbitrary<string>][] = [
  ['LF', fc.constant('\n')],
  ['CRLF', fc.constant('\r\n')],
  ['CR', fc.constant('\r')],
  ['mixed', fc.constantFrom('\n', '\r\n', '\r')],
];

/** A word in front keeps what follows from being a mark of an encoding, or the half of a line ending. */
function textOf(word: fc.Arbitrary<string>, ending: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(word, ending), { maxLength: 6 })
    .map((lines) => `x${lines.map(([text, end]) => `${text}y${end}`).join('')}z`);
}

async function edited(
  bytes: Buffer,
  encoding: string,
  work: (place: Place) => Promise<TableResult>,
): Promise<{ result: TableResult; bytes: Buffer }> {
  const files: Record<string, MemoryEntry> = {
    [path]: encoding === 'windows1252' ? { bytes, encoding } : bytes,
    '/w/other.txt': bytes,
  };
  return withPlace({ files }, {}, async (place) => {
    await place.use(readTool, { file_path: path });
    const result = await work(place);
    assert.deepEqual(Buffer.from(place.files.bytes('/w/other.txt') ?? []), bytes, 'another file');
    return { result, bytes: Buffer.from(place.files.bytes(path) ?? []) };
  });
}

describe('every edit of every file', () => {
  for (const [encoding, word, encode] of encodings) {
    for (const [kind, ending] of endings) {
      const text = textOf(word, ending);

      it(`${encoding}, ${kind}: bytes outside of the edit never change`, async () => {
        await fc.assert(
          fc.asyncProperty(text, text, text, async (before, after, inserted) => {
            const { result, bytes } = await edited(encode(before + mark + after), encoding, (place) =>
              place.use(editTool, { file_path: path, old_string: mark, new_string: inserted }),
            );
            assert.equal(result.code, 'ok', result.text);
            // The encoding's own mark is in front of both.
            const head = encode(before);
            const empty = encode('').length;
            const tail = encode(after).subarray(empty);
            assert.deepEqual(bytes.subarray(0, head.length), head);
            assert.deepEqual(bytes.subarray(bytes.length - tail.length), tail);
            const put = Buffer.concat([
              encode('').subarray(0, empty),
              bytes.subarray(head.length, bytes.length - tail.length),
            ]);
            const unified = (buffer: Buffer): string => decodeOwn(buffer, encoding).replace(/\r\n|\r/g, '\n');
            assert.equal(unified(put), unified(encode(inserted)), 'what was put there');
          }),
          { numRuns: 60 },
        );
      });

      it(`${encoding}, ${kind}: a refused edit changes no byte, and one there and back gives the same bytes`, async () => {
        await fc.assert(
          fc.asyncProperty(text, text, async (before, after) => {
            const start = encode(before + mark + after);
            const refused = await edited(start, encoding, (place) =>
              place.use(editTool, { file_path: path, old_string: '@@not here@@', new_string: 'x' }),
            );
            assert.equal(refused.result.code, 'not-found-in-file');
            assert.deepEqual(refused.bytes, start);
            const back = await edited(start, encoding, async (place) => {
              await place.use(editTool, { file_path: path, old_string: mark, new_string: '@@there@@' });
              return place.use(editTool, { file_path: path, old_string: '@@there@@', new_string: mark });
            });
            assert.equal(back.result.code, 'ok', back.result.text);
            assert.deepEqual(back.bytes, start);
          }),
          { numRuns: 40 },
        );
      });
    }

    it(`${encoding}: what it cannot hold is refused by Edit and Write, and changes no byte`, async () => {
      const lacking = encoding === 'windows1252' ? '漢' : '\ud83d';
      await fc.assert(
        fc.asyncProperty(textOf(word, fc.constant('\n')), async (before) => {
          const start = encode(before + mark);
          for (const use of [
            (place: Place) => place.use(editTool, { file_path: path, old_string: mark, new_string: lacking }),
            (place: Place) => place.use(writeTool, { file_path: path, content: `${before}${lacking}` }),
          ]) {
            const { result, bytes } = await edited(start, encoding, use);
            assert.equal(result.code, 'write-encoding', result.text);
            assert.deepEqual(bytes, start);
          }
        }),
        { numRuns: 20 },
      );
    });
  }
});

function decodeOwn(bytes: Buffer, encoding: string): string {
  if (encoding === 'windows1252') return bytes.toString('latin1');
  if (encoding === 'utf16be') return Buffer.from(bytes).swap16().toString('utf16le');
  return bytes.toString(encoding === 'utf16le' ? 'utf16le' : 'utf8');
}
