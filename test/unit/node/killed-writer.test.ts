// kill -9 while a session is written: what was synced is there, what is there is whole, and the next process continues.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { createJsonlSessionStore } from '../../../src/node/sessions/jsonl-session-store';
import { makeTree, type Tree } from './search-tree';

describe('a killed writer', () => {
  let place: Tree;
  before(async () => {
    place = await makeTree({});
  });
  after(() => place.remove());

  it('loses nothing that was synced, ten times over', async () => {
    const child = path.join(place.root, 'child.mjs');
    const root = path.join(place.root, 'sessions');
    await build({
      entryPoints: ['test/unit/node/killed-writer-child.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: child,
      logLevel: 'error',
    });
    let least = 0;
    for (let round = 0; round < 10; round++) {
      const writer = spawn(process.execPath, [child, root], { stdio: ['ignore', 'pipe', 'inherit'] });
      let reports = 0;
      for await (const line of createInterface({ input: writer.stdout })) {
        least = Math.max(least, Number(line));
        if (++reports === 2 + round) writer.kill('SIGKILL');
      }
      if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'close');
      assert.equal(writer.signalCode, 'SIGKILL');
      const opened = await createJsonlSessionStore(root).open('killed');
      await opened?.log.close();
      const numbers = (opened?.records ?? []).map((record) =>
        'title' in record ? Number.parseInt(record.title, 10) : -1,
      );
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index),
      );
      assert.ok(numbers.length >= least, `${numbers.length} records, ${least} were synced`);
    }
  });
});
