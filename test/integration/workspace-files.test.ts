// The files behind "@" in a real window: `respectGitignore` decides about ignored ones, and a changed ignore file counts.
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { createWorkspaceFiles } from '../../src/vscode/chat/completion/workspace-files';
import { until } from './workspace-file';

describe('files of the workspace for mentions', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('the window has no folder');
  const at = (name: string): string => path.join(root, name);
  const made = [at('.gitignore'), at('ignored-one.txt'), at('kept-one.txt')];
  before(() =>
    assert.deepEqual(
      made.filter((file) => existsSync(file)),
      [],
    ),
  );
  afterEach(() => made.forEach((file) => rmSync(file, { force: true })));

  it('leave out ignored ones unless a settings file says otherwise', async () => {
    writeFileSync(at('.gitignore'), 'ignored-*\n');
    writeFileSync(at('ignored-one.txt'), '');
    writeFileSync(at('kept-one.txt'), '');
    let respects = true;
    const files = createWorkspaceFiles({ files: createNodeFileSystem(), respectsIgnoreFiles: async () => respects });
    const ours = async (): Promise<string[]> => (await files.list()).filter((file) => file.endsWith('-one.txt')).sort();
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
    // What is in the short list goes along whatever was typed.
    const found = async (query: string): Promise<string[]> =>
      (await files.matching(query)).filter((file) => file.endsWith('-one.txt') && file.includes(query.toLowerCase()));
    try {
      assert.deepEqual(
        [(await files.list()).length, await found('Kept-ONE.t'), await found('ed-one')],
        [1, ['kept-one.txt'], []],
      );
      respects = false;
      assert.deepEqual(await found('ed-one'), ['ignored-one.txt']);
    } finally {
      files.dispose();
    }
  });
});
