// Opens what a Read names: refuses what is not a readable file, and distinguishes PDF files, images, notebooks and text by their content.
import { type Path } from '../../ports/path';
import { type TextFile } from '../../ports/files';
import { type PageRange } from '../../ports/documents';
import { directoryFailure, fail, notAFileFailure, readFailure } from '../../tool/file-failure';
import { missingFile } from '../files/file-missing';
import { MAX_TEXT_BYTES, openNotebookText } from './file-open';
import { hasNotebookExtension, type Notebook } from './notebook';
import { parseNotebookInSlices } from './notebook-slices';
import { hasImageExtension } from './read-image';
import { looksLikePdf, MAX_PDF_BYTES, openPdf, type OpenedPdf, pdfTooLarge } from './read-pdf';
import { openImage, type OpenedImage } from './read-picture';
import { type ToolContext, type ToolFailure } from '../../tool/tool';

export type Opened =
  { kind: 'text'; file: TextFile } | { kind: 'notebook'; file: TextFile; notebook: Notebook } | OpenedImage | OpenedPdf;

/** Pipes, devices and folders are refused by their stat, unopened. `pages` are those of a PDF. */
export async function openForReading(
  path: Path,
  pages: PageRange | undefined,
  context: ToolContext,
): Promise<Opened | ToolFailure> {
  const { files } = context.ports;
  const stat = await files.stat(path);
  if (stat?.type === 'directory') return directoryFailure(path, 'read');
  if (stat?.type === 'other') return notAFileFailure(path, 'read');
  if (stat !== undefined && hasPdfExtension(path)) {
    const pdf = await openNamedPdf(path, stat.size, pages, context);
    if (pdf !== undefined) return pdf;
  }
  const binary = async (): Promise<Opened | ToolFailure | undefined> => {
    const found = stat && (await openImage(path, stat, context));
    return found !== undefined && 'kind' in found && found.kind === 'pdf-bytes'
      ? openPdf(path, found.bytes, pages, context)
      : found;
  };
  if (hasImageExtension(path)) {
    const image = await binary();
    if (image !== undefined) return image;
  }
  const read = hasNotebookExtension(path)
    ? await openNotebookText(path, context)
    : await files.readText(path, MAX_TEXT_BYTES);
  if (read.outcome === 'read') return openText(path, read.file, pages, context);
  switch (read.code) {
    case 'not_found':
      return missingFile(path, files, context.session);
    case 'directory':
      return directoryFailure(path, 'read');
    case 'not_a_file':
      return notAFileFailure(path, 'read');
    case 'binary':
    case 'encoding':
      return (hasImageExtension(path) ? undefined : await binary()) ?? readFailure(read);
    default:
      return readFailure(read);
  }
}

/** Undefined where only the name is that of a PDF. */
async function openNamedPdf(
  path: Path,
  size: number,
  pages: PageRange | undefined,
  context: ToolContext,
): Promise<Opened | ToolFailure | undefined> {
  const tooLarge = pdfTooLarge(path, size);
  if (tooLarge !== undefined) return tooLarge;
  const read = await context.ports.files.readBytes(path, MAX_PDF_BYTES);
  return read.outcome === 'read' && looksLikePdf(read.bytes) ? openPdf(path, read.bytes, pages, context) : undefined;
}

async function openText(
  path: Path,
  file: TextFile,
  pages: PageRange | undefined,
  context: ToolContext,
): Promise<Opened | ToolFailure> {
  if (pages !== undefined) return fail('no-pages', `${path} is not a PDF, so it has no pages. Use offset and limit.`);
  const notebook = hasNotebookExtension(path) ? await parseNotebookInSlices(file.text, context) : undefined;
  return notebook === undefined ? { kind: 'text', file } : { kind: 'notebook', file, notebook };
}

function hasPdfExtension(path: Path): boolean {
  return /\.pdf$/i.test(path);
}
