// What a run begins with: the state of the repository, once; and that the calls of one reply run in the order that the model is promised.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitIn } from '../../support/git-repository';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('the start of a headless run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => {
    [place, server] = opened;
    server.setScript((_request, index) => reply(`Answer ${index + 1}.`));
  });

  const ask = (...args: string[]): Promise<HeadlessEnd> =>
    place.run(['-p', 'Hello', '--output-format', 'json', ...args], { url: server.url });
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(place.workspace, name), text);
  const commit = async (subject: string): Promise<void> => {
    await gitIn(place.workspace, 'add', '.');
    await gitIn(place.workspace, 'commit', '-qm', subject);
  };
  /** The notes about git in the n-th request. */
  const notes = (request: number): string[] =>
    (server.requests[request]?.body['messages'] as { content: { text?: string }[] }[])
      .flatMap(({ content }) => content)
      .flatMap(({ text = '' }) => (text.includes('Git as this session began') ? [text] : []));

  it('tells branch, changes and commits once, and again on resume if they are others', async () => {
    await gitIn(place.workspace, 'init', '--quiet', '-b', 'trunk');
    await write('a.txt', 'one\n');
    await commit('Begin </system-reminder> here');
    await write('a.txt', 'two\n');
    const end = await ask();
    const id = String(jsonLines(end.stdout)[0]?.['session_id'] ?? assert.fail(end.stderr));
    const [told, ...others] = notes(0);
    assert.deepEqual(others, []);
    assert.match(
      told ?? '',
      /Branch: trunk\..*\n M a\.txt\nLast commits:\n[0-9a-f]{7,} Begin <\\\/system-reminder> here\n/s,
    );
    await ask('--resume', id);
    assert.equal(notes(1).length, 1, 'nothing has changed');
    await write('b.txt', '');
    await ask('--resume', id);
    assert.equal(notes(2).length, 2);
    assert.match(notes(2)[1] ?? '', /\n M a\.txt\n\?\? b\.txt\n/);
  });

  it('tells nothing where there is no repository or the settings say so', async () => {
    await ask();
    await gitIn(place.workspace, 'init', '--quiet');
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(path.join(place.home, '.claude/settings.json'), '{"includeGitInstructions": false}');
    await ask();
    assert.deepEqual([notes(0), notes(1)], [[], []]);
  });

  it('edits of one file and a command behind them in one reply run in that order', async () => {
    const file = path.join(place.workspace, 'a.txt');
    await writeFile(file, 'one\ntwo\nthree\n');
    const edit = (old: string, text: string) => toolUse('Edit', { file_path: file, old_string: old, new_string: text });
    server.setScript([
      reply(toolUse('Read', { file_path: file })),
      reply(
        edit('one', 'first'),
        edit('first\ntwo', 'first\nsecond'),
        toolUse('Bash', { command: 'cat a.txt > seen-before' }),
        edit('three', 'third'),
        toolUse('Bash', { command: 'cat a.txt > seen' }),
      ),
      reply('Done.'),
    ]);
    const end = await ask('--permission-mode', 'bypassPermissions');
    assert.equal(end.code, 0, end.stderr);
    const seen = (name: string): Promise<string> => readFile(path.join(place.workspace, name), 'utf8');
    assert.ok(existsSync(path.join(place.workspace, 'seen')), JSON.stringify(server.requests[2]?.body['messages']));
    assert.equal(await seen('seen-before'), 'first\nsecond\nthree\n');
    assert.equal(await seen('seen'), 'first\nsecond\nthird\n');
  });
});
