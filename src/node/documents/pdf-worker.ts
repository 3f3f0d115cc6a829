// A worker of its own: counts the pages of a PDF and cuts some of them out, so that no file can hold up the host.
import { parentPort, workerData } from 'node:worker_threads';
import { EncryptedPDFError, type PDFContext, PDFArray, PDFDict, PDFDocument, PDFName, type PDFPage } from '@cantoo/pdf-lib';
import { type PageRange, type PdfOutcome } from '../../core/ports/documents';
import { type PdfJob } from './jobs';

const broken: PdfOutcome = { outcome: 'refused', code: 'broken', message: 'the PDF is damaged or its end is missing.' };

async function work({ bytes, pages }: PdfJob): Promise<PdfOutcome> {
  // What is left of it may still show pages, but not those that were meant.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('%%EOF')) return broken;
  let total: number;
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Infinity });
    total = document.getPageCount();
  } catch (error) {
    if (!(error instanceof EncryptedPDFError)) return broken;
    return { outcome: 'refused', code: 'encrypted', message: 'the PDF is encrypted.' };
  }
  if (total === 0) return broken;
  if ('wholeUpTo' in pages) {
    return { outcome: 'read', total, data: total <= pages.wholeUpTo ? base64(bytes) : undefined };
  }
  if (pages.first > total) return { outcome: 'read', total, data: undefined };
  try {
    return { outcome: 'read', total, data: base64(await cut(document, { first: pages.first, last: Math.min(pages.last, total) })) };
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

/** A link to another page would bring that page along, with all that it shows. */
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
