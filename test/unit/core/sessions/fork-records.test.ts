// What a copy of a session has: all, or what was before a prompt, with what became of its compactions later.
import assert from 'node:assert/strict';
import { compactions } from '../../../../src/core/sessions/compacted-log';
import { forkRecords, writtenPrompt } from '../../../../src/core/sessions/fork-records';
import { type SessionRecord } from '../../../../src/core/ports/record';

const envelope = (uuid: string) => ({ uuid, parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' });
const said = (text: string): SessionRecord => ({
  ...envelope(text),
  type: 'user',
  message: { role: 'user', content: text },
});
const compact = (uuid: string): SessionRecord[] => [
  {
    ...envelope(uuid),
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'manual', preTokens: 5 },
  },
  {
    ...envelope(`${uuid}-summary`),
    type: 'user',
    message: { role: 'user', content: uuid },
    isMeta: true,
    isCompactSummary: true,
  },
];
const undo = (boundary: string): SessionRecord => ({
  ...envelope(`undo-${boundary}`),
  type: 'system',
  subtype: 'compact_undone',
  boundary,
});
const edit = (boundary: string): SessionRecord => ({
  ...envelope(`edit-${boundary}`),
  type: 'system',
  subtype: 'compact_edited',
  boundary,
  summary: 'edited',
});
const uuids = (records: readonly SessionRecord[]): string[] =>
  records.map((record) => ('uuid' in record ? record.uuid : ''));

describe('a copy of a session', () => {
  const log = [
    said('one'),
    ...compact('b'),
    said('two'),
    ...compact('c'),
    said('three'),
    undo('b'),
    edit('b'),
    undo('c'),
  ];

  it('has what stood before the prompt, and what became later of the compactions in it', () => {
    const copy = forkRecords(log, 'copy', 'two');
    assert.deepEqual(uuids(copy), ['one', 'b', 'b-summary', 'undo-b', 'edit-b']);
    assert.deepEqual(
      compactions(copy).map(({ undone, summary }) => [undone, summary.message.content]),
      [[true, 'edited']],
    );
    assert.deepEqual(uuids(forkRecords(log, 'copy', 'one')), []);
    assert.deepEqual(uuids(forkRecords(log, 'copy')), uuids(log));
  });

  it('gives the prompt back with its pictures, to be written anew', () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' },
    };
    const shown: SessionRecord = {
      ...envelope('p'),
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: 'Look at <attachment/>' }, image] },
      display: { text: 'Look at @a.png', attachments: [], images: 1 },
    };
    assert.deepEqual(writtenPrompt([...log, shown], 'p'), {
      text: 'Look at @a.png',
      images: [{ mediaType: 'image/png', data: 'AAAA' }],
    });
    assert.deepEqual(writtenPrompt(log, 'two'), { text: 'two', images: [] });
    assert.equal(writtenPrompt(log, 'gone'), undefined);
  });

  it('is not made of everything where the prompt is missing', () => {
    assert.throws(() => forkRecords(log, 'copy', 'gone'), { code: 'fork-missing' });
  });
});
