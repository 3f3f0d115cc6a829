// PNG images of every kind, with every filter: the same samples as another decoder finds.
import assert from 'node:assert/strict';
import { decode } from 'fast-png';
import { crc32, deflateSync } from 'node:zlib';
import { pngSamples } from '../../../src/node/documents/png-samples';

/** Noise: rows of any bytes are an image, whatever their filter. */
function png(
  [width, height]: readonly [number, number],
  depth: number,
  colours: 0 | 2 | 3 | 4 | 6,
  interlaced: boolean,
  more = 0,
): Buffer {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colours];
  let seed = width * 31 + height * 7 + depth + colours;
  const noise = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16;
  const grids = interlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]];
  const rows = grids.flatMap(([left = 0, top = 0, across = 1, down = 1]) => {
    const [columns, count] = [Math.ceil((width - left) / across), Math.ceil((height - top) / down)];
    return columns <= 0
      ? []
      : Array.from({ length: Math.max(0, count) }, () => [
          noise() % 5,
          ...Array.from({ length: Math.ceil((columns * channels * depth) / 8) }, () => noise() & 255),
        ]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colours, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(colours === 3 ? [chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])), chunk('tRNS', Buffer.from([7]))] : []),
    chunk('IDAT', deflateSync(Buffer.concat([Buffer.from(rows.flat()), Buffer.alloc(more)]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

describe('a PNG image unpacked', () => {
  for (const depth of [8, 16]) {
    for (const colours of [0, 2, 4, 6] as const) {
      for (const interlaced of [false, true]) {
        it(`${depth} bits, colour type ${colours}${interlaced ? ', interlaced' : ''}`, () => {
          for (const [width, height] of [
            [1, 1],
            [3, 2],
            [13, 9],
            [40, 17],
          ] as const) {
            const file = png([width, height], depth, colours, interlaced);
            const found = pngSamples(file);
            const expected = decode(file);
            assert.deepEqual([found.width, found.height, found.channels], [width, height, expected.channels]);
            assert.deepEqual(
              [...found.samples],
              [...expected.data].map((value) => (depth === 16 ? value >> 8 : value)),
            );
          }
        });
      }
    }
  }

  for (const depth of [1, 2, 4, 8]) {
    it(`with a palette of ${depth} bits`, () => {
      const file = png([13, 9], depth, 3, false);
      const { samples, palette, alpha } = pngSamples(file);
      const packed = decode(file).data;
      const rowLength = Math.ceil((13 * depth) / 8);
      const bits = (row: number): string =>
        [...packed.slice(row * rowLength, (row + 1) * rowLength)]
          .map((byte) => byte.toString(2).padStart(8, '0'))
          .join('');
      const expected = Array.from({ length: 9 }, (_, row) =>
        Array.from({ length: 13 }, (_, column) => parseInt(bits(row).slice(column * depth, (column + 1) * depth), 2)),
      ).flat();
      assert.deepEqual([...samples], expected);
      assert.deepEqual(
        [palette, alpha].map((part) => [...(part ?? [])]),
        [[1, 2, 3, 4, 5, 6], [7]],
      );
    });
  }

  it('refuses far more than its header says, too few rows, and other kinds', () => {
    assert.throws(() => pngSamples(png([40, 17], 8, 6, true, 65_537)), { code: 'ERR_BUFFER_TOO_LARGE' });
    const short = png([40, 17], 8, 6, false);
    short.writeUInt32BE(18, 20);
    assert.throws(() => pngSamples(short), /Rows are missing/);
    assert.throws(() => pngSamples(png([4, 4], 3, 0, false)), /does not name an image format/);
  });
});
