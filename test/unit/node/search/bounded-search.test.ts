// What no search does: run without end, walk through what is no disk, outlive the process that started it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type GrepQuery } from '../../../../src/core/ports/search';
import { endingWithUs } from '../../../../src/node/search/ending-with-us';
import { foreignMounts, mountedBelow } from '../../../../src/node/search/mounted-below';
import { findRipgrep } from '../../../../src/node/search/ripgrep-path';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep-search';
import { makeTree, type Tree } from '../search-tree';

const never = new AbortController().signal;
const ripgrep = () => findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] });

describe('a search with bounds', () => {
  let place: Tree;
  /** Prints what it is given and then never ends, as ripgrep does on a disk without end. */
  const endless = async (printed: string): Promise<string> => {
    const file = path.join(place.root, 'endless-rg');
    await writeFile(file, `#!/bin/sh\nprintf '${printed}'\nexec sleep 600\n`);
    await chmod(file, 0o755);
    return file;
  };
  const grep = (query: Partial<GrepQuery>): GrepQuery => ({
    pattern: 'x',
    path: place.root,
    mode: 'files_with_matches',
    ignoreCase: false,
    multiline: false,
    onlyMatching: false,
    before: 0,
    after: 0,
    limit: 10,
    offset: 0,
    hidden: () => false,
    ...query,
  });
  beforeEach(async () => {
    place = await makeTree({ 'a.txt': 'x\n', 'b.txt': 'x\n' });
  });
  afterEach(() => place.remove());

  it('gives what it has found when its time is over, and says so', async () => {
    const executable = await endless('a.txt\\0b.txt\\0');
    const search = createRipgrepSearch(async () => executable, 500);
    const found = await search.glob({ pattern: '*.txt', path: place.root, limit: 10, hidden: () => false }, never);
    assert.ok(found.outcome === 'files');
    assert.deepEqual(
      found.paths.map((file) => path.basename(file)),
      ['b.txt', 'a.txt'],
    );
    assert.equal(found.truncated, true);
    assert.match(found.notes?.join() ?? '', /stopped after 0\.5 seconds, before all files had been looked at/);
    const lines = await search.grep(grep({ mode: 'count', glob: '*.md' }), never);
    assert.ok(lines.outcome === 'counts');
    assert.deepEqual([lines.stopped, lines.truncated, lines.noFileFits], ['unordered', true, undefined]);
    assert.match(lines.notes?.join() ?? '', /stopped after/);
  });

  it('leaves out what is no disk below the folder that it walks', async function () {
    if (process.platform !== 'linux') return this.skip();
    const search = createRipgrepSearch(ripgrep);
    // `/proc/self/status` is there on every Linux; nothing deeper is walked than the pattern names.
    const found = await search.glob({ pattern: '/*/self/status', path: '/', limit: 10, hidden: () => false }, never);
    assert.ok(found.outcome === 'files');
    assert.deepEqual(found.paths, []);
    assert.match(found.notes?.at(-1) ?? '', /^Not searched: \/dev, .*\/proc, .*\/sys.* \(no disks of this machine\)\./);
    const named = await search.glob({ pattern: '/status', path: '/proc/self', limit: 10, hidden: () => false }, never);
    assert.deepEqual(named.outcome === 'files' && [named.total, named.notes], [1, undefined]);
  });

  it('knows what is mounted where', async () => {
    const mounts = [
      '/dev/sda1 / ext4 rw 0 0',
      'proc /proc proc rw 0 0',
      'server:/x /mnt/with\\040space nfs4 rw 0 0',
      'tmpfs /tmp tmpfs rw 0 0',
      'C: /mnt/c 9p rw 0 0',
      '',
    ].join('\n');
    assert.deepEqual(foreignMounts(mounts), ['/proc', '/mnt/with space']);
    assert.deepEqual(await mountedBelow('/', 'darwin'), ['/Network', '/System/Volumes', '/Volumes', '/dev', '/net']);
    assert.deepEqual(await mountedBelow('/System', 'darwin'), ['/System/Volumes']);
    assert.deepEqual(await mountedBelow('/Users/ann', 'darwin'), []);
    assert.deepEqual(await mountedBelow('C:/', 'win32'), []);
  });

  it('ends with the process that runs it, also when that is killed', async function () {
    if ((await endingWithUs()).length === 0) return this.skip();
    const pid = path.join(place.root, 'pid');
    const program = path.join(place.root, 'endless-rg');
    await writeFile(program, `#!/bin/sh\necho $$ >'${pid}'\nexec sleep 600\n`);
    await chmod(program, 0o755);
    // A process of its own that starts it exactly as a search does.
    const script = `const [program, ...args] = ${JSON.stringify([...(await endingWithUs()), program])};
      require('node:child_process').spawn(program, args, { stdio: 'ignore' }); setInterval(() => {}, 1000);`;
    const runner = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    const started = async (): Promise<number> => Number((await readFile(pid, 'utf8').catch(() => '')).trim());
    while (!((await started()) > 0)) await delay(20);
    const child = await started();
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    while (await isAlive(child)) await delay(20);
  });
});

/** A process that has ended and that nobody has asked about is gone, too. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}
