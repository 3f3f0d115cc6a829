// What a resumed session knows of files: their hashes, and which lines were never shown.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/sessions/record';
import { readStateFromRecords } from '../../../../src/core/sessions/read-state-from-records';
import { slimOutput } from '../../../../src/core/sessions/slim-output';

const envelope = { uuid: 'u', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' };
const result = (output: unknown): SessionRecord => ({ ...envelope, type: 'user', message: { role: 'user', content: [] }, toolUseResult: slimOutput(output) });
const read = (hash: string, startLine: number, numLines: number, totalLines: number): SessionRecord =>
  result({ type: 'text', file: { filePath: '/w/a', content: 'x', startLine, numLines, totalLines, hash }, reminders: [] });
const edited = (hash: string, created = false): SessionRecord => result({ filePath: '/w/a', hash, structuredPatch: [], created });
const unseen = (...records: SessionRecord[]): unknown => readStateFromRecords(records).get('/w/a')?.unseen;

describe('readStateFromRecords', () => {
  const cases: [string, SessionRecord[], unknown][] = [
    ['a whole read', [read('h', 1, 9, 9)], undefined],
    ['a read of a part', [read('h', 3, 2, 9)], [{ start: 1, end: 2 }, { start: 5, end: 9 }]],
    ['reads of all parts', [read('h', 1, 4, 9), read('h', 5, 5, 9)], undefined],
    ['a part of another text', [read('h', 1, 9, 9), read('i', 1, 4, 9)], [{ start: 5, end: 9 }]],
    ['a part after the whole', [read('h', 1, 9, 9), read('h', 1, 4, 9)], undefined],
    ['an edit after a part', [read('h', 1, 4, 9), edited('i')], [{ start: 5, end: 9 }]],
    ['a file of its own', [edited('i', true), edited('j')], undefined],
    ['an edit of what was read before a compaction', [edited('i')], [{ start: 1, end: Number.MAX_SAFE_INTEGER }]],
    ['a part after such an edit', [edited('i'), read('i', 1, 4, 9)], [{ start: 5, end: 9 }]],
    ['all parts after such an edit', [edited('i'), read('i', 1, 4, 9), read('i', 5, 5, 9)], undefined],
  ];
  for (const [name, records, expected] of cases) {
    it(`knows what ${name} left unseen`, () => {
      assert.deepEqual(unseen(...records), expected);
      assert.equal(readStateFromRecords(records).get('/w/a')?.range?.end, 0, 'a Read answers with the text');
    });
  }
});
