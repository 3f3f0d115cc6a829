// Finds the cell that a NotebookEdit means, in the notebook as the model knows it.
import { type CellChange } from '../../ports/notebooks';
import { type Path } from '../../ports/path';
import { type TextFile } from '../../ports/files';
import { directoryFailure, fail, notAFileFailure, readFailure } from '../../tool/file-failure';
import { missingFile } from '../files/file-missing';
import { type Notebook, type NotebookCell } from '../read/notebook';
import { parseNotebookInSlices } from '../read/notebook-slices';
import { hasIds } from './notebook-change';
import { openNotebookText } from '../read/file-open';
import { MAX_BYTES } from '../read/read-page';
import { withTagsOf } from '../../text/system-reminder';
import { type LineRange, type ReadState } from '../../sessions/read-state';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { words } from '../../text/words';

export interface CellRequest {
  path: Path;
  mode: 'replace' | 'insert' | 'delete';
  /** Undefined to insert at the top. */
  id: string | undefined;
  source: string;
  type: 'code' | 'markdown' | undefined;
}

export interface LocatedCell {
  file: TextFile;
  notebook: Notebook;
  mode: CellRequest['mode'];
  change: CellChange;
  /** The notebook has changed since the model read it; only this cell is as it was. */
  stale: boolean;
  /** The id of the cell that is there afterwards, or was. */
  cellId: string;
  cellType: string;
  /** Its source before and after. */
  before: string;
  after: string;
}

const MAX_NAMED = 30;

export async function locateCell(request: CellRequest, context: ToolContext): Promise<LocatedCell | ToolFailure> {
  const { path, mode, id } = request;
  const file = await openNotebook(path, context);
  if ('failure' in file) return file;
  const notebook = await parseNotebookInSlices(file.text, context);
  if (notebook === undefined)
    return fail(
      'not-a-notebook',
      words`${path} is not a readable notebook. Look at its JSON{{Read:  with Read}}{{Edit: ; Edit can repair it}}.`,
    );
  const seen = context.session.readState.get(path);
  if (seen === undefined) return fail('not-read', `${path} has not been read yet. Read it first, then edit its cells.`);
  const index = notebook.cells.findIndex((cell) => cell.id === id);
  const cell = notebook.cells[index];
  const stale = seen.hash !== file.hash;
  if (stale && !isAsApproved(cell, request, context))
    return fail(
      'changed',
      `${path} has changed since you read it (running its cells counts too); nothing was changed. Read it again and redo the change.`,
    );
  if (cell === undefined && (id !== undefined || mode !== 'insert'))
    return fail('no-such-cell', `${path} has no cell "${id ?? ''}". ${cellNames(notebook)}`);
  // After a cell without an id of its own, nobody knows which one was meant once others came or went.
  const mustBeSeen = cell !== undefined && (mode !== 'insert' || !cell.named);
  if (mustBeSeen && (seen.unseen ?? []).some(({ start, end }) => start <= index + 1 && index + 1 <= end))
    return notSeen(path, cell, index + 1);
  if (mode === 'insert')
    return located(request, file, notebook, stale, newCell(request, notebook, index + 1, context.toolUseId));
  if (cell === undefined) return fail('no-such-cell', `${path} has no such cell.`);
  const place = mode === 'delete' ? deletedCell(cell, index) : replacedCell(request, cell, index);
  return 'failure' in place ? place : located(request, file, notebook, stale, place);
}

/** Notes what the model knows afterwards: the cell that it wrote, and the others as before. */
export function rememberCell(state: ReadState, located: LocatedCell, hash: string): void {
  const { path } = located.file;
  const number = located.change.index + 1;
  const left = unseenAfter(state.get(path)?.unseen ?? [], located).filter(({ start, end }) => start <= end);
  state.set(path, { hash, range: { start: number, end: number }, ...(left.length === 0 ? {} : { unseen: left }) });
}

function unseenAfter(
  before: readonly LineRange[],
  { change: { kind, index }, notebook: { cells }, stale }: LocatedCell,
): LineRange[] {
  const number = index + 1;
  const total = cells.length + (kind === 'insert' ? 1 : kind === 'delete' ? -1 : 0);
  const behind = { start: kind === 'delete' ? number : number + 1, end: total };
  if (stale) return [{ start: 1, end: index }, behind];
  const moved = before.flatMap(({ start, end }): LineRange[] => {
    if (kind === 'replace') return [{ start, end }];
    if (kind === 'delete') return [{ start: start > number ? start - 1 : start, end: end >= number ? end - 1 : end }];
    return [
      { start, end: Math.min(end, index) },
      { start: Math.max(start, number) + 1, end: end + 1 },
    ];
  });
  // A cell without an id of its own is called by its place, which has changed now.
  const renamed = kind !== 'replace' && cells.slice(kind === 'delete' ? index + 1 : index).some(({ named }) => !named);
  return renamed ? [...moved, behind] : moved;
}

function notSeen(path: Path, cell: NotebookCell, number: number): ToolFailure {
  if (cell.source.length > MAX_BYTES)
    return fail(
      'too-long',
      `Cell ${cell.id} of ${path} is too long to be shown whole, so it cannot be edited; nothing was changed. Ask the user.`,
    );
  return fail(
    'partly-read',
    `You have not seen the current version of cell ${cell.id} of ${path}; nothing was changed. Read it first (offset ${number}).`,
  );
}

async function openNotebook(path: Path, context: ToolContext): Promise<TextFile | ToolFailure> {
  const { files } = context.ports;
  const stat = await files.stat(path);
  if (stat?.type === 'directory') return directoryFailure(path, 'edited');
  if (stat?.type === 'other') return notAFileFailure(path, 'edited');
  const read = await openNotebookText(path, context);
  if (read.outcome === 'read') return read.file;
  return read.code === 'not_found' ? missingFile(path, files, context.session) : readFailure(read);
}

/** What a user saw and accepted still fits where this cell is as it was, whatever else in the notebook was run. */
function isAsApproved(cell: NotebookCell | undefined, { mode, id }: CellRequest, { proposal }: ToolContext): boolean {
  if (proposal?.approved !== true) return false;
  if (mode === 'insert') return id === undefined || cell?.named === true;
  return cell?.named === true && cell.source === proposal.base?.text;
}

type Place = Pick<LocatedCell, 'change' | 'cellId' | 'cellType' | 'before' | 'after'>;

function located({ mode }: CellRequest, file: TextFile, notebook: Notebook, stale: boolean, place: Place): LocatedCell {
  return { file, notebook, mode, stale, ...place };
}

function newCell({ source, type = 'code' }: CellRequest, notebook: Notebook, index: number, seed: string): Place {
  const id = freeId(notebook, seed);
  const cellId = hasIds(notebook.major, notebook.minor) ? id : `cell-${index}`;
  return {
    change: { kind: 'insert', index, source, cellType: type, id },
    cellId,
    cellType: type,
    before: '',
    after: source,
  };
}

function deletedCell({ id, type, source }: NotebookCell, index: number): Place {
  return { change: { kind: 'delete', index }, cellId: id, cellType: type, before: source, after: '' };
}

function replacedCell(
  { path, source: given, type: wanted }: CellRequest,
  cell: NotebookCell,
  index: number,
): Place | ToolFailure {
  const source = withTagsOf(cell.source, given);
  const type = wanted ?? cell.type;
  if (source === cell.source && type === cell.type)
    return fail('same-text', `Cell ${cell.id} of ${path} already has exactly this source; nothing was changed.`);
  return {
    change: {
      kind: 'replace',
      index,
      source,
      ...(wanted === undefined || wanted === cell.type ? {} : { cellType: wanted }),
    },
    cellId: cell.id,
    cellType: type,
    before: cell.source,
    after: source,
  };
}

/** The same for the same call, so that what is written is what was previewed. */
function freeId({ cells }: Notebook, seed: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) value = Math.imul(value ^ seed.charCodeAt(index), 0x01000193);
  for (;;) {
    const id = (value >>> 0).toString(16).padStart(8, '0');
    if (!cells.some(({ json }) => json['id'] === id)) return id;
    value++;
  }
}

function cellNames({ cells }: Notebook): string {
  if (cells.length === 0) return 'It has no cells yet.';
  const named = cells
    .slice(0, MAX_NAMED)
    .map(({ id }) => id)
    .join(', ');
  return `Its cells are ${named}${cells.length > MAX_NAMED ? ', …' : ''}.`;
}
