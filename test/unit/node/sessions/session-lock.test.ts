// A session stays with a silent process that cannot be looked for from here, for as long as that lives.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { build } from 'esbuild';
import { isSessionHeld, lockSession } from '../../../../src/node/sessions/session-lock';
import { makeTree, type Tree } from '../search-tree';

describe('the lock of a session', () => {
  let place: Tree;
  let holder: ChildProcess | undefined;
  const lock = (): string => path.join(place.root, 'a.lock');
  /** Nothing was said in the session for long. */
  const lastWrite = async (): Promise<number> => 0;

  before(async () => {
    place = await makeTree({});
    await build({
      entryPoints: ['test/unit/node/lock-holder-child.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: path.join(place.root, 'child.mjs'),
      logLevel: 'error',
    });
  });
  after(async () => {
    holder?.kill('SIGKILL');
    await place.remove();
  });

  const held = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [path.join(place.root, 'child.mjs'), lock()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    holder = child;
    await once(child.stdout, 'data');
    return child;
  };

  /** As another machine or container would have written it, into the same file. */
  const seemsElsewhere = async (fields: object): Promise<void> => {
    const text = JSON.stringify({ ...(JSON.parse(await readFile(lock(), 'utf8')) as object), ...fields });
    const handle = await open(lock(), 'r+');
    await handle.write(text, 0);
    await handle.truncate(Buffer.byteLength(text));
    await handle.close();
  };
  const silent = (): Promise<void> => utimes(lock(), 1_000, 1_000);

  for (const [where, fields] of [
    ['on another machine', { host: 'elsewhere' }],
    ['in another container of this machine', { pids: 'pid:[1]', pid: 1_999_999_999 }],
  ] as const)
    it(`stays with a process ${where} while that lives, and passes on afterwards`, async () => {
      const child = await held();
      await seemsElsewhere(fields);
      await silent();
      while ((await stat(lock())).mtimeMs <= 1_000_000) await nextTask();
      assert.equal(await isSessionHeld(lock(), lastWrite), true);
      await assert.rejects(lockSession(lock(), lastWrite), { code: 'session-locked' });
      child.kill('SIGKILL');
      await once(child, 'close');
      await silent();
      assert.equal(await isSessionHeld(lock(), lastWrite), false);
      const release = await lockSession(lock(), lastWrite);
      assert.equal((JSON.parse(await readFile(lock(), 'utf8')) as { pid: number }).pid, process.pid);
      await release();
      await assert.rejects(stat(lock()), { code: 'ENOENT' });
    });
});
