// NotebookEdit, row by row: a notebook and a call give a result and the notebook afterwards.
import assert from 'node:assert/strict';
import { type Notebooks, type NotebookChange } from '../../../../src/core/ports';
import { editTool } from '../../../../src/core/tools/edit';
import { isFailure } from '../../../../src/core/tools/tool';
import { notebookEditTool } from '../../../../src/core/tools/notebook-edit';
import { readTool } from '../../../../src/core/tools/read';
import { jsonSchemaOf } from '../../../../src/core/tools/tool-schema';
import { writeTool } from '../../../../src/core/tools/write';
import { type Answer, createWorkspace, run, type Run, toolContext, type Workspace } from '../../../support/file-tool-runs';
import { codeCell, type Json, markdownCell, notebookText, stream } from '../../../support/notebooks';

const N = '/w/n.ipynb';
const a = codeCell('a', 'x = 1\ny', [stream('out\n')]);
const b = markdownCell('b', '# B');
const before = notebookText([a, b]);
const old = { nbformat: 4, nbformat_minor: 4 };
const withoutId = ({ id: _id, ...cell }: Json): Json => cell;

interface Row {
  name: string;
  before?: string;
  read?: Json | false;
  call: Json;
  answer?: Answer;
  between?: (workspace: Workspace) => void;
  expected: string | RegExp | { failed: string; text: RegExp };
  /** Unchanged where left out. */
  after?: string;
  check?: (result: Run, workspace: Workspace) => void;
}

const rows: Row[] = [
  {
    name: 'replace keeps outputs',
    call: { cell_id: 'a', new_source: 'x = 2\ny' },
    expected: `Updated code cell a of ${N}.`,
    after: notebookText([codeCell('a', 'x = 2\ny', [stream('out\n')]), b]),
    check: ({ output, detail, view }, { readState }) => {
      const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-x = 1', '+x = 2', ' y', '\\ No newline at end of file'] };
      assert.equal(detail, '+1 −1');
      assert.deepEqual(view, { kind: 'diff', path: N, created: false, added: 1, removed: 1, hunks: [hunk], truncated: false });
      const { cellId, cellType, editMode, hash } = output as Record<string, unknown>;
      assert.deepEqual([cellId, cellType, editMode], ['a', 'code', 'replace']);
      assert.deepEqual(readState.get(N), { hash, range: { start: 1, end: 1 } });
    },
  },
  { name: 'a place as id', before: notebookText([withoutId(a), withoutId(b)], old), call: { cell_id: 'cell-1', new_source: '# C' }, expected: `Updated markdown cell cell-1 of ${N}.`, after: notebookText([withoutId(a), withoutId(markdownCell('', '# C'))], old) },
  { name: 'another type', call: { cell_id: 'a', new_source: 't', cell_type: 'markdown' }, expected: /^Updated markdown cell a/, after: notebookText([markdownCell('a', 't'), b]) },
  { name: 'another type, the same source', call: { cell_id: 'b', new_source: '# B', cell_type: 'code' }, expected: /^Updated code cell b/, after: notebookText([a, { cell_type: 'code', id: 'b', metadata: {}, source: ['# B'], execution_count: null, outputs: [] }]) },
  { name: 'to nothing', call: { cell_id: 'b', new_source: '' }, expected: /^Updated/, after: notebookText([a, markdownCell('b', '')]) },
  {
    name: 'insert behind',
    call: { edit_mode: 'insert', cell_id: 'a', new_source: 'z', cell_type: 'code' },
    expected: /^Inserted code cell ([0-9a-f]{8}) into \/w\/n\.ipynb\.$/,
    check: ({ output }, { files }) => assert.equal(files.text(N), notebookText([a, codeCell((output as { cellId: string }).cellId, 'z'), b])),
  },
  {
    name: 'insert at the top',
    call: { edit_mode: 'insert', new_source: 'z', cell_type: 'markdown' },
    expected: /^Inserted markdown cell [0-9a-f]{8} into/,
    check: ({ output }, { files }) => assert.equal(files.text(N), notebookText([markdownCell((output as { cellId: string }).cellId, 'z'), a, b])),
  },
  { name: 'insert where cells have no ids', before: notebookText([withoutId(a), withoutId(b)], old), call: { edit_mode: 'insert', cell_id: 'cell-0', new_source: 'z', cell_type: 'markdown' }, expected: /^Inserted markdown cell cell-1 .*\n\nNote: Cells of this notebook have no ids of their own: .* Read it again/, after: notebookText([a, markdownCell('', 'z'), b].map(withoutId), old) },
  { name: 'delete', call: { edit_mode: 'delete', cell_id: 'a' }, expected: `Deleted cell a of ${N}.`, after: notebookText([b]), check: ({ detail }) => assert.equal(detail, '+0 −2') },
  { name: 'accepted as proposed', call: { cell_id: 'b', new_source: 'new' }, answer: { approved: true }, expected: `Updated markdown cell b of ${N}.`, after: notebookText([a, markdownCell('b', 'new')]) },
  {
    name: 'changed by the person',
    call: { cell_id: 'b', new_source: 'one\ntwo\n' },
    answer: { approved: true, text: 'one\n2\n' },
    expected: /^Updated markdown cell b .*\nThe user modified your proposed changes before accepting them\.\n\nWhat the user changed in your proposal:\n(.*\n)*-two\n\+2/,
    after: notebookText([a, markdownCell('b', 'one\n2\n')]),
  },
  { name: 'an insertion changed by the person', call: { edit_mode: 'insert', new_source: 'z', cell_type: 'markdown' }, answer: { approved: true, text: 'zz' }, expected: /The user modified/, check: (_result, { files }) => assert.match(files.text(N) ?? '', /"zz"/) },
  { name: 'all taken back by the person', call: { cell_id: 'b', new_source: 'new' }, answer: { approved: true, text: '# B' }, expected: { failed: 'nothing-left', text: /took back every change/ } },
  {
    name: 'another cell was run while the person looked',
    call: { cell_id: 'b', new_source: 'new' },
    answer: { approved: true },
    between: ({ files }) => files.put(N, notebookText([codeCell('a', 'x = 1\ny', [stream('other\n')]), b])),
    expected: /^Updated/,
    after: notebookText([codeCell('a', 'x = 1\ny', [stream('other\n')]), markdownCell('b', 'new')]),
  },
  {
    name: 'this cell was changed while the person looked',
    call: { cell_id: 'b', new_source: 'new' },
    answer: { approved: true },
    between: ({ files }) => files.put(N, notebookText([a, markdownCell('b', 'typed')])),
    expected: { failed: 'changed', text: /has changed since you read it/ },
    after: notebookText([a, markdownCell('b', 'typed')]),
  },
  {
    name: 'changed since it was read, nobody looked',
    call: { cell_id: 'b', new_source: 'new' },
    between: ({ files }) => files.put(N, notebookText([codeCell('a', 'p'), b])),
    expected: { failed: 'changed', text: /\(a run of its cells counts too\); nothing was changed\. Read it again/ },
    after: notebookText([codeCell('a', 'p'), b]),
  },
  { name: 'not read', read: false, call: { cell_id: 'a', new_source: 'z' }, expected: { failed: 'not-read', text: /has not been read yet/ } },
  { name: 'another part read', read: { limit: 1 }, call: { cell_id: 'b', new_source: 'z' }, expected: { failed: 'partly-read', text: /You have not seen cell b of \/w\/n\.ipynb as it is now; .* \(offset 2\)/ } },
  { name: 'this part read', read: { offset: 2 }, call: { cell_id: 'b', new_source: 'z' }, expected: /^Updated/, after: notebookText([a, markdownCell('b', 'z')]) },
  { name: 'no such cell', call: { cell_id: 'c', new_source: 'z' }, expected: { failed: 'no-such-cell', text: /has no cell "c"\. Its cells are a, b\./ } },
  { name: 'insert behind no such cell', call: { edit_mode: 'insert', cell_id: 'c', new_source: 'z', cell_type: 'code' }, expected: { failed: 'no-such-cell', text: /has no cell "c"/ } },
  { name: 'the same source', call: { cell_id: 'b', new_source: '# B' }, expected: { failed: 'same-text', text: /already has exactly this source/ } },
  { name: 'insert without a type', call: { edit_mode: 'insert', new_source: 'z' }, expected: { failed: 'invalid-input', text: /insert needs a cell_type: "code" or "markdown"/ } },
  { name: 'replace without a cell', call: { new_source: 'z' }, expected: { failed: 'invalid-input', text: /replace needs a cell_id/ } },
  { name: 'delete without a cell', call: { edit_mode: 'delete' }, expected: { failed: 'invalid-input', text: /delete needs a cell_id/ } },
  { name: 'replace without a source', call: { cell_id: 'a' }, expected: { failed: 'invalid-input', text: /needs a new_source; use edit_mode delete/ } },
  { name: 'another file', call: { notebook_path: '/w/a.py', cell_id: 'a', new_source: 'z' }, expected: { failed: 'invalid-input', text: /is no \.ipynb file: change it with Edit/ } },
  { name: 'a relative path', call: { notebook_path: 'n.ipynb', cell_id: 'a', new_source: 'z' }, expected: { failed: 'invalid-path', text: /notebook_path must be an absolute path, .* Did you mean \/w\/n\.ipynb/ } },
  { name: 'an unknown mode', call: { cell_id: 'a', new_source: 'z', edit_mode: 'append' }, expected: { failed: 'InputValidationError', text: /edit_mode/ } },
  { name: 'a missing file', call: { notebook_path: '/w/m.ipynb', cell_id: 'a', new_source: 'z' }, expected: { failed: 'not-found', text: /does not exist/ } },
  { name: 'no notebook', before: '{"cells": [', call: { cell_id: 'a', new_source: 'z' }, expected: { failed: 'not-a-notebook', text: /Edit can repair it/ } },
];

describe('NotebookEdit', () => {
  for (const row of rows) {
    it(row.name, async () => {
      const text = row.before ?? before;
      const workspace = createWorkspace({ [N]: text });
      if (row.read !== false) await run(workspace, readTool, { file_path: N, ...row.read });
      const result = await run(workspace, notebookEditTool, { notebook_path: N, ...row.call }, row.answer, () => row.between?.(workspace));
      if (typeof row.expected === 'string') assert.equal(result.text, row.expected);
      else if (row.expected instanceof RegExp) assert.match(result.text, row.expected);
      else {
        assert.equal(result.failed, row.expected.failed, result.text);
        assert.match(result.text, row.expected.text);
      }
      if (result.output !== undefined) assert.ok(notebookEditTool.outputSchema?.safeParse(result.output).success);
      if (row.after !== undefined || result.failed !== undefined) assert.equal(workspace.files.text(N), row.after ?? text);
      row.check?.(result, workspace);
    });
  }

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
    assert.equal(workspace.files.text(N), notebookText([codeCell(cellId, 'nn'), markdownCell('b', 'bbb'), markdownCell('c', 'C')]));
  });

  it('without ids of their own, cells behind a deleted or inserted one have to be read again', async () => {
    const cells = ['c0', 'c1', 'c2', 'c3'].map((source) => withoutId(codeCell(source, source)));
    for (const first of [{ edit_mode: 'delete', cell_id: 'cell-1' }, { edit_mode: 'insert', cell_id: 'cell-0', new_source: 'n', cell_type: 'code' }]) {
      const workspace = createWorkspace({ [N]: notebookText(cells, old) });
      const edit = async (call: Json): Promise<Run> => run(workspace, notebookEditTool, { notebook_path: N, ...call });
      await run(workspace, readTool, { file_path: N });
      assert.equal((await edit(first)).failed, undefined);
      const after = workspace.files.text(N);
      assert.equal((await edit({ edit_mode: 'delete', cell_id: 'cell-2' })).failed, 'partly-read');
      assert.equal((await edit({ edit_mode: 'insert', cell_id: 'cell-2', new_source: 'n', cell_type: 'code' })).failed, 'partly-read');
      assert.equal(workspace.files.text(N), after);
      assert.match((await edit({ cell_id: 'cell-0', new_source: 'changed' })).text, /^Updated/);
    }
  });

  it('what changed in another cell while the person looked has to be read before it is edited', async () => {
    const workspace = createWorkspace({ [N]: before });
    await run(workspace, readTool, { file_path: N });
    const typed = notebookText([a, markdownCell('b', 'typed by the person')]);
    const approved = await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'a', new_source: 'x = 2' }, { approved: true }, () => workspace.files.put(N, typed));
    assert.match(approved.text, /^Updated/);
    assert.equal((await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'old idea' })).failed, 'partly-read');
    assert.match(workspace.files.text(N) ?? '', /typed by the person/);
  });

  it('a cell that Read could show only in part is not edited', async () => {
    const long = 'x'.repeat(200_000);
    const workspace = createWorkspace({ [N]: notebookText([a, markdownCell('b', long)]) });
    await run(workspace, readTool, { file_path: N, offset: 2 });
    assert.equal((await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'short' })).failed, 'too-long');
  });

  it('shows the source of the cell, as a file of its language', async () => {
    const preview = async (call: Json) => {
      const workspace = createWorkspace({ [N]: before });
      await run(workspace, readTool, { file_path: N });
      const made = await notebookEditTool.preview?.(notebookEditTool.inputSchema.parse({ notebook_path: N, ...call }), toolContext(workspace));
      assert.ok(made !== undefined && !isFailure(made));
      return { view: made.view, part: made.proposal && [made.proposal.path, made.proposal.shownAs, made.proposal.base?.text, made.proposal.text] };
    };
    assert.deepEqual((await preview({ cell_id: 'a', new_source: 'z' })).part, [N, '/w/n.ipynb cell a.py', 'x = 1\ny', 'z']);
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
    assert.deepEqual(changes, [{ path: N, base: file(N, before), change: { kind: 'replace', index: 1, source: 'z' } }]);
    assert.equal(workspace.files.text(N), 'stale');
    assert.equal(workspace.readState.get(N)?.hash, 'after');
  });

  it('what the disk or the editor refuses is told', async () => {
    const workspace = createWorkspace({ [N]: before });
    await run(workspace, readTool, { file_path: N });
    workspace.files.refuse(N, 'readonly');
    assert.equal((await run(workspace, notebookEditTool, { notebook_path: N, cell_id: 'b', new_source: 'z' })).failed, 'write-readonly');
  });

  it('Edit and Write leave notebooks to it', async () => {
    const workspace = createWorkspace({ [N]: before, '/w/broken.ipynb': '{"cells": [' });
    await run(workspace, readTool, { file_path: N });
    await run(workspace, readTool, { file_path: '/w/broken.ipynb' });
    const edit = await run(workspace, editTool, { file_path: N, old_string: '# B', new_string: '# C' });
    const write = await run(workspace, writeTool, { file_path: N, content: '{}' });
    for (const { failed, text } of [edit, write]) assert.deepEqual([failed, text], ['notebook', `${N} is a notebook: change its cells with NotebookEdit.`]);
    assert.match((await run(workspace, editTool, { file_path: '/w/broken.ipynb', old_string: '[', new_string: '[], "nbformat": 4}' })).text, /has been updated/);
    assert.match((await run(workspace, writeTool, { file_path: '/w/new.ipynb', content: before })).text, /^File created/);
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(notebookEditTool.access, 'WorkspaceWrite');
    const input = { notebook_path: 'n.ipynb', cell_id: 'a', new_source: '' };
    assert.ok(!notebookEditTool.isReadOnly(input) && !notebookEditTool.isConcurrencySafe(input));
    assert.deepEqual(notebookEditTool.targets(input, '/w'), [{ kind: 'file', access: 'write', path: N }]);
    assert.deepEqual(notebookEditTool.aliases, ['notebook_edit', 'NotebookEditTool']);
    assert.deepEqual(Object.keys(jsonSchemaOf(notebookEditTool.inputSchema).properties ?? {}), ['notebook_path', 'cell_id', 'new_source', 'cell_type', 'edit_mode']);
  });
});
