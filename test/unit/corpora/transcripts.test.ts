// Recorded sessions of other agents: all open, every call has a result or a cause, and each can continue.
import assert from 'node:assert/strict';
import { continuedRecords } from '../../../src/core/external-sessions/continue-session';
import { readSessionText } from '../../../src/core/external-sessions/read-session-text';
import { createChatProjection } from '../../../src/core/projection/chat-projection';
import { callsWithoutResult } from '../../../src/core/sessions/messages-from-records';
import { createToolRegistry } from '../../../src/core/tools/registry';
import { emptyChat } from '../../../src/shared/chat';
import { violationsOf } from '../../support/accepted-history';
import { corpusFiles, tally, printFigures } from '../../support/corpus';

describe('transcripts of the corpus', () => {
  it('open, whole and torn, and go on with a history that the API accepts', function () {
    this.timeout(300_000);
    const files = corpusFiles(this, 'transcripts');
    const sources: string[] = [];
    const figures = { records: 0, calls: 0, incomplete: 0, torn: 0 };
    for (const { name, bytes } of files) {
      const text = bytes.toString('utf8');
      const session = readSessionText(text);
      sources.push(session.source);
      assert.deepEqual(callsWithoutResult(session.records), [], name);
      assert.deepEqual(violationsOf(continuedRecords(session, 'n')), [], name);
      const items = createChatProjection({ registry: createToolRegistry([]), folders: [] }).replay(
        emptyChat('f', 'default', 'm'),
        session.records,
      ).items;
      assert.ok(items.length > 1, name);
      figures.records += session.records.length;
      figures.calls += items.filter(({ kind }) => kind === 'tool').length;
      figures.incomplete += session.incomplete.length;
      for (let part = 1; part < 40; part++) {
        const torn = text.slice(0, Math.floor((text.length * part) / 40));
        try {
          assert.deepEqual(violationsOf(continuedRecords(readSessionText(torn), 'n')), [], `${name}, ${part}/40`);
          figures.torn++;
        } catch (error) {
          // Ahead of the first message there is nothing to open, which is said.
          assert.equal((error as { code?: string }).code, 'session-import', `${name}, ${part}/40: ${String(error)}`);
        }
      }
    }
    printFigures(
      `${files.length} sessions (${tally(sources)}): ${figures.records} records, ${figures.calls} calls, ${figures.incomplete} incomplete; ${figures.torn} torn ones open`,
    );
    assert.ok(files.length >= 5);
  });
});
