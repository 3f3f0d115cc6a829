// The cells of one notebook that wait for review, apart from any editor: kept while it is closed, and on disk over a reload.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';
import { type Path } from '../../core/ports/path';
import { openJsonFolder } from './json-folder';
import { fromStored, toStored } from './stored-file';
import { type StoredCellData, type StoredNotebook } from './stored-shapes';
import { changedLines, type TrackedFile } from './tracked-file';

export interface WaitingCell {
  id: string | undefined;
  index: number;
  file: TrackedFile;
  /** What was in its place: undoing restores it whole. */
  replaced?: vscode.NotebookCellData | undefined;
}

export interface WaitingRemoval {
  index: number;
  data: vscode.NotebookCellData;
  /** The session that removed it; undefined where that was not stored. */
  session?: string | undefined;
}

export interface WaitingCells {
  cells: WaitingCell[];
  /** In their order in the notebook. */
  removed: WaitingRemoval[];
}

/** Of one notebook, in lines. */
interface WaitingSummary {
  added: number;
  removed: number;
  /** Those whose changes they are. */
  sessions: string[];
}

export function summaryOf(waiting: {
  cells: readonly Pick<WaitingCell, 'file'>[];
  removed: readonly WaitingRemoval[];
}): WaitingSummary {
  const { cells, removed } = waiting;
  const counts = cells.map(({ file }) => changedLines(file));
  const gone = removed.reduce((total, { data }) => total + data.value.split('\n').length, 0);
  return {
    added: counts.reduce((total, count) => total + count.added, 0),
    removed: counts.reduce((total, count) => total + count.removed, gone),
    sessions: [...cells.flatMap(({ file }) => file.sessions), ...removed.flatMap(({ session }) => session ?? [])],
  };
}

export interface WaitingStore {
  load(): Promise<[Path, WaitingCells][]>;
  /** Undefined forgets the notebook. */
  save(path: Path, waiting: WaitingCells | undefined): void;
  /** Resolves when all is on disk. */
  settled(): Promise<void>;
}

export function openWaitingStore(folder: string, log: Log): WaitingStore {
  const stored = openJsonFolder<StoredNotebook>(folder, async (value) =>
    (await import('./stored-shapes')).parseStoredNotebook(value),
  );
  return {
    load: async () =>
      (await stored.load()).map((notebook): [Path, WaitingCells] => [notebook.path, fromStoredNotebook(notebook)]),
    save(path, waiting) {
      const done = waiting === undefined ? stored.remove(path) : stored.put(path, toStoredNotebook(path, waiting));
      done.catch((error: unknown) => log.warn(`The review state of ${path} could not be stored`, messageOf(error)));
    },
    settled: () => stored.settled(),
  };
}

function toStoredNotebook(path: Path, { cells, removed }: WaitingCells): StoredNotebook {
  return {
    path,
    cells: cells.map(({ id, index, file, replaced }) => ({
      ...defined({ id }),
      index,
      file: toStored(path, file),
      ...(replaced && { replaced: toStoredData(replaced) }),
    })),
    removed: removed.map(({ index, data, session }) => ({ index, data: toStoredData(data), ...defined({ session }) })),
  };
}

function fromStoredNotebook({ cells, removed }: StoredNotebook): WaitingCells {
  return {
    cells: cells.map(({ id, index, file, replaced }) => ({
      id,
      index,
      file: fromStored(file),
      ...(replaced && { replaced: fromStoredData(replaced) }),
    })),
    removed: removed.map(({ index, data, session }) => ({ index, data: fromStoredData(data), session })),
  };
}

function toStoredData({
  kind,
  value,
  languageId,
  metadata,
  outputs = [],
  executionSummary,
}: vscode.NotebookCellData): StoredCellData {
  return {
    kind,
    value,
    languageId,
    ...(metadata && { metadata }),
    outputs: outputs.map(({ items, metadata: own }) => ({
      items: items.map(({ mime, data }) => ({ mime, base64: Buffer.from(data).toString('base64') })),
      ...(own && { metadata: own }),
    })),
    ...(executionSummary && { executionSummary }),
  };
}

function fromStoredData({
  kind,
  value,
  languageId,
  metadata,
  outputs,
  executionSummary,
}: StoredCellData): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(kind, value, languageId);
  if (metadata !== undefined) data.metadata = metadata;
  data.outputs = outputs.map(
    ({ items, metadata: own }) =>
      new vscode.NotebookCellOutput(
        items.map(({ mime, base64 }) => new vscode.NotebookCellOutputItem(Buffer.from(base64, 'base64'), mime)),
        own,
      ),
  );
  if (executionSummary !== undefined) data.executionSummary = executionSummary as vscode.NotebookCellExecutionSummary;
  return data;
}
