// Where a path in an answer leads, and what opens without a question.
import assert from 'node:assert/strict';
import {
  type LinkSurroundings,
  localCandidates,
  pathOfCard,
  placeOf,
} from '../../../../src/vscode/chat/messages/link-place';
import { createMemoryFiles } from '../../../support/memory-files';

describe('a path in the chat', () => {
  const looked: string[] = [];
  const memory = createMemoryFiles({
    '/w/src/a.ts': 'a',
    '/w/leak': { link: '/etc/passwd' },
    '/w/inner': { link: '/w/src/a.ts' },
    '/etc/passwd': 'root',
    '/results/1.txt': 'r',
    '/out/1.out': 'o',
  });
  const surroundings: LinkSurroundings = {
    files: { realPath: (path) => memory.realPath(path), stat: async (path) => (looked.push(path), memory.stat(path)) },
    folders: [{ name: 'w', path: '/w' }],
    own: ['/results', '/out'],
  };

  it('opens inside the workspace and in the folders of Deft', async () => {
    for (const path of [
      'src/a.ts',
      './src/a.ts',
      'w/src/a.ts',
      '/w/src/a.ts',
      '/w/src/../src/a.ts',
      '/w/inner',
      '/results/1.txt',
      '/out/1.out',
    ]) {
      assert.equal((await placeOf(path, surroundings)).kind, 'inside', path);
    }
  });

  it('asks outside, and knows where a link leads', async () => {
    assert.deepEqual(await placeOf('/etc/passwd', surroundings), {
      kind: 'outside',
      path: '/etc/passwd',
      realPath: '/etc/passwd',
    });
    assert.deepEqual(await placeOf('leak', surroundings), {
      kind: 'outside',
      path: '/w/leak',
      realPath: '/etc/passwd',
    });
    for (const path of ['../etc/passwd', '/w/../etc/passwd', 'src/../../etc/passwd']) {
      assert.equal((await placeOf(path, surroundings)).kind, 'outside', path);
    }
    assert.equal(
      (await placeOf('src/a.ts', { ...surroundings, folders: [] })).kind,
      'missing',
      'without a folder nothing is relative',
    );
  });

  it('of a card is the path that the review knows, on Windows too', async () => {
    const folders = [{ name: 'ws', path: 'C:/ws' }];
    const exists = async (path: string) => path === 'C:/ws/src/a.ts';
    for (const path of ['src/a.ts', 'ws/src/a.ts', 'C:/ws/src/a.ts', 'c:/ws/src/a.ts'])
      assert.equal(await pathOfCard(path, folders, exists), 'C:/ws/src/a.ts', path);
    assert.equal(await pathOfCard('src/gone.ts', folders, exists), 'C:/ws/src/gone.ts');
    assert.equal(await pathOfCard('/w/src/a.ts', surroundings.folders, async () => false), '/w/src/a.ts');
  });

  it('says what is not there', async () => {
    for (const path of ['src/b.ts', '/nowhere'])
      assert.equal((await placeOf(path, surroundings)).kind, 'missing', path);
  });

  it('never looks at another machine, unless the workspace lies there', async () => {
    looked.length = 0;
    for (const path of [
      '//host/share/a',
      '\\\\host\\share\\a',
      '/\\host/a',
      '\\/host/a',
      '\\\\?\\C:\\a',
      '\\\\.\\pipe\\a',
    ]) {
      assert.equal((await placeOf(path, surroundings)).kind, 'network', path);
    }
    assert.deepEqual(looked, []);
    const folders = [{ name: 'ws', path: '//host/share/ws' }];
    assert.deepEqual(localCandidates('a.ts', folders), ['//host/share/ws/a.ts']);
    assert.deepEqual(localCandidates('//host/share/ws/a.ts', folders), ['//host/share/ws/a.ts']);
    assert.deepEqual(localCandidates('//host/share/ws/../other', folders), []);
  });
});
