// The cells that Deft removed and that wait for review: each stays with its place while other cells of its notebook come and go.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { pathOf } from '../host/uri-path';
import { cellAt, openNotebook } from '../notebooks/cell-places';
import { editNotebook, isCell } from './put-back-cells';
import { markOf, placeAfter, type RemovedMark } from './removed-cells';
import { type WaitingRemoval } from './waiting-cells';

/** A removed cell: the same object as long as its notebook is open. */
export interface Removal extends WaitingRemoval {
  readonly path: Path;
}

/** As a cell is to show it. */
export type MarkedRemoval = Pick<RemovedMark, 'side' | 'far'> & { removal: Removal };

export class RemovedCells {
  /** Those of one notebook in their order there. */
  #all: Removal[] = [];
  /** Cells come back from the last to the first: that moves none of the others. */
  #restoring: Path | undefined;

  get count(): number {
    return this.#all.length;
  }

  paths(): Path[] {
    return this.#all.map(({ path }) => path);
  }

  of(path: Path): Removal[] {
    return this.#all.filter((one) => one.path === path);
  }

  /** Those that this cell is to show. */
  shownAt(uri: vscode.Uri): MarkedRemoval[] {
    const cell = this.count === 0 ? undefined : cellAt(uri);
    if (cell === undefined) return [];
    const isCode = cell.notebook.getCells().map(({ kind }) => kind === vscode.NotebookCellKind.Code);
    return this.of(pathOf(cell.notebook.uri)).flatMap((removal) => {
      const mark = markOf(removal.index, isCode);
      return mark?.cell === cell.index ? [{ side: mark.side, far: mark.far, removal }] : [];
    });
  }

  has(removal: Removal): boolean {
    return this.#all.includes(removal);
  }

  /** Their places now: what is removed later is compared with these. */
  places(): ReadonlyMap<Removal, number> {
    return new Map(this.#all.map((one) => [one, one.index]));
  }

  /** Ahead of those of its notebook that stood behind it, by the places that were taken before. */
  insert(removal: Removal, places: ReadonlyMap<Removal, number>): void {
    const next = this.#all.findIndex(
      (one) => one.path === removal.path && (places.get(one) ?? one.index) > removal.index,
    );
    this.#all = this.#all.toSpliced(next < 0 ? this.#all.length : next, 0, removal);
  }

  append(removals: readonly Removal[]): void {
    this.#all.push(...removals);
  }

  forget(removal: Removal): void {
    this.#all = this.#all.filter((one) => one !== removal);
  }

  forgetAll(path: Path): void {
    this.#all = this.#all.filter((one) => one.path !== path);
  }

  /** Puts the cell back into its open notebook; false where that failed. */
  async restore(removal: Removal): Promise<boolean> {
    const { path, data } = removal;
    const notebook = openNotebook(path);
    if (notebook === undefined) return false;
    this.#restoring = path;
    const inserted = vscode.NotebookEdit.insertCells(Math.min(removal.index, notebook.cellCount), [data]);
    if (!(await editNotebook(notebook, inserted).finally(() => (this.#restoring = undefined)))) return false;
    // Those behind it move on.
    const order = this.#all.indexOf(removal);
    this.#all.forEach((one, at) => {
      if (one.path === path && at > order) one.index++;
    });
    this.forget(removal);
    return true;
  }

  /**
   * What the user, or VS Code's own undo, does to cells moves the places of removed ones, or restores them. `moved`: documents
   * of cells that only change their place. `byDeft`: Deft itself writes, and restores none.
   */
  follow(
    path: Path,
    { range, addedCells, removedCells }: vscode.NotebookDocumentContentChange,
    moved: ReadonlySet<vscode.TextDocument>,
    byDeft: boolean,
  ): void {
    if (this.#restoring === path) return;
    const { start } = range;
    const back = new Set<Removal>();
    for (const [offset, cell] of byDeft ? [] : addedCells.entries()) {
      const same = this.#all.find(
        (one) =>
          one.path === path && !back.has(one) && Math.abs(one.index - start - offset) <= 1 && isCell(cell, one.data),
      );
      if (same !== undefined && !moved.has(cell.document)) back.add(same);
    }
    const firstBack = this.#all.findIndex((one) => back.has(one));
    this.#all.forEach((one, order) => {
      // Ahead of what came back into the same gap.
      if (one.path !== path || (one.index === start && order < firstBack)) return;
      one.index = placeAfter(one.index, { start, removed: removedCells.length, added: addedCells.length });
    });
    this.#all = this.#all.filter((one) => !back.has(one));
  }
}
