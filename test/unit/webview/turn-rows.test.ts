// Runs of reads and searches fold, and rows do not jump while they come.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatItem, type ToolItem } from '../../../src/shared/chat';
import { type ToolView } from '../../../src/shared/tool-view';
import { foldable, foldedRows, idsOf, looksSummary, turnRows } from '../../../webview-ui/state/turn-rows';
import { promptOf, turnSummary } from '../../../webview-ui/state/turn-summary';

const looks = (id: string) => id.startsWith('r');
const shape = (ids: string[], open = false) =>
  turnRows(ids, looks, open).map((row) => (row.type === 'item' ? row.id : `[${idsOf(row).join(' ')}]`));

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

describe('rows of a folded turn', () => {
  const rows = (fold: 'folded' | 'unfolded') =>
    foldedRows(['u', 'r1', 'r2', 'r3', 't'], looks, fold).map((row) => `${row.key}: ${idsOf(row).join(' ')}`);

  it('are one that stands for all items, or that one and all the others below it', () => {
    assert.deepEqual(rows('folded'), ['fold-u: u r1 r2 r3 t']);
    assert.deepEqual(rows('unfolded'), ['fold-u: u', 'u: u', 'looks-r1: r1 r2 r3', 't: t']);
  });
});

describe('what a turn did', () => {
  const diff = (path: string): ToolView => ({
    ...{ kind: 'diff', path, created: false, added: 1, removed: 0, hunks: [], truncated: false },
  });
  const command: ToolView = { kind: 'terminal', command: 'npm test', state: 'exited', exitCode: 1, tail: '', bytes: 0 };
  const ran = tool(command, { readOnly: false });
  const edited = (path: string, change: Partial<ToolItem> = {}) => tool(diff(path), { readOnly: false, ...change });
  const answer = { kind: 'text' as const, id: 't', text: 'Done.', streaming: false };
  const table: [ChatItem[], string][] = [
    [[edited('a'), edited('b'), edited('a'), ran, ran, answer], 'Edited 2 files, ran 2 commands'],
    [[edited('a', { state: 'denied' }), edited('b', { state: 'failed' }), answer], 'Answered'],
    [[tool(command, { readOnly: false, state: 'failed' })], 'Ran 1 command'],
    [[tool(command, { readOnly: true }), tool(file('a'))], 'Looked at 1 file, looked at 1 other thing'],
    [[edited('a'), tool(file('a')), tool(search)], 'Edited 1 file, looked at 1 file, searched once'],
    [[ran, tool({ kind: 'markdown', text: '' }, { readOnly: false })], 'Ran 1 command, did 1 other thing'],
    [[answer, { kind: 'notice', id: 'n', level: 'error', title: 'No', detail: '' }], 'Had an error'],
    [[{ kind: 'thinking', id: 'h', text: '', streaming: false }], 'Did nothing'],
  ];
  for (const [items, words] of table) it(words, () => assert.equal(turnSummary(items), words));

  it('is told next to the message, in one line', () => {
    const user: ChatItem = { kind: 'user', id: 'u', text: ' Fix\n it ', attachments: [], images: 0, steering: false };
    assert.equal(promptOf(user), 'Fix it');
    assert.equal(promptOf({ ...user, text: '' }), 'A message without text');
  });
});

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
