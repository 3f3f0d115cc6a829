// Changing one cell of a notebook's text: the cell changes as asked, and not a character outside of it.
import assert from 'node:assert/strict';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { readdirSync, readFileSync } from 'node:fs';
import { type CellChange } from '../../../../../src/core/ports/notebooks';
import { type Notebook, parseNotebook } from '../../../../../src/core/tools/read/notebook';
import { changeNotebook, hasIds } from '../../../../../src/core/tools/notebook/notebook-change';
import { corpusPath, printFigures } from '../../../../support/corpus';

type Json = Record<string, unknown>;

const changed = (text: string, change: CellChange): string => {
  const notebook = parseNotebook(text);
  assert.ok(notebook);
  const result = changeNotebook(text, notebook.major, notebook.minor, change);
  assert.ok(result !== undefined);
  return result;
};

const code = (id: string, ...source: string[]): Json => ({
  cell_type: 'code',
  execution_count: 3,
  id,
  metadata: { tags: ['x'] },
  outputs: [],
  source,
});
const book = (...cells: Json[]): Json => ({
  cells,
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});
const pretty = (value: unknown, unit: string | number = 1): string => `${JSON.stringify(value, undefined, unit)}\n`;

describe('changing a cell', () => {
  const two = pretty(book(code('a', 'x = 1\n', 'y'), code('b', 'z')));
  const rows: [name: string, before: string, change: CellChange, after: string][] = [
    [
      'a source',
      two,
      { kind: 'replace', index: 0, source: 'one\ntwo\n' },
      pretty(book(code('a', 'one\n', 'two\n'), code('b', 'z'))),
    ],
    ['to nothing', two, { kind: 'replace', index: 1, source: '' }, pretty(book(code('a', 'x = 1\n', 'y'), code('b')))],
    ['from nothing', pretty(book(code('a'))), { kind: 'replace', index: 0, source: 'x' }, pretty(book(code('a', 'x')))],
    [
      'quotes, backslashes and other scripts',
      two,
      { kind: 'replace', index: 0, source: '"\\n" é 😀\u2028' },
      pretty(book(code('a', '"\\n" é 😀\u2028'), code('b', 'z'))),
    ],
    [
      'a source that is one string',
      pretty({ ...book(), cells: [{ ...code('a'), source: 'x\ny' }] }),
      { kind: 'replace', index: 0, source: 'p\nq' },
      pretty({ ...book(), cells: [{ ...code('a'), source: 'p\nq' }] }),
    ],
    [
      'other indentation',
      pretty(book(code('a', 'x')), 4),
      { kind: 'replace', index: 0, source: 'p\nq' },
      pretty(book(code('a', 'p\n', 'q')), 4),
    ],
    [
      'tabs',
      pretty(book(code('a')), '\t'),
      { kind: 'replace', index: 0, source: 'p\nq' },
      pretty(book(code('a', 'p\n', 'q')), '\t'),
    ],
    [
      'CRLF',
      two.replaceAll('\n', '\r\n'),
      { kind: 'replace', index: 1, source: 'p\nq' },
      pretty(book(code('a', 'x = 1\n', 'y'), code('b', 'p\n', 'q'))).replaceAll('\n', '\r\n'),
    ],
    [
      'all on one line',
      JSON.stringify(book(code('a', 'x', 'y'))),
      { kind: 'replace', index: 0, source: 'p\nq' },
      JSON.stringify(book(code('a', 'p\n', 'q'))),
    ],
    [
      'to another type',
      two,
      { kind: 'replace', index: 0, source: '# Title', cellType: 'markdown' },
      pretty(book({ cell_type: 'markdown', id: 'a', metadata: { tags: ['x'] }, source: ['# Title'] }, code('b', 'z'))),
    ],
    [
      'back to code',
      pretty(book({ id: 'a', cell_type: 'markdown', metadata: {}, source: ['t'] })),
      { kind: 'replace', index: 0, source: 'x', cellType: 'code' },
      pretty(book({ id: 'a', cell_type: 'code', metadata: {}, source: ['x'], execution_count: null, outputs: [] })),
    ],
    [
      'a cell without a source',
      pretty(book({ cell_type: 'raw', metadata: {} })),
      { kind: 'replace', index: 0, source: 'x' },
      pretty(book({ cell_type: 'raw', metadata: {}, source: ['x'] })),
    ],
    [
      'insert at the top',
      two,
      { kind: 'insert', index: 0, source: 'n', cellType: 'code', id: 'new' },
      pretty(
        book({ ...code('new', 'n'), execution_count: null, metadata: {} }, code('a', 'x = 1\n', 'y'), code('b', 'z')),
      ),
    ],
    [
      'insert between',
      two,
      { kind: 'insert', index: 1, source: 't', cellType: 'markdown', id: 'new' },
      pretty(
        book(
          code('a', 'x = 1\n', 'y'),
          { cell_type: 'markdown', id: 'new', metadata: {}, source: ['t'] },
          code('b', 'z'),
        ),
      ),
    ],
    [
      'insert at the end',
      two,
      { kind: 'insert', index: 2, source: 't', cellType: 'markdown', id: 'new' },
      pretty(
        book(code('a', 'x = 1\n', 'y'), code('b', 'z'), {
          cell_type: 'markdown',
          id: 'new',
          metadata: {},
          source: ['t'],
        }),
      ),
    ],
    [
      'insert into an empty notebook',
      pretty(book(), 2),
      { kind: 'insert', index: 0, source: 't', cellType: 'markdown', id: 'new' },
      pretty(book({ cell_type: 'markdown', id: 'new', metadata: {}, source: ['t'] }), 2),
    ],
    [
      'insert into an empty one on one line',
      '{"nbformat":4,"cells":[],"nbformat_minor":4}',
      { kind: 'insert', index: 0, source: 't', cellType: 'markdown', id: 'new' },
      '{"nbformat":4,"cells":[{"cell_type":"markdown","metadata":{},"source":["t"]}],"nbformat_minor":4}',
    ],
    ['delete the first', two, { kind: 'delete', index: 0 }, pretty(book(code('b', 'z')))],
    ['delete the last', two, { kind: 'delete', index: 1 }, pretty(book(code('a', 'x = 1\n', 'y')))],
    ['delete the only one', pretty(book(code('a'))), { kind: 'delete', index: 0 }, pretty(book())],
    [
      'the last of two keys counts',
      '{"nbformat":4,"cells":[],"cells":[{"cell_type":"raw","source":"x","source":"y"}]}',
      { kind: 'replace', index: 0, source: 'z' },
      '{"nbformat":4,"cells":[],"cells":[{"cell_type":"raw","source":"x","source":"z"}]}',
    ],
    [
      'format 3 keeps code as input',
      pretty({
        nbformat: 3,
        worksheets: [
          { cells: [{ cell_type: 'code', input: ['x'], outputs: [] }] },
          { cells: [{ cell_type: 'markdown', source: ['t'] }] },
        ],
      }),
      { kind: 'replace', index: 0, source: 'y' },
      pretty({
        nbformat: 3,
        worksheets: [
          { cells: [{ cell_type: 'code', input: ['y'], outputs: [] }] },
          { cells: [{ cell_type: 'markdown', source: ['t'] }] },
        ],
      }),
    ],
  ];
  for (const [name, before, change, after] of rows) it(name, () => assert.equal(changed(before, change), after));

  it('has no place for some', () => {
    assert.equal(changeNotebook(two, 4, 5, { kind: 'delete', index: 2 }), undefined);
    assert.equal(
      changeNotebook(pretty({ nbformat: 3, worksheets: [] }), 3, 0, {
        kind: 'insert',
        index: 0,
        source: '',
        cellType: 'code',
        id: 'x',
      }),
      undefined,
    );
  });
});

describe('changing any cell of any notebook', () => {
  const sources = ['', 'x', 'a\nb\n', '\n\n', '"quoted" \\ and é\ttab', '{"cells": [1, 2]}', ']}'];

  /** Every change of every cell: only its own part of the text differs, and the notebook then says what was asked. */
  const checkAll = (text: string): number => {
    const before = parseNotebook(text);
    assert.ok(before);
    let changes = 0;
    const check = (change: CellChange): void => {
      const after = changeNotebook(text, before.major, before.minor, change);
      if (after === undefined) return assert.equal(before.cells.length, 0);
      changes++;
      checkChange(text, before, after, change);
    };
    for (const [index, source] of before.cells.flatMap((_, at) => sources.map((one) => [at, one] as const))) {
      check({ kind: 'replace', index, source });
      check({ kind: 'replace', index, source, cellType: 'markdown' });
      check({ kind: 'replace', index, source, cellType: 'code' });
    }
    before.cells.forEach((_, index) => check({ kind: 'delete', index }));
    for (let index = 0; index <= before.cells.length; index++) {
      for (const cellType of ['code', 'markdown'] as const)
        check({ kind: 'insert', index, source: sources[index % sources.length] ?? '', cellType, id: 'new-cell' });
    }
    return changes;
  };

  const checkChange = (text: string, before: Notebook, after: string, change: CellChange): void => {
    const notebook = parseNotebook(after);
    assert.ok(notebook, after);
    const left = [...before.cells];
    const { index } = change;
    if (change.kind === 'delete') left.splice(index, 1);
    else {
      const cell = notebook.cells[index];
      assert.equal(cell?.source, change.source);
      if (change.cellType !== undefined) assert.equal(cell.type, change.cellType);
      if (change.kind === 'insert' && hasIds(before.major, before.minor)) assert.equal(cell.json['id'], 'new-cell');
      left.splice(index, change.kind === 'insert' ? 0 : 1, cell);
    }
    assert.deepEqual(
      notebook.cells.map(({ json }) => json),
      left.map(({ json }) => json),
    );
    const [start, end] = ownRange(text, before.major, change);
    assert.equal(after.slice(0, start), text.slice(0, start), 'in front of the cell');
    assert.ok(after.length >= text.length - end + start);
    assert.equal(end === text.length ? '' : after.slice(end - text.length), text.slice(end), 'behind the cell');
  };

  /** What may change: the cell, or all between its neighbours where it comes or goes. Another parser says where they are. */
  const ownRange = (text: string, major: number, { kind, index }: CellChange): [start: number, end: number] => {
    const root = parseTree(text);
    assert.ok(root);
    const sheets = major >= 4 ? [root] : (findNodeAtLocation(root, ['worksheets'])?.children ?? []);
    const lists = sheets.flatMap((sheet) => findNodeAtLocation(sheet, ['cells']) ?? []);
    const cells = lists.flatMap((list) =>
      (list.children ?? []).map((cell) => ({ list, start: cell.offset, end: cell.offset + cell.length })),
    );
    const own = cells[index];
    if (kind === 'replace' && own !== undefined) return [own.start, own.end];
    const [previous, next] = [cells[index - 1], kind === 'insert' ? own : cells[index + 1]];
    const list = own?.list ?? previous?.list ?? lists[0];
    assert.ok(list);
    return [
      previous?.list === list ? previous.end : list.offset + 1,
      next?.list === list ? next.start : list.offset + list.length - 1,
    ];
  };

  it('made by the test', () => {
    const cells = [
      code('a', 'x'),
      { ...code('b', 'y\n'), source: 'y\n', extra: { deep: ['"', '}', { source: ['no'] }] } },
      { cell_type: 'markdown', metadata: {}, source: [] },
    ];
    const shapes = [
      pretty(book(...cells)),
      pretty(book(...cells), '\t'),
      JSON.stringify(book(...cells)),
      pretty(book(...cells)).replaceAll('\n', '\r\n'),
      pretty(book(...cells)).trimEnd(),
    ];
    for (const text of shapes) assert.ok(checkAll(text) > 70);
  });

  it('of the corpus', function () {
    const corpus = corpusPath(this, 'notebooks/nbformat');
    let changes = 0;
    for (const name of readdirSync(corpus)) {
      const text = readFileSync(`${corpus}/${name}`, 'utf8');
      if (parseNotebook(text) === undefined) assert.fail(name);
      changes += checkAll(text);
    }
    printFigures(`${changes} changes, each only in its own place`);
    assert.ok(changes > 1_500, String(changes));
  });
});
