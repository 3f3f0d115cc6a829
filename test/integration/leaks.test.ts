// The counter of leaks sees what Deft's own API object makes, and what a test forgets.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { beginSuite, livingThings } from './leaks';

describe('the counter of leaks', () => {
  it('names listeners, watchers, panels, terminals and emitters that were forgotten, until they are disposed', async () => {
    const make = (): vscode.Disposable[] => [
      vscode.workspace.onDidChangeTextDocument(() => undefined),
      vscode.workspace.createFileSystemWatcher('**/*.never'),
      vscode.window.createWebviewPanel('leak', 'Leak', vscode.ViewColumn.One),
      vscode.window.createTerminal({ name: 'leak', hideFromUser: true }),
      new vscode.EventEmitter<void>(),
    ];
    const suite = beginSuite();
    const forgotten = make();
    suite.afterTest();
    forgotten.push(...make());
    suite.afterTest();
    assert.throws(suite.end, (error: Error) => {
      for (const kind of [
        'workspace.onDidChangeTextDocument',
        'workspace.createFileSystemWatcher',
        'window.createWebviewPanel',
        'window.createTerminal',
        'EventEmitter',
      ])
        assert.match(error.message, new RegExp(`1 × ${kind.replace('.', '\\.')} at `), error.message);
      return true;
    });
    for (const one of forgotten) one.dispose();
    suite.end();
  });

  it('forgets a panel that is closed', async () => {
    const count = (): number => livingThings().filter(({ kind }) => kind === 'window.createWebviewPanel').length;
    const before = count();
    vscode.window.createWebviewPanel('leak', 'Leak', vscode.ViewColumn.One);
    assert.equal(count(), before + 1);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    for (let wait = 0; count() > before && wait < 100; wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(count(), before);
  });

  it('sees what the extension made at its activation', async () => {
    await vscode.extensions.getExtension('deft-agent.deft')?.activate();
    const kinds = livingThings().map(({ kind }) => kind);
    assert.ok(kinds.filter((kind) => kind === 'commands.registerCommand').length > 20, kinds.join());
  });
});
