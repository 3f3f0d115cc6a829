// What a person types while Deft writes to the same document is never taken back.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { createNodeDisk } from '../../src/vscode/files/node-disk';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { writeDirtyDocument } from '../../src/vscode/files/write-document';
import { change, closeAll, disk, newFolder, put, read, show, type, until } from './workspace-file';

const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
const upper = (text: string): string => text.replace('two', 'TWO');

describe('typing while Deft writes the same document', () => {
  let folder: string;
  before(() => (folder = newFolder('typing')));
  afterEach(closeAll);

  it('stays where it comes between the comparison and the edit', async () => {
    const file = put(folder, 'compared.txt', 'one\ntwo\n');
    const editor = await show(file);
    await type(editor, 'first\n');
    const base = await read(files, file);
    const node = createNodeDisk();
    const slow: typeof node = {
      ...node,
      async read(path, maxBytes) {
        await type(editor, 'second\n');
        return node.read(path, maxBytes);
      },
    };
    const outcome = await writeDirtyDocument({ path: file, base, text: upper(base.text), approved: false }, { document: editor.document, disk: slow, realPath: file }, false);
    assert.equal(editor.document.getText(), 'second\nfirst\none\ntwo\n');
    assert.equal(outcome.outcome === 'changed' && outcome.current?.text, editor.document.getText());
  });

  it('stays where it comes during a save that fails', async () => {
    const file = put(folder, 'fails.txt', 'one\ntwo\n');
    const editor = await show(file);
    let typed: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (typed = resolve));
    const saving = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document !== editor.document) return;
      // Another program was faster: VS Code refuses to save over that.
      event.waitUntil(done.then(() => writeFileSync(file, 'one\ntwo\nof another program\n')));
    });
    try {
      const writing = change(files, file, upper, { approved: false });
      await until('the edit is there', () => editor.document.getText() === 'one\nTWO\n');
      await type(editor, 'mine\n');
      typed();
      const outcome = await writing;
      assert.equal(outcome.outcome, 'changed');
      assert.match(editor.document.getText(), /^mine\n/);
      assert.equal(disk(file), 'one\ntwo\nof another program\n');
    } finally {
      saving.dispose();
    }
  });
});
