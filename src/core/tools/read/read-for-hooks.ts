// What a Read found as hooks see it: text without line numbers, images and PDF files as base64, notebooks as cells.
import { basename } from 'pathe';
import { z } from 'zod/v3';
import { numberLines } from '../../edits/number-lines';
import { splitLines } from '../../edits/text-lines';
import { type HookedResult, hookOutput, textForHooks, withName } from '../../tool/hook-output';
import { isSameJson } from '../../text/same-json';
import { type DocumentBlock } from '../../wire/wire';
import { type NotebookPart } from './notebook-outputs';
import { cellText } from './read-notebook';
import { fromBase64, shownImage } from './read-image';
import { type ReadOutput } from './read-output';
import { looksLikePdf } from './read-pdf';
import { DATA_REMINDER } from '../../sessions/read-state';
import { nothingLeftWarning } from './read-text';

const textFile = z.object({
  filePath: z.string(),
  content: z.string(),
  startLine: z.number().int().positive().nullish(),
  totalLines: z.number().int().nonnegative().nullish(),
});
const imageFile = z.object({ base64: z.string() });
const pdfFile = z.object({ filePath: z.string(), base64: z.string() });
const cell = z.object({
  cellType: z.string().nullish(),
  source: z.string(),
  cell_id: z.string().nullish(),
  execution_count: z.number().nullish(),
  outputs: z
    .array(
      z.object({ text: z.string().nullish(), image: z.object({ image_data: z.string() }).nullish() }).passthrough(),
    )
    .nullish(),
});
export type PublicCell = z.infer<typeof cell>;
const notebookFile = z.object({ filePath: z.string(), cells: z.array(cell) });
const unchangedFile = z.object({ filePath: z.string() });

const shape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), file: textFile }),
  z.object({ type: z.literal('image'), file: imageFile }),
  z.object({ type: z.literal('notebook'), file: notebookFile }),
  z.object({ type: z.literal('pdf'), file: pdfFile }),
  z.object({ type: z.literal('file_unchanged'), file: unchangedFile }),
]);
type Given = z.infer<typeof shape>;
type Result = HookedResult<ReadOutput>;
type Read = Result | string;

export const readForHooks = hookOutput<unknown, ReadOutput, Given>({
  shape,
  show: shownRead,
  read(given, result, shown) {
    switch (given.type) {
      case 'text':
        return textGiven(given.file, result, shown);
      case 'image':
        return imageGiven(given.file, result, shown);
      case 'notebook':
        return notebookGiven(given.file, result, shown);
      case 'pdf':
        return pdfGiven(given.file, result, shown);
      case 'file_unchanged':
        return result.data.type === 'file_unchanged'
          ? { data: { ...result.data, file: { ...result.data.file, filePath: given.file.filePath } } }
          : '`type` can be "file_unchanged" only where the tool found that.';
    }
  },
});

function shownRead(result: Result): unknown {
  const { data } = result;
  const { filePath } = data.file;
  switch (data.type) {
    case 'text': {
      const { numLines, startLine, totalLines } = data.file;
      const content = textForHooks(result, 'content') ?? '';
      return { type: 'text', file: { filePath, content, numLines, startLine, totalLines } };
    }
    case 'image': {
      const { base64, type, originalSize, dimensions, shown } = data.file;
      const { width, height } = dimensions ?? {};
      const size = { originalWidth: width, originalHeight: height };
      const display = { displayWidth: shown?.width ?? width, displayHeight: shown?.height ?? height };
      return {
        type: 'image',
        file: { base64, type, originalSize, ...(dimensions ? { dimensions: { ...size, ...display } } : {}) },
      };
    }
    case 'notebook':
      return { type: 'notebook', file: { filePath, cells: result.forHooks?.()['cells'] ?? [] } };
    case 'pdf':
      return {
        type: 'pdf',
        file: { filePath, base64: pdfOf(result)?.data ?? '', originalSize: data.file.originalSize },
      };
    case 'file_unchanged':
      return { type: 'file_unchanged', file: { filePath } };
  }
}

type TextOutput = Extract<ReadOutput, { type: 'text' }>;

function textGiven(given: z.infer<typeof textFile>, { data }: Result, shown: Given): Read {
  const { filePath, content, startLine } = given;
  const own = data.type === 'text' ? data : undefined;
  const reminders = (own?.reminders ?? [DATA_REMINDER]).map((one) => withName(one, data.file.filePath, filePath));
  if (own !== undefined && shown.type === 'text' && content === shown.file.content)
    return { data: { ...own, file: { ...own.file, filePath }, reminders } };
  const lines = splitLines(content);
  const start = startLine ?? own?.file.startLine ?? 1;
  return {
    data: {
      type: 'text',
      file: {
        ...own?.file,
        filePath,
        content: numbered(lines, start, own),
        numLines: lines.length,
        startLine: start,
        totalLines: given.totalLines ?? own?.file.totalLines ?? lines.length,
      },
      reminders: lines.length === 0 ? [nothingLeftWarning, ...reminders] : reminders,
    },
  };
}

/** One line that was asked for alone is shown whole. */
function numbered(lines: readonly string[], start: number, own: TextOutput | undefined): string {
  if (lines.length === 0) return '';
  const isAlone = lines.length === 1 && own?.file.numLines === 1 && own.file.cut?.includes(start) !== true;
  return isAlone ? `${start}\t${lines.join('')}` : numberLines(lines, start);
}

function imageGiven({ base64 }: z.infer<typeof imageFile>, { data }: Result, shown: Given): Read {
  if (data.type === 'image' && shown.type === 'image' && base64 === shown.file.base64) return { data };
  const image = shownImage(base64);
  if (image === undefined)
    return '`file.base64` is not a whole PNG, JPEG, GIF or WebP image of a size that can be sent.';
  const { filePath } = data.file;
  const originalSize = 'originalSize' in data.file ? data.file.originalSize : image.bytes;
  const { mediaType, dimensions } = image;
  return { data: { type: 'image', file: { filePath, base64: image.data, type: mediaType, originalSize, dimensions } } };
}

function pdfGiven({ filePath, base64 }: z.infer<typeof pdfFile>, result: Result, shown: Given): Read {
  const { data, newMessages = [] } = result;
  const own = pdfOf(result);
  if (data.type !== 'pdf' || own === undefined) return '`type` can be "pdf" only where the tool read a PDF.';
  const output: ReadOutput = { ...data, file: { ...data.file, filePath } };
  const same = shown.type === 'pdf' && base64 === shown.file.base64;
  const bytes = same ? undefined : fromBase64(base64);
  if (!same && (bytes === undefined || !looksLikePdf(bytes))) return '`file.base64` is not a PDF.';
  const title = (text: string): string => withName(text, basename(data.file.filePath), basename(filePath));
  return {
    data: output,
    newMessages: newMessages.map((block) =>
      block.type === 'document' && block.source === own
        ? {
            ...block,
            source: same ? own : { ...own, data: base64 },
            ...(block.title === undefined ? {} : { title: title(block.title) }),
          }
        : block,
    ),
  };
}

type Base64Source = Extract<DocumentBlock['source'], { type: 'base64' }>;

function pdfOf({ newMessages = [] }: Result): Base64Source | undefined {
  return newMessages.flatMap((block) =>
    block.type === 'document' && block.source.type === 'base64' ? [block.source] : [],
  )[0];
}

function notebookGiven({ filePath, cells }: z.infer<typeof notebookFile>, { data }: Result, shown: Given): Read {
  if (data.type !== 'notebook') return '`type` can be "notebook" only where the tool read a notebook.';
  const reminders = data.reminders.map((sentence) => withName(sentence, data.file.filePath, filePath));
  const file = { ...data.file, filePath };
  if (shown.type === 'notebook' && isSameJson(cells, shown.file.cells)) return { data: { ...data, file, reminders } };
  const parts: NotebookPart[] = data.file.parts.slice(0, 1);
  for (const [index, one] of cells.entries()) {
    const { cell_id, cellType, source, execution_count, outputs } = one;
    const id = cell_id ?? `cell-${index}`;
    parts.push({ type: 'text', text: cellText(id, cellType ?? 'code', source, execution_count) });
    if (outputs != null && outputs.length > 0) parts.push({ type: 'text', text: `Output of ${id}:` });
    for (const [at, { text, image }] of (outputs ?? []).entries()) {
      if (typeof text === 'string') parts.push({ type: 'text', text });
      if (image == null) continue;
      const usable = shownImage(image.image_data);
      if (usable === undefined)
        return `\`file.cells[${index}].outputs[${at}].image.image_data\` is not a usable image.`;
      parts.push({ type: 'image', mediaType: usable.mediaType, base64: usable.data });
    }
  }
  const kept = cells.map(({ cell_id, cellType }, index) => ({
    id: cell_id ?? `cell-${index}`,
    type: cellType ?? 'code',
  }));
  return { data: { ...data, file: { ...file, parts, cells: kept }, reminders } };
}
