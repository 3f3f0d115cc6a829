// Sessions as Markdown: those of the corpus, and a golden one with an edit, a refusal and a long result.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import assert from 'node:assert/strict';
import { exportJson } from '../../src/core/projection/export-json';
import { exportMarkdown } from '../../src/core/projection/export-markdown';
import { type SessionRecord } from '../../src/core/ports/record';
import { decodeRecord } from '../../src/core/sessions/session-codec';
import { getAllBaseTools } from '../../src/core/tools/registry';
import { corpusPath } from '../support/corpus';
import { reply, thinking, toolUse } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { createMemoryFiles } from '../support/memory-files';
import { matchSnapshot } from './snapshot';

const secret = 'sk-ant-a-secret-of-the-user';

async function session() {
  const model = createScriptedModel([
    reply(
      thinking('Nobody asked for this.', 'sig'),
      'Looking.',
      toolUse('Read', { file_path: '/w/a.txt' }, 't1'),
      toolUse('Read', { file_path: '/w/long.txt' }, 't2'),
    ),
    reply(
      toolUse('Edit', { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' }, 't3'),
      toolUse('Write', { file_path: '/w/b.txt', content: '```\nfenced\n```\n' }, 't4'),
    ),
    reply(`Done with \`${secret}\`.`),
  ]);
  const files = createMemoryFiles({ '/w/a.txt': 'one\n', '/w/long.txt': 'a line of many\n'.repeat(1_000) });
  const harness = createHarness({
    model,
    files,
    tools: getAllBaseTools(),
    answer: ({ toolUseId }) =>
      toolUseId === 't4' ? { behavior: 'deny', message: 'not <there>', interrupt: false } : { behavior: 'allow' },
  });
  await harness.run('Change one to two');
  return harness.stored();
}

describe('exported sessions', () => {
  it('a golden session as Markdown, without the secret', async () => {
    const text = exportMarkdown(await session(), { title: 'Change\none', secrets: [secret] });
    assert.ok(!text.includes(secret) && !text.includes('Nobody asked'));
    matchSnapshot('export/session.md', text);
  });

  it('as Markdown has the texts that hooks showed in place of those that were said', () => {
    const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
    // As the log has them: a record a block.
    const said = (uuid: string, text: string): SessionRecord => ({
      ...envelope,
      uuid,
      type: 'assistant',
      message: { id: 'm1', role: 'assistant', model: 'm', stop_reason: 'end_turn', content: [{ type: 'text', text }] },
    });
    const shown = (index: number, text: string): SessionRecord => ({
      ...envelope,
      uuid: `d${index}`,
      type: 'system',
      subtype: 'message_display',
      messageId: 'm1',
      index,
      text,
    });
    const text = exportMarkdown(
      [
        said('a', 'First.'),
        said('b', 'The door code is 1234.'),
        said('c', 'Never shown.'),
        shown(1, 'The door code is ….'),
        shown(2, ''),
      ],
      { title: 'T' },
    );
    assert.ok(text.includes('First.\n\nThe door code is ….'), text);
    assert.ok(!/1234|Never shown/.test(text), text);
  });

  it('as JSON are the records as they are, without the secret', async () => {
    const records = await session();
    const text = exportJson(records, { id: 's', title: 'T', secrets: [secret] });
    assert.ok(!text.includes(secret));
    const read = JSON.parse(text) as { format: string; version: number; records: unknown[] };
    assert.deepEqual([read.format, read.version], ['deft-session', 1]);
    assert.deepEqual(JSON.parse(exportJson(records, { id: 's', title: 'T', secrets: [] })).records, records);
    assert.equal(read.records.length, records.length);
  });

  for (const name of ['edge_cases', 'representative_messages', 'session_b', 'todowrite_examples']) {
    it(`the transcript ${name} of the corpus as Markdown`, function () {
      const file = path.join(corpusPath(this, 'transcripts/claude-code-log'), `${name}.jsonl`);
      const records = readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => decodeRecord(line) ?? []);
      matchSnapshot(`export/${name}.md`, exportMarkdown(records, { title: name }));
    });
  }
});
