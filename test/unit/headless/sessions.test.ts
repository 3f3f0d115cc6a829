import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { claudeCodeLog, said, used } from '../../support/external-logs';
import { jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { delayed, gate, reply, text, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless sessions', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => {
    [place, server] = opened;
    server.setScript((_request, index) => reply(`Answer ${index + 1}.`));
  });

  const ask = (prompt: string, ...args: string[]): Promise<HeadlessEnd> =>
    place.run(['-p', prompt, '--output-format', 'json', ...args], { url: server.url });
  const sessionOf = (end: HeadlessEnd): string =>
    String(jsonLines(end.stdout)[0]?.['session_id'] ?? assert.fail(end.stderr));
  /** What the user and the model said, as the n-th request has it. */
  const conversation = (request: number): string[] =>
    (server.requests[request]?.body['messages'] as { content: { type: string; text?: string }[] }[])
      .flatMap(({ content }) => content)
      .flatMap(({ text: said }) => (said === undefined || said.startsWith('<system-reminder>') ? [] : [said]));

  it('--resume goes on with the session', async () => {
    const id = sessionOf(await ask('one'));
    assert.equal(sessionOf(await ask('two', '--resume', id)), id);
    assert.deepEqual(conversation(1), ['one', 'Answer 1.', 'two']);
    assert.equal((await readdir(place.sessions)).filter((name) => name.endsWith('.jsonl')).length, 1);
  });

  it('--continue goes on with the latest session of the folder', async () => {
    await ask('old');
    const latest = sessionOf(await ask('new'));
    assert.equal(sessionOf(await ask('more', '--continue')), latest);
    assert.deepEqual(conversation(2), ['new', 'Answer 2.', 'more']);
  });

  it('--fork-session goes on in a copy and leaves the session alone', async () => {
    const id = sessionOf(await ask('one'));
    const before = await place.transcript(id);
    const copy = sessionOf(await ask('two', '--resume', id, '--fork-session'));
    assert.notEqual(copy, id);
    assert.deepEqual(conversation(1), ['one', 'Answer 1.', 'two']);
    assert.deepEqual(await place.transcript(id), before);
    const copied = await place.transcript(copy);
    assert.ok(copied.length > before.length);
    assert.deepEqual([...new Set(copied.map((record) => record['sessionId']))], [copy]);
    assert.equal(sessionOf(await ask('three', '--continue', '--fork-session')) === copy, false);
    assert.deepEqual(conversation(2), ['one', 'Answer 1.', 'two', 'Answer 2.', 'three']);
  });

  it('--fork-session copies a session that another process has open, several times at once', async () => {
    const id = sessionOf(await ask('one'));
    let goOn = (): void => undefined;
    const gone = new Promise<void>((resolve) => (goOn = resolve));
    server.setScript((_request, index) => (index === 1 ? delayed(reply('Held.'), gone) : reply('Copied.')));
    const holder = place.run(['-p', 'held', '--resume', id], { url: server.url });
    await server.waitForRequest(2);
    const forks = await Promise.all(
      ['a', 'b', 'c'].map((words) =>
        place.run(['-p', words, '--resume', id, '--fork-session', '--output-format', 'json'], { url: server.url }),
      ),
    );
    goOn();
    assert.deepEqual(
      forks.map(({ code }) => code),
      [0, 0, 0],
      forks.map(({ stderr }) => stderr).join(''),
    );
    assert.equal(new Set([id, ...forks.map(sessionOf)]).size, 4);
    assert.equal((await holder).code, 0);
  });

  it('--fork-session takes the checkpoints along', async () => {
    const file = path.join(place.workspace, 'kept.txt');
    server.setScript((_request, index) =>
      index === 0 ? reply(toolUse('Write', { file_path: file, content: 'one\n' })) : reply('Done.'),
    );
    const id = sessionOf(await ask('one', '--permission-mode', 'acceptEdits'));
    const checkpoints = (session: string): string => path.join(place.sessions, session, 'checkpoints');
    const kept = await readFile(path.join(checkpoints(id), 'log.jsonl'), 'utf8');
    assert.ok(kept.includes('kept.txt'));
    const copy = sessionOf(await ask('two', '--resume', id, '--fork-session'));
    assert.ok((await readFile(path.join(checkpoints(copy), 'log.jsonl'), 'utf8')).startsWith(kept));
    assert.deepEqual(
      (await readdir(path.join(checkpoints(copy), 'blobs'))).sort(),
      (await readdir(path.join(checkpoints(id), 'blobs'))).sort(),
    );
  });

  it("another program's session is not written to: it says so, and goes on in a copy", async () => {
    const log = claudeCodeLog({ id: 'other', cwd: place.workspace });
    log.prompt('zero');
    log.reply(
      'm1',
      { type: 'thinking', thinking: 'Hm.', signature: 'of another' },
      said('Theirs.'),
      used('t1', 'Odd tool', {}),
    );
    const projects = path.join(place.home, '.claude', 'projects', place.workspace.replace(/[^A-Za-z0-9]/g, '-'));
    await mkdir(projects, { recursive: true });
    await writeFile(path.join(projects, 'other.jsonl'), log.text());
    const refused = await ask('one', '--resume', 'other');
    assert.match(
      refused.stderr,
      /other is a session of Claude Code, which Deft only reads\. Continue in a copy with --resume other --fork-session\./,
    );
    assert.equal(server.requests.length, 0);
    const forked = await ask('one', '--resume', 'other', '--fork-session');
    const copy = sessionOf(forked);
    assert.match(forked.stderr, /^deft: The session that was copied: 1 call in it has no result\.$/m);
    assert.deepEqual(conversation(0), ['zero', 'Theirs.', 'one']);
    assert.equal(await readFile(path.join(projects, 'other.jsonl'), 'utf8'), log.text());
    assert.equal(sessionOf(await ask('two', '--resume', copy)), copy);
  });

  it('a resumed session keeps its model and its mode', async () => {
    const id = sessionOf(await ask('one', '--model', 'claude-sonnet-5'));
    await ask('two', '--resume', id);
    await ask('three', '--resume', id, '--model', 'claude-opus-5');
    assert.deepEqual(
      server.requests.map(({ body }) => body['model']),
      ['claude-sonnet-5', 'claude-sonnet-5', 'claude-opus-5'],
    );
  });

  it('what a model has written it may edit after a resume', async () => {
    const file = path.join(place.workspace, 'a.txt');
    const calls = [
      reply(toolUse('Write', { file_path: file, content: 'red\n' })),
      reply('Written.'),
      reply(toolUse('Edit', { file_path: file, old_string: 'red', new_string: 'blue' })),
      reply('Edited.'),
    ];
    server.setScript((_request, index) => calls[index] ?? reply('?'));
    const id = sessionOf(await ask('write', '--permission-mode', 'acceptEdits'));
    await ask('edit', '--resume', id, '--permission-mode', 'acceptEdits');
    assert.equal(await readFile(file, 'utf8'), 'blue\n');
  });

  it('an unknown session id is a sentence', async () => {
    const end = await ask('one', '--resume', 'no-such-session');
    const { is_error: isError, errors } = JSON.parse(end.stdout) as { is_error: boolean; errors: string[] };
    assert.deepEqual([end.code, isError, errors.length], [1, true, 1]);
    assert.match(errors[0] ?? '', /^This folder has no session no-such-session/);
    assert.match(end.stderr, /^deft: This folder has no session no-such-session\.[^\n]*\n$/);
    const wrong = await ask('one', '--resume', '../../etc/passwd');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /"\.\.\/\.\.\/etc\/passwd" is not a session id/);
    assert.equal(server.requests.length, 0);
  });

  it('--continue without a session is a sentence', async () => {
    const end = await ask('one', '--continue');
    assert.equal(end.code, 1);
    assert.match(end.stderr, /This folder has no session to continue/);
  });

  it('a session that another process has open is a sentence, and stays as it is', async () => {
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    server.setScript(() => reply(text('Wait', gate(hold), ' over.')));
    const first = place.start(['-p', 'one', '--output-format', 'stream-json'], { url: server.url });
    await server.waitForRequest(1);
    await first.said('system');
    const [name] = (await readdir(place.sessions)).filter((file) => file.endsWith('.jsonl'));
    const id = (name ?? '').replace('.jsonl', '');
    const second = await ask('two', '--resume', id);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^deft: This session is open in another process \(\d+\)\.[^\n]*\n$/);
    release();
    const end = await first.ended;
    assert.equal(end.code, 0, end.stderr);
    assert.equal(server.requests.length, 1);
  });

  it('sessions of another folder are not mixed in', async () => {
    await ask('here');
    const other = path.join(place.workspace, 'other');
    await mkdir(other);
    const end = await place.run(['-p', 'there', '--continue'], { url: server.url, cwd: other });
    assert.match(end.stderr, /This folder has no session/);
  });
});
