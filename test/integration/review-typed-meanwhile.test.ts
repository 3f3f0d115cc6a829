// What a user types while Deft writes to the same document, or puts it back, stays.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type FileSystem } from '../../src/core/ports/files';
import { type Log } from '../../src/core/ports/log';
import { type RewindStep } from '../../src/core/ports/checkpoints';
import { editTool } from '../../src/core/tools/edit/edit';
import { createNodeDisk } from '../../src/vscode/files/node-disk';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { writeDirtyDocument } from '../../src/vscode/files/write-document';
import { type ChangeReview, createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles } from '../../src/vscode/review/review-files';
import { putFilesBack } from '../../src/vscode/rewind/put-files-back';
import { createWorkspace, toolContext } from '../support/file-tool-runs';
import { change, closeAll, disk, newFolder, put, read, show, type, until } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
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
    const outcome = await writeDirtyDocument(
      { path: file, base, text: upper(base.text), approved: false },
      { document: editor.document, disk: slow, realPath: file },
      false,
    );
    assert.equal(editor.document.getText(), 'second\nfirst\none\ntwo\n');
    assert.equal(outcome.outcome === 'changed' && outcome.current?.text, editor.document.getText());
  });

  it('goes on at the pace of a fast typist while edits get in between', async () => {
    const file = put(folder, 'typist.txt', 'one\ntwo\nthree\n');
    const editor = await show(file);
    const context = toolContext(createWorkspace());
    context.ports.files = files;
    const { hash } = await read(files, file);
    context.session.readState.set(file, { hash });
    editor.selection = new vscode.Selection(3, 0, 3, 0);
    let [typing, typed] = [true, 0];
    const typist = (async () => {
      for (; typing; typed++) {
        await vscode.commands.executeCommand('type', { text: 'x' });
        await pause(80);
      }
    })();
    try {
      for (const [oldText, newText] of [
        ['one', 'ONE'],
        ['two', 'TWO'],
        ['three', 'THREE'],
      ] as const) {
        const result = await editTool.call({ file_path: file, old_string: oldText, new_string: newText }, context);
        assert.ok('data' in result, JSON.stringify(result));
      }
    } finally {
      typing = false;
      await typist;
    }
    assert.equal(editor.document.getText(), `ONE\nTWO\nTHREE\n${'x'.repeat(typed)}`);
  });

  it('stays, and so does the edit, where it comes before the answer to that', async () => {
    const file = put(folder, 'behind.txt', 'one\ntwo\n');
    const editor = await show(file);
    const workspace = vscode.workspace as { applyEdit: typeof vscode.workspace.applyEdit };
    const { applyEdit } = workspace;
    workspace.applyEdit = async (edit) => {
      const applied = await applyEdit(edit);
      await type(editor, 'mine\n');
      return applied;
    };
    try {
      assert.equal((await change(files, file, upper, { approved: false })).outcome, 'written');
      assert.equal(editor.document.getText(), 'mine\none\nTWO\n');
      assert.equal(disk(file), 'one\ntwo\n');
    } finally {
      workspace.applyEdit = applyEdit;
    }
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

  it('stays when it comes during a save, and the change is taken back afterwards', async () => {
    const reviewed = await review();
    const file = put(folder, 'slow.txt', 'one\ntwo\nthree\nfour\n');
    const editor = await show(file);
    let typed: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (typed = resolve));
    const saving = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document === editor.document) event.waitUntil(done);
    });
    try {
      const writing = change(reviewed.files, file, upper, { approved: false });
      await until('the edit is there', () => editor.document.getText().includes('TWO'));
      editor.selection = new vscode.Selection(3, 0, 3, 0);
      await vscode.commands.executeCommand('type', { text: 'mine ' });
      typed();
      assert.equal((await writing).outcome, 'written');
      assert.deepEqual(reviewed.changes.changes(), [{ path: file, added: 1, removed: 1 }]);
      await reviewed.changes.undo(file);
      assert.equal(editor.document.getText(), 'one\ntwo\nthree\nmine four\n');
    } finally {
      saving.dispose();
      reviewed.end();
    }
  });

  it('and a change that waits for review go along when the file is renamed', async () => {
    const reviewed = await review();
    try {
      const [file, renamed] = [put(folder, 'before/name.txt', 'one\ntwo\n'), path.join(folder, 'after/name.txt')];
      await type(await show(file), 'mine\n');
      await vscode.workspace.saveAll(false);
      await change(reviewed.files, file, upper, { approved: false });
      const rename = new vscode.WorkspaceEdit();
      rename.renameFile(vscode.Uri.file(path.dirname(file)), vscode.Uri.file(path.dirname(renamed)));
      assert.equal(await vscode.workspace.applyEdit(rename), true);
      await until('the change waits in the new place', () =>
        reviewed.changes.changes().some((each) => each.path === renamed),
      );
      assert.deepEqual(reviewed.changes.changes(), [{ path: renamed, added: 1, removed: 1 }]);
      await reviewed.changes.undo();
      assert.equal(disk(renamed), 'mine\none\ntwo\n');
    } finally {
      reviewed.end();
    }
  });

  it('stays while a rewind puts the file back', async () => {
    const file = put(folder, 'rewound.txt', 'two\n');
    const editor = await show(file);
    const step: RewindStep = {
      path: file,
      action: 'restore',
      from: { kind: 'unkept', why: 'large', seen: 'now' },
      to: { kind: 'unkept', why: 'large', seen: 'then' },
    };
    const checkpoints = {
      bytes: async () => undefined,
      async rewind() {
        await type(editor, 'mine\n');
        writeFileSync(file, 'one\n');
        return { undo: 'undo', done: [file], failed: [] };
      },
    };
    const { failed } = await putFilesBack('prompt', [step], { checkpoints, changes: { putBack: () => undefined } });
    assert.match(failed[0]?.message ?? '', /typed in the meantime/);
    assert.equal(editor.document.getText(), 'mine\ntwo\n');
    assert.equal(disk(file), 'one\n');
  });

  async function review(): Promise<{ files: FileSystem; changes: ChangeReview; end: () => void }> {
    const storage = mkdtempSync(path.join(tmpdir(), 'deft-typed-'));
    const reviewFiles = registerReviewFiles({ original: 'deft-typed-original', proposed: 'deft-typed-proposed' });
    const changes = createChangeReview({ storage, files: reviewFiles, log });
    reviewFiles.ready();
    await changes.restored;
    const end = (): void => {
      changes.keep();
      changes.dispose();
      reviewFiles.dispose();
      rmSync(storage, { recursive: true, force: true });
    };
    return {
      files: createVscodeFileSystem({ settings: () => ({ autosave: false }), watch: changes.watch }),
      changes,
      end,
    };
  }
});
