// Permission rules in a real VS Code: the command that tries one, and the way from a rule to its line in a file.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { openRule } from '../../src/vscode/chat/commands/open-rule';

const command = 'deft.testPermissionRule';

describe('Deft: Test a Permission Rule', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const shown = (): vscode.TextDocument => {
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'deft-rule-test');
    return document;
  };

  it('shows what the rule would do with a call, in a document to read', async () => {
    await vscode.commands.executeCommand(command, {
      rule: 'Bash(git push:*)',
      behavior: 'allow',
      call: { tool: 'Bash', text: 'git push && make all' },
    });
    const document = shown();
    assert.equal(document.languageId, 'markdown');
    const text = document.getText();
    assert.match(text, /^# allow Bash\(git push:\*\)/);
    assert.match(text, /The rule matches part of the call; to allow it, rules must cover every command of the line/);
  });

  it('shows the newest test at once, and knows relative paths and the home folder', async () => {
    await vscode.commands.executeCommand(command, {
      rule: 'Edit(src/**)',
      behavior: 'deny',
      call: { tool: 'Edit', text: 'src/a.ts' },
    });
    assert.match(shown().getText(), /The rule matches\.\n\nThe decision changes from ask to deny/);
    await vscode.commands.executeCommand(command, {
      rule: 'Read(~/.ssh/**)',
      behavior: 'deny',
      call: { tool: 'Read', text: '~/.ssh/id' },
    });
    assert.match(shown().getText(), /## Read .*\/\.ssh\/id\n\nThe rule matches/);
  });

  it('reads each document from its address alone, and none that is not one', async () => {
    await vscode.commands.executeCommand(command, {
      rule: 'Bash(make:*)',
      behavior: 'deny',
      call: { tool: 'Bash', text: 'make all' },
    });
    const { uri } = shown();
    await vscode.commands.executeCommand(command, {
      rule: 'Bash(npm:*)',
      behavior: 'deny',
      call: { tool: 'Bash', text: 'npm ci' },
    });
    assert.match(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), /^# deny Bash\(make:\*\)/);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(uri, Buffer.from('x')));
    await assert.rejects(async () => vscode.workspace.fs.readFile(uri.with({ query: '!' })));
  });

  it('asks for what is left out', async () => {
    const done = vscode.commands.executeCommand(command, {
      rule: 'Bash(make:*)',
      call: { tool: 'Bash', text: 'make all' },
    });
    // The list of behaviours: once it is there, its first entry is taken.
    for (let left = 100; left > 0; left--) {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      if (
        await Promise.race([
          done.then(() => true),
          new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 100)),
        ])
      )
        break;
    }
    await done;
    assert.match(shown().getText(), /^# allow Bash\(make:\*\)/);
  });
});

describe('a rule in its settings file', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'deft-rule-'));
  const file = path.join(folder, 'settings.json');
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  it('is selected, however it is spelled', async () => {
    writeFileSync(file, '{\n  "permissions": {\n    "deny": ["Read(a)", "Bash(git \\u0070ush:*)"]\n  }\n}\n');
    await openRule(file, 'Bash(git push:*)', [file]);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, file);
    assert.equal(editor.document.getText(editor.selection), 'Bash(git \\u0070ush:*)');
  });

  it('opens no file that no rule comes from', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await openRule(file, 'Bash', []);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });
});
