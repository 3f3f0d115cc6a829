// PDF files: whole where they are short, else the pages that were asked for, as a document after the results.
import { basename } from 'pathe';
import { type DocumentBlock } from '../../wire/wire';
import { type Path } from '../../ports/path';
import { type PageRange } from '../../ports/documents';
import { fail } from '../../tool/file-failure';
import { type ReadOutput } from './read-output';
import { formatSize } from '../../text/size-text';
import { type ToolContext, type ToolFailure, type ValidationResult } from '../../tool/tool';
import { words } from '../../text/words';

/** Pages that a Read without `pages` shows, and those that it shows at most with them. */
const MAX_WHOLE_PAGES = 10;
const MAX_PAGES = 20;
/** Bytes that are opened at all. */
export const MAX_PDF_BYTES = 100 * 1024 * 1024;
/** Base64 characters: a request of 32 MB has to hold the rest of the conversation too. */
const MAX_DATA = 24 * 1024 * 1024;

export interface OpenedPdf {
  kind: 'pdf';
  output: Extract<ReadOutput, { type: 'pdf' }>;
  document: DocumentBlock;
}

/** "3", "1-5". Undefined if there is none; what cannot be read is refused with an example. */
export function parsePages(
  pages: string | undefined,
): { range: PageRange | undefined } | Extract<ValidationResult, { ok: false }> {
  if (pages === undefined || pages.trim() === '') return { range: undefined };
  const [, from, to] = /^\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s*$/.exec(pages) ?? [];
  const first = Number(from);
  const last = Number(to ?? from);
  if (from === undefined || first < 1 || last < first) {
    return invalid(
      `pages is "${pages}", which is not a page range: give one page ("3") or a range ("1-5"), counted from 1.`,
    );
  }
  if (last - first >= MAX_PAGES) {
    return invalid(
      `pages "${pages}" are ${last - first + 1} pages; one call returns at most ${MAX_PAGES}. Ask for "${first}-${first + MAX_PAGES - 1}" first.`,
    );
  }
  return { range: { first, last } };
}

/** Undefined where it may be opened. */
export function pdfTooLarge(path: Path, size: number): ToolFailure | undefined {
  if (size <= MAX_PDF_BYTES) return undefined;
  return fail(
    'pdf-too-large',
    words`${path} is a PDF of ${formatSize(size)}; at most ${formatSize(MAX_PDF_BYTES)} can be opened.${asText}`,
  );
}

export async function openPdf(
  path: Path,
  bytes: Uint8Array,
  range: PageRange | undefined,
  { ports, signal }: ToolContext,
): Promise<OpenedPdf | ToolFailure> {
  const { documents } = ports;
  if (documents === undefined) return fail('pdf', words`${path} is a PDF, which cannot be shown here.${asText}`);
  const pdf = await documents.readPdf(bytes, range ?? { wholeUpTo: MAX_WHOLE_PAGES }, signal);
  if (pdf.outcome === 'refused')
    return fail(
      `pdf-${pdf.code.replace('_', '-')}`,
      words`${path} cannot be shown: ${pdf.message}${afterRefusal[pdf.code]}`,
    );
  const { total, data } = pdf;
  if (data === undefined) return range === undefined ? tooManyPages(path, total) : noSuchPage(path, range, total);
  const shown = range === undefined ? undefined : { first: range.first, last: Math.min(range.last, total) };
  if (data.length > MAX_DATA) return tooMuchData(path, data.length, shown);
  return {
    kind: 'pdf',
    output: {
      type: 'pdf',
      file: { filePath: path, originalSize: bytes.length, totalPages: total, ...(shown ? { pages: shown } : {}) },
    },
    document: {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data },
      title: `${basename(path)}${shown === undefined ? '' : ` (${pagesText(shown)} of ${total})`}`,
    },
  };
}

/** The text line of the result; the document follows all results. */
export function pdfText({ filePath, originalSize, pages, totalPages }: OpenedPdf['output']['file']): string {
  const read = `PDF file read: ${filePath} (${formatSize(originalSize)})`;
  return pages === undefined ? read : `${read}, ${pagesText(pages)} of ${totalPages}`;
}

export function pdfDetail({ pages, totalPages }: OpenedPdf['output']['file']): string {
  if (pages !== undefined) return `${pagesText(pages)} of ${totalPages}`;
  return totalPages === 1 ? '1 page' : `${totalPages} pages`;
}

/** Some writers put something in front of the header. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1_024)).includes('%PDF-');
}

const asText = words`{{Bash:  Convert it to text with Bash (for example pdftotext) and read that.}}`;

const afterRefusal = {
  encrypted: ' Tell the user, who may have a copy without a password.',
  broken: ' Tell the user, or get the file again.',
  too_slow: asText,
  too_large: asText,
};

function tooManyPages(path: Path, total: number): ToolFailure {
  const example = `pages "1-${Math.min(total, MAX_PAGES)}"`;
  return fail(
    'pdf-pages',
    `${path} has ${total} pages, more than the ${MAX_WHOLE_PAGES} that are shown at once. Give pages, at most ${MAX_PAGES} at a time: ${example}.`,
  );
}

function noSuchPage(path: Path, { first }: PageRange, total: number): ToolFailure {
  return fail(
    'pdf-no-such-page',
    `${path} has ${total === 1 ? '1 page' : `${total} pages`}, so there is no page ${first}.`,
  );
}

function tooMuchData(path: Path, size: number, shown: PageRange | undefined): ToolFailure {
  const what = shown === undefined || shown.first === shown.last ? path : `${path}, ${pagesText(shown)}`;
  const next = shown !== undefined && shown.first === shown.last ? asText : ' Ask for fewer pages with `pages`.';
  return fail(
    'pdf-too-large',
    words`${what} would take ${formatSize(size)} of a request, which is limited to 32MB in total.${next}`,
  );
}

function pagesText({ first, last }: PageRange): string {
  return first === last ? `page ${first}` : `pages ${first}-${last}`;
}

function invalid(message: string): Extract<ValidationResult, { ok: false }> {
  return { ok: false, code: 'invalid-pages', message };
}
