// Deft loads in a real VS Code, its parts are there, and it costs next to nothing to activate.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const ID = 'deft-agent.deft';

describe('the extension in VS Code', () => {
  it('is installed and activates without an error', async () => {
    const extension = vscode.extensions.getExtension(ID);
    assert.ok(extension, `${ID} is not among the extensions`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that it contributes', async () => {
    const manifest = vscode.extensions.getExtension(ID)?.packageJSON as {
      contributes?: { commands?: { command: string }[] };
    };
    const contributed = (manifest.contributes?.commands ?? []).map(({ command }) => command);
    assert.notEqual(contributed.length, 0, 'package.json contributes no command');
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });

  it('opens its chat view', async () => {
    await vscode.commands.executeCommand('deft.chat.focus');
  });

  it('has a workspace folder to work in', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
  });
});
