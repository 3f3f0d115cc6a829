// A disk that refuses (`ulimit -f`): clear codes, old content kept, nothing left behind, session records kept for later.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { makeTree, type Tree } from './search-tree';

describe('a full disk', () => {
  let place: Tree;
  before(async () => {
    place = await makeTree({});
  });
  after(() => place.remove());

  it('loses nothing and says so', async function () {
    if (process.platform === 'win32') {
      console.log('      skipped: no file size limit here');
      this.skip();
    }
    const child = path.join(place.root, 'child.mjs');
    const root = path.join(place.root, 'work');
    await build({
      entryPoints: ['test/unit/node/full-disk-child.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: child,
      logLevel: 'error',
    });
    const script = 'mkdir "$2" && ulimit -S -f 16 && exec "$0" "$1" "$2"';
    const result = JSON.parse(
      execFileSync('bash', ['-c', script, process.execPath, child, root], { encoding: 'utf8' }),
    ) as Record<string, unknown>;
    const { retried, recordsAfterwards, indexAfterwards, ...rest } = result;
    assert.deepEqual(rest, {
      listed: 201,
      leftOfIndex: [],
      create: 'no_space',
      replace: 'no_space',
      inPlace: 'no_space',
      own: 'file-no-space',
      plain: 'before\n',
      linked: 'before\n',
      names: ['linked.txt', 'plain.txt', 'sessions', 'twin.txt'],
      refused: 'session-no-space',
      again: 'session-no-space',
      wholeLines: 1,
      endsWithNewline: true,
    });
    if (retried === 'synced') assert.deepEqual([recordsAfterwards, indexAfterwards], [3, true]);
    else {
      console.log(`      the retry was not shown: ${String(retried)}`);
      assert.equal(recordsAfterwards, 1);
    }
  });
});
