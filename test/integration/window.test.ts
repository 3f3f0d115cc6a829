// What the extension registers in its window and only VS Code shows: quick fixes, and what follows settings.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ruleTestUri } from '../../src/vscode/commands/rule-test-files';
import { readConfiguration } from '../../src/vscode/host/configuration';
import { watchSessionsFolder } from '../../src/vscode/session/sessions-folder';
import { closeAll, until } from './workspace-file';

describe('"Fix with Deft"', () => {
  const server = vscode.languages.createDiagnosticCollection('deft-window-test');
  after(async () => {
    server.dispose();
    await closeAll();
  });

  const offers = async (uri: vscode.Uri): Promise<boolean> => {
    server.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'broken')]);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      new vscode.Range(0, 0, 0, 1),
    );
    return actions.some(({ title, command }) => title === 'Fix with Deft' && command?.command === 'deft.fixDiagnostic');
  };

  it("is offered where there is no file, too, but not in documents of Deft's own", async () => {
    await vscode.extensions.getExtension('deft-agent.deft')?.activate();
    const shown = async (document: vscode.TextDocument): Promise<vscode.Uri> =>
      (await vscode.window.showTextDocument(document)).document.uri;
    const untitled = await shown(await vscode.workspace.openTextDocument({ content: 'something broken\n' }));
    await until('the quick fix is offered in a new file', () => offers(untitled));
    const notebook = await vscode.workspace.openNotebookDocument(
      'jupyter-notebook',
      new vscode.NotebookData([new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'broken', 'python')]),
    );
    await vscode.window.showNotebookDocument(notebook);
    // VS Code knows no document of a cell before the cell is drawn.
    await until('the quick fix is offered in a cell', () => offers(notebook.cellAt(0).document.uri).catch(() => false));
    const own = await shown(await vscode.workspace.openTextDocument(ruleTestUri('broken')));
    assert.equal(await offers(own), false);
  });
});

describe('the folder of sessions', () => {
  const set = (value: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('deft').update('sessions.directory', value, vscode.ConfigurationTarget.Global);
  after(() => set(undefined));

  it('that another one counts after a reload is said once it is chosen, and not where it is the one of now', async () => {
    const used = readConfiguration().sessionsDirectory;
    const offered: string[] = [];
    const watch = watchSessionsFolder(
      used,
      () => readConfiguration().sessionsDirectory,
      async (folder) => void offered.push(folder),
    );
    try {
      await set('~/elsewhere');
      await until('it is said', () => offered.length > 0);
      await set(undefined);
      await until('the setting is back', () => readConfiguration().sessionsDirectory === used);
      assert.deepEqual(offered, ['~/elsewhere']);
    } finally {
      watch.dispose();
    }
  });
});
