// The walk beyond what it shares with ripgrep: its bounds are reported, and no pattern holds up the process.
import assert from 'node:assert/strict';
import { searchByPlace } from '../../../src/core/search/search-by-place';
import { type GrepQuery, type Search } from '../../../src/core/ports/search';
import { createWalkSearch, type WalkBounds } from '../../../src/core/search/walk-search';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { patternInThread } from '../../../src/node/search/pattern-thread';
import { matchHere, patternThread } from '../../support/pattern-thread';
import { makeTree, type Tree } from './search-tree';

const query: GrepQuery = {
  pattern: 'hit',
  path: '',
  mode: 'files_with_matches',
  ignoreCase: false,
  multiline: false,
  onlyMatching: false,
  before: 0,
  after: 0,
  limit: 9,
  offset: 0,
  hidden: () => false,
};
const never = new AbortController().signal;
/** Ends after the test does. */
const endless = { ...query, pattern: '^(a+)+$' };

describe('search by walk alone', function () {
  this.timeout(60_000);
  let place: Tree;
  before(async () => {
    place = await makeTree({
      'a.txt': 'hit\n',
      'b.txt': `hit ${'x'.repeat(1_000)}\n`,
      'c.txt': `${'a'.repeat(60)}!\n`,
    });
  });
  after(() => place.remove());

  const walk = (bounds: WalkBounds) => createWalkSearch(createNodeFileSystem(), { openPattern: matchHere, bounds });

  it('tells of files that were too large to look at, one of which is no finding', async () => {
    const search = walk({ maxFiles: 9, maxFileBytes: 500 });
    for (const mode of ['files_with_matches', 'content', 'count'] as const) {
      const outcome = await search.grep({ ...query, path: place.root, mode }, never);
      assert.ok(outcome.outcome !== 'failed');
      assert.deepEqual([outcome.total, outcome.notes], [1, ['1 file above 0.0005 MB was not searched.']]);
    }
  });

  it('tells where it stopped, also where it found nothing', async () => {
    const search = walk({ maxFiles: 2, maxFileBytes: 5_000 });
    const note =
      'Only the first 2 files were searched because this folder is not on disk: give a smaller folder as path.';
    const outcome = await search.grep({ ...query, path: place.root, pattern: 'nothing', glob: 'z*' }, never);
    assert.deepEqual(outcome, {
      outcome: 'files',
      paths: [],
      total: 0,
      truncated: true,
      stopped: 'in_order',
      notes: [note],
    });
    const glob = await search.glob({ pattern: '*.md', path: place.root, limit: 9, hidden: () => false }, never);
    assert.deepEqual(glob, { outcome: 'files', paths: [], total: 0, truncated: true, notes: [note] });
  });

  it('says that no file fits the glob', async () => {
    const search = walk({ maxFiles: 9, maxFileBytes: 5_000 });
    assert.deepEqual(await search.grep({ ...query, path: place.root, glob: '*.md' }, never), {
      outcome: 'files',
      paths: [],
      total: 0,
      truncated: false,
      noFileFits: true,
    });
  });

  it('stops a pattern that never ends, and the process goes on meanwhile', async () => {
    const search = createWalkSearch(createNodeFileSystem(), { openPattern: await patternThread(300) });
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    const outcome = await search.grep({ ...endless, path: place.root }, never);
    clearInterval(ticking);
    assert.match(
      outcome.outcome === 'failed' ? outcome.message : '',
      /^The pattern took too long and was stopped\. Simplify it/,
    );
    assert.ok(turns > 3, `${turns} turns`);
  });

  it('hears Stop while a pattern runs', async () => {
    const search = createWalkSearch(createNodeFileSystem(), { openPattern: await patternThread() });
    const stop = new AbortController();
    const running = search.grep({ ...endless, path: place.root }, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 100);
    await assert.rejects(running, /stopped/);
  });

  it('says that it could not run where there is no thread or a broken one, and does not throw', async () => {
    const broken = await makeTree({ 'throws.js': 'throw new Error("no such module");', 'ends.js': 'process.exit(0);' });
    for (const file of ['/nowhere/pattern-worker.js', `${broken.root}/throws.js`, `${broken.root}/ends.js`]) {
      const search = createWalkSearch(createNodeFileSystem(), { openPattern: patternInThread(file) });
      const outcome = await search.grep({ ...query, path: place.root }, never);
      assert.match(
        outcome.outcome === 'failed' ? outcome.message : outcome.outcome,
        /^The search could not run \(/,
        file,
      );
    }
    await broken.remove();
  });
});

describe('searchByPlace', () => {
  const named = (name: string): Search => ({
    grep: async () => ({ outcome: 'failed', message: name }),
    glob: async () => ({ outcome: 'failed', message: name }),
  });
  const search = searchByPlace((path) => path.startsWith('/disk'), named('disk'), named('walk'));
  for (const path of ['/disk/a', '/far/a']) {
    it(`chooses by ${path}`, async () => {
      const expected = { outcome: 'failed', message: path.startsWith('/disk') ? 'disk' : 'walk' };
      assert.deepEqual(await search.grep({ ...query, path }, never), expected);
      assert.deepEqual(await search.glob({ pattern: '*', path, limit: 1, hidden: () => false }, never), expected);
    });
  }
});
