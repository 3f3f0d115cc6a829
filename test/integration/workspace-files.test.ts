// The files behind "@" in a real window: `respectGitignore` decides about ignored ones, and a changed ignore file counts.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { createWorkspaceFiles } from '../../src/vscode/chat/completion/workspace-files';
import { until } from './workspace-file';

describe('files of the workspace for mentions', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('the window has no folder');
  const at = (name: string): string => path.join(root, name);
  const made = [at('.gitignore'), at('ignored-one.txt'), at('kept-one.txt'), at('deep-one')];
  before(() =>
    assert.deepEqual(
      made.filter((file) => existsSync(file)),
      [],
    ),
  );
  afterEach(() => made.forEach((file) => rmSync(file, { force: true, recursive: true })));

  it('leave out ignored ones unless a settings file says otherwise', async () => {
    writeFileSync(at('.gitignore'), 'ignored-*\n');
    writeFileSync(at('ignored-one.txt'), '');
    writeFileSync(at('kept-one.txt'), '');
    let respects = true;
    const files = createWorkspaceFiles({ files: createNodeFileSystem(), respectsIgnoreFiles: async () => respects });
    // Other suites have files that fit the letters, further down.
    const ours = async (): Promise<string[]> =>
      (await files.find('-one.txt'))
        .map((file) => file.path)
        .filter((path) => /^\w+-one\.txt$/.test(path))
        .sort();
    try {
      assert.deepEqual(await ours(), ['kept-one.txt']);
      respects = false;
      assert.deepEqual(await ours(), ['ignored-one.txt', 'kept-one.txt']);
      respects = true;
      assert.deepEqual(await ours(), ['kept-one.txt']);
      writeFileSync(at('.gitignore'), 'kept-*\n');
      await until('the changed ignore file counts', async () => (await ours()).join() === 'ignored-one.txt');
    } finally {
      files.dispose();
    }
  });

  it('are found by their names also where the list ends before them, but no ignored ones', async () => {
    writeFileSync(at('.gitignore'), 'ignored-*\n');
    writeFileSync(at('ignored-one.txt'), '');
    writeFileSync(at('kept-one.txt'), '');
    let respects = true;
    const files = createWorkspaceFiles({
      files: createNodeFileSystem(),
      respectsIgnoreFiles: async () => respects,
      maxFiles: 1,
    });
    const found = async (query: string): Promise<string[]> => (await files.find(query)).map((file) => file.path);
    try {
      assert.deepEqual([await found('Kept-ONE.t'), await found('ed-one')], [['kept-one.txt'], []]);
      respects = false;
      assert.deepEqual(await found('ed-one'), ['ignored-one.txt']);
      mkdirSync(at('deep-one'), { recursive: true });
      writeFileSync(at('deep-one/a.txt'), '');
      assert.equal((await found('deep-one/a.'))[0], 'deep-one/a.txt', 'by any part of its path');
    } finally {
      files.dispose();
    }
  });
});
