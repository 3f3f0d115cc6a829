// RunCells, row by row: which cells run, what the model reads of them, and what it is told where they do not.
import assert from 'node:assert/strict';
import { type CellEnd, type CellRun, type Notebooks } from '../../../src/core/ports/notebooks';
import { runCellsTool } from '../../../src/core/tools/notebook/run-cells';
import { codeCell, markdownCell, notebookText, stream } from '../../support/notebooks';
import { type ToolRow, toolTable } from '../../support/tool-table';

const N = '/w/n.ipynb';
const files = {
  [N]: notebookText([
    codeCell('a', 'x = 1', [stream('one\n')]),
    markdownCell('b', '# B'),
    codeCell('c', 'x', [stream(`${'y'.repeat(9_000)}\n`)]),
    codeCell('d', '  '),
  ]),
  '/w/broken.ipynb': '{',
  '/w/text.ipynb': notebookText([markdownCell('b', '# B')]),
};

let runs: CellRun[] = [];

function kernel(ends: CellEnd[], saved = true): { notebooks: Partial<Notebooks> } {
  return {
    notebooks: {
      unsaved: async () => undefined,
      run: async (run) => {
        runs.push(run);
        return { ends, saved };
      },
    },
  };
}

const rows: ToolRow[] = [
  {
    name: 'all code cells that are not empty, in order, with long outputs cut',
    input: { notebook_path: N },
    ports: kernel(['succeeded', 'succeeded']),
    text: /^a ran:\none\nc ran:\ny+\n\n\.\.\. \[\d+ characters truncated\] \.\.\.\n\ny+$/,
    detail: '2 cells',
    check: () =>
      assert.deepEqual(
        runs.map(({ path, cells }) => ({ path, cells })),
        [
          {
            path: N,
            cells: [
              { id: 'a', index: 0, source: 'x = 1' },
              { id: 'c', index: 2, source: 'x' },
            ],
          },
        ],
      ),
  },
  {
    name: 'what is asked shows the code',
    input: { notebook_path: N, cell_ids: ['c'] },
    ports: kernel(['succeeded']),
    answer: {},
    text: /^c ran:/,
    check: ({ asked }) => {
      assert.equal(asked[0]?.title, `Run 1 cell of ${N}`);
      assert.deepEqual(asked[0]?.view, { kind: 'markdown', text: 'c:\n\n```python\nx\n```' });
    },
  },
  {
    name: 'a failure, what did not run after it, and what is not saved',
    input: { notebook_path: N },
    ports: kernel(['failed', 'not-run'], false),
    text: `a failed:\none\nNot run: c.\n${N} has unsaved changes in the editor, with these outputs: the file on disk does not have them.`,
    detail: 'a: failed',
  },
  {
    name: 'a cell that somebody changed',
    input: { notebook_path: N, cell_ids: ['a'] },
    ports: kernel(['changed']),
    text: 'a was changed by somebody meanwhile, and did not run.',
  },
  {
    name: 'no kernel',
    input: { notebook_path: N },
    ports: kernel(['no-kernel', 'not-run']),
    code: 'no-kernel',
    text: /^No kernel ran a cell of \/w\/n\.ipynb/,
  },
  {
    name: 'what the editor refuses',
    input: { notebook_path: N },
    ports: { notebooks: { unsaved: async () => undefined, run: async () => ({ problem: 'Not trusted.' }) } },
    code: 'refused',
    text: 'Not trusted.',
  },
  {
    name: 'a host without kernels',
    input: { notebook_path: N },
    ports: { notebooks: { unsaved: async () => undefined } },
    code: 'no-editor',
    text: /^This needs the editor with a kernel/,
  },
  {
    name: 'a cell that is not there',
    input: { notebook_path: N, cell_ids: ['z'] },
    ports: kernel([]),
    code: 'no-such-cell',
    text: `${N} has no cell "z". Its cells are a, b, c, d.`,
  },
  {
    name: 'a cell of text',
    input: { notebook_path: N, cell_ids: ['b'] },
    ports: kernel([]),
    code: 'no-code',
    text: `Cell b of ${N} is markdown, not code.`,
  },
  {
    name: 'no code at all',
    input: { notebook_path: '/w/text.ipynb' },
    ports: kernel([]),
    code: 'no-code',
    text: '/w/text.ipynb has no code to run there.',
  },
  {
    name: 'a broken notebook',
    input: { notebook_path: '/w/broken.ipynb' },
    ports: kernel([]),
    code: 'not-a-notebook',
    text: '/w/broken.ipynb is not a readable notebook.',
  },
  {
    name: 'a hidden notebook',
    input: { notebook_path: N },
    prepare: ({ hidden }) => void hidden.add(N),
    ports: kernel([]),
    code: 'hidden',
    text: `Permission rules hide ${N}.`,
  },
  {
    name: 'another file',
    input: { notebook_path: '/w/a.py' },
    ports: kernel([]),
    code: 'invalid-input',
    text: '/w/a.py is not an .ipynb file.',
  },
];

describe('RunCells', () => {
  beforeEach(() => (runs = []));
  toolTable(
    runCellsTool,
    rows.map((row) => ({ ...row, files })),
  );
});
