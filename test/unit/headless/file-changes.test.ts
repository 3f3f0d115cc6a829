// Files that are not as the model knows them, in the built runner: changed by a command, between two prompts, and between two processes.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless file changes', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  /** The texts of the request that speak of changed files. */
  const told = (index: number): string[] => {
    const messages = server.requests[index]?.body['messages'] as { content: { type: string; text?: string }[] }[];
    return messages
      .flatMap(({ content }) => content.flatMap(({ text = '' }) => text))
      .filter((text) => /does not exist any more|has changed|reverted|shows="what changed"/.test(text));
  };

  it('are told once: in the turn, with the next prompt, and after a resume', async () => {
    const file = path.join(place.workspace, 'a.txt');
    await writeFile(file, 'one\ntwo\n');
    server.setScript((_request, index) => {
      const calls = [
        toolUse('Read', { file_path: file }, 't1'),
        toolUse('Edit', { file_path: file, old_string: 'two', new_string: 'TWO' }, 't2'),
        toolUse('Bash', { command: 'echo three >> a.txt' }, 't3'),
      ];
      const call = calls[index];
      return reply(call ?? 'Done.');
    });
    const { child, said, ended } = place.start(
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'].concat([
        '--permission-mode',
        'bypassPermissions',
      ]),
      { url: server.url, stdin: 'open' },
    );
    const send = (content: string): void =>
      void child.stdin?.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    send('Go');
    await said('"type":"result"');
    assert.equal(told(2).length, 0);
    assert.equal(told(3).length, 2);
    assert.match(
      told(3).join('\n'),
      /has changed since you last read or wrote it, by the user, a command or another program\.[^]*\n\+three/,
    );
    await writeFile(file, 'one\ntwo\n');
    send('And now?');
    await server.waitForRequest(5);
    assert.match(told(4).at(-1) ?? '', /no longer has your edit: .* reverted it, and it stands as before it\./);
    child.stdin?.end();
    const end = await ended;
    assert.equal(end.code, 0, end.stderr);
    const { session_id: id } = jsonLines(end.stdout)[0] as { session_id: string };
    const before = told(4);
    await place.run(['-p', 'Again', '--resume', id], { url: server.url });
    assert.deepEqual(told(5), before);
    await writeFile(file, 'else\n');
    await place.run(['-p', 'Again', '--resume', id], { url: server.url });
    assert.deepEqual(told(6).slice(0, -1), before);
    assert.match(told(6).at(-1) ?? '', /has changed again since .*\. Read it again before you rely on it\./);
  });
});
