// Which part of a log is sent after compactions: the last one that holds counts, and what is undone never was.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { compactions, presentRecords, summaryText } from '../../../../src/core/sessions/compacted-log';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { decodeRecord, encodeRecord } from '../../../../src/core/sessions/session-codec';

const envelope = (uuid: string) => ({ uuid, parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' });
const said = (text: string): SessionRecord => ({
  ...envelope(text),
  type: 'user',
  message: { role: 'user', content: text },
});
const answer = (text: string): SessionRecord => ({
  ...envelope(text),
  type: 'assistant',
  message: { id: text, role: 'assistant', model: 'm', content: [{ type: 'text', text }], stop_reason: null },
});
const compact = (uuid: string, text: string, keptFrom?: string): SessionRecord[] => [
  {
    ...envelope(uuid),
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'manual', preTokens: 5 },
    ...defined({ keptFrom }),
  },
  {
    ...envelope(`${uuid}-summary`),
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Opening.' },
        { type: 'text', text: `# Summary of the conversation so far\n\n${text}` },
      ],
    },
    isMeta: true,
    isCompactSummary: true,
  },
];
const undo = (boundary: string): SessionRecord => ({
  ...envelope('undo'),
  type: 'system',
  subtype: 'compact_undone',
  boundary,
});
const edit = (boundary: string, summary: string): SessionRecord => ({
  ...envelope('edit'),
  type: 'system',
  subtype: 'compact_edited',
  boundary,
  summary,
});

/** After a trip through the file. */
function texts(...log: SessionRecord[]): string[] {
  const records = log.map((record) => decodeRecord(encodeRecord(record)) ?? assert.fail());
  return messagesFromRecords(records).flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'text' ? [block.text.replace('# Summary of the conversation so far\n\n', '')] : [],
    ),
  );
}

describe('a compacted log', () => {
  const before = [said('one'), answer('two'), said('three'), answer('four')];

  it('begins with the summary, then what is kept, then what followed', () => {
    assert.deepEqual(texts(...before, ...compact('b', 'SUM'), said('five')), ['Opening.', 'SUM', 'five']);
    assert.deepEqual(texts(...before, ...compact('b', 'SUM', 'three'), said('five')), [
      'Opening.',
      'SUM',
      'three',
      'four',
      'five',
    ]);
    assert.deepEqual(texts(...before, ...compact('b', 'SUM', 'no such')), ['Opening.', 'SUM']);
  });

  it('is as if an undone compaction had never been, and an earlier one holds again', () => {
    assert.deepEqual(texts(...before, ...compact('b', 'SUM'), said('five'), undo('b')), [
      'one',
      'two',
      'three',
      'four',
      'five',
    ]);
    const twice = [...before, ...compact('b', 'SUM'), said('five'), answer('six'), ...compact('c', 'SECOND', 'five')];
    assert.deepEqual(texts(...twice), ['Opening.', 'SECOND', 'five', 'six']);
    assert.deepEqual(texts(...twice, undo('c')), ['Opening.', 'SUM', 'five', 'six']);
    assert.deepEqual(texts(...twice, undo('b')), ['Opening.', 'SECOND', 'five', 'six']);
    assert.deepEqual(texts(...twice, undo('b'), undo('c')), ['one', 'two', 'three', 'four', 'five', 'six']);
  });

  it('has the summary that was edited last, and never an empty one', () => {
    assert.deepEqual(texts(...before, ...compact('b', 'SUM'), edit('b', 'First'), edit('b', 'Mine')), [
      'Opening.',
      'Mine',
    ]);
    assert.deepEqual(texts(...before, ...compact('b', 'SUM'), edit('b', ' ')), ['Opening.', '(nothing)']);
    assert.equal(
      summaryText(compactions([...before, ...compact('b', 'SUM'), edit('b', 'Mine')])[0]?.summary ?? assert.fail()),
      'Mine',
    );
  });

  it('takes a boundary without its summary for none, and a summary without its boundary for a message', () => {
    const [boundary, summary] = compact('b', 'SUM') as [SessionRecord, SessionRecord];
    assert.deepEqual(texts(...before, boundary, said('five')), ['one', 'two', 'three', 'four', 'five']);
    assert.deepEqual(texts(summary, said('five')), ['Opening.', 'SUM', 'five']);
    assert.equal(presentRecords(before), before);
  });
});
