// Runs of reads and searches fold, and rows do not jump while they come.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ToolItem } from '../../../src/shared/chat';
import { type ToolView } from '../../../src/shared/tool-view';
import { foldable, looksSummary, turnRows } from '../../../webview-ui/state/turn-rows';

const looks = (id: string) => id.startsWith('r');
const shape = (ids: string[], open = false) =>
  turnRows(ids, looks, open).map((row) => (row.type === 'item' ? row.id : `[${row.ids.join(' ')}]`));

const tool = (view: ToolView | undefined, change: Partial<ToolItem> = {}): ToolItem => ({
  kind: 'tool',
  id: 'x',
  name: 'Read',
  sentence: { now: '', past: '' },
  state: 'done',
  readOnly: true,
  detail: '',
  ...(view ? { view } : {}),
  ...change,
});
const file = (path: string): ToolView => ({ kind: 'files', items: [{ path }], total: 1, truncated: false });
const search: ToolView = { kind: 'matches', pattern: 'x', matches: 0, files: 0, items: [], truncated: false };

describe('rows of a turn', () => {
  it('folds three or more looks, not fewer', () => {
    assert.deepEqual(shape(['u', 'r1', 'r2', 't']), ['u', 'r1', 'r2', 't']);
    assert.deepEqual(shape(['u', 'r1', 'r2', 'r3', 't', 'r4']), ['u', '[r1 r2 r3]', 't', 'r4']);
  });

  it('keeps the newest look of a growing turn as a card', () => {
    assert.deepEqual(shape(['r1', 'r2', 'r3'], true), ['[r1 r2]', 'r3']);
    assert.deepEqual(shape(['r1', 'r2', 'r3', 't'], true), ['[r1 r2 r3]', 't']);
  });

  it('never has fewer rows when an item comes, and loses none', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (kinds) => {
        const ids = kinds.map((look, index) => `${look ? 'r' : 't'}${index}`);
        for (let count = 1; count <= ids.length; count++) {
          const rows = turnRows(ids.slice(0, count), looks, true);
          assert.ok(rows.length >= turnRows(ids.slice(0, count - 1), looks, true).length);
          assert.deepEqual(
            rows.flatMap((row) => (row.type === 'item' ? [row.id] : row.ids)),
            ids.slice(0, count),
          );
        }
      }),
    );
  });

  it('folds what looks and is well, nothing else', () => {
    assert.equal(foldable(tool(search)), true);
    assert.equal(foldable(tool(search, { state: 'running' })), true);
    assert.equal(foldable(tool(search, { state: 'failed' })), false);
    assert.equal(foldable(tool(search, { state: 'waiting' })), false);
    assert.equal(foldable(tool(search, { readOnly: false })), false);
  });

  it('says what was looked at', () => {
    assert.equal(looksSummary([tool(file('a')), tool(file('b')), tool(file('a'))]), 'Looked at 2 files');
    assert.equal(looksSummary([tool(file('a')), tool(search), tool(search)]), 'Looked at 1 file, searched 2 times');
    assert.equal(looksSummary([tool(search)]), 'Searched once');
    assert.equal(looksSummary([tool(undefined), tool(undefined)]), 'Looked at 2 things');
  });
});
