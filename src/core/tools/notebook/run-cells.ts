// RunCells: runs cells of a notebook through the kernel that the editor has for it, after the user has seen their code.
import { isAbsolute, relative } from 'pathe';
import { z } from 'zod/v3';
import { cutMiddle } from '../../../shared/cut-text';
import { type ToolView } from '../../../shared/tool-view';
import { type CellEnd } from '../../ports/notebooks';
import { fenced } from '../../../shared/plain-markdown';
import { words } from '../../text/words';
import { buildTool, promptOf } from '../../tool/build-tool';
import { fail, readFailure } from '../../tool/file-failure';
import { oncePerCall } from '../../tool/once-per-call';
import { isFailure, type ToolContext, type ToolFailure, type ToolResult } from '../../tool/tool';
import { checkFilePath, filePath } from '../files/file-path';
import { missingFile } from '../files/file-missing';
import { openNotebookText } from '../read/file-open';
import { hasNotebookExtension, type Notebook, type NotebookCell } from '../read/notebook';
import { type NotebookPart, outputParts } from '../read/notebook-outputs';
import { parseNotebookInSlices } from '../read/notebook-slices';
import { cellsText } from '../read/read-notebook';
import { reportView } from '../../tool/report-view';
import prompt from './run-cells.md';

const inputSchema = z.strictObject({
  notebook_path: z.string().describe('The absolute path of the .ipynb file'),
  cell_ids: z.array(z.string()).max(200).optional().describe('The cells to run (default: all code cells)'),
  timeout: z.number().positive().max(3_600).optional().describe('Seconds until they are interrupted (default 300)'),
});
export type RunCellsInput = z.infer<typeof inputSchema>;

const ranSchema = z.object({
  id: z.string(),
  end: z.enum(['succeeded', 'failed', 'stopped', 'changed', 'no-kernel', 'not-run']),
  parts: z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({
        type: z.literal('image'),
        mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
        base64: z.string(),
      }),
    ]),
  ),
});
const outputSchema = z.object({
  filePath: z.string(),
  cells: z.array(ranSchema),
  timedOut: z.boolean(),
  saved: z.boolean(),
});
type RanCell = z.infer<typeof ranSchema>;
export type RunCellsOutput = z.infer<typeof outputSchema>;

const defaultSeconds = 300;
/** A kernel may have to be chosen, and started. */
const kernelMs = 60_000;
const maxImages = 8;
/** Of one output: a traceback says at its ends where it came from and what it is. */
const maxPart = 2_500;
const maxAll = 16_000;

export const runCellsTool = buildTool<RunCellsInput, RunCellsOutput>({
  name: 'RunCells',
  seldom: 'runs cells of Jupyter notebooks through their kernel',
  bulky: true,
  searchText: 'run execute notebook cell jupyter kernel ipynb output',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'DangerFullAccess',
  isEnabled: (availability) => availability.has('notebooks'),
  runs: ({ notebook_path }, cwd) => {
    const path = filePath(notebook_path, cwd);
    const inside = relative(cwd, path);
    return [{ name: inside.startsWith('..') || isAbsolute(inside) ? path : inside }];
  },
  describe: ({ notebook_path, cell_ids }) => {
    const what = cell_ids === undefined ? 'the cells' : cellsText(cell_ids.length);
    return { now: `Running ${what} of ${notebook_path}`, past: `Ran ${what} of ${notebook_path}` };
  },
  validateInput: async ({ notebook_path }, { session }) => {
    const path = checkFilePath(notebook_path, session, 'notebook_path');
    if (!path.ok || hasNotebookExtension(notebook_path)) return path;
    return { ok: false, code: 'invalid-input', message: words`${notebook_path} is not an .ipynb file.` };
  },
  preview: async (input, context) => {
    const chosen = await shownCells(input, context);
    if (isFailure(chosen)) return chosen;
    const language = chosen.language ?? '';
    const text = chosen.cells.map(({ id, source }) => `${id}:\n\n${fenced(source, language)}`).join('\n\n');
    return {
      title: `Run ${cellsText(chosen.cells.length)} of ${input.notebook_path}`,
      view: { kind: 'markdown', text },
    };
  },
  call,
  content: (output) => blocksOf(output),
  view,
  detail: ({ cells }) => {
    const failed = cells.find(({ end }) => end !== 'succeeded');
    return failed === undefined ? cellsText(cells.length) : `${failed.id}: ${endWords[failed.end]}`;
  },
});

interface ChosenCells {
  path: string;
  language: string | undefined;
  cells: { id: string; index: number; source: string }[];
}

const shownCells = oncePerCall(choose);

async function openCells(path: string, context: ToolContext): Promise<Notebook | ToolFailure> {
  const { files } = context.ports;
  const read = await openNotebookText(path, context);
  if (read.outcome !== 'read')
    return read.code === 'not_found' ? missingFile(path, files, context.session) : readFailure(read);
  const notebook = await parseNotebookInSlices(read.file.text, context);
  return notebook ?? fail('not-a-notebook', `${path} is not a readable notebook.`);
}

async function choose(
  { notebook_path, cell_ids }: RunCellsInput,
  context: ToolContext,
): Promise<ChosenCells | ToolFailure> {
  const path = filePath(notebook_path, context.session.cwd);
  if (context.session.isHidden(path)) return fail('hidden', `Permission rules hide ${path}.`);
  const notebook = await openCells(path, context);
  if (isFailure(notebook)) return notebook;
  const all = notebook.cells.map((cell, index) => ({ cell, index }));
  const unknown = cell_ids?.find((id) => !all.some(({ cell }) => cell.id === id));
  if (unknown !== undefined)
    return fail('no-such-cell', `${path} has no cell "${unknown}". ${namesOf(notebook.cells)}`);
  const noCode = all.find(({ cell }) => cell_ids?.includes(cell.id) === true && cell.type !== 'code');
  if (noCode !== undefined)
    return fail('no-code', `Cell ${noCode.cell.id} of ${path} is ${noCode.cell.type}, not code.`);
  const cells = all
    .filter(({ cell }) => cell.type === 'code' && (cell_ids === undefined || cell_ids.includes(cell.id)))
    .filter(({ cell }) => cell.source.trim() !== '')
    .map(({ cell, index }) => ({ id: cell.id, index, source: cell.source }));
  if (cells.length === 0) return fail('no-code', `${path} has no code to run there.`);
  return { path, language: notebook.language, cells };
}

const maxNamed = 30;

function namesOf(cells: readonly NotebookCell[]): string {
  const named = cells.slice(0, maxNamed).map(({ id }) => id);
  return `Its cells are ${named.join(', ')}${cells.length > maxNamed ? ', …' : ''}.`;
}

async function call(input: RunCellsInput, context: ToolContext): Promise<ToolResult<RunCellsOutput> | ToolFailure> {
  const { ports, session, signal } = context;
  if (ports.notebooks?.run === undefined)
    return fail('no-editor', 'This needs the editor with a kernel, and this host has none.');
  const chosen = await shownCells(input, context);
  if (isFailure(chosen)) return chosen;
  const { path, cells } = chosen;
  const seen = session.readState.get(path);
  const before = seen === undefined ? undefined : await hashOf(path, context);
  const over = new AbortController();
  const ended = new AbortController();
  const limit = ports.clock
    .sleep((input.timeout ?? defaultSeconds) * 1_000, AbortSignal.any([ended.signal, signal]))
    .then(() => over.abort())
    .catch(() => undefined);
  const outcome = await ports.notebooks.run({ path, cells, kernelMs }, AbortSignal.any([over.signal, signal]));
  ended.abort();
  await limit;
  signal.throwIfAborted();
  if ('problem' in outcome) return fail('refused', outcome.problem);
  if (outcome.ends[0] === 'no-kernel')
    return fail(
      'no-kernel',
      `No kernel ran a cell of ${path}: the notebook has none, or none started in ${kernelMs / 1_000} seconds. Ask the user to select a kernel in the notebook that is shown now.`,
    );
  const after = await openCells(path, context);
  if (isFailure(after)) return after;
  await knownAgain(path, seen?.hash === before, context);
  const ran: RanCell[] = [];
  let images = maxImages;
  for (const [at, { id, index }] of cells.entries()) {
    const end = outcome.ends[at] ?? 'not-run';
    const cell = end === 'not-run' || end === 'changed' ? undefined : after.cells[index];
    const parts = cell === undefined ? [] : await outputParts(cell, images, context);
    images -= parts.filter(({ type }) => type === 'image').length;
    ran.push({ id, end, parts: parts.map(shortPart) });
  }
  return { data: { filePath: path, cells: ran, timedOut: over.signal.aborted, saved: outcome.saved } };
}

async function hashOf(path: string, context: ToolContext): Promise<string | undefined> {
  const read = await openNotebookText(path, context);
  return read.outcome === 'read' ? read.file.hash : undefined;
}

/** Only the outputs are others, and the model reads them here: its cells can be edited without reading it again. */
async function knownAgain(path: string, wasKnown: boolean, context: ToolContext): Promise<void> {
  const { readState } = context.session;
  const seen = readState.get(path);
  const hash = wasKnown && seen !== undefined ? await hashOf(path, context) : undefined;
  if (seen !== undefined && hash !== undefined) readState.set(path, { ...seen, hash });
}

function shortPart(part: NotebookPart): NotebookPart {
  return part.type === 'text' ? { type: 'text', text: cutMiddle(part.text, maxPart) } : part;
}

const endWords: Readonly<Record<CellEnd, string>> = {
  succeeded: 'ran',
  failed: 'failed',
  stopped: 'was interrupted',
  changed: 'was changed by somebody meanwhile, and did not run',
  'no-kernel': 'did not run: the kernel is gone',
  'not-run': 'did not run',
};

function blocksOf(output: RunCellsOutput): (
  | { type: 'text'; text: string }
  | {
      type: 'image';
      source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string };
    }
)[] {
  return partsOf(output).map((part) => {
    if (part.type === 'text') return part;
    return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.base64 } };
  });
}

/** Texts below each other are one; what is too much in all is counted. */
function partsOf({ cells, timedOut, saved, filePath: path }: RunCellsOutput): NotebookPart[] {
  const notRun = cells.filter(({ end }) => end === 'not-run').map(({ id }) => id);
  const notes = [
    timedOut ? 'The time was over.' : '',
    notRun.length === 0 ? '' : `Not run: ${notRun.join(', ')}.`,
    saved ? '' : `${path} has unsaved changes in the editor, with these outputs: the file on disk does not have them.`,
  ].filter((note) => note !== '');
  const all: NotebookPart[] = cells
    .filter(({ end }) => end !== 'not-run')
    .flatMap(({ id, end, parts }): NotebookPart[] => [
      {
        type: 'text',
        text: `${id} ${endWords[end]}${parts.length === 0 ? (end === 'succeeded' ? ', with no output.' : '.') : ':'}`,
      },
      ...parts.map((part): NotebookPart =>
        part.type === 'image' && part.base64 === '' ? { type: 'text', text: '[an image, left out]' } : part,
      ),
    ]);
  const joined: NotebookPart[] = [];
  let room = maxAll;
  let left = 0;
  for (const part of [...all, ...(notes.length === 0 ? [] : [{ type: 'text' as const, text: notes.join('\n') }])]) {
    const last = joined.at(-1);
    if (part.type === 'text' && room <= 0) left += part.text.length;
    else if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${part.text}` };
    else joined.push(part);
    if (part.type === 'text') room -= part.text.length;
  }
  return left === 0 ? joined : [...joined, { type: 'text', text: `[${left} more characters of output]` }];
}

function view(output: RunCellsOutput): ToolView {
  const parts = partsOf(output).map((part) => (part.type === 'text' ? part.text : '[an image]'));
  return reportView('notebook', parts.join('\n'));
}
