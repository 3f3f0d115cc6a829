// What is not as it should be: damaged logs, a home that is none, networks that answer otherwise, models that go astray.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { httpError, reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { skipUnless } from '../../support/skip-unless';

const posix = process.platform !== 'win32';

describe('a headless run in a damaged place', function () {
  skipUnless(posix, 'these need FIFOs and signals.');
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  async function oneSession(): Promise<string> {
    server.setScript([reply(toolUse('Bash', { command: 'echo first' })), reply('One.')]);
    await place.run(['-p', 'first', '--permission-mode', 'bypassPermissions'], { url: server.url });
    server.setScript([reply('Two.')]);
    await place.run(['-p', 'second', '--continue'], { url: server.url });
    const [file = ''] = (await readdir(place.sessions)).filter((name) => name.endsWith('.jsonl'));
    return path.join(place.sessions, file);
  }

  it('names the lines of a log that it cannot read, and tells the model where they are missing', async () => {
    const file = await oneSession();
    const lines = (await readFile(file, 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.includes('"tool_result"'));
    lines[at] = lines[at]?.slice(20) ?? '';
    lines[at + 1] = 'x'.repeat(30);
    await writeFile(file, lines.join('\n'));
    server.setScript([reply('Back.')]);
    const end = await place.run(['-p', 'And now?', '--continue'], { url: server.url });
    assert.equal(end.stdout, 'Back.\n', end.stderr);
    assert.ok(
      end.stderr.includes(`2 line(s) of the session's log cannot be read and are skipped: ${file}`),
      end.stderr,
    );
    const messages = JSON.stringify(server.requests.at(-1)?.body['messages']);
    assert.equal(messages.split('2 lines of this session could not be read').length - 1, 1, messages);
    assert.ok(messages.indexOf('could not be read') < messages.indexOf('second'));
  });

  it('refuses a log that is a FIFO at once', async () => {
    await mkdir(place.sessions, { recursive: true });
    execFileSync('mkfifo', [path.join(place.sessions, 'pipe.jsonl')]);
    const end = await place.run(['-p', 'Hi', '--resume', 'pipe'], { url: server.url });
    assert.equal(end.code, 1);
    assert.match(end.stderr, /The session cannot be opened\. \S+pipe\.jsonl is not a regular file\./);
  });

  for (const [name, home] of [
    ['empty', ''],
    ['relative', 'here'],
  ])
    it(`looks for no sessions in the workspace if HOME is ${name}`, async () => {
      const planted = path.join(place.workspace, home ?? '', '.deft/sessions', path.basename(place.sessions));
      await mkdir(planted, { recursive: true });
      await writeFile(path.join(planted, 'planted.jsonl'), '{}\n');
      const end = await place.run(['-p', 'Hi', '--resume', 'planted'], { url: server.url, env: { HOME: home ?? '' } });
      assert.match(end.stderr, /This folder has no session planted/);
    });

  it('says that a server behind https:// speaks plain HTTP', async () => {
    const plain = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    const end = await place.run(['-p', 'Hi'], { url: `https://127.0.0.1:${port}` });
    plain.close();
    assert.match(end.stderr, /answered without TLS \(ERR_SSL_\w+\)\. .*begin the base URL with http:\/\//);
    assert.doesNotMatch(end.stderr, /certificate/);
  });

  it('says that the headers of an answer are too large', async () => {
    const large = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx-much: ${'x'.repeat(100_000)}\r\n\r\n`)),
    );
    await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
    const { port } = large.address() as { port: number };
    const end = await place.run(['-p', 'Hi'], { url: `http://127.0.0.1:${port}` });
    large.close();
    assert.match(end.stderr, /The headers of the answer from 127\.0\.0\.1:\d+ are too large \(\w+\)/);
  });

  it('does not take the limit of a proxy for that of the model', async () => {
    server.setScript([{ ...httpError(413, 'x', 'x'), rawBody: '<html><h1>413 Request Entity Too Large</h1></html>' }]);
    const end = await place.run(['-p', 'Hi'], { url: server.url });
    assert.match(end.stderr, /A proxy or gateway at \S+ refuses requests of this size \(413\)/);
    assert.doesNotMatch(end.stderr, /context window/);
  });
});

describe('a headless run with a model or a server that goes astray', function () {
  skipUnless(posix, 'these need FIFOs and signals.');
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('answers input that is nested too deeply, and goes on', async () => {
    const deep = `{"command":${'['.repeat(6000)}${']'.repeat(6000)}}`;
    server.setScript([reply({ ...toolUse('Bash', {}), json: deep } as never), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url: server.url });
    assert.deepEqual([end.code, end.stdout], [0, 'Done.\n'], end.stderr);
    assert.match(server.requests.at(-1)?.text ?? '', /the input is nested deeper than 1000 levels/);
  });

  it('returns a tool name that the API would refuse in a form that it takes', async () => {
    server.setScript([reply(toolUse('No Such Tool!', {}, 'toolu_odd')), reply(toolUse('', {})), reply('Done.')]);
    const end = await place.run(['-p', 'Go'], { url: server.url });
    assert.deepEqual([end.code, end.stdout], [0, 'Done.\n'], end.stderr);
    const names = [...(server.requests.at(-1)?.text ?? '').matchAll(/"type":"tool_use"[^}]*?"name":"([^"]*)"/g)];
    assert.deepEqual(
      names.map(([, name]) => name),
      ['No_Such_Tool_', 'unnamed'],
    );
  });

  it('names an MCP server that never answers', async () => {
    const config = JSON.stringify({ mcpServers: { mute: { command: 'sleep', args: ['600'] } } });
    server.setScript([reply('Hello.')]);
    const end = await place.run(['-p', 'Hi', '--mcp-config', config], { url: server.url, env: { MCP_TIMEOUT: '500' } });
    assert.equal(end.stdout, 'Hello.\n', end.stderr);
    assert.match(end.stderr, /The MCP server mute /);
  });

  it('stops a model that makes the same call again and again', async () => {
    server.setScript(() => reply(toolUse('Bash', { command: 'exit 1' })));
    const end = await place.run(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url: server.url });
    assert.equal(end.code, 1);
    assert.match(end.stderr, /The model has made the same call 8 times in a row, with the same result: Bash .*exit 1/);
    assert.equal(server.requests.length, 8);
    assert.match(server.requests[3]?.text ?? '', /The last 3 calls were the same, with the same result/);
    assert.doesNotMatch(server.requests[2]?.text ?? '', /calls were the same/);
  });

  it('--max-repeats sets after how many', async () => {
    server.setScript(() => reply(toolUse('Bash', { command: 'exit 1' })));
    const args = ['-p', 'Go', '--permission-mode', 'bypassPermissions', '--max-repeats', '2'];
    assert.match((await place.run(args, { url: server.url })).stderr, /same call 2 times in a row/);
    assert.equal(server.requests.length, 2);
  });
});
