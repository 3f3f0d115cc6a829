// NotebookEdit, row by row: which cell is changed, what is refused, and that no other character changes.
import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../src/core/ports/diagnostics';
import { notebookEditTool } from '../../../src/core/tools/notebook/notebook-edit';
import { readTool } from '../../../src/core/tools/read/read';
import { codeCell, type Json, markdownCell, notebookText, stream } from '../../support/notebooks';
import { type ToolRow, toolTable } from '../../support/tool-table';

const N = '/w/n.ipynb';
const a = codeCell('a', 'x = 1\ny', [stream('out\n')]);
const b = markdownCell('b', '# B');
const before = notebookText([a, b]);
const old = { nbformat: 4, nbformat_minor: 4 };
/** Of the call that follows the Read. */
const newId = 'c6fc6f7b';
const withoutId = ({ id: _id, ...cell }: Json): Json => cell;

interface Row extends Omit<ToolRow, 'files' | 'input' | 'after'> {
  /** What n.ipynb is before. */
  before?: string;
  /** What of it was read; false: nothing. */
  read?: Json | false;
  call: Json;
  /** What the language servers say afterwards. */
  problems?: Diagnostic[];
  /** The notebook afterwards; unchanged where left out. */
  after?: string;
}

const rows: Row[] = [
  {
    name: 'replace keeps outputs',
    call: { cell_id: 'a', new_source: 'x = 2\ny' },
    text: `Updated code cell a of ${N}.`,
    after: notebookText([codeCell('a', 'x = 2\ny', [stream('out\n')]), b]),
    check: ({ output, detail, view }, { readState }) => {
      const hunk = {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 2,
        lines: ['-x = 1', '+x = 2', ' y', '\\ No newline at end of file'],
      };
      assert.equal(detail, '+1 −1');
      assert.deepEqual(view, {
        kind: 'diff',
        path: N,
        created: false,
        added: 1,
        removed: 1,
        hunks: [hunk],
        truncated: false,
      });
      const { cellId, cellType, editMode, hash } = output as Record<string, unknown>;
      assert.deepEqual([cellId, cellType, editMode], ['a', 'code', 'replace']);
      assert.deepEqual(readState.get(N), { hash, range: { start: 1, end: 1 } });
    },
  },
  {
    name: 'a place as id',
    before: notebookText([withoutId(a), withoutId(b)], old),
    call: { cell_id: 'cell-1', new_source: '# C' },
    text: `Updated markdown cell cell-1 of ${N}.`,
    after: notebookText([withoutId(a), withoutId(markdownCell('', '# C'))], old),
  },
  {
    name: 'another type',
    call: { cell_id: 'a', new_source: 't', cell_type: 'markdown' },
    text: /^Updated markdown cell a/,
    after: notebookText([markdownCell('a', 't'), b]),
  },
  {
    name: 'another type, the same source',
    call: { cell_id: 'b', new_source: '# B', cell_type: 'code' },
    text: /^Updated code cell b/,
    after: notebookText([
      a,
      { cell_type: 'code', id: 'b', metadata: {}, source: ['# B'], execution_count: null, outputs: [] },
    ]),
  },
  {
    name: 'to nothing',
    call: { cell_id: 'b', new_source: '' },
    text: /^Updated/,
    after: notebookText([a, markdownCell('b', '')]),
  },
  {
    name: 'insert behind',
    call: { edit_mode: 'insert', cell_id: 'a', new_source: 'z', cell_type: 'code' },
    text: `Inserted code cell ${newId} into ${N}.`,
    after: notebookText([a, codeCell(newId, 'z'), b]),
  },
  {
    name: 'insert at the top',
    call: { edit_mode: 'insert', new_source: 'z', cell_type: 'markdown' },
    text: `Inserted markdown cell ${newId} into ${N}.`,
    after: notebookText([markdownCell(newId, 'z'), a, b]),
  },
  {
    name: 'insert where cells have no ids',
    before: notebookText([withoutId(a), withoutId(b)], old),
    call: { edit_mode: 'insert', cell_id: 'cell-0', new_source: 'z', cell_type: 'markdown' },
    text: /^Inserted markdown cell cell-1 .*\n\nNote: The cells of this notebook have no ids: .* Read it again/,
    after: notebookText([a, markdownCell('', 'z'), b].map(withoutId), old),
  },
  {
    name: 'delete',
    call: { edit_mode: 'delete', cell_id: 'a' },
    text: `Deleted cell a of ${N}.`,
    after: notebookText([b]),
    check: ({ detail }) => assert.equal(detail, '+0 −2'),
  },
  {
    name: 'accepted as proposed',
    call: { cell_id: 'b', new_source: 'new' },
    answer: {},
    text: `Updated markdown cell b of ${N}.`,
    after: notebookText([a, markdownCell('b', 'new')]),
  },
  {
    name: 'changed by the user',
    call: { cell_id: 'b', new_source: 'one\ntwo\n' },
    answer: { text: 'one\n2\n' },
    text: /^Updated markdown cell b .*\nThe user modified your proposed changes before accepting them\.\n\nWhat the user changed in your proposal:\n(.*\n)*-two\n\+2/,
    after: notebookText([a, markdownCell('b', 'one\n2\n')]),
  },
  {
    name: 'an insertion changed by the user',
    call: { edit_mode: 'insert', new_source: 'z', cell_type: 'markdown' },
    answer: { text: 'zz' },
    text: /The user modified/,
    after: notebookText([markdownCell(newId, 'zz'), a, b]),
  },
  {
    name: 'all taken back by the user',
    call: { cell_id: 'b', new_source: 'new' },
    answer: { text: '# B' },
    code: 'nothing-left',
    text: /undid every change/,
  },
  {
    name: 'the cell went while the user changed the proposal',
    call: { cell_id: 'b', new_source: 'new' },
    answer: { text: 'typed by the user' },
    between: ({ files }) => files.put(N, notebookText([a])),
    code: 'changed',
    text: /keep their changes:\n[^]*\+typed by the user/,
    after: notebookText([a]),
  },
  {
    name: 'another cell was run while the user looked',
    call: { cell_id: 'b', new_source: 'new' },
    answer: {},
    between: ({ files }) => files.put(N, notebookText([codeCell('a', 'x = 1\ny', [stream('other\n')]), b])),
    text: /^Updated/,
    after: notebookText([codeCell('a', 'x = 1\ny', [stream('other\n')]), markdownCell('b', 'new')]),
  },
  {
    name: 'this cell was changed while the user looked',
    call: { cell_id: 'b', new_source: 'new' },
    answer: {},
    between: ({ files }) => files.put(N, notebookText([a, markdownCell('b', 'typed')])),
    code: 'changed',
    text: /has changed since you read it/,
    after: notebookText([a, markdownCell('b', 'typed')]),
  },
  {
    name: 'changed since it was read, nobody looked',
    call: { cell_id: 'b', new_source: 'new' },
    between: ({ files }) => files.put(N, notebookText([codeCell('a', 'p'), b])),
    code: 'changed',
    text: /\(running its cells counts too\); nothing was changed\. Read it again/,
    after: notebookText([codeCell('a', 'p'), b]),
  },
  {
    name: 'problems that it brings, by cell',
    call: { cell_id: 'a', new_source: 'x = (' },
    problems: [
      { path: N, cell: 'a', line: 1, column: 5, severity: 'error', message: '"(" was not closed', source: 'Pylance' },
    ],
    text: `Updated code cell a of ${N}.\n\n<new-diagnostics>\n${N} cell a:1:5 error: "(" was not closed (Pylance)\n</new-diagnostics>`,
    after: notebookText([codeCell('a', 'x = (', [stream('out\n')]), b]),
  },
  {
    name: 'not read',
    read: false,
    call: { cell_id: 'a', new_source: 'z' },
    code: 'not-read',
    text: /has not been read yet/,
  },
  {
    name: 'another part read',
    read: { limit: 1 },
    call: { cell_id: 'b', new_source: 'z' },
    code: 'partly-read',
    text: /You have not seen the current version of cell b of \/w\/n\.ipynb; .* \(offset 2\)/,
  },
  {
    name: 'this part read',
    read: { offset: 2 },
    call: { cell_id: 'b', new_source: 'z' },
    text: /^Updated/,
    after: notebookText([a, markdownCell('b', 'z')]),
  },
  {
    name: 'no such cell',
    call: { cell_id: 'c', new_source: 'z' },
    code: 'no-such-cell',
    text: /has no cell "c"\. Its cells are a, b\./,
  },
  {
    name: 'insert behind no such cell',
    call: { edit_mode: 'insert', cell_id: 'c', new_source: 'z', cell_type: 'code' },
    code: 'no-such-cell',
    text: /has no cell "c"/,
  },
  {
    name: 'the same source',
    call: { cell_id: 'b', new_source: '# B' },
    code: 'same-text',
    text: /already has exactly this source/,
  },
  {
    name: 'insert without a type',
    call: { edit_mode: 'insert', new_source: 'z' },
    code: 'invalid-input',
    text: /insert needs a cell_type: "code" or "markdown"/,
  },
  { name: 'replace without a cell', call: { new_source: 'z' }, code: 'invalid-input', text: /replace needs a cell_id/ },
  {
    name: 'delete without a cell',
    call: { edit_mode: 'delete' },
    code: 'invalid-input',
    text: /delete needs a cell_id/,
  },
  {
    name: 'replace without a source',
    call: { cell_id: 'a' },
    code: 'invalid-input',
    text: /needs a new_source; use edit_mode delete/,
  },
  {
    name: 'another file',
    call: { notebook_path: '/w/a.py', cell_id: 'a', new_source: 'z' },
    code: 'invalid-input',
    text: /is not an \.ipynb file: change it with Edit/,
  },
  {
    name: 'a relative path',
    call: { notebook_path: 'n.ipynb', cell_id: 'a', new_source: 'z' },
    text: 'Updated code cell a of /w/n.ipynb.',
    after: notebookText([codeCell('a', 'z', [stream('out\n')]), b]),
  },
  {
    name: 'an unknown mode',
    call: { cell_id: 'a', new_source: 'z', edit_mode: 'append' },
    code: 'InputValidationError',
    text: /edit_mode/,
  },
  {
    name: 'a missing file',
    call: { notebook_path: '/w/m.ipynb', cell_id: 'a', new_source: 'z' },
    code: 'not-found',
    text: /does not exist/,
  },
  {
    name: 'no notebook',
    before: '{"cells": [',
    call: { cell_id: 'a', new_source: 'z' },
    code: 'not-a-notebook',
    text: /Edit can repair it/,
  },
  {
    name: 'nothing at all',
    call: { notebook_path: undefined },
    code: 'InputValidationError',
    text: /`notebook_path`: Required/,
  },
  {
    name: 'text from old code loses its count',
    before: notebookText([{ ...codeCell('a', 'x'), prompt_number: 3 }]),
    call: { cell_id: 'a', new_source: 'y', cell_type: 'markdown' },
    text: /^Updated markdown cell a/,
    after: notebookText([markdownCell('a', 'y')]),
  },
  {
    name: 'a source that is a list',
    call: { cell_id: 'a', new_source: ['x'] },
    code: 'InputValidationError',
    text: /`new_source`: Expected string, received array/,
  },
  {
    name: 'a cell type that is unknown',
    call: { cell_id: 'a', new_source: 'x', cell_type: 'raw' },
    code: 'InputValidationError',
    text: /cell_type/,
  },
  {
    name: 'a cell id that is a number',
    call: { cell_id: 0, new_source: 'x' },
    code: 'no-such-cell',
    text: /has no cell "0"\. Its cells are a, b\./,
  },
  {
    name: 'a field that is unknown',
    call: { cell_id: 'a', new_source: 'x', outputs: [] },
    code: 'InputValidationError',
    text: /unknown parameter `outputs`/,
  },
  { name: 'an empty cell id', call: { cell_id: '', new_source: 'x' }, code: 'invalid-input', text: /needs a cell_id/ },
  {
    name: 'an empty path',
    call: { notebook_path: '', cell_id: 'a', new_source: 'x' },
    code: 'invalid-path',
    text: /is empty/,
  },
  {
    name: 'an empty file',
    before: '',
    call: { cell_id: 'a', new_source: 'x' },
    code: 'not-a-notebook',
    text: /Edit can repair it/,
  },
  {
    name: 'JSON that is no notebook',
    before: '[1, 2]\n',
    call: { cell_id: 'a', new_source: 'x' },
    code: 'not-a-notebook',
    text: /Edit can repair it/,
  },
  {
    name: 'a notebook without cells',
    before: notebookText([]),
    call: { cell_id: 'a', new_source: 'x' },
    code: 'no-such-cell',
    text: /It has no cells yet/,
  },
  {
    name: 'the first cell of all',
    before: notebookText([]),
    call: { edit_mode: 'insert', new_source: 'x', cell_type: 'code' },
    text: `Inserted code cell ${newId} into ${N}.`,
    after: notebookText([codeCell(newId, 'x')]),
  },
  {
    name: 'CRLF stays',
    before: before.replaceAll('\n', '\r\n'),
    call: { cell_id: 'b', new_source: 'one\ntwo' },
    text: /^Updated/,
    after: notebookText([a, markdownCell('b', 'one\ntwo')]).replaceAll('\n', '\r\n'),
  },
  {
    name: 'no final newline stays so',
    before: before.trimEnd(),
    call: { cell_id: 'b', new_source: 'x' },
    text: /^Updated/,
    after: notebookText([a, markdownCell('b', 'x')]).trimEnd(),
  },
  {
    name: 'a byte order mark stays',
    before: `\uFEFF${before}`,
    call: { cell_id: 'b', new_source: 'x' },
    text: /^Updated/,
    after: `\uFEFF${notebookText([a, markdownCell('b', 'x')])}`,
  },
  {
    name: 'quotes, backslashes, other scripts',
    call: { cell_id: 'b', new_source: '"\\n" é 😀 $& </script>' },
    text: /^Updated/,
    after: notebookText([a, markdownCell('b', '"\\n" é 😀 $& </script>')]),
  },
  {
    name: 'a huge source',
    call: { cell_id: 'b', new_source: 'x'.repeat(1_000_000) },
    text: /^Updated/,
    after: notebookText([a, markdownCell('b', 'x'.repeat(1_000_000))]),
  },
  {
    name: 'an id that two cells have',
    before: notebookText([a, markdownCell('a', 'two')]),
    call: { cell_id: 'a', new_source: 'x' },
    code: 'no-such-cell',
    text: /Its cells are cell-0, cell-1/,
  },
  {
    name: 'a place that is far behind',
    before: notebookText([withoutId(a)], old),
    call: { cell_id: 'cell-9', new_source: 'x' },
    code: 'no-such-cell',
    text: /Its cells are cell-0/,
  },
  {
    name: 'outputs and metadata that nobody knows stay',
    before: notebookText([{ ...a, extra: { deep: [1.0, 1e3, '}'] } }, b], { extra: 1 }),
    call: { cell_id: 'b', new_source: 'x' },
    text: /^Updated/,
    after: notebookText([{ ...a, extra: { deep: [1.0, 1e3, '}'] } }, markdownCell('b', 'x')], { extra: 1 }),
  },
];

function toolRow({ before: text = before, read, call, problems, after, ...row }: Row): ToolRow {
  return {
    ...row,
    files: { [N]: text },
    input: { notebook_path: N, ...call },
    prepare: async (place) => {
      place.problems = problems ?? [];
      if (read !== false) await place.use(readTool, { file_path: N, ...read });
    },
    after: after === undefined ? {} : { [N]: after },
  };
}

describe('NotebookEdit, row by row', () => toolTable(notebookEditTool, rows.map(toolRow)));
