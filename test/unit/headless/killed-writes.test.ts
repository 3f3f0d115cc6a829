// A run that is killed in the middle of a write: its temporary file is gone after the next one, and nobody else's.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { skipUnless } from '../../support/skip-unless';

/** Holds a process at the point where its temporary file is written and has not taken the place of the other one. */
const holdsSync = `
const { open, readlink } = require('node:fs/promises');
open(__filename).then(async (handle) => {
  const { sync } = Object.getPrototypeOf(handle);
  Object.getPrototypeOf(handle).sync = async function () {
    if (/\\.deft-.*\\.tmp$/.test(await readlink('/proc/self/fd/' + this.fd))) await new Promise(() => undefined);
    return sync.call(this);
  };
  await handle.close();
});`;

describe('a write that is killed', function () {
  skipUnless(process.platform === 'linux', 'processes are found in /proc, on Linux only.');
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const temporary = (): string[] => readdirSync(place.workspace).filter((name) => name.endsWith('.tmp'));
  const ledgers = (): string[] => readdirSync(path.join(place.sessions, 'writes'));

  it('leaves nothing once the workspace is opened again, and a living write is left alone', async () => {
    const preload = path.join(place.home, 'hold.cjs');
    writeFileSync(preload, holdsSync);
    const write = [reply(toolUse('Write', { file_path: path.join(place.workspace, 'new.txt'), content: 'text' }))];
    const args = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];
    const start = async (): Promise<ReturnType<HeadlessPlace['start']>> => {
      const before = temporary().length;
      server.setScript(write);
      const run = place.start(args, { url: server.url, env: { NODE_OPTIONS: `--require ${preload}` } });
      while (temporary().length === before) await sleep(10);
      return run;
    };
    const living = await start();
    const [kept] = temporary();
    const killed = await start();
    killed.child.kill('SIGKILL');
    await killed.ended;
    assert.equal(temporary().length, 2);
    writeFileSync(path.join(place.workspace, '.deft-1-00000000-somebody.tmp'), 'of the user');
    server.setScript([reply('Fine.')]);
    const end = await place.run(args, { url: server.url });
    assert.equal(end.stdout, 'Fine.\n', end.stderr);
    assert.deepEqual(temporary().sort(), ['.deft-1-00000000-somebody.tmp', kept].sort());
    assert.match(kept ?? '', new RegExp(`^\\.deft-${living.child.pid}-`));
    assert.deepEqual(ledgers().length, 1);
    living.child.kill('SIGKILL');
    await living.ended;
    server.setScript([reply('Fine.')]);
    await place.run(args, { url: server.url });
    assert.deepEqual(temporary(), ['.deft-1-00000000-somebody.tmp']);
    assert.deepEqual(ledgers(), []);
    assert.equal(readFileSync(path.join(place.workspace, temporary()[0] ?? ''), 'utf8'), 'of the user');
  });
});
