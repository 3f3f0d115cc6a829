// `npm start` finds the VS Code of each system behind its `code` command.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findInstalledVscode } from '../../rig/installed-vscode';

describe('the installed VS Code', () => {
  let root: string;
  beforeEach(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-installed-')))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function program(file: string): string {
    const target = path.join(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, '');
    chmodSync(target, 0o755);
    return target;
  }

  it('is the program behind a linked command on Linux', function () {
    if (process.platform === 'win32') {
      console.log('      skipped: needs symbolic links, which Windows allows to few');
      this.skip();
    }
    const expected = program('share/code/code');
    mkdirSync(path.join(root, 'bin'));
    symlinkSync(program('share/code/bin/code'), path.join(root, 'bin/code'));
    assert.deepEqual(findInstalledVscode('linux', { PATH: path.join(root, 'bin') }), {
      program: expected,
      isCommand: false,
    });
  });

  it('is the command itself where the program is hidden, as in a snap', () => {
    const expected = program('snap/bin/code');
    assert.deepEqual(findInstalledVscode('linux', { PATH: path.dirname(expected) }), {
      program: expected,
      isCommand: true,
    });
  });

  it('is the program inside the application on macOS', () => {
    const expected = program('App.app/Contents/MacOS/Electron');
    const command = program('App.app/Contents/Resources/app/bin/code');
    assert.deepEqual(findInstalledVscode('darwin', { PATH: path.dirname(command) }), {
      program: expected,
      isCommand: false,
    });
  });

  it('is never the batch file on Windows', () => {
    const command = program('Microsoft VS Code/bin/code.cmd');
    assert.equal(findInstalledVscode('win32', { PATH: path.dirname(command) }), undefined);
    const expected = program('Microsoft VS Code/Code.exe');
    assert.deepEqual(findInstalledVscode('win32', { PATH: path.dirname(command) }), {
      program: expected,
      isCommand: false,
    });
  });

  it('is not found where there is none', () => {
    assert.equal(findInstalledVscode('win32', { PATH: root }), undefined);
  });
});
