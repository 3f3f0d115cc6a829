// NotebookEdit: replaces, inserts or deletes one cell of a notebook that the model has read.
import { basename, dirname, join } from 'pathe';
import { z } from 'zod/v3';
import { diffTexts } from '../../edits/diff-hunks';
import { capHunks, diffView } from '../../edits/diff-view';
import { type Path } from '../../ports/path';
import { type WriteOutcome } from '../../ports/files';
import { buildTool, promptOf } from '../../tool/build-tool';
import {
  changeDetail,
  changesOfUser,
  changeView,
  keepingChanges,
  MAX_PATCH_LINES,
  nothingLeft,
} from '../edit/file-change';
import { notesText, USER_MODIFIED } from '../edit/file-change-text';
import { newDiagnostics } from '../edit/file-diagnostics';
import { changedFailure, fail, writeFailure } from '../../tool/file-failure';
import { checkFilePath, filePath } from '../files/file-path';
import { hasNotebookExtension } from '../read/notebook';
import { changeNotebook } from './notebook-change';
import prompt from './notebook-edit.md';
import { notebookForHooks } from './notebook-for-hooks';
import { notebookEditSchema, type NotebookEditOutput } from './notebook-output';
import { locateCell, type LocatedCell, rememberCell } from './notebook-locate';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { type Words, words } from '../../text/words';

const inputSchema = z.strictObject({
  notebook_path: z.string().describe('The absolute path of the .ipynb file'),
  cell_id: z.string().optional().describe('The cell to replace or delete, or to insert after (default: at the top)'),
  new_source: z.string().optional().describe("The cell's new text; omit it to delete"),
  cell_type: z.enum(['code', 'markdown']).optional().describe('Required for insert; otherwise the cell keeps its type'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('Default: replace'),
});
export type NotebookEditInput = z.infer<typeof inputSchema>;

export const notebookEditTool = buildTool<NotebookEditInput, NotebookEditOutput>({
  name: 'NotebookEdit',
  aliases: ['notebook_edit', 'NotebookEditTool'],
  seldom: 'changes cells of Jupyter notebooks',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: notebookEditSchema,
  hookOutput: notebookForHooks,
  liveInput: { path: 'notebook_path', added: 'new_source' },
  access: 'WorkspaceWrite',
  targets: (input, cwd) => [{ kind: 'file', access: 'write', path: filePath(input.notebook_path, cwd) }],
  describe: ({ notebook_path, edit_mode }) => {
    if (edit_mode === 'insert')
      return { now: `Inserting a cell into ${notebook_path}`, past: `Inserted a cell into ${notebook_path}` };
    if (edit_mode === 'delete')
      return { now: `Deleting a cell of ${notebook_path}`, past: `Deleted a cell of ${notebook_path}` };
    return { now: `Editing ${notebook_path}`, past: `Edited ${notebook_path}` };
  },
  validateInput: async (input, { session }) => {
    const path = checkFilePath(input.notebook_path, session, 'notebook_path');
    const problem = path.ok ? inputProblem(input) : undefined;
    return problem === undefined ? path : { ok: false, code: 'invalid-input', message: problem };
  },
  preview: async (input, context) => {
    const located = await locate(input, context);
    if (isFailure(located)) return located;
    const { file, before, after } = located;
    const view = diffView(file.path, false, diffTexts(before, after));
    // What is deleted cannot be changed first.
    if (located.mode === 'delete') return { view };
    return {
      view,
      proposal: { path: file.path, base: { ...file, text: before }, text: after, shownAs: shownAs(located) },
    };
  },
  call: async (input, context) => {
    const { proposal } = context;
    if (proposal?.userModified && proposal.base?.text === proposal.text) return nothingLeft(proposal);
    const located = await locate(proposal === undefined ? input : { ...input, new_source: proposal.text }, context);
    if (isFailure(located)) return keepingChanges(located, proposal);
    context.signal.throwIfAborted();
    const problems = context.ports.diagnostics.current([located.file.path]);
    const outcome = await write(located, context);
    if (isFailure(outcome)) return keepingChanges(outcome, proposal);
    if (outcome.outcome === 'changed')
      return keepingChanges(changedFailure(located.file.path, located.file, outcome), proposal);
    if (outcome.outcome === 'refused') return keepingChanges(writeFailure(outcome), proposal);
    rememberCell(context.session.readState, located, outcome.file.hash);
    const diff = diffTexts(located.before, located.after);
    const userChanges = proposal?.userModified ? changesOfUser(proposal) : '';
    return {
      data: {
        filePath: located.file.path,
        created: false,
        structuredPatch: capHunks(diff.hunks, MAX_PATCH_LINES).hunks,
        added: diff.added,
        removed: diff.removed,
        userModified: proposal?.userModified ?? false,
        ...(userChanges === '' ? {} : { userChanges }),
        notes: [...renumbered(located), ...outcome.notes],
        newDiagnostics: await newDiagnostics(located.file.path, problems, context),
        hash: outcome.file.hash,
        cellId: located.cellId,
        cellType: located.cellType,
        editMode: located.mode,
      },
      forHooks: () => ({
        new_source: located.after,
        ...(located.mode === 'insert' ? {} : { old_source: located.before }),
        language: located.notebook.language ?? '',
        original_file: located.file.text,
        updated_file: outcome.file.text,
      }),
    };
  },
  content: resultText,
  view: changeView,
  detail: changeDetail,
});

function inputProblem({
  notebook_path,
  cell_id,
  new_source,
  cell_type,
  edit_mode = 'replace',
}: NotebookEditInput): Words | undefined {
  if (!hasNotebookExtension(notebook_path))
    return words`${notebook_path} is not an .ipynb file{{Edit: : change it with Edit}}.`;
  if (edit_mode !== 'insert' && (cell_id === undefined || cell_id === ''))
    return `edit_mode ${edit_mode} needs a cell_id: you see the ids when you read the notebook.`;
  if (edit_mode === 'insert' && cell_type === undefined)
    return 'edit_mode insert needs a cell_type: "code" or "markdown".';
  if (edit_mode !== 'delete' && new_source === undefined)
    return `edit_mode ${edit_mode} needs a new_source; use edit_mode delete to remove the cell.`;
  return undefined;
}

function locate(input: NotebookEditInput, context: ToolContext): Promise<LocatedCell | ToolFailure> {
  const { cell_id, new_source = '', cell_type, edit_mode = 'replace' } = input;
  const path = filePath(input.notebook_path, context.session.cwd);
  return locateCell(
    { path, mode: edit_mode, id: cell_id === '' ? undefined : cell_id, source: new_source, type: cell_type },
    context,
  );
}

/** Through the editor that has the notebook open, else into the file. */
async function write(located: LocatedCell, { ports, proposal }: ToolContext): Promise<WriteOutcome | ToolFailure> {
  const { file, notebook, change } = located;
  const text = changeNotebook(file.text, notebook.major, notebook.minor, change);
  if (text === undefined)
    return fail('no-place', `${file.path} has no list of cells to insert this one into. Tell the user.`);
  const approved = proposal?.approved ?? false;
  const written = await ports.notebooks?.write({ path: file.path, base: file, change, approved });
  return written ?? ports.files.writeText({ path: file.path, base: file, text, approved });
}

/** As a file of its own next to the notebook, in its language. */
function shownAs({ file, cellId, cellType, notebook }: LocatedCell): Path {
  const extension = cellType === 'code' ? notebook.extension : cellType === 'markdown' ? '.md' : '.txt';
  return join(dirname(file.path), `${basename(file.path)} cell ${cellId.replace(/[^\w.-]/g, '_')}${extension}`);
}

function renumbered({ mode, notebook }: LocatedCell): string[] {
  if (mode === 'replace' || notebook.cells.every(({ named }) => named)) return [];
  return [
    'The cells of this notebook have no ids: those after this one are renumbered. Read it again before you name one of them.',
  ];
}

function resultText(output: NotebookEditOutput): string {
  const { cellId, cellType, editMode, filePath: path } = output;
  const done = {
    replace: `Updated ${cellType} cell ${cellId} of ${path}.`,
    insert: `Inserted ${cellType} cell ${cellId} into ${path}.`,
    delete: `Deleted cell ${cellId} of ${path}.`,
  }[editMode];
  return notesText(output, output.userModified ? `${done}\n${USER_MODIFIED}` : done);
}
