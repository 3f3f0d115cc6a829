// Messages that waited when a session ended, and what is known of files, recovered from its log.
import assert from 'node:assert/strict';
import { type RecordEnvelope, type SessionRecord } from '../../../../src/core/ports/record';
import { readStateFromRecords } from '../../../../src/core/sessions/read-state-from-records';
import { waitingMessages } from '../../../../src/core/sessions/waiting-messages';
import { reply, text, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt } from '../../../support/session-harness';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { createMemoryFiles } from '../../../support/memory-files';

const envelope: RecordEnvelope = {
  uuid: 'u',
  parentUuid: null,
  timestamp: '',
  sessionId: 's',
  cwd: '/w',
  version: '1',
};
const queue = (operation: 'enqueue' | 'remove' | 'dequeue', messageId: string): SessionRecord => ({
  ...envelope,
  type: 'queue-operation',
  operation,
  messageId,
  ...(operation === 'enqueue' ? prompt(messageId) : {}),
});

describe('waitingMessages', () => {
  it('are those that were neither delivered nor taken back, in order', () => {
    const records = [
      queue('enqueue', 'a'),
      queue('enqueue', 'b'),
      queue('remove', 'a'),
      queue('enqueue', 'c'),
      queue('enqueue', 'd'),
      queue('dequeue', 'c'),
    ];
    assert.deepEqual(waitingMessages(records), [
      { id: 'b', ...prompt('b') },
      { id: 'd', ...prompt('d') },
    ]);
  });

  it('survive the process and are delivered by the next one', async () => {
    const first = createHarness({ model: createScriptedModel([]) });
    first.session.steer(prompt('Later.'));
    const model = createScriptedModel([reply('Hello.'), reply('Yes.')]);
    const second = createHarness({ model, records: first.stored() });
    assert.deepEqual(
      second.replayed().queue.map(({ text: waiting }) => waiting),
      ['Later.'],
    );
    await second.run('Hi');
    assert.deepEqual(model.violations, []);
    assert.ok(JSON.stringify(model.requests[1]?.messages).includes('Later.'));
    assert.deepEqual([second.session.pending.waiting, second.chat().queue], [[], []]);
  });
});

describe('readStateFromRecords', () => {
  it('knows the hash of files that Deft changed, and that none was seen whole', async () => {
    const model = createScriptedModel([
      reply(toolUse('Write', { file_path: '/w/new.txt', content: 'a\nb\n' })),
      reply('Done.'),
    ]);
    const files = createMemoryFiles();
    const first = createHarness({
      model,
      files,
      tools: [readTool, editTool, writeTool],
      session: { mode: 'acceptEdits' },
    });
    await first.run('Write it');
    const entry = readStateFromRecords(first.stored()).get('/w/new.txt');
    const now = await files.readText('/w/new.txt', 100);
    assert.ok(now.outcome === 'read' && entry?.hash === now.file.hash);

    const again = createScriptedModel(
      [
        reply(
          toolUse('Read', { file_path: '/w/new.txt' }),
          toolUse('Edit', { file_path: '/w/new.txt', old_string: 'b', new_string: 'c' }),
        ),
        reply(text('Done.')),
      ],
      { acceptUnknownThinking: true, idPrefix: 'r' },
    );
    const second = createHarness({
      model: again,
      files,
      records: first.stored(),
      tools: [readTool, editTool, writeTool],
      session: { mode: 'acceptEdits' },
    });
    await second.run('Change it');
    assert.deepEqual(again.violations, []);
    assert.equal(files.text('/w/new.txt'), 'a\nc\n');
    const [read] = again.requests[1]?.messages.at(-1)?.content ?? [];
    assert.match(JSON.stringify(read), /1\\ta\\n2\\tb/, 'a Read in the resumed session shows the text');
  });

  it('passes over outputs that are none of these', () => {
    const records = [null, 'Error: x', 3, { filePath: 1, hash: 'h' }, { filePath: '/a' }].map(
      (toolUseResult): SessionRecord => ({
        ...envelope,
        type: 'user',
        message: { role: 'user', content: 'x' },
        toolUseResult,
      }),
    );
    assert.equal(readStateFromRecords(records).get('/a'), undefined);
  });
});
