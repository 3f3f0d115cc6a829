// Temporary folders and session folders that are missing, full, small or read-only: on disks of their own, in a mount namespace.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { skipUnless } from '../../support/skip-unless';

const mayMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt && command -v fallocate']).status ===
    0;

describe('a headless run on a damaged disk', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const go = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];
  const said = (): string => JSON.stringify(server.requests.at(-1)?.body['messages']);
  /** `mounts` is a shell line; what it mounts is seen by the run alone. */
  const on = (mounts: string): { url: string; shell: string } => ({
    url: server.url,
    shell: `exec unshare -rm bash -c '${mounts} && exec "$@"' bash "$@"`,
  });

  async function runsCommands(options: { url: string; shell?: string; env?: Record<string, string> }): Promise<void> {
    server.setScript([
      reply(toolUse('Bash', { command: 'echo one; exit 3' })),
      reply(toolUse('Bash', { command: 'echo $((40 + 2))' })),
      reply('Done.'),
    ]);
    const end = await place.run(go, options);
    assert.deepEqual([end.code, end.stdout], [0, 'Done.\n'], end.stderr);
    assert.match(said(), /"content":"Exit code 3\\none"/);
    assert.match(said(), /"content":"42"/);
    const [session = ''] = readdirSync(place.sessions).filter((name) => !name.includes('.') && name !== 'writes');
    assert.deepEqual(readdirSync(path.join(place.sessions, session, 'commands')), [], 'nothing is left of them');
  }

  it('runs commands where the temporary folder is missing', async () => {
    rmSync(place.temporary, { recursive: true });
    await runsCommands({ url: server.url });
  });

  it('runs commands where the temporary folder is a file', async () => {
    const file = path.join(place.home, 'file');
    writeFileSync(file, '');
    await runsCommands({ url: server.url, env: { TMPDIR: file } });
  });

  describe('with mounts', () => {
    skipUnless(mayMount, 'this user may not mount anything.');

    it('runs commands where the temporary folder is full', () =>
      runsCommands(on('mount -t tmpfs -o size=64k tmpfs "$TMPDIR"')));

    it('runs commands where the temporary folder is read-only', () =>
      runsCommands(on('mount -t tmpfs -o ro tmpfs "$TMPDIR"')));

    it('keeps both ends of output that would fill the disk, and leaves room', async () => {
      const much =
        'echo first; for i in {1..100}; do head -c 1000000 /dev/zero | tr "\\0" x; sleep 0.02; done; echo; echo last';
      server.setScript([
        reply(toolUse('Bash', { command: much })),
        reply(toolUse('Bash', { command: 'head -c 30000000 /dev/zero >"$TMPDIR/more" && echo room' })),
        reply('Done.'),
      ]);
      const end = await place.run(go, on('mount -t tmpfs -o size=64m tmpfs "$TMPDIR"'));
      assert.deepEqual([end.code, end.stdout], [0, 'Done.\n'], end.stderr);
      assert.match(said(), /"content":"first\\n[^"]*left out here; its beginning and end are in [^"]*\\nlast\\n/);
      assert.match(said(), /the rest was not kept, since it would have filled the disk/);
      assert.match(said(), /"content":"room"/);
    });

    it('runs unsaved where sessions cannot be written, and says so', async () => {
      server.setScript([reply(toolUse('Bash', { command: 'echo one' })), reply('Done.')]);
      const end = await place.run(go, on('mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME"'));
      assert.equal(end.stdout, 'Done.\n', end.stderr);
      assert.match(end.stderr, /The session cannot be saved\. .*read-only/i);
      assert.match(said(), /"content":"one"/);
    });
  });
});
