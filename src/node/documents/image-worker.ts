// A worker of its own: makes a PNG or JPEG image smaller, as a JPEG, without native code.
import { parentPort, workerData } from 'node:worker_threads';
import jpeg from 'jpeg-js';
import { type ShrunkImage } from '../../core/ports/documents';
import { type ImageJob } from './jobs';
import { pngSamples } from './png-samples';

/** Three bytes a pixel. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
  /** Says how a camera was held. */
  exif?: Uint8Array;
}

const memoryMegabytes = 1_024;
/** Down to where small print can still be read. */
const qualities = [85, 70, 55];

function work({ bytes, limits }: ImageJob): ShrunkImage | undefined {
  const image = scaled(bytes[0] === 0xff ? fromJpeg(bytes) : fromPng(bytes), limits.side);
  for (const quality of qualities) {
    const made = encoded(image, quality);
    if (made.length > limits.bytes && quality !== qualities.at(-1)) continue;
    return {
      base64: made.toString('base64'),
      bytes: made.length,
      mediaType: 'image/jpeg',
      width: image.width,
      height: image.height,
    };
  }
  return undefined;
}

function fromJpeg(bytes: Uint8Array): Pixels {
  const { width, height, data, exifBuffer } = jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    maxMemoryUsageInMB: memoryMegabytes,
  }) as { width: number; height: number; data: Uint8Array; exifBuffer?: Uint8Array };
  return { width, height, data, ...(exifBuffer ? { exif: exifBuffer } : {}) };
}

/** On white where it is transparent. */
function fromPng(bytes: Uint8Array): Pixels {
  const { width, height, channels, depth, samples, palette, alpha } = pngSamples(bytes);
  const target = new Uint8Array(width * height * 3);
  const scale = depth < 8 ? 255 / (2 ** depth - 1) : 1;
  for (let from = 0, to = 0; to < target.length; from += channels) {
    const colour = samples[from]!;
    const opacity =
      palette !== undefined
        ? (alpha?.[colour] ?? 255)
        : channels === 2
          ? samples[from + 1]!
          : channels === 4
            ? samples[from + 3]!
            : 255;
    for (let part = 0; part < 3; part++) {
      const value =
        palette !== undefined
          ? (palette[colour * 3 + part] ?? 0)
          : channels > 2
            ? samples[from + part]!
            : Math.round(colour * scale);
      target[to++] = onWhite(value, opacity);
    }
  }
  return { width, height, data: target };
}

function onWhite(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255);
}

/** Each new pixel is the mean of those that it stands for. */
function scaled(image: Pixels, side: number): Pixels {
  const factor = Math.max(image.width, image.height) / side;
  if (factor <= 1) return image;
  const width = Math.max(1, Math.round(image.width / factor));
  const height = Math.max(1, Math.round(image.height / factor));
  const data = new Uint8Array(width * height * 3);
  for (let row = 0, to = 0; row < height; row++) {
    const [top, bottom] = span(row, image.height / height, image.height);
    for (let column = 0; column < width; column++) {
      const [left, right] = span(column, image.width / width, image.width);
      const sums = [0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let at = (y * image.width + left) * 3, end = (y * image.width + right) * 3; at < end; at += 3) {
          sums[0]! += image.data[at]!;
          sums[1]! += image.data[at + 1]!;
          sums[2]! += image.data[at + 2]!;
        }
      }
      const count = (bottom - top) * (right - left);
      for (const sum of sums) data[to++] = Math.round(sum / count);
    }
  }
  return { ...image, width, height, data };
}

function span(index: number, ratio: number, end: number): [number, number] {
  const start = Math.min(end - 1, Math.floor(index * ratio));
  return [start, Math.max(start + 1, Math.min(end, Math.floor((index + 1) * ratio)))];
}

function encoded({ width, height, data, exif }: Pixels, quality: number): Buffer {
  const rgba = new Uint8Array(width * height * 4);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    rgba[to] = data[from]!;
    rgba[to + 1] = data[from + 1]!;
    rgba[to + 2] = data[from + 2]!;
    rgba[to + 3] = 255;
  }
  return jpeg.encode({ width, height, data: rgba, ...(exif ? { exifBuffer: exif } : {}) }, quality).data;
}

parentPort?.postMessage(work(workerData as ImageJob));
