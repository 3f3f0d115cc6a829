// A worker of its own: counts the pages of a PDF and cuts some of them out, so that no file can hold up the host.
import { parentPort, workerData } from 'node:worker_threads';
import {
  decodePDFRawStream,
  EncryptedPDFError,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib';
import { type PageRange, type PdfOutcome } from '../../core/ports/documents';
import { type PdfJob } from './jobs';

/** Of all streams together: what they unpack to lies outside of the heap, whose limit does not count it. */
const maxUnpackedMegabytes = 256;

const broken: PdfOutcome = { outcome: 'refused', code: 'broken', message: 'the PDF is damaged or its end is missing.' };

const tooLarge = {
  outcome: 'refused',
  code: 'too_large',
  message: `its compressed parts unpack to more than ${maxUnpackedMegabytes} MB.`,
} as const satisfies PdfOutcome;

/** The part of the library's unpacking that all its kinds share: asked for room before anything is unpacked. */
interface Unpacking {
  buffer: Uint8Array;
  ensureBuffer(size: number): Uint8Array;
}

function countUnpacked(): { tooMuch: boolean } {
  const state = { tooMuch: false };
  let left = maxUnpackedMegabytes * 1024 * 1024;
  const context = PDFContext.create();
  const stream = decodePDFRawStream(
    PDFRawStream.of(context.obj({ Filter: 'FlateDecode' }), new Uint8Array([0x78, 0x9c, 3, 0, 0, 0, 0, 1])),
  );
  const shared = Object.getPrototypeOf(Object.getPrototypeOf(stream)) as Unpacking;
  const { ensureBuffer } = shared;
  shared.ensureBuffer = function (this: Unpacking, size: number) {
    const before = this.buffer.byteLength;
    if (size > before) {
      // At least twice the room is made.
      left -= Math.max(size - before, before);
      if (left < 0) {
        state.tooMuch = true;
        throw new Error(tooLarge.message);
      }
    }
    return ensureBuffer.call(this, size);
  };
  return state;
}

async function work({ bytes, pages }: PdfJob): Promise<PdfOutcome> {
  // What is left of it may still show pages, but not those that were meant.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('%%EOF')) return broken;
  const unpacked = countUnpacked();
  let total: number;
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Infinity });
    total = document.getPageCount();
  } catch (error) {
    if (unpacked.tooMuch) return tooLarge;
    if (!(error instanceof EncryptedPDFError)) return broken;
    return { outcome: 'refused', code: 'encrypted', message: 'the PDF is encrypted.' };
  }
  // What could not be unpacked is left out of the file as it was read.
  if (unpacked.tooMuch) return tooLarge;
  if (total === 0) return broken;
  if ('wholeUpTo' in pages) {
    return { outcome: 'read', total, data: total <= pages.wholeUpTo ? base64(bytes) : undefined };
  }
  if (pages.first > total) return { outcome: 'read', total, data: undefined };
  try {
    return {
      outcome: 'read',
      total,
      data: base64(await cut(document, { first: pages.first, last: Math.min(pages.last, total) })),
    };
  } catch {
    return broken;
  }
}

async function cut(source: PDFDocument, { first, last }: PageRange): Promise<Uint8Array> {
  const result = await PDFDocument.create({ updateMetadata: false });
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index);
  for (const number of numbers) withoutWaysOut(source.getPage(number), source.context);
  for (const page of await result.copyPages(source, numbers)) result.addPage(page);
  return result.save();
}

/** A link to another page would include that page, with all that it shows. */
const waysOut = ['P', 'Parent', 'A', 'AA', 'Dest', 'Popup', 'IRT', 'StructParent'];

function withoutWaysOut(page: PDFPage, context: PDFContext): void {
  for (const entry of ['AA', 'B', 'StructParents', 'PieceInfo', 'Thumb']) page.node.delete(PDFName.of(entry));
  const annotations = page.node.lookup(PDFName.of('Annots'));
  if (!(annotations instanceof PDFArray)) return void page.node.delete(PDFName.of('Annots'));
  const kept = context.obj([]);
  for (const item of annotations.asArray()) {
    const annotation = context.lookup(item);
    if (!(annotation instanceof PDFDict) || annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Link')) continue;
    for (const entry of waysOut) annotation.delete(PDFName.of(entry));
    kept.push(item);
  }
  page.node.set(PDFName.of('Annots'), kept);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

void work(workerData as PdfJob).then((outcome) => parentPort?.postMessage(outcome));
