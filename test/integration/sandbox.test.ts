// The sandbox from inside VS Code's extension host: its process starts as Node there, and a command in the terminal is held.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { createNodeSandbox } from '../../src/node/sandbox/node-sandbox';
import { findRipgrep } from '../../src/node/search/ripgrep-path';
import { createVscodeTerminal, type VscodeTerminal } from '../../src/vscode/terminal/vscode-terminal';
import { closeTerminals } from './workspace-file';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const never = new AbortController().signal;

describe('the sandbox in VS Code', function () {
  this.timeout(60_000);
  let terminal: VscodeTerminal;
  let base: string;
  const strategy: { value: 'managed' | 'shell' } = { value: 'managed' };

  before(() => {
    terminal = createVscodeTerminal({ log, strategy: () => strategy.value });
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder');
    base = realpathSync(mkdtempSync(path.join(root, 'sandboxed-')));
  });
  after(async () => {
    await terminal.dispose();
    await closeTerminals();
    rmSync(base, { recursive: true, force: true });
  });

  it('holds commands of both terminals', async function () {
    const extension = vscode.extensions.getExtension('deft-agent.deft') ?? assert.fail('no extension');
    const sandbox = createNodeSandbox({
      file: path.join(extension.extensionPath, 'dist/sandbox-worker.js'),
      environment: terminal.environment,
      ripgrep: () => findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }),
    });
    try {
      const found = await sandbox.available();
      if (!found.ok) {
        console.log(`      skipped: ${found.reason}`);
        this.skip();
      }
      for (const each of ['managed', 'shell'] as const) {
        strategy.value = each;
        const workspace = path.join(base, each);
        mkdirSync(workspace);
        const outside = path.join(base, `${each}-outside`);
        const policy = {
          root: workspace,
          allowWrite: [workspace],
          denyWrite: [],
          denyRead: [],
          allowRead: [],
          allowedDomains: [],
          deniedDomains: [],
        };
        const command = `mkdir inside; mkdir '${outside}'; echo over; exit 5`;
        const wrapped = await sandbox.wrap(command, policy, never);
        const request = {
          id: each,
          command,
          runs: wrapped.text,
          cwd: workspace,
          timeoutMs: 30_000,
          background: false,
          onTimeout: 'kill',
        } as const;
        const { end, output } = await terminal.run(request, () => undefined, never);
        await wrapped.ended();
        assert.deepEqual(end, { state: 'exited', code: 5 }, each);
        assert.match(output, /Read-only file system\s+over\s*$/, each);
        assert.deepEqual([existsSync(path.join(workspace, 'inside')), existsSync(outside)], [true, false], each);
      }
    } finally {
      await sandbox.close();
    }
  });
});
