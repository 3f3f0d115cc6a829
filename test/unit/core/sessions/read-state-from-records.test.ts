// What a resumed session knows of files: their hashes, and which lines were never shown.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { DATA_REMINDER, takeDataReminder } from '../../../../src/core/sessions/read-state';
import { readStateFromRecords, withoutClearedReads } from '../../../../src/core/sessions/read-state-from-records';
import { slimOutput } from '../../../../src/core/sessions/slim-output';

const envelope = { uuid: 'u', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' };
const result = (output: unknown): SessionRecord => ({
  ...envelope,
  type: 'user',
  message: { role: 'user', content: [] },
  toolUseResult: slimOutput(output),
});
const read = (hash: string, startLine: number, numLines: number, totalLines: number): SessionRecord =>
  result({
    type: 'text',
    file: { filePath: '/w/a', content: 'x', startLine, numLines, totalLines, hash },
    reminders: [],
  });
const edited = (hash: string, created = false, more: object = {}): SessionRecord =>
  result({ filePath: '/w/a', hash, structuredPatch: [], created, ...more });
/** Lines put in at the top, with the lines of context behind them that a patch has; `added` as the record counts them. */
const grown = (hash: string, lines: number, added = lines): SessionRecord =>
  edited(hash, false, {
    structuredPatch: [
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3 + lines,
        lines: [...Array.from({ length: lines }, () => '+x'), ' a', ' b', ' c'],
      },
    ],
    added,
    removed: 0,
  });
const cut = (
  hash: string,
  startLine: number,
  numLines: number,
  totalLines: number,
  ...lines: number[]
): SessionRecord =>
  result({
    type: 'text',
    file: { filePath: '/w/a', content: 'x', startLine, numLines, totalLines, hash, cut: lines },
    reminders: [],
  });
const everything = [{ start: 1, end: Number.MAX_SAFE_INTEGER }];
const unseen = (...records: SessionRecord[]): unknown => readStateFromRecords(records).get('/w/a')?.unseen;

describe('readStateFromRecords', () => {
  it('knows whether the model has before it that files are data', () => {
    const call: SessionRecord = {
      ...envelope,
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
    } as never;
    const first = {
      ...result({ type: 'text', file: { filePath: '/w/a', hash: 'h' }, reminders: [DATA_REMINDER] }),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
    } as SessionRecord;
    const records = [call, first, read('h', 1, 1, 1)];
    assert.equal(takeDataReminder(readStateFromRecords(records), '/w/b'), false);
    assert.equal(takeDataReminder(readStateFromRecords([read('h', 1, 1, 1)]), '/w/b'), true);
    // The API has left the result out: it is said again, once.
    const cleared = withoutClearedReads(readStateFromRecords(records), records, 't1');
    assert.deepEqual([takeDataReminder(cleared, '/w/b'), takeDataReminder(cleared, '/w/c')], [true, false]);
  });

  const cases: [string, SessionRecord[], unknown][] = [
    ['a whole read', [read('h', 1, 9, 9)], undefined],
    [
      'a read of a part',
      [read('h', 3, 2, 9)],
      [
        { start: 1, end: 2 },
        { start: 5, end: 9 },
      ],
    ],
    ['reads of all parts', [read('h', 1, 4, 9), read('h', 5, 5, 9)], undefined],
    ['a part of another text', [read('h', 1, 9, 9), read('i', 1, 4, 9)], [{ start: 5, end: 9 }]],
    ['a part after the whole', [read('h', 1, 9, 9), read('h', 1, 4, 9)], undefined],
    ['an edit after a part', [read('h', 1, 4, 9), edited('i')], [{ start: 5, end: 9 }]],
    ['a file of its own', [edited('i', true), edited('j')], undefined],
    ['an edit of what was read before a compaction', [edited('i')], [{ start: 1, end: Number.MAX_SAFE_INTEGER }]],
    ['a part after such an edit', [edited('i'), read('i', 1, 4, 9)], [{ start: 5, end: 9 }]],
    [
      'an edit that put lines in front of what was not read',
      [read('h', 1, 4, 9), grown('i', 5)],
      [{ start: 10, end: 14 }],
    ],
    [
      'that edit and a Read of where those lines stood',
      [read('h', 1, 4, 9), grown('i', 5), read('i', 5, 5, 14)],
      [{ start: 10, end: 14 }],
    ],
    ['an edit whose patch the log has in part', [read('h', 1, 4, 9), grown('i', 5, 9_000)], everything],
    ['such an edit of a text read whole', [read('h', 1, 9, 9), grown('i', 5, 9_000)], undefined],
    [
      'an edit of a file that had changed since it was read',
      [read('h', 1, 9, 9), edited('i', false, { unseen: [{ start: 1, end: 2 }] })],
      [{ start: 1, end: 2 }],
    ],
    ['such an edit that showed all of it', [read('h', 1, 4, 9), edited('i', false, { unseen: [] })], undefined],
    [
      'such an edit and what it left',
      [read('h', 1, 9, 9), edited('i', false, { unseen: [{ start: 1, end: 2 }] }), read('i', 1, 2, 9)],
      undefined,
    ],
    [
      'such an edit in a damaged log',
      [read('h', 1, 9, 9), edited('i', false, { unseen: [{ start: 'a' }] })],
      everything,
    ],
    ['a file made anew', [read('h', 1, 4, 9), edited('i', true)], undefined],
    [
      'a Read that cut lines',
      [cut('h', 1, 9, 9, 2, 7)],
      [
        { start: 2, end: 2 },
        { start: 7, end: 7 },
      ],
    ],
    [
      'two of them',
      [cut('h', 1, 4, 9, 2), cut('h', 5, 5, 9, 7)],
      [
        { start: 2, end: 2 },
        { start: 7, end: 7 },
      ],
    ],
    ['all parts after such an edit', [edited('i'), read('i', 1, 4, 9), read('i', 5, 5, 9)], undefined],
  ];
  for (const [name, records, expected] of cases) {
    it(`knows what ${name} left unseen`, () => {
      assert.deepEqual(unseen(...records), expected);
      assert.equal(readStateFromRecords(records).get('/w/a')?.range?.end, 0, 'a Read answers with the text');
    });
  }
});
