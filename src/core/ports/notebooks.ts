// Notebooks that are open in an editor, and the change of one cell.
import { type ReadFailure, type TextFile, type WriteOutcome } from './files';
import { type Path } from './path';

/** A change of one cell; `index` counts from 0. */
export type CellChange =
  | { kind: 'replace'; index: number; source: string; cellType?: 'code' | 'markdown' }
  /** In front of the cell that has this index now. `id` is used where the format has ids. */
  | { kind: 'insert'; index: number; source: string; cellType: 'code' | 'markdown'; id: string }
  | { kind: 'delete'; index: number };

export interface NotebookChange {
  path: Path;
  /** Where the path led when the change was allowed. */
  realPath?: Path;
  /** The notebook that the change was computed from. */
  base: TextFile;
  change: CellChange;
  /** A user accepted exactly this change. */
  approved: boolean;
  /** The session that writes. */
  session?: string;
}

/** Cells to run in this order, each only while it has this source; `index` counts from 0. */
export interface CellRun {
  path: Path;
  cells: readonly { index: number; source: string }[];
  /** Milliseconds until a kernel has to have begun with a cell. */
  kernelMs: number;
}

export type CellEnd = 'succeeded' | 'failed' | 'stopped' | 'changed' | 'no-kernel' | 'not-run';

export interface CellRunOutcome {
  /** As the cells of the run; after the first that did not succeed, none is run. */
  ends: CellEnd[];
  /** The outputs are on the disk. */
  saved: boolean;
}

/** Notebooks that are open in an editor: they are changed there, not on the disk under it. */
export interface Notebooks {
  /** The JSON text of an open notebook with unsaved changes, as it would be saved now; undefined where the disk has it all. */
  unsaved(path: Path): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure | undefined>;
  /** With the notebook's own undo; saved where nothing else was unsaved. Undefined where no editor has the notebook open. */
  write(change: NotebookChange): Promise<WriteOutcome | undefined>;
  /** Through the kernel of the notebook, which is shown for it. Where the signal fires, the running cell is interrupted, and the outcome says so. */
  run?(run: CellRun, signal: AbortSignal): Promise<CellRunOutcome | { problem: string }>;
}
