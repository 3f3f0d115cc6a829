// PDF pages and smaller images, made by the worker threads that ship.
import assert from 'node:assert/strict';
import { PDFDocument } from '@cantoo/pdf-lib';
import { build, type BuildOptions } from 'esbuild';
import { decode as decodePng, encode as encodePng } from 'fast-png';
import jpeg from 'jpeg-js';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { createNodeDocuments } from '../../../src/node/documents/node-documents';
import { type Documents } from '../../../src/core/ports/documents';
import { documentWorkers } from '../../support/document-workers';
import { pageNumbers, pdfBomb, pdfOf } from '../../support/pdf-files';

const never = new AbortController().signal;

describe('PDF pages', () => {
  let documents: Documents;
  before(async function () {
    this.timeout(60_000);
    documents = createNodeDocuments({ workers: await documentWorkers() });
  });

  it('gives a short file as it is, byte for byte', async () => {
    const bytes = await pdfOf(3);
    const outcome = await documents.readPdf(bytes, { wholeUpTo: 3 }, never);
    assert.deepEqual(outcome, { outcome: 'read', total: 3, data: Buffer.from(bytes).toString('base64') });
  });

  it('only counts the pages of a long one', async () => {
    assert.deepEqual(await documents.readPdf(await pdfOf(4), { wholeUpTo: 3 }, never), {
      outcome: 'read',
      total: 4,
      data: undefined,
    });
  });

  const cuts: [first: number, last: number, expected: number[] | undefined][] = [
    [1, 1, [1]],
    [2, 4, [2, 3, 4]],
    [12, 12, [12]],
    [11, 30, [11, 12]],
    [13, 13, undefined],
  ];
  for (const [first, last, expected] of cuts) {
    it(`cuts out pages ${first} to ${last} of 12`, async () => {
      const outcome = await documents.readPdf(await pdfOf(12), { first, last }, never);
      assert.ok(outcome.outcome === 'read');
      assert.equal(outcome.total, 12);
      assert.deepEqual(outcome.data === undefined ? undefined : await pageNumbers(outcome.data), expected);
    });
  }

  it('takes no other page along, whatever links and remarks lead there', async () => {
    const outcome = await documents.readPdf(await pdfOf(200, { links: true }), { first: 1, last: 1 }, never);
    assert.ok(outcome.outcome === 'read' && outcome.data !== undefined);
    const cut = await PDFDocument.load(Buffer.from(outcome.data, 'base64'));
    const objects = cut.context.enumerateIndirectObjects().map(([, object]) => String(object));
    assert.equal(objects.filter((text) => /\/Type \/Page\b/.test(text)).length, 1);
    assert.ok(
      objects.some((text) => text.includes('/FreeText')),
      'the remark stays',
    );
    assert.ok(!objects.some((text) => text.includes('/Link')));
  });

  it('tells an encrypted file from a broken one', async () => {
    const code = async (bytes: Uint8Array): Promise<string> => {
      const outcome = await documents.readPdf(bytes, { first: 1, last: 1 }, never);
      return outcome.outcome === 'refused' ? outcome.code : 'read';
    };
    assert.equal(await code(await pdfOf(2, { password: 'secret' })), 'encrypted');
    assert.equal(await code(Buffer.from('%PDF-1.7\nnothing else')), 'broken');
    assert.equal(await code((await pdfOf(30)).subarray(0, 900)), 'broken');
  });

  it('unpacks so much and no more', async function () {
    this.timeout(60_000);
    const outcome = await documents.readPdf(await pdfBomb(20), { wholeUpTo: 3 }, never);
    assert.equal(outcome.outcome, 'read');
    const bomb = await pdfBomb(300);
    assert.ok(bomb.length < 2_000_000);
    assert.deepEqual(await documents.readPdf(bomb, { wholeUpTo: 3 }, never), {
      outcome: 'refused',
      code: 'too_large',
      message: 'its compressed parts unpack to more than 256 MB.',
    });
  });

  it('says so where the heap is too small for it', async () => {
    const narrow = createNodeDocuments({ workers: await documentWorkers(), heapMegabytes: 8 });
    const outcome = await narrow.readPdf(await pdfOf(3_000), { wholeUpTo: 3 }, never);
    assert.deepEqual(outcome, {
      outcome: 'refused',
      code: 'too_large',
      message: 'reading it takes more than the 8 MB of memory available for it.',
    });
  });

  it('gives up after its time, and ends at once when aborted', async () => {
    const slow = createNodeDocuments({ workers: await documentWorkers(), timeoutMs: 1 });
    const outcome = await slow.readPdf(await pdfOf(300), { first: 1, last: 1 }, never);
    assert.ok(outcome.outcome === 'refused' && outcome.code === 'too_slow', JSON.stringify(outcome));
    const controller = new AbortController();
    const work = documents.readPdf(await pdfOf(300), { first: 1, last: 1 }, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(work, /enough/);
  });

  it('says so where a worker is missing', async () => {
    const outcome = await createNodeDocuments({ workers: '/nowhere' }).readPdf(
      await pdfOf(1),
      { wholeUpTo: 10 },
      never,
    );
    assert.ok(outcome.outcome === 'refused' && outcome.code === 'broken');
  });
});

/** Half red, half blue; noise keeps it from being small. */
function picture(width: number, height: number, channels: 1 | 3 | 4): Uint8Array {
  const data = new Uint8Array(width * height * channels);
  let seed = 1;
  for (let pixel = 0; pixel < width * height; pixel++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const noise = (seed >> 16) % 32;
    const left = pixel % width < width / 2;
    const colour =
      channels === 1
        ? [left ? 200 : 20]
        : [left ? 220 + noise : noise, noise, left ? noise : 220 + noise, left ? 255 : 0];
    data.set(colour.slice(0, channels), pixel * channels);
  }
  return encodePng({ width, height, data, channels });
}

describe('smaller images', () => {
  let documents: Documents;
  before(async () => {
    documents = createNodeDocuments({ workers: await documentWorkers() });
  });
  const at = (data: string, x: number, y: number): number[] => {
    const { width, data: pixels } = jpeg.decode(Buffer.from(data, 'base64'));
    return [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
  };
  const near = (colour: number[], expected: number[]): void =>
    colour.forEach((value, index) =>
      assert.ok(Math.abs(value - (expected[index] ?? 0)) <= 24, `${colour} is not ${expected}`),
    );

  const rows: [name: string, channels: 1 | 3 | 4, left: number[], right: number[]][] = [
    ['RGB', 3, [235, 16, 16], [16, 16, 235]],
    ['grey', 1, [200, 200, 200], [20, 20, 20]],
    ['transparent', 4, [235, 16, 16], [255, 255, 255]],
  ];
  for (const [name, channels, left, right] of rows) {
    it(`a ${name} PNG keeps its colours and its shape`, async () => {
      const copy = await documents.shrinkImage(picture(1_000, 500, channels), { side: 200, bytes: 500_000 }, never);
      assert.ok(copy);
      assert.deepEqual([copy.width, copy.height, copy.mediaType], [200, 100, 'image/jpeg']);
      assert.equal(Buffer.from(copy.base64, 'base64').length, copy.bytes);
      near(at(copy.base64, 20, 50), left);
      near(at(copy.base64, 180, 50), right);
    });
  }

  it('a PNG that would unpack to far more than its header says is left alone', async () => {
    const chunk = (name: string, data: Buffer): Buffer => {
      const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
      const frame = Buffer.alloc(8);
      frame.writeUInt32BE(data.length, 0);
      frame.writeUInt32BE(crc32(body), 4);
      return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
    };
    const header = Buffer.from([0, 0, 0x10, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    const bomb = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(50_000_000))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    assert.equal(await documents.shrinkImage(bomb, { side: 16, bytes: 500_000 }, never), undefined);
  });

  it('palettes of one, two and four bits too', async () => {
    for (const [depth, bytes] of [
      [1, 0b01010101],
      [2, 0b00010001],
      [4, 0x01],
    ] as const) {
      const copy = await documents.shrinkImage(palettePng(depth, bytes), { side: 16, bytes: 500_000 }, never);
      assert.ok(copy, String(depth));
      assert.deepEqual([copy.width, copy.height], [16, 16]);
      // Red and green by turns: the mean of both where four pixels become one.
      near(at(copy.base64, 8, 8), [128, 128, 0]);
    }
  });

  it('a JPEG keeps what says how the camera was held', async () => {
    const { width, height, data } = decodePng(picture(800, 600, 4));
    const exifBuffer = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0', 'latin1');
    const source = jpeg.encode({ width, height, data: data as Uint8Array, ...{ exifBuffer } }, 100).data;
    const copy = await documents.shrinkImage(source, { side: 400, bytes: 500_000 }, never);
    assert.ok(copy);
    assert.deepEqual([copy.width, copy.height], [400, 300]);
    assert.ok(copy.bytes < source.length);
    assert.ok(Buffer.from(copy.base64, 'base64').includes(exifBuffer));
  });

  it('keeps the size in pixels where only the bytes are too many', async () => {
    const source = picture(900, 900, 3);
    const copy = await documents.shrinkImage(source, { side: 2_000, bytes: 200_000 }, never);
    assert.ok(copy);
    assert.deepEqual([copy.width, copy.height], [900, 900]);
    assert.ok(copy.bytes < 200_000 && source.length > 500_000, `${source.length} became ${copy.bytes}`);
  });

  it('gives nothing for what cannot be unpacked', async () => {
    assert.equal(
      await documents.shrinkImage(Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]), { side: 100, bytes: 100 }, never),
      undefined,
    );
  });
});

/** 32 × 32 pixels of the first two colours, red and green. */
function palettePng(depth: 1 | 2 | 4, pattern: number): Uint8Array {
  const data = new Uint8Array(32 * 4 * depth).fill(pattern);
  return encodePng({
    width: 32,
    height: 32,
    data,
    channels: 1,
    depth,
    palette: [
      [255, 0, 0],
      [0, 255, 0],
    ],
  });
}

describe('the libraries for documents', () => {
  it('are in the workers and in no other bundle', async function () {
    this.timeout(60_000);
    const { bundles } = (await import(pathToFileURL(path.resolve('esbuild.mjs')).href)) as {
      bundles: Record<'extension' | 'workers', BuildOptions>;
    };
    const inputs = async (name: keyof typeof bundles): Promise<string> =>
      Object.keys((await build({ ...bundles[name], write: false, metafile: true })).metafile.inputs).join('\n');
    const libraries = /node_modules\/(@cantoo\/pdf-lib|jpeg-js)\//;
    assert.match(await inputs('workers'), libraries);
    assert.doesNotMatch(await inputs('extension'), libraries);
  });
});
