import assert from 'node:assert/strict';
import { type FileProposal } from '../../../src/core/ports/approver';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isReadonly } from '../../../src/vscode/files/readonly-setting';
import { openJsonFolder } from '../../../src/vscode/review/json-folder';
import { acceptedText, proposalOf } from '../../../src/vscode/review/proposal';
import { parseProposal, type Proposal } from '../../../src/vscode/review/stored-shapes';

const proposal: Proposal = {
  id: 'toolu_1',
  path: '/w/a.ts',
  uri: 'file:///w/a.ts',
  created: false,
  original: 'a\r\nb\n',
  proposed: 'a\r\nB\n',
  shown: 'a\r\nB\n',
  askedAt: 1,
};

describe('a proposal', () => {
  it('is written exactly as proposed where the user changed nothing but what the editor makes of line endings', () => {
    assert.equal(acceptedText({ ...proposal, shown: 'a\nB\n' }), 'a\r\nB\n');
  });

  it('keeps the line endings of the lines that the user left alone', () => {
    assert.equal(acceptedText({ ...proposal, shown: 'a\nmine\nB\n' }).startsWith('a\r\n'), true);
    assert.equal(acceptedText({ ...proposal, shown: 'a\nmine\nB\n' }).endsWith('B\n'), true);
    assert.match(acceptedText({ ...proposal, shown: 'a\nmine\nB\n' }), /mine/);
  });

  it('takes over what the user had made of it before a reload, and only of the same one', () => {
    const change = {
      path: '/w/a.ts',
      base: { path: '/w/a.ts', text: 'a\r\nb\n', encoding: 'utf8', hash: '', unsaved: false },
      text: 'a\r\nB\n',
    };
    const earlier = { ...proposal, shown: 'mine' };
    const taken = (given: FileProposal, before: typeof earlier | undefined) =>
      proposalOf('toolu_1', given, 'file:///w/a.ts', before);
    assert.equal(taken(change, earlier).shown, 'mine');
    assert.equal(taken({ ...change, text: 'other' }, earlier).shown, 'other');
    assert.equal(taken({ ...change, base: undefined }, undefined).created, true);
  });

  it('survives a folder of JSON files; what is torn or external does not', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'deft-json-'));
    try {
      const stored = openJsonFolder(path.join(folder, 'proposals'), parseProposal);
      assert.deepEqual(await stored.load(), []);
      await stored.put('toolu_1', proposal);
      await stored.put('toolu_2', { ...proposal, id: 'toolu_2' });
      await stored.remove('toolu_2');
      await writeFile(path.join(folder, 'proposals', 'torn.json'), '{"id":');
      await writeFile(path.join(folder, 'proposals', 'external.json'), '{"id":1}');
      assert.deepEqual(await openJsonFolder(path.join(folder, 'proposals'), parseProposal).load(), [proposal]);
      assert.equal((await readdir(path.join(folder, 'proposals'))).length, 3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('files that are read-only by setting', () => {
  const setting = {
    include: { '**/generated/**': true, '*.lock': true, '/etc/**': true, '**/off/**': false },
    exclude: { '**/generated/keep.ts': true },
  };
  const check = (relative: string): boolean => isReadonly(setting, `/w/${relative}`, relative);

  it('match patterns relative to the folder or absolute ones', () => {
    assert.equal(check('src/generated/a.ts'), true);
    assert.equal(check('yarn.lock'), true);
    assert.equal(check('deep/yarn.lock'), false);
    assert.equal(isReadonly(setting, '/etc/hosts', undefined), true);
  });

  it('are not those that are excluded or switched off', () => {
    assert.equal(check('src/generated/keep.ts'), false);
    assert.equal(check('src/off/a.ts'), false);
    assert.equal(check('src/a.ts'), false);
  });
});
