// Files that are dropped into the composer, in a real window: what their URIs name, and which of the workspace's a file of the system is.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { createFilesToInsert } from '../../src/vscode/chat/messages/files-to-insert';
import { workspaceFolders } from '../../src/vscode/host/workspace-facts';
import { newFolder, put } from './workspace-file';

describe('files for the composer', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);
  const shown = (name: string): string => vscode.workspace.asRelativePath(at(name));
  const inserted = createFilesToInsert({
    files: createNodeFileSystem(),
    isHidden: (file) => file.endsWith('.hidden'),
    tree: { folders: workspaceFolders, shown: (file) => vscode.workspace.asRelativePath(file) },
  });
  const named = (...texts: string[]) => inserted.name(texts.map((text) => inserted.uriOfDrag(text)));

  before(() => {
    folder = newFolder('dropped');
    put(folder, 'one file.ts', 'export {};\n');
    put(folder, 'known.hidden', 'x\n');
    mkdirSync(at('sub'));
  });

  it('are named as VS Code drags them: here or through a remote window, with lines, and what is no file', async () => {
    const uri = vscode.Uri.file(at('one file.ts'));
    const { text, problems } = await named(
      uri.toString(),
      uri.with({ scheme: 'vscode-remote', authority: 'ssh-remote+host' }).toString(),
      uri.with({ fragment: '1,1-2,3' }).toString(),
      vscode.Uri.file(at('sub')).toString(),
      vscode.Uri.file(at('known.hidden')).toString(),
      'untitled:Untitled-1',
      uri.with({ scheme: 'git', query: '{}' }).toString(),
    );
    const mention = `@"${shown('one file.ts')}"`;
    assert.equal(text, `${mention} ${mention} ${mention}#1-2 @${shown('sub')}/ `);
    assert.deepEqual(problems, [
      `Your rules hide ${shown('known.hidden')} from the agent.`,
      'Untitled-1 is not a file: save it first, or paste its text.',
      'one file.ts is not a file: save it first, or paste its text.',
    ]);
  });

  it('are found in the workspace by name, size and time, unless several could be meant', async () => {
    const file = at('sub/[id] & co.ts');
    writeFileSync(file, 'export const id = 1;\n');
    const { size, mtimeMs } = statSync(file);
    const known = { name: '[id] & co.ts', size, modified: Math.floor(mtimeMs) };
    const other = { ...known, size: size + 1 };
    const older = { ...known, modified: known.modified - 60_000 };
    const gone = { ...known, name: 'no such name.ts' };
    assert.deepEqual(await inserted.locate([known, other, older, gone]), [
      vscode.Uri.file(file).toString(),
      null,
      null,
      null,
    ]);
    mkdirSync(at('copy'));
    copyFileSync(file, at('copy/[id] & co.ts'));
    utimesSync(at('copy/[id] & co.ts'), statSync(file).atime, statSync(file).mtime);
    assert.equal(readFileSync(at('copy/[id] & co.ts'), 'utf8'), readFileSync(file, 'utf8'));
    assert.deepEqual(await inserted.locate([known]), [null]);
  });
});
