// Unpacks a PNG image, once, and never to more than its header says: a small file may hold gigabytes.
import { inflateSync } from 'node:zlib';

export interface PngSamples {
  width: number;
  height: number;
  channels: number;
  /** Bits of a sample in the file. */
  depth: number;
  /** A byte each, row by row: of 16 bits the higher ones; fewer than 8 are kept as they are. */
  samples: Uint8Array;
  /** Red, green and blue of each colour, where samples are numbers of colours. */
  palette?: Uint8Array;
  /** Of the palette's first colours. */
  alpha?: Uint8Array;
}

/** Where a pass of an interlaced image begins, and its steps. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Some programs write a little more than there is to see. */
const slack = 65_536;

/** Throws for what is not a PNG, is damaged, or holds too much. */
export function pngSamples(bytes: Uint8Array): PngSamples {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height, depth, colours, interlaced] = [
    view.getUint32(16),
    view.getUint32(20),
    view.getUint8(24),
    view.getUint8(25),
    view.getUint8(28) === 1,
  ];
  const channels = [1, 0, 3, 1, 2, 0, 4][colours] ?? 0;
  if (channels === 0 || ![1, 2, 4, 8, 16].includes(depth)) throw new Error('The header does not name an image format.');
  const parts = chunks(bytes, view);
  const rowLength = (pixels: number): number => Math.ceil((pixels * channels * depth) / 8);
  const grids = (interlaced ? passes : [[0, 0, 1, 1] as const])
    .map(([left, top, across, down]) => ({
      left,
      top,
      across,
      down,
      columns: Math.ceil((width - left) / across),
      rows: Math.ceil((height - top) / down),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
  const size = grids.reduce((sum, { columns, rows }) => sum + rows * (1 + rowLength(columns)), 0);
  const data = inflateSync(Buffer.concat(parts['IDAT'] ?? []), { maxOutputLength: size + slack });
  if (data.length < size) throw new Error('Rows are missing.');
  const samples = new Uint8Array(width * height * channels);
  let at = 0;
  for (const { left, top, across, down, columns, rows } of grids) {
    const length = rowLength(columns);
    for (let row = 0; row < rows; row++, at += length + 1) {
      unfilter(data, at, length, Math.max(1, (channels * depth) >> 3), row > 0);
      for (let index = 0; index < columns * channels; index++) {
        const column = left + Math.floor(index / channels) * across;
        samples[((top + row * down) * width + column) * channels + (index % channels)] = sampleAt(
          data,
          at + 1,
          index,
          depth,
        );
      }
    }
  }
  const [[palette] = [], [alpha] = []] = [parts['PLTE'], parts['tRNS']];
  return {
    width,
    height,
    channels,
    depth,
    samples,
    ...(colours === 3 && palette ? { palette } : {}),
    ...(colours === 3 && alpha ? { alpha } : {}),
  };
}

function chunks(bytes: Uint8Array, view: DataView): Record<string, Uint8Array[]> {
  const found: Record<string, Uint8Array[]> = {};
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    (found[name] ??= []).push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return found;
}

function sampleAt(data: Uint8Array, start: number, index: number, depth: number): number {
  if (depth === 8) return data[start + index]!;
  if (depth === 16) return data[start + index * 2]!;
  const bit = index * depth;
  return (data[start + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

/** In place. The row's first byte names the filter; `step` is the distance to the pixel before. */
function unfilter(data: Uint8Array, start: number, length: number, step: number, hasAbove: boolean): void {
  const filter = data[start]!;
  if (filter === 0) return;
  if (filter > 4) throw new Error('A row has an unknown filter.');
  for (let index = 0; index < length; index++) {
    const at = start + 1 + index;
    const left = index >= step ? data[at - step]! : 0;
    const above = hasAbove ? data[at - length - 1]! : 0;
    const corner = hasAbove && index >= step ? data[at - length - 1 - step]! : 0;
    data[at] =
      data[at]! +
      (filter === 1 ? left : filter === 2 ? above : filter === 3 ? (left + above) >> 1 : nearest(left, above, corner));
  }
}

/** The one of the three that lies nearest to left + above - corner. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
