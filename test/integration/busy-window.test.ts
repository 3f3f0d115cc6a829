// A window that does not answer: the agent's requests, tools and records go on without it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Log } from '../../src/core/ports/log';
import { bashTool } from '../../src/core/tools/bash/bash';
import { editTool } from '../../src/core/tools/edit/edit';
import { writeTool } from '../../src/core/tools/edit/write';
import { globTool } from '../../src/core/tools/grep/glob';
import { grepTool } from '../../src/core/tools/grep/grep';
import { readTool } from '../../src/core/tools/read/read';
import { createRipgrepSearch } from '../../src/node/search/ripgrep-search';
import { createSystemClock } from '../../src/node/system-clock';
import { findWindowRipgrep } from '../../src/vscode/agent/window-ports';
import { createDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { readEnvironment } from '../../src/vscode/host/workspace-facts';
import { heldSecrets } from '../../src/vscode/model/held-secrets';
import { ModelSource } from '../../src/vscode/model/model-source';
import { createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles } from '../../src/vscode/review/review-files';
import { createVscodeTerminal } from '../../src/vscode/terminal/vscode-terminal';
import { reply, toolUse } from '../support/messages-api/script';
import { startMessagesApi } from '../support/messages-api/server';
import { createHarness } from '../support/session-harness';
import { closeTerminals, disk, newFolder, put } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** What goes to the window and back never comes back until the result is called; what was asked for is noted. */
function stopAnswering(asked: string[]): () => void {
  const never =
    (name: string) =>
    (...[first]: unknown[]) => {
      // What when-clauses go by is passed on, and nobody waits for it.
      if (first !== 'setContext') asked.push(name);
      return new Promise<never>(() => undefined);
    };
  const fs = Object.fromEntries(
    ['stat', 'readFile', 'readDirectory', 'writeFile', 'createDirectory', 'delete', 'rename', 'copy'].map((name) => [
      name,
      never(`fs.${name}`),
    ]),
  );
  const replaced: [object, Record<string, unknown>][] = [
    [
      vscode.workspace,
      {
        fs,
        ...Object.fromEntries(
          [
            'openTextDocument',
            'openNotebookDocument',
            'findFiles',
            'applyEdit',
            'save',
            'saveAll',
            'encode',
            'decode',
          ].map((name) => [name, never(name)]),
        ),
      },
    ],
    [vscode.commands, { executeCommand: never('executeCommand'), getCommands: never('getCommands') }],
    [vscode.window, { showTextDocument: never('showTextDocument') }],
    [vscode.lm, { selectChatModels: never('selectChatModels') }],
  ];
  const before = replaced.map(([object, values]) => {
    const own = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)] as const);
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
    return { object, own };
  });
  return () => {
    for (const { object, own } of before)
      for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(object, name, descriptor);
  };
}

describe('a window that does not answer', () => {
  it('delays no request, no tool and no record of a turn', async () => {
    const folder = newFolder('busy-window');
    const storage = mkdtempSync(path.join(tmpdir(), 'deft-busy-'));
    const file = put(folder, 'src/a.ts', 'export const one = 1;\n');
    const added = path.join(folder, 'src/b.ts');
    const server = await startMessagesApi([
      reply(toolUse('Read', { file_path: file })),
      reply(toolUse('Grep', { pattern: 'one', path: folder }), toolUse('Glob', { pattern: '**/*.ts', path: folder })),
      reply(toolUse('Edit', { file_path: file, old_string: 'one = 1', new_string: 'one = 2' })),
      reply(toolUse('Write', { file_path: added, content: 'export {};\n' })),
      reply(toolUse('Bash', { command: 'echo from-the-shell' })),
      reply('Done.'),
    ]);
    let now = 0;
    let answers = true;
    let looks = 0;
    const secrets = heldSecrets(
      {
        get: (name) => {
          looks++;
          const key = name === 'deft.anthropic.apiKey' ? 'sk-ant-test' : server.url;
          return answers ? Promise.resolve(key) : new Promise(() => undefined);
        },
        store: async () => undefined,
        delete: async () => undefined,
        onDidChange: () => new vscode.Disposable(() => undefined),
      },
      () => now,
    );
    const models = new ModelSource(secrets, createSystemClock(), {
      read: async () => undefined,
      variables: () => ({ ANTHROPIC_BASE_URL: server.url }),
      values: () => ({}),
      refusal: () => undefined,
    });
    const reviewFiles = registerReviewFiles({ original: 'deft-busy-original', proposed: 'deft-busy-proposed' });
    const changes = createChangeReview({ storage, files: reviewFiles, log });
    const files = createVscodeFileSystem({ settings: () => ({ autosave: false }), watch: changes.watch });
    const diagnostics = createDiagnostics({ delay: () => 200 });
    const terminal = createVscodeTerminal({ log, strategy: () => 'managed', root: storage });
    const asked: string[] = [];
    let answer = (): void => undefined;
    try {
      await models.prepare();
      answers = false;
      answer = stopAnswering(asked);
      const before = looks;
      const harness = createHarness({
        model: models.client,
        tools: [readTool, grepTool, globTool, editTool, writeTool, bashTool],
        ports: {
          files,
          terminal,
          diagnostics: diagnostics.of('session'),
          search: createRipgrepSearch(findWindowRipgrep),
        },
        // Half a minute of the window's silence: every secret is old by then.
        onEvent: () => void (now += 5_000),
        session: {
          mode: 'acceptEdits',
          environment: { ...(await readEnvironment(files)), cwd: folder, folders: [folder] },
          permission: () => ({
            rules: [],
            folders: [folder],
            ownFolders: [],
            home: '/home/ann',
            ignoreCase: false,
            trusted: true,
          }),
        },
      });
      await harness.run('Go.');
      assert.deepEqual(
        server.requests.map(({ headers }) => headers['x-api-key']),
        Array.from({ length: 6 }, () => 'sk-ant-test'),
      );
      assert.ok(now > 30_000);
      assert.ok(looks > before, 'the secrets are renewed behind the requests');
      assert.deepEqual(server.violations, []);
      assert.match(JSON.stringify(server.requests.at(-1)?.body), /from-the-shell/);
      assert.deepEqual([disk(file), disk(added)], ['export const one = 2;\n', 'export {};\n']);
      assert.deepEqual(asked, []);
    } finally {
      answer();
      await terminal.dispose();
      await closeTerminals();
      changes.keep();
      await changes.flush();
      [changes, reviewFiles, diagnostics, models].forEach((part) => part.dispose());
      await server.close();
      rmSync(storage, { recursive: true, force: true });
    }
  });
});
