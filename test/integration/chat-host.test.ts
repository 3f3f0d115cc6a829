// What a chat's place offers: who waits for a webview that was hidden waits for its return, and what there is to try is this workspace's.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { bindChat, type ChatHostOptions } from '../../src/vscode/chat/chat-host';
import { createTrySuggestions } from '../../src/vscode/window/try-suggestions';
import { type GitApi, type GitRepository } from '../../src/vscode/commands/git-extension';
import { isKeptMode } from '../../src/vscode/session/initial-settings';
import { permissionModes } from '../../src/shared/permission';
import { quietChatServices } from '../support/quiet-chat';
import { newFolder, put, until } from './workspace-file';

describe('the place of a chat', () => {
  it('is ready anew each time that its webview comes back', async () => {
    const [messages, visibility] = [new vscode.EventEmitter<unknown>(), new vscode.EventEmitter<void>()];
    let visible = true;
    const webview = {
      onDidReceiveMessage: messages.event,
      postMessage: async () => true,
      asWebviewUri: (uri: vscode.Uri) => uri,
      cspSource: '',
      options: {},
      html: '',
    } as unknown as vscode.Webview;
    const handlers: Pick<ChatHostOptions['handlers'], 'log'> = { log: () => undefined };
    const host = bindChat({
      webview,
      extensionUri: vscode.Uri.file('/extension'),
      services: quietChatServices({ openSession: async () => undefined }),
      handlers: handlers as ChatHostOptions['handlers'],
      reveal: () => undefined,
      visible: () => visible,
      onDidChangeVisibility: visibility.event,
    });
    const arrived: number[] = [];
    const wait = (which: number): void => void host.ready.then(() => arrived.push(which));
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    wait(1);
    messages.fire({ type: 'ready' });
    await settled();
    wait(2);
    await settled();
    assert.deepEqual(arrived, [1, 2]);
    visible = false;
    visibility.fire();
    wait(3);
    visible = true;
    visibility.fire();
    await settled();
    assert.deepEqual(arrived, [1, 2], 'it is shown, but does not listen yet');
    messages.fire({ type: 'ready' });
    await settled();
    assert.deepEqual(arrived, [1, 2, 3]);
    void host.dispose();
  });

  it('keeps Manual, Edit and Auto for the next session, and nothing that is chosen anew each time', () => {
    assert.deepEqual(permissionModes.filter(isKeptMode).sort(), ['acceptEdits', 'auto', 'default']);
  });
});

describe('things to try', () => {
  it('are what the workspace has now: problems when a language server has spoken, changes while there are some', async () => {
    const folder = newFolder('suggestions');
    const server = vscode.languages.createDiagnosticCollection('deft-suggestions');
    const changes = new vscode.EventEmitter<void>();
    const state: { workingTreeChanges: GitRepository['state']['workingTreeChanges']; onDidChange: vscode.Event<void> } =
      { workingTreeChanges: [], onDidChange: changes.event };
    const repository = { state } as GitRepository;
    const git: GitApi = {
      repositories: [repository],
      onDidOpenRepository: () => new vscode.Disposable(() => undefined),
      getRepository: () => repository,
      openRepository: async () => repository,
    };
    let [shown, notified, asked] = [true, 0, 0];
    const suggestions = createTrySuggestions({
      shown: () => (asked++, shown),
      changed: () => notified++,
      git: async () => git,
    });
    try {
      suggestions.renew();
      await until('they are read', () => suggestions.current.length === 3);
      assert.ok(!suggestions.current.includes('Review my uncommitted changes'), 'the tree is clean');
      const file = put(folder, 'broken.nothing', 'x\n');
      // More than any other file of the window has.
      server.set(
        vscode.Uri.file(file),
        Array.from({ length: 500 }, (_, line) => new vscode.Diagnostic(new vscode.Range(line, 0, line, 1), 'wrong')),
      );
      await until('the problems are offered', () =>
        /^Fix the 500 problems in @.*broken\.nothing$/.test(suggestions.current[0] ?? ''),
      );
      state.workingTreeChanges = [{ uri: vscode.Uri.file(file), status: 5 }];
      changes.fire();
      await until('the changes are offered', () => suggestions.current.includes('Review my uncommitted changes'));
      const before = { notified, asked };
      shown = false;
      server.clear();
      changes.fire();
      await until('it is asked whether somebody sees them', () => asked > before.asked);
      assert.equal(notified, before.notified, 'nothing is read for a chat in which there is something');
    } finally {
      suggestions.dispose();
      server.dispose();
    }
  });
});
