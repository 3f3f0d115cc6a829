// Read: shows the model a text file, an image, a notebook or a PDF, and remembers what it has seen.
import { z } from 'zod/v3';
import { type ToolResultBlock, type ToolResultContent } from '../../wire/wire';
import { type Path } from '../../ports/path';
import { type TextFile } from '../../ports/files';
import { type ToolView } from '../../../shared/tool-view';
import { buildTool, promptOf } from '../../tool/build-tool';
import { terminalText } from '../../../shared/terminal-text';
import { fail } from '../../tool/file-failure';
import { checkFilePath, filePath } from '../files/file-path';
import { openForReading } from './read-file';
import { readOutputSchema, type ReadOutput } from './read-output';
import { cellsText, notebookContent, readNotebook } from './read-notebook';
import { readForHooks } from './read-for-hooks';
import { readPage, type ShownPage } from './read-page';
import { parsePages, pdfDetail, pdfText } from './read-pdf';
import { copyNote } from './read-picture';
import {
  emptyWarning,
  pageContent,
  pageReminders,
  pastEndWarning,
  tooLongMessage,
  unchangedText,
  withReminders,
} from './read-text';
import { rememberRead, takeDataReminder } from '../../sessions/read-state';
import prompt from './read.md';
import { isFailure, type ToolContext, type ToolFailure, type ToolResult, type ToolSession } from '../../tool/tool';
import { said } from '../../text/words';

const inputSchema = z.strictObject({
  file_path: z.string().describe('The absolute path of the file to read'),
  offset: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('The first line (of a notebook: cell) to show, counted from 1'),
  limit: z.number().int().positive().optional().describe('How many lines (cells) to show'),
  pages: z.string().optional().describe('Pages of a PDF: "3", "1-5"; at most 20. Required if it has more than 10'),
});
export type ReadInput = z.infer<typeof inputSchema>;

export const readTool = buildTool<ReadInput, ReadOutput>({
  name: 'Read',
  aliases: ['read_file', 'FileReadTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: readOutputSchema,
  strict: true,
  hookOutput: readForHooks,
  access: 'ReadOnly',
  // Read keeps its own limit, in tokens: its text is never moved to a file that would have to be read again.
  maxResultSizeChars: 200_000,
  isReadOnly: () => true,
  isConcurrencySafe: true,
  targets: (input, cwd) => [{ kind: 'file', access: 'read', path: filePath(input.file_path, cwd) }],
  describe: ({ file_path }) => ({ now: `Reading ${file_path}`, past: `Read ${file_path}` }),
  validateInput: async ({ file_path, pages }, { session }) => {
    const parsed = parsePages(pages);
    return 'ok' in parsed ? parsed : checkFilePath(file_path, session);
  },
  call: async (input, context) => {
    const path = filePath(input.file_path, context.session.cwd);
    const pages = parsePages(input.pages);
    const opened = await openForReading(path, 'range' in pages ? pages.range : undefined, context);
    if (isFailure(opened)) return opened;
    if (opened.kind === 'image') return { data: opened.output };
    if (opened.kind === 'notebook') {
      return readNotebook(opened.file, opened.notebook, input, context);
    }
    if (opened.kind === 'pdf') return { data: opened.output, newMessages: [opened.document] };
    context.session.readState.keep(opened.file);
    return readLines(withoutEscapes(opened.file, path, context), { ...input, file_path: path }, context);
  },
  content: resultContent,
  view: readView,
  detail: readDetail,
});

function readLines(file: TextFile, input: ReadInput, { session }: ToolContext): ToolResult<ReadOutput> | ToolFailure {
  const path = input.file_path;
  const page = readPage(file.text, input);
  const none = { filePath: path, numLines: 0, startLine: input.offset || 1 };
  switch (page.outcome) {
    case 'empty':
      session.readState.set(path, { hash: file.hash });
      return {
        data: {
          type: 'text',
          file: { ...none, content: '', totalLines: 0, hash: file.hash },
          reminders: [emptyWarning(path)],
        },
      };
    case 'past_end':
      return {
        data: {
          type: 'text',
          file: { ...none, content: '', totalLines: page.total },
          reminders: [pastEndWarning(path, none.startLine, page.total)],
        },
      };
    case 'too_long':
      return fail('too-long', tooLongMessage(path, page));
    case 'page':
      return {
        data: showPage(file, path, page, session),
        forHooks: () => ({ content: plainText(file.text, page) }),
      };
  }
}

/** What a command has printed reads as in its result: as a terminal would show it. */
function withoutEscapes(file: TextFile, path: Path, { ports }: ToolContext): TextFile {
  const isOutput = ports.terminal.outputDirectories?.().some((folder) => path.startsWith(`${folder}/`));
  return isOutput === true ? { ...file, text: terminalText(file.text) } : file;
}

/** The lines as they are, with line feeds; the last one of the file with what ends it. */
function plainText(text: string, { lines, start, total }: ShownPage): string {
  const endsFile = start + lines.length - 1 === total && /[\r\n]$/.test(text);
  return `${lines.join('\n')}${endsFile ? '\n' : ''}`;
}

function showPage(
  file: TextFile,
  path: Path,
  page: ShownPage,
  { readState, offers }: Pick<ToolSession, 'readState' | 'offers'>,
): ReadOutput {
  const { start, total } = page;
  const numLines = page.lines.length;
  const cut = [...new Set([...page.cut, ...(page.alone ? [] : page.odd)])].sort((a, b) => a - b);
  const { isNew } = rememberRead(readState, path, {
    hash: file.hash,
    range: { start, end: start + numLines - 1 },
    total,
    cut,
  });
  if (!isNew) return { type: 'file_unchanged', file: { filePath: path, startLine: start, numLines } };
  return {
    type: 'text',
    file: {
      filePath: path,
      content: pageContent(page),
      numLines,
      startLine: start,
      totalLines: total,
      hash: file.hash,
      ...(cut.length > 0 ? { cut } : {}),
    },
    reminders: pageReminders(path, page, file.unsaved, takeDataReminder(readState, path)).map((reminder) =>
      said(reminder, offers),
    ),
  };
}

function resultContent(output: ReadOutput): ToolResultBlock['content'] {
  switch (output.type) {
    case 'text':
      return withReminders(output.file.content, output.reminders);
    case 'image': {
      const note = copyNote(output.file);
      const image: ToolResultContent = {
        type: 'image',
        source: { type: 'base64', media_type: output.file.type, data: output.file.base64 },
      };
      return note === undefined ? [image] : [image, { type: 'text', text: note }];
    }
    case 'pdf':
      return pdfText(output.file);
    case 'notebook':
      return notebookContent(output).map((part) =>
        part.type === 'text'
          ? part
          : { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.base64 } },
      );
    case 'file_unchanged':
      return unchangedText(output.file.filePath, output.file.parts);
  }
}

function readView(output: ReadOutput): ToolView {
  const { filePath: path } = output.file;
  if (output.type === 'image') {
    const { type, originalSize, dimensions } = output.file;
    return { kind: 'image', path, mediaType: type, bytes: originalSize, ...dimensions };
  }
  if (output.type === 'pdf' || output.type === 'notebook')
    return { kind: 'files', items: [{ path }], total: 1, truncated: false };
  const { startLine, numLines } = output.file;
  const lines = numLines === 0 ? {} : { startLine, endLine: startLine + numLines - 1 };
  return { kind: 'files', items: [{ path, ...lines }], total: 1, truncated: false };
}

function readDetail(output: ReadOutput): string {
  if (output.type === 'image') {
    const { dimensions, originalSize } = output.file;
    return dimensions ? `${dimensions.width} × ${dimensions.height}` : `${Math.ceil(originalSize / 1024)} KB`;
  }
  if (output.type === 'pdf') return pdfDetail(output.file);
  if (output.type === 'notebook') {
    const { startCell, numCells, totalCells } = output.file;
    return numCells === totalCells
      ? cellsText(totalCells)
      : `cells ${startCell}–${startCell + numCells - 1} of ${totalCells}`;
  }
  const { startLine, numLines } = output.file;
  if (output.type === 'file_unchanged') return 'unchanged';
  if (numLines === 0) return output.file.totalLines === 0 ? 'empty' : 'nothing there';
  const range = `${startLine}–${startLine + numLines - 1}`;
  return startLine === 1 && numLines === output.file.totalLines ? range : `${range} of ${output.file.totalLines}`;
}
