// Where ripgrep is looked for: every layout that VS Code has had, the npm package, PATH, in this order.
import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findRipgrep, ripgrepCandidates } from '../../../../src/node/search/ripgrep-path';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep-search';
import { makeTree, type Tree } from '../search-tree';

describe('the path of ripgrep', () => {
  let place: Tree;
  const at = (...names: string[]): string => path.join(place.root, ...names);
  const executable = async (file: string): Promise<void> => {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), '#!/bin/sh\n');
    await chmod(at(file), 0o755);
  };
  const find = (platform = 'linux', arch = 'x64') =>
    findRipgrep({
      appRoot: at('app'),
      searchPath: `relative:${at('bin')}`,
      packageRoots: [at('project', 'deep')],
      platform,
      arch,
    });
  beforeEach(async () => {
    place = await makeTree({});
  });
  afterEach(() => place.remove());

  const layouts: [string, string, string][] = [
    ['app/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg', 'linux', 'x64'],
    ['app/node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/darwin-arm64/rg', 'darwin', 'arm64'],
    ['app/node_modules/@vscode/ripgrep-universal/bin/win32-x64/rg.exe', 'win32', 'x64'],
    ['app/node_modules/@vscode/ripgrep/bin/rg', 'linux', 'arm64'],
    ['app/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg', 'linux', 'x64'],
    ['app/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg.exe', 'win32', 'x64'],
    ['app/node_modules/@vscode/ripgrep-linux-x64/bin/rg', 'linux', 'x64'],
    ['app/node_modules.asar.unpacked/@vscode/ripgrep-darwin-x64/bin/rg', 'darwin', 'x64'],
    ['project/deep/node_modules/@vscode/ripgrep-linux-x64/bin/rg', 'linux', 'x64'],
    ['project/node_modules/@vscode/ripgrep-linux-arm64/bin/rg', 'linux', 'arm64'],
    ['project/node_modules/@vscode/ripgrep/bin/rg', 'linux', 'x64'],
    ['bin/rg', 'linux', 'x64'],
  ];
  for (const [file, platform, arch] of layouts) {
    it(`finds ${file} on ${platform}-${arch}`, async () => {
      await executable(file);
      assert.equal(await find(platform, arch), at(file));
    });
  }

  it('takes the best of several', async () => {
    for (const [file, platform] of layouts.toReversed()) if (platform === 'linux') await executable(file);
    assert.equal(await find(), at('app/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg'));
  });

  it('takes the packaged one before one on PATH, which may be old', async () => {
    await executable('bin/rg');
    await executable('project/node_modules/@vscode/ripgrep-linux-x64/bin/rg');
    assert.equal(await find(), at('project/node_modules/@vscode/ripgrep-linux-x64/bin/rg'));
  });

  it('passes over files that cannot be run', async () => {
    await executable('bin/rg');
    await executable('app/node_modules/@vscode/ripgrep/bin/rg');
    await chmod(at('app/node_modules/@vscode/ripgrep/bin/rg'), 0o644);
    assert.equal(await find(), at('bin/rg'));
  });

  it('never takes one from a relative PATH entry, which the workspace could bring along', () => {
    const candidates = ripgrepCandidates({ searchPath: '.:bin::/usr/bin', platform: 'linux', arch: 'x64' });
    assert.deepEqual(candidates, ['/usr/bin/rg']);
  });

  it('without any, searches fail with what to do', async () => {
    const search = createRipgrepSearch(find);
    const outcome = await search.glob(
      { pattern: '*', path: place.root, limit: 1, hidden: () => false },
      new AbortController().signal,
    );
    assert.match(outcome.outcome === 'failed' ? outcome.message : '', /Install it .* on PATH/);
    await executable('bin/rg');
    const again = await search.glob(
      { pattern: '*', path: place.root, limit: 1, hidden: () => false },
      new AbortController().signal,
    );
    assert.equal(again.outcome, 'files');
  });

  it('one that does not start is named', async () => {
    const search = createRipgrepSearch(async () => at('nothing'));
    const outcome = await search.glob(
      { pattern: '*', path: place.root, limit: 1, hidden: () => false },
      new AbortController().signal,
    );
    assert.match(outcome.outcome === 'failed' ? outcome.message : '', /did not start/);
  });
});
