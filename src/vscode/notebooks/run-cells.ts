// Runs cells of a notebook through its kernel, one after the other, without taking the focus.
import * as vscode from 'vscode';
import { type CellEnd, type CellRun, type CellRunOutcome } from '../../core/ports/notebooks';
import { uriOf } from '../host/uri-path';
import { type WriteSettingsOf } from '../files/write-text';
import { lines } from './cell-edits';

export async function runCells(
  { path, cells, kernelMs }: CellRun,
  settings: WriteSettingsOf,
  signal: AbortSignal,
): Promise<CellRunOutcome | { problem: string }> {
  if (!vscode.workspace.isTrusted) return { problem: `This workspace is not trusted, so no cell of ${path} was run.` };
  const notebook = await vscode.workspace.openNotebookDocument(uriOf(path));
  const wasDirty = notebook.isDirty;
  await showNotebook(notebook);
  const ends: CellEnd[] = [];
  for (const { index, source } of cells) {
    const isOver = signal.aborted || ends.some((end) => end !== 'succeeded');
    ends.push(isOver ? 'not-run' : await runCell(notebook, index, source, { kernelMs, signal }));
  }
  // As after an edit: what was saved before is saved again, so that closing it asks nothing.
  const saves = notebook.isDirty && (!wasDirty || settings(notebook.uri).autosave);
  const saved = saves ? await notebook.save() : !notebook.isDirty;
  return { ends, saved: saved && !notebook.isDirty };
}

/** Kernels only run what an editor shows. A chat in the editor area stays in front. */
async function showNotebook(notebook: vscode.NotebookDocument): Promise<void> {
  if (vscode.window.visibleNotebookEditors.some((editor) => editor.notebook === notebook)) return;
  const isChat = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  await vscode.window.showNotebookDocument(notebook, {
    preserveFocus: true,
    preview: false,
    viewColumn: isChat ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
  });
}

interface Limits {
  kernelMs: number;
  signal: AbortSignal;
}

async function runCell(
  notebook: vscode.NotebookDocument,
  index: number,
  source: string,
  { kernelMs, signal }: Limits,
): Promise<CellEnd> {
  const cell = index < notebook.cellCount ? notebook.cellAt(index) : undefined;
  if (cell === undefined || lines(cell.document.getText()) !== lines(source)) return 'changed';
  const watch = watchCell(notebook, cell);
  const run = { ranges: [{ start: index, end: index + 1 }], document: notebook.uri };
  const cancelExecution = (): void =>
    void vscode.commands.executeCommand('notebook.cell.cancelExecution', run).then(undefined, () => undefined);
  const cancel = (): void => {
    watch.end('stopped');
    cancelExecution();
  };
  signal.addEventListener('abort', cancel);
  const late = setTimeout(() => {
    if (watch.isBegun()) return;
    cancelExecution();
    void vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    watch.end('no-kernel');
  }, kernelMs);
  try {
    const command = Promise.resolve(vscode.commands.executeCommand('notebook.cell.execute', run)).then(() =>
      watch.ended(),
    );
    // VS Code asks for a kernel where it knows none, for as long as the user lets it.
    return await Promise.race([command, watch.over]);
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
    watch.dispose();
  }
}

/** Milliseconds in which the end of a cell is heard of after the command. */
const lateMs = 1_000;

function watchCell(notebook: vscode.NotebookDocument, cell: vscode.NotebookCell) {
  let begun = false;
  let end: CellEnd | undefined;
  let tellEnd: (end: CellEnd) => void = () => undefined;
  const over = new Promise<CellEnd>((resolve) => {
    tellEnd = (one) => {
      end ??= one;
      resolve(end);
    };
  });
  let heard: () => void = () => undefined;
  const subscription = vscode.workspace.onDidChangeNotebookDocument(({ notebook: changed, cellChanges }) => {
    if (changed !== notebook) return;
    for (const { cell: one, executionSummary, outputs } of cellChanges) {
      if (one !== cell) continue;
      // One that only waits for a kernel has a summary, too: an empty one.
      begun ||= outputs !== undefined || Object.values(executionSummary ?? {}).some((fact) => fact !== undefined);
      if (executionSummary?.success !== undefined) heard();
    }
  });
  return {
    over,
    isBegun: () => begun,
    end: (one: CellEnd) => tellEnd(one),
    /** The command is back; its last event may come a little later. */
    async ended(): Promise<CellEnd> {
      const isKnown = (): boolean => begun && cell.executionSummary?.success !== undefined;
      if (!isKnown()) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          heard = resolve;
          timer = setTimeout(resolve, lateMs);
        });
        clearTimeout(timer);
      }
      if (!begun) return 'no-kernel';
      return cell.executionSummary?.success === true ? 'succeeded' : 'failed';
    },
    dispose: () => subscription.dispose(),
  };
}
