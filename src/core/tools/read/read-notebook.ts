// What the model reads of a notebook: cells with their ids, types and sources, and what they put out.
import { headOf } from '../../../shared/cut-text';
import { defined } from '../../../shared/defined';
import { type TextFile } from '../../ports/files';
import { type Notebook, type NotebookCell } from './notebook';
import { type NotebookPart, outputParts } from './notebook-outputs';
import { fail } from '../../tool/file-failure';
import { inlineReminder } from '../../text/system-reminder';
import { type HookedResult } from '../../tool/hook-output';
import { type ReadOutput } from './read-output';
import { MAX_BYTES, MAX_TOKENS, type ReadRange } from './read-page';
import { DATA_REMINDER, rememberRead, takeDataReminder } from '../../sessions/read-state';
import { type ToolContext, type ToolFailure } from '../../tool/tool';

/** Images of one Read. */
const MAX_IMAGES = 20;

type NotebookOutput = Extract<ReadOutput, { type: 'notebook' }>;

/** `range` counts cells, from 1. */
export async function readNotebook(
  file: TextFile,
  notebook: Notebook,
  range: ReadRange,
  context: ToolContext,
): Promise<HookedResult<NotebookOutput | Extract<ReadOutput, { type: 'file_unchanged' }>> | ToolFailure> {
  const { path } = file;
  const total = notebook.cells.length;
  const start = Math.max(1, range.offset ?? 1);
  if (start > Math.max(1, total)) {
    return fail(
      'past-end',
      `${path} has ${cellsText(total)}, so there is no cell at offset ${start}. Read it with an offset from 1 to ${Math.max(1, total)}.`,
    );
  }
  const wanted = Math.min(range.limit ?? total, total - start + 1);
  const { own, shown } = await takeCells(notebook.cells.slice(start - 1, start - 1 + wanted), context);
  if (range.limit !== undefined && shown.length < wanted) {
    return fail(
      'too-long',
      `These ${wanted} cells of ${path} exceed the ${MAX_TOKENS} tokens that one call may return. Ask for ${cellsText(shown.length)} or fewer.`,
    );
  }
  const end = start + shown.length - 1;
  const cut = shown.flatMap(({ source }, index) => (source.length > MAX_BYTES ? [start + index] : []));
  const { isNew } = rememberRead(context.session.readState, path, {
    hash: file.hash,
    range: { start, end },
    total,
    cut,
  });
  if (!isNew)
    return {
      data: {
        type: 'file_unchanged',
        file: { filePath: path, startLine: start, numLines: shown.length, parts: 'cells' },
      },
    };
  const data: NotebookOutput = {
    type: 'notebook',
    file: {
      filePath: path,
      parts: [{ type: 'text', text: heading(notebook, start, end) }, ...own.flatMap(cellParts)],
      cells: shown.map(({ id, type }) => ({ id, type })),
      startCell: start,
      numCells: shown.length,
      totalCells: total,
      hash: file.hash,
      ...(cut.length > 0 ? { cut } : {}),
    },
    reminders: [
      ...reminders(file, start, end, total, range.limit),
      ...(takeDataReminder(context.session.readState, file.path) ? [DATA_REMINDER] : []),
    ],
  };
  const { language } = notebook;
  return { data, forHooks: () => ({ cells: own.map((one) => publicCell(one, language)) }) };
}

interface ShownCell {
  cell: NotebookCell;
  outputs: NotebookPart[];
}

/** As hooks see it. */
function publicCell({ cell, outputs }: ShownCell, language: string | undefined): Record<string, unknown> {
  return {
    cell_id: cell.id,
    cellType: cell.type,
    source: cell.source,
    ...(cell.type === 'code' ? defined({ execution_count: countOf(cell), language }) : {}),
    ...(outputs.length === 0
      ? {}
      : {
          outputs: outputs.map((part) =>
            part.type === 'text'
              ? { output_type: 'stream', text: part.text }
              : { output_type: 'display_data', image: { image_data: part.base64, media_type: part.mediaType } },
          ),
        }),
  };
}

/** At least one cell, then as many as fit. */
async function takeCells(
  cells: readonly NotebookCell[],
  context: ToolContext,
): Promise<{ own: ShownCell[]; shown: NotebookCell[] }> {
  const shown: ShownCell[] = [];
  let bytes = 0;
  let images = 0;
  for (const cell of cells) {
    context.signal.throwIfAborted();
    const outputs = limitImages(await outputParts(cell, MAX_IMAGES - images, context), MAX_IMAGES - images);
    const size = cellParts({ cell, outputs }).reduce(
      (sum, part) => sum + (part.type === 'text' ? new TextEncoder().encode(part.text).length : 0),
      0,
    );
    if (shown.length > 0 && bytes + size > MAX_BYTES) break;
    bytes += size;
    images += outputs.filter(({ type }) => type === 'image').length;
    shown.push({ cell, outputs });
  }
  return { own: shown, shown: shown.map(({ cell }) => cell) };
}

function cellParts({ cell, outputs }: ShownCell): NotebookPart[] {
  const over = cell.source.length - MAX_BYTES;
  const source = over > 0 ? `${headOf(cell.source, MAX_BYTES)}\n[cell cut: ${over} more characters]` : cell.source;
  const own: NotebookPart = { type: 'text', text: cellText(cell.id, cell.type, source, countOf(cell)) };
  return outputs.length === 0 ? [own] : [own, { type: 'text', text: `Output of ${cell.id}:` }, ...outputs];
}

function countOf({ json }: NotebookCell): number | undefined {
  const count = json['execution_count'] ?? json['prompt_number'];
  return typeof count === 'number' ? count : undefined;
}

export function cellText(id: string, type: string, source: string, count: number | null | undefined): string {
  const run = typeof count === 'number' ? ` execution_count="${count}"` : '';
  return `<cell id="${attribute(id)}" type="${attribute(type)}"${run}>\n${source}\n</cell>`;
}

function limitImages(parts: NotebookPart[], room: number): NotebookPart[] {
  let left = room;
  return parts.map((part) =>
    part.type === 'text' || left-- > 0
      ? part
      : { type: 'text', text: `[image omitted: one call shows at most ${MAX_IMAGES}]` },
  );
}

function attribute(text: string): string {
  return text.replace(/[&"<>\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function heading({ cells, language, major, minor }: Notebook, start: number, end: number): string {
  const kind = [...(language === undefined ? [] : [language]), `format ${major}.${minor}`].join(', ');
  const shown = cells.length > 0 && (start > 1 || end < cells.length) ? `, cells ${start}–${end} are shown` : '';
  return `Notebook of ${cellsText(cells.length)} (${kind})${shown}.`;
}

function reminders(
  { path, unsaved }: TextFile,
  start: number,
  end: number,
  total: number,
  limit: number | undefined,
): string[] {
  const partial = `PARTIAL view: cells ${start}–${end} of ${total} of ${path}. Continue with offset ${end + 1}.`;
  return [
    ...(limit === undefined && end < total ? [partial] : []),
    ...(unsaved
      ? [
          'This is the notebook in the editor, which has unsaved changes; the file on disk differs, and commands see the disk.',
        ]
      : []),
  ];
}

export function cellsText(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}

/** Texts that are below each other become one block. */
export function notebookContent({ file, reminders: sentences }: NotebookOutput): NotebookPart[] {
  const all: NotebookPart[] = [
    ...file.parts,
    ...sentences.map((sentence): NotebookPart => ({
      type: 'text',
      text: inlineReminder(sentence),
    })),
  ];
  const blocks: NotebookPart[] = [];
  for (const part of all) {
    const last = blocks.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      blocks[blocks.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` };
    else blocks.push(part);
  }
  return blocks;
}
