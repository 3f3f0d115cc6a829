// The FileSystem port inside VS Code: unsaved text, undo, encodings, line endings, and everything that can be in the way.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { createVirtualDisk } from '../../src/vscode/files/virtual-disk';
import { createVscodeFileSystem, type WrittenChange } from '../../src/vscode/files/vscode-file-system';
import {
  change,
  closeAll,
  dirtyDocuments,
  disk,
  newFolder,
  put,
  read,
  show,
  type,
  until,
  withSettings,
} from './workspace-file';

const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
const saving = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
const upper = (text: string): string => text.replace('two', 'TWO');

describe('files through VS Code', () => {
  let folder: string;

  before(() => {
    folder = newFolder('files');
  });

  afterEach(closeAll);

  describe('reading', () => {
    it('gives the unsaved text of an editor and says so', async () => {
      const file = put(folder, 'unsaved.txt', 'one\n');
      assert.deepEqual([(await read(files, file)).text, (await read(files, file)).unsaved], ['one\n', false]);
      await type(await show(file), 'typed ');
      const dirty = await read(files, file);
      assert.deepEqual([dirty.text, dirty.unsaved], ['typed one\n', true]);
      assert.equal(disk(file), 'one\n');
    });

    it('keeps mixed line endings, also while an editor shows the file', async () => {
      const file = put(folder, 'mixed-read.txt', 'a\r\nb\nc\r\n');
      await show(file);
      assert.equal((await read(files, file)).text, 'a\r\nb\nc\r\n');
    });

    it('knows byte order marks and UTF-16', async () => {
      const marked = await read(files, put(folder, 'marked.txt', '\uFEFFone\n'));
      assert.deepEqual([marked.text, marked.encoding], ['one\n', 'utf8bom']);
      const wide = await read(files, put(folder, 'wide.txt', Buffer.from('\uFEFFone\n', 'utf16le')));
      assert.deepEqual([wide.text, wide.encoding], ['one\n', 'utf16le']);
    });

    it('refuses binary files, folders, missing and too large files', async () => {
      const codeOf = async (file: string, maxBytes = 1_000_000): Promise<string> => {
        const outcome = await files.readText(file, maxBytes);
        return outcome.outcome === 'refused' ? outcome.code : 'read';
      };
      assert.equal(await codeOf(put(folder, 'binary.bin', new Uint8Array([1, 0, 2, 0]))), 'binary');
      assert.equal(await codeOf(folder), 'directory');
      assert.equal(await codeOf(path.join(folder, 'nothing')), 'not_found');
      assert.equal(await codeOf(put(folder, 'large.txt', 'x'.repeat(1001)), 1000), 'too_large');
    });

    it('never opens a pipe', async function () {
      const pipe = path.join(folder, 'pipe');
      try {
        execFileSync('mkfifo', [pipe]);
      } catch {
        console.log('skipped: no mkfifo here');
        return this.skip();
      }
      const outcome = await files.readText(pipe, 1000);
      assert.equal(outcome.outcome === 'refused' && outcome.code, 'not_a_file');
      assert.equal((await files.stat(pipe))?.type, 'other');
    });

    it('refuses what is not UTF-8 unless the editor or a setting knows better', async () => {
      const bytes = Buffer.from('caf\xe9 two\n', 'latin1');
      const file = put(folder, 'latin.txt', bytes);
      const refused = await files.readText(file, 1000);
      assert.equal(refused.outcome === 'refused' && refused.code, 'encoding');
      await withSettings({ 'files.encoding': 'windows1252' }, async () => {
        const known = await read(files, file);
        assert.deepEqual([known.text, known.encoding], ['café two\n', 'windows1252']);
        assert.equal((await change(files, file, upper)).outcome, 'written');
        assert.deepEqual(readFileSync(file), Buffer.from('caf\xe9 TWO\n', 'latin1'));
        const impossible = await change(files, file, (text) => `${text}\u4e16`);
        assert.equal(impossible.outcome === 'refused' && impossible.code, 'encoding');
      });
      assert.deepEqual(readFileSync(file), Buffer.from('caf\xe9 TWO\n', 'latin1'));
    });
  });

  describe('writing a file that no editor shows', () => {
    it('changes its bytes and opens nothing', async () => {
      const file = put(folder, 'closed.txt', 'one\r\ntwo\nthree\r\n');
      const started = performance.now();
      const outcome = await change(files, file, upper);
      console.log(`closed file: ${Math.round(performance.now() - started)} ms`);
      assert.equal(outcome.outcome, 'written');
      assert.equal(disk(file), 'one\r\nTWO\nthree\r\n');
      assert.equal(
        vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === file),
        false,
      );
    });

    it('makes a new one with its parents, and only where there is none', async () => {
      const file = path.join(folder, 'new', 'deep', 'file.txt');
      const made = await files.writeText({ path: file, base: undefined, text: 'new\n', approved: true });
      assert.equal(made.outcome, 'written');
      assert.equal(disk(file), 'new\n');
      const again = await files.writeText({ path: file, base: undefined, text: 'other\n', approved: true });
      assert.equal(again.outcome === 'changed' && again.current?.text, 'new\n');
      assert.equal(disk(file), 'new\n');
    });

    it('follows a link', async () => {
      const file = put(folder, 'target.txt', 'two\n');
      const link = path.join(folder, 'link.txt');
      symlinkSync(file, link);
      assert.equal((await change(files, link, upper)).outcome, 'written');
      assert.equal(disk(file), 'TWO\n');
    });

    it('writes nothing where the path leads elsewhere than it did', async () => {
      const inside = put(folder, 'real/swapped.txt', 'two\n');
      const outside = put(folder, 'outside/swapped.txt', 'two\n');
      const base = await read(files, inside);
      renameSync(path.dirname(inside), path.join(folder, 'moved-away'));
      symlinkSync(path.dirname(outside), path.dirname(inside));
      const outcome = await files.writeText({ path: inside, realPath: inside, base, text: 'TWO\n', approved: true });
      assert.equal(outcome.outcome === 'refused' && outcome.code, 'moved', JSON.stringify(outcome));
      assert.equal(disk(outside), 'two\n');
    });

    it('says what is there when somebody else changed or removed it', async () => {
      const file = put(folder, 'conflict.txt', 'two\n');
      const base = await read(files, file);
      writeFileSync(file, 'theirs\n');
      const changed = await files.writeText({ path: file, base, text: 'ours\n', approved: true });
      assert.equal(changed.outcome === 'changed' && changed.current?.text, 'theirs\n');
      rmSync(file);
      const gone = await files.writeText({ path: file, base, text: 'ours\n', approved: true });
      assert.deepEqual(gone, { outcome: 'changed', current: undefined });
      assert.equal(existsSync(file), false);
    });
  });

  describe('writing a file that an editor shows', () => {
    it('keeps mark, line endings and undo, and saves', async () => {
      const file = put(folder, 'open.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
      const editor = await show(file);
      const started = performance.now();
      const outcome = await change(files, file, upper);
      console.log(`open file: ${Math.round(performance.now() - started)} ms`);
      assert.deepEqual(outcome.outcome === 'written' && outcome.notes, []);
      assert.equal(disk(file), '\uFEFFone\r\nTWO\r\nthree\r\n');
      assert.equal(editor.document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'one\r\ntwo\r\nthree\r\n');
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('changes as few lines as possible', async () => {
      const file = put(folder, 'few.txt', `${'line\n'.repeat(50)}two\n${'line\n'.repeat(50)}`);
      const editor = await show(file);
      editor.selection = new vscode.Selection(80, 2, 80, 2);
      const edits: number[] = [];
      const listener = vscode.workspace.onDidChangeTextDocument(({ contentChanges }) =>
        edits.push(...contentChanges.map(({ text }) => text.length)),
      );
      await change(files, file, (text) => text.replace('two\n', 'TWO\nthree\n'));
      listener.dispose();
      const inserted = edits.reduce((sum, length) => sum + length, 0);
      assert.ok(inserted > 0 && inserted <= 'TWO\nthree\n'.length, `${inserted} characters`);
      assert.equal(editor.selection.active.line, 81);
    });

    it('leaves mixed line endings as they are, and the editor follows', async () => {
      const file = put(folder, 'mixed.txt', 'one\r\ntwo\nthree\r\n');
      const editor = await show(file);
      assert.equal((await change(files, file, upper)).outcome, 'written');
      assert.equal(disk(file), 'one\r\nTWO\nthree\r\n');
      await until('the editor shows the new text', () => editor.document.getText().includes('TWO'));
      assert.equal(editor.document.isDirty, false);
    });

    it('writes several kinds of line endings into a file that had one', async () => {
      const file = put(folder, 'one-kind.txt', 'one\ntwo\nthree\n');
      const editor = await show(file);
      const outcome = await change(files, file, () => 'one\r\ntwo\nTHREE\n');
      assert.deepEqual(outcome.outcome === 'written' && outcome.notes, []);
      assert.equal(disk(file), 'one\r\ntwo\nTHREE\n');
      await until('the editor shows the new text', () => editor.document.getText().includes('THREE'));
      assert.equal(editor.document.isDirty, false);
    });

    it('works on UTF-16', async () => {
      const file = put(folder, 'wide-open.txt', Buffer.from('\uFEFFone\ntwo\n', 'utf16le'));
      await show(file);
      assert.equal((await change(files, file, upper)).outcome, 'written');
      assert.deepEqual(readFileSync(file), Buffer.from('\uFEFFone\nTWO\n', 'utf16le'));
    });

    it('uses the encoding that the editor was reopened with', async () => {
      const file = put(folder, 'reopened.txt', Buffer.from('caf\xe9 two\n', 'latin1'));
      await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument(vscode.Uri.file(file), { encoding: 'windows1252' }),
      );
      assert.equal((await change(files, file, upper)).outcome, 'written');
      assert.deepEqual(readFileSync(file), Buffer.from('caf\xe9 TWO\n', 'latin1'));
    });

    it('refuses where the editor decoded it wrongly, and saves no replacement character', async () => {
      const bytes = Buffer.from('caf\xe9 two\n', 'latin1');
      const file = put(folder, 'wrong.txt', bytes);
      const editor = await show(file);
      const base = { path: file, text: editor.document.getText(), encoding: 'utf8', hash: 'x', unsaved: false };
      const outcome = await files.writeText({ path: file, base, text: upper(base.text), approved: true });
      assert.equal(outcome.outcome === 'refused' && outcome.code, 'encoding');
      await type(editor, 'typed ');
      const dirty = await change(files, file, upper);
      assert.equal(dirty.outcome === 'refused' && dirty.code, 'encoding');
      assert.deepEqual(readFileSync(file), bytes);
    });

    it('waits for an editor that has not followed the disk yet', async () => {
      const file = put(folder, 'stale.txt', 'one\ntwo\n');
      const editor = await show(file);
      writeFileSync(file, 'zero\none\ntwo\n');
      assert.equal((await change(files, file, upper)).outcome, 'written');
      assert.equal(disk(file), 'zero\none\nTWO\n');
      await until('the editor shows both changes', () => editor.document.getText() === 'zero\none\nTWO\n');
      assert.deepEqual(dirtyDocuments(), []);
    });

    it('reports what a formatter made of it', async () => {
      const file = put(folder, 'formatted.txt', 'one\ntwo\n');
      await show(file);
      const formatter = vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/formatted.txt' },
        {
          provideDocumentFormattingEdits: () => [vscode.TextEdit.insert(new vscode.Position(0, 0), '// formatted\n')],
        },
      );
      try {
        await withSettings({ 'editor.formatOnSave': true }, async () => {
          const outcome = await change(files, file, upper);
          assert.equal(outcome.outcome === 'written' && outcome.file.text, '// formatted\none\nTWO\n');
          assert.equal(outcome.outcome === 'written' && outcome.notes.length, 1);
          assert.equal(disk(file), '// formatted\none\nTWO\n');
        });
      } finally {
        formatter.dispose();
      }
    });
  });

  describe('writing a file with unsaved typing', () => {
    it('joins it and leaves it unsaved', async () => {
      const file = put(folder, 'dirty.txt', 'one\ntwo\n');
      const editor = await show(file);
      await type(editor, 'typed\n');
      const outcome = await change(files, file, upper);
      assert.equal(editor.document.getText(), 'typed\none\nTWO\n');
      assert.equal(disk(file), 'one\ntwo\n');
      assert.equal(outcome.outcome === 'written' && outcome.file.unsaved, true);
      assert.match((outcome.outcome === 'written' && outcome.notes[0]) || '', /unsaved/);
    });

    it('saves both where deft.autosave says so', async () => {
      const file = put(folder, 'autosave.txt', 'one\ntwo\n');
      await type(await show(file), 'typed\n');
      const outcome = await change(saving, file, upper);
      assert.equal(disk(file), 'typed\none\nTWO\n');
      assert.equal(outcome.outcome === 'written' && outcome.file.unsaved, false);
      assert.match((outcome.outcome === 'written' && outcome.notes[0]) || '', /saved together/);
    });

    it('refuses where saving would change mixed line endings', async () => {
      const file = put(folder, 'dirty-mixed.txt', 'one\r\ntwo\nthree\r\n');
      const editor = await show(file);
      await type(editor, 'typed\n');
      const before = editor.document.getText();
      const outcome = await change(files, file, upper);
      assert.equal(outcome.outcome === 'refused' && outcome.code, 'unsaved');
      assert.equal(editor.document.getText(), before);
      assert.equal(disk(file), 'one\r\ntwo\nthree\r\n');
    });

    it('notices typing that came after the read', async () => {
      const file = put(folder, 'typed-later.txt', 'one\ntwo\n');
      const editor = await show(file);
      const base = await read(files, file);
      await type(editor, 'typed\n');
      const outcome = await files.writeText({ path: file, base, text: upper(base.text), approved: true });
      assert.equal(outcome.outcome === 'changed' && outcome.current?.text, 'typed\none\ntwo\n');
      assert.equal(editor.document.getText(), 'typed\none\ntwo\n');
    });
  });

  describe('writing what may not be written', () => {
    it('refuses files that are read-only by setting, open or not', async () => {
      const closed = put(folder, 'generated/closed.txt', 'two\n');
      const open = put(folder, 'generated/open.txt', 'two\n');
      await withSettings({ 'files.readonlyInclude': { '**/generated/**': true } }, async () => {
        await show(open);
        for (const file of [closed, open]) {
          const outcome = await change(files, file, upper);
          assert.equal(outcome.outcome === 'refused' && outcome.code, 'readonly');
          assert.equal(disk(file), 'two\n');
        }
      });
      assert.deepEqual(dirtyDocuments(), []);
    });

    it('refuses an editor that the user made read-only for the session', async () => {
      const file = put(folder, 'session-readonly.txt', 'two\n');
      await show(file);
      await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
      try {
        const outcome = await change(files, file, upper);
        assert.equal(outcome.outcome, 'refused');
        assert.equal(disk(file), 'two\n');
        assert.deepEqual(dirtyDocuments(), []);
      } finally {
        await vscode.commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
      }
    });

    it('refuses files that the disk protects, and leaves no unsaved editor behind', async function () {
      const file = put(folder, 'immutable.txt', 'two\n');
      try {
        execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
      } catch {
        console.log('skipped: chattr does not work here');
        return this.skip();
      }
      try {
        await show(file);
        const outcome = await change(files, file, upper);
        assert.equal(outcome.outcome === 'refused' && outcome.code, 'permission');
        assert.deepEqual(dirtyDocuments(), []);
      } finally {
        execFileSync('chattr', ['-i', file]);
      }
    });

    it('refuses a folder in the place of a file', async () => {
      const place = path.join(folder, 'a-folder');
      mkdirSync(place);
      const outcome = await files.writeText({ path: place, base: undefined, text: 'x', approved: true });
      assert.equal(outcome.outcome, 'refused');
    });
  });

  describe('on a virtual disk', () => {
    const scheme = 'deft-test-virtual';
    const virtual = createVirtualDisk((file) => vscode.Uri.from({ scheme, path: file }));
    const contents = new Map<string, Uint8Array>();
    let registration: vscode.Disposable;
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const find = (uri: vscode.Uri): Uint8Array => {
      const content = contents.get(uri.path);
      if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return content;
    };

    before(() => {
      contents.set('/locked.txt', bytes('locked'));
      const done = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
      registration = vscode.workspace.registerFileSystemProvider(scheme, {
        onDidChangeFile: done.event,
        watch: () => done,
        stat: (uri) =>
          ['/', '/folder'].includes(uri.path)
            ? { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }
            : {
                type: vscode.FileType.File,
                ctime: 0,
                mtime: 1,
                size: find(uri).length,
                ...(uri.path === '/locked.txt' ? { permissions: vscode.FilePermission.Readonly } : {}),
              },
        readFile: find,
        readDirectory: () => [
          ['locked.txt', vscode.FileType.File],
          ['odd', vscode.FileType.Unknown],
          ['folder', vscode.FileType.Directory],
        ],
        writeFile: (uri, content) => void contents.set(uri.path, content),
        createDirectory: () => undefined,
        delete: () => undefined,
        rename: () => undefined,
      });
    });
    after(() => registration.dispose());

    it('makes, reads and replaces files', async () => {
      assert.deepEqual(await virtual.create('/folder/new.txt', bytes('one')), { outcome: 'done' });
      assert.deepEqual(await virtual.create('/folder/new.txt', bytes('two')), { outcome: 'exists' });
      const before = await virtual.read('/folder/new.txt', 100);
      assert.ok(before.outcome === 'read');
      assert.deepEqual(await virtual.replace('/folder/new.txt', bytes('two'), before), { outcome: 'done' });
      assert.deepEqual(await virtual.replace('/folder/new.txt', bytes('three'), before), { outcome: 'moved' });
      assert.equal(new TextDecoder().decode(contents.get('/folder/new.txt')), 'two');
    });

    it('knows folders, odd things, missing, large and read-only files', async () => {
      const codeOf = async (file: string, maxBytes = 100): Promise<string> => {
        const read = await virtual.read(file, maxBytes);
        return read.outcome === 'refused' ? read.code : 'read';
      };
      assert.deepEqual(
        [await codeOf('/folder'), await codeOf('/nothing'), await codeOf('/locked.txt', 3)],
        ['directory', 'not_found', 'too_large'],
      );
      assert.deepEqual(
        (await virtual.list('/folder')).map(({ type }) => type),
        ['file', 'other', 'directory'],
      );
      const before = await virtual.read('/locked.txt', 100);
      assert.ok(before.outcome === 'read');
      const refused = await virtual.replace('/locked.txt', bytes('x'), before);
      assert.equal(refused.outcome === 'refused' && refused.code, 'readonly');
    });
  });

  it('tells the watcher what was written, and when nothing was', async () => {
    const reported: (WrittenChange | undefined)[] = [];
    const watched = createVscodeFileSystem({
      settings: () => ({ autosave: false }),
      watch: () => (written) => reported.push(written),
    });
    const file = put(folder, 'watched.txt', 'two\n');
    await change(watched, file, upper, { approved: false });
    await watched.writeText({ path: file, base: undefined, text: 'x', approved: true });
    assert.deepEqual(reported, [{ before: 'two\n', after: 'TWO\n', approved: false }, undefined]);
  });
});
