// A run whose model sends blocks of kinds that Deft does not know: they go back as they came, in the same run and after a resume.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { rawBlock, reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const plan = { type: 'gateway_plan', steps: ['look', 'say'], weight: 0.5, note: null } as const;

describe('a reply with blocks of unknown kinds', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened), { ownKinds: [plan.type] });

  const ask = (prompt: string, ...args: string[]): Promise<HeadlessEnd> =>
    place.run(['-p', prompt, '--output-format', 'json', ...args], { url: server.url });
  const sessionOf = (end: HeadlessEnd): string =>
    String(jsonLines(end.stdout)[0]?.['session_id'] ?? assert.fail(end.stderr));
  const assistantBlocks = (request: number): unknown[] =>
    (server.requests[request]?.body['messages'] as { role: string; content: unknown[] }[]).flatMap(
      ({ role, content }) => (role === 'assistant' ? content : []),
    );

  it('is sent back as it came, and after a resume too', async () => {
    await writeFile(path.join(place.workspace, 'a.txt'), 'hello\n');
    server.setScript([reply(rawBlock(plan), toolUse('Read', { file_path: 'a.txt' })), reply('Done.'), reply('More.')]);
    const first = await ask('go');
    assert.equal(first.code, 0, first.stderr);
    assert.deepEqual(assistantBlocks(1)[0], plan);
    const second = await ask('more', '--resume', sessionOf(first));
    assert.equal(second.code, 0, second.stderr);
    assert.deepEqual(assistantBlocks(2)[0], plan);
  });

  it('is fixed on resume where a log holds null in its place', async () => {
    server.setScript([reply(rawBlock(plan), 'Said.'), reply('Well.')]);
    const id = sessionOf(await ask('go'));
    const log = path.join(place.sessions, `${id}.jsonl`);
    const written = await readFile(log, 'utf8');
    const damaged = written.replace(JSON.stringify([plan]), '[null]');
    assert.notEqual(damaged, written, 'the block stands in the log');
    await writeFile(log, damaged);
    const second = await ask('again', '--resume', id);
    assert.equal(second.code, 0, second.stderr);
    assert.deepEqual(
      assistantBlocks(1).map((block) => (block as { text?: string } | null)?.text),
      ['Said.'],
    );
  });
});
