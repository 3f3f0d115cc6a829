// NotebookEdit beyond its table: one edit after the other, what the approval shows, open notebooks.
import assert from 'node:assert/strict';
import { type Notebooks, type NotebookChange } from '../../../../../src/core/ports/notebooks';
import { editTool } from '../../../../../src/core/tools/edit/edit';
import { isFailure } from '../../../../../src/core/tool/tool';
import { notebookEditTool } from '../../../../../src/core/tools/notebook/notebook-edit';
import { readTool } from '../../../../../src/core/tools/read/read';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { writeTool } from '../../../../../src/core/tools/edit/write';
import { createWorkspace, run, type Run, toolContext } from '../../../../support/file-tool-runs';
import { codeCell, type Json, markdownCell, notebookText, stream } from '../../../../support/notebooks';

const N = '/w/n.ipynb';
const a = codeCell('a', 'x = 1\ny', [stream('out\n')]);
const b = markdownCell('b', '# B');
const before = notebookText([a, b]);
const old = { nbformat: 4, nbformat_minor: 4 };
const withoutId = ({ id: _id, ...cell }: Json): Json => cell;

describe('NotebookEdit', () => {
  it('one edit after the other, without reading between', async () => {
    const workspace = createWorkspace({ [N]: notebookText([a, b, markdownCell('c', 'C')]) });
    const edit = async (call: Json): Promise<Run> => run(workspace, notebookEditTool, { notebook_path: N, ...call });
    await run(workspace, readTool, { file_path: N, limit: 2 });
    const inserted = await edit({ edit_mode: 'insert', cell_id: 'a', new_source: 'n', cell_type: 'code' });
    const { cellId } = inserted.output as { cellId: string };
    assert.match((await edit({ cell_id: cellId, new_source: 'nn' })).text, /^Updated/);
    assert.match((await edit({ cell_id: 'b', new_source: 'bb' })).text, /^Updated/);
    assert.equal((await edit({ cell_id: 'c', new_source: 'cc' })).failed, 'partly-read');
    assert.match((await edit({ edit_mode: 'delete', cell_id: 'a' })).text, /^Deleted/);
    assert.equal((await edit({ cell_id: 'c', new_source: 'cc' })).failed, 'partly-read');
    assert.match((await edit({ cell_id: 'b', new_source: 'bbb' })).text, /^Updated/);
    assert.equal(
      workspace.files.text(N),
      notebookText([codeCell(cellId, 'nn'), markdownCell('b', 'bbb'), markdownCell('c', 'C')]),
    );
  });

  it('without ids of their own, cells behind a deleted or inserted one have to be read again', async () => {
    const cells = ['c0', 'c1', 'c2', 'c3'].map((source) => withoutId(codeCell(source, source)));
    for (const first of [
      { edit_mode: 'delete', cell_id: 'cell-1' },
      { edit_mode: 'insert', cell_id: 'cell-0', new_source: 'n', cell_type: 'code' },
    ]) {
      const workspace = createWorkspace({ [N]: notebookText(cells, old) });
      const edit = async (call: Json): Promise<Run> => run(workspace, notebookEditTool, { notebook_path: N, ...call });
      await run(workspace, readTool, { file_path: N });
      assert.equal((await edit(first)).failed, undefined);
      const after = workspace.files.text(N);
      assert.equal((await edit({ edit_mode: 'delete', cell_id: 'cell-2' })).failed, 'partly-read');
      assert.equal(
        (await edit({ edit_mode: 'insert', cell_id: 'cell-2', new_source: 'n', cell_type: 'code' })).failed,
        'partly-read',
      );
      assert.equal(workspace.files.text(N), after);
      assert.match((await edit({ cell_id: 'cell-0', new_source: 'changed' })).text, /^Updated/);
    }
  });

  it('what changed in another cell while the user looked has to be read before it is edited', async () => {
    const workspace = createWorkspace({ [N]: before });
    await run(workspace, readTool, { file_path: N });
    const typed = notebookText([a, markdownCell('b', 'typed by the user')]);
    const approved = await run(
      workspace,
      notebookEditTool,
      { notebook_path: N, cell_id: 'a', new_source: 'x = 2' },
      { approved: true },
      () => workspace.files.put(N, typed),
    );
    assert.match(approved.text, /^Updated/);
    assert.equal(
      (await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'old idea' })).failed,
      'partly-read',
    );
    assert.match(workspace.files.text(N) ?? '', /typed by the user/);
  });

  it('a cell that Read could show only in part is not edited', async () => {
    const long = 'x'.repeat(200_000);
    const workspace = createWorkspace({ [N]: notebookText([a, markdownCell('b', long)]) });
    await run(workspace, readTool, { file_path: N, offset: 2 });
    assert.equal(
      (await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'short' })).failed,
      'too-long',
    );
  });

  it('shows the source of the cell, as a file of its language', async () => {
    const preview = async (call: Json) => {
      const workspace = createWorkspace({ [N]: before });
      await run(workspace, readTool, { file_path: N });
      const made = await notebookEditTool.preview?.(
        notebookEditTool.inputSchema.parse({ notebook_path: N, ...call }),
        toolContext(workspace),
      );
      assert.ok(made !== undefined && !isFailure(made));
      return {
        view: made.view,
        part: made.proposal && [
          made.proposal.path,
          made.proposal.shownAs,
          made.proposal.base?.text,
          made.proposal.text,
        ],
      };
    };
    assert.deepEqual((await preview({ cell_id: 'a', new_source: 'z' })).part, [
      N,
      '/w/n.ipynb cell a.py',
      'x = 1\ny',
      'z',
    ]);
    assert.deepEqual((await preview({ cell_id: 'b', new_source: 'z' })).part, [N, '/w/n.ipynb cell b.md', '# B', 'z']);
    const inserted = await preview({ edit_mode: 'insert', new_source: 'z', cell_type: 'code' });
    assert.match(String(inserted.part?.[1]), /^\/w\/n\.ipynb cell [0-9a-f]{8}\.py$/);
    assert.deepEqual(inserted.part?.slice(2), ['', 'z']);
    const deleted = await preview({ edit_mode: 'delete', cell_id: 'b' });
    assert.equal(deleted.part, undefined);
    assert.equal(deleted.view.kind === 'diff' && deleted.view.removed, 1);
  });

  it('changes a notebook where an editor has it open', async () => {
    const changes: NotebookChange[] = [];
    const file = (path: string, text: string) => ({ path, text, encoding: 'utf8', hash: text, unsaved: true });
    const notebooks: Notebooks = {
      unsaved: async (path) => ({ outcome: 'read', file: file(path, before) }),
      write: async (change) => {
        changes.push(change);
        return { outcome: 'written', file: file(change.path, 'after'), notes: ['It is not saved.'] };
      },
    };
    const workspace = { ...createWorkspace({ [N]: 'stale' }), notebooks };
    await run(workspace, readTool, { file_path: N });
    const result = await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'z' });
    assert.equal(result.text, `Updated markdown cell b of ${N}.\n\nNote: It is not saved.`);
    assert.deepEqual(changes, [
      { path: N, base: file(N, before), change: { kind: 'replace', index: 1, source: 'z' }, approved: false },
    ]);
    assert.equal(workspace.files.text(N), 'stale');
    assert.equal(workspace.readState.get(N)?.hash, 'after');
  });

  it('what the disk or the editor refuses is told', async () => {
    const workspace = createWorkspace({ [N]: before });
    await run(workspace, readTool, { file_path: N });
    workspace.files.refuse(N, 'readonly');
    assert.equal(
      (await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'z' })).failed,
      'write-readonly',
    );
  });

  it('Edit and Write leave notebooks to it', async () => {
    const workspace = createWorkspace({ [N]: before, '/w/broken.ipynb': '{"cells": [' });
    await run(workspace, readTool, { file_path: N });
    await run(workspace, readTool, { file_path: '/w/broken.ipynb' });
    const edit = await run(workspace, editTool, { file_path: N, old_string: '# B', new_string: '# C' });
    const write = await run(workspace, writeTool, { file_path: N, content: '{}' });
    for (const { failed, text } of [edit, write])
      assert.deepEqual([failed, text], ['notebook', `${N} is a notebook: change its cells with NotebookEdit.`]);
    assert.match(
      (
        await run(workspace, editTool, {
          file_path: '/w/broken.ipynb',
          old_string: '[',
          new_string: '[], "nbformat": 4}',
        })
      ).text,
      /has been updated/,
    );
    assert.match(
      (await run(workspace, writeTool, { file_path: '/w/new.ipynb', content: before })).text,
      /^File created/,
    );
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(notebookEditTool.access, 'WorkspaceWrite');
    const input = { notebook_path: 'n.ipynb', cell_id: 'a', new_source: '' };
    assert.ok(!notebookEditTool.isReadOnly(input) && !notebookEditTool.isConcurrencySafe(input));
    assert.deepEqual(notebookEditTool.targets(input, '/w'), [{ kind: 'file', access: 'write', path: N }]);
    assert.deepEqual(notebookEditTool.aliases, ['notebook_edit', 'NotebookEditTool']);
    assert.deepEqual(Object.keys(jsonSchemaOf(notebookEditTool.inputSchema).properties ?? {}), [
      'notebook_path',
      'cell_id',
      'new_source',
      'cell_type',
      'edit_mode',
    ]);
  });
});
