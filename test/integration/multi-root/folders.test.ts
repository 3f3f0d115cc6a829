// Adds a folder to a workspace of several: VS Code continues with the same extension host, and an open chat with its session.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createToolRegistry } from '../../../src/core/tools/registry';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { Chat } from '../../../src/vscode/chat/conversation/chat';
import { createAgreements } from '../../../src/vscode/session/agreements';
import { RuleSource } from '../../../src/vscode/session/rule-source';
import { followWorkspaceFolders } from '../../../src/vscode/session/workspace-changes';
import { readEnvironment, workspaceFolders } from '../../../src/vscode/host/workspace-facts';
import { safeTool } from '../../support/fake-tools';
import { reply, toolUse } from '../../support/messages-api/script';
import { quietChatServices } from '../../support/quiet-chat';
import { createScriptedModel } from '../../support/scripted-model';
import { createHarness } from '../../support/session-harness';
import { until } from '../workspace-file';

describe('a folder that is added while a chat is open', () => {
  const added = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-added-')));
  const count = (): number => vscode.workspace.workspaceFolders?.length ?? 0;
  const remove = async (): Promise<void> => {
    const at = workspaceFolders().findIndex((folder) => folder.path === added);
    if (at >= 0) vscode.workspace.updateWorkspaceFolders(at, 1);
    await until('the folder is gone', () => count() === 2);
  };
  after(async () => {
    await remove();
    rmSync(added, { recursive: true, force: true });
  });

  it('is known to its session, its model and its cards, and may be worked in; so is that it is gone', async () => {
    assert.equal(count(), 2);
    const none = { get: () => undefined, update: async () => undefined } as unknown as vscode.Memento;
    const rules = new RuleSource({ files: createNodeFileSystem(), agreements: createAgreements(none) });
    await rules.load();
    const file = path.join(added, 'a.ts');
    const model = createScriptedModel([
      reply('One.'),
      reply(toolUse('Look', { text: file })),
      reply('Two.'),
      reply('Three.'),
    ]);
    const tools = [safeTool('Look', { describe: ({ text = '' }) => ({ now: text, past: text }) })];
    const registry = createToolRegistry(tools);
    const chat = new Chat(
      quietChatServices({
        async openSession(_id, { emit }) {
          return {
            session: createHarness({
              model,
              tools,
              onEvent: emit,
              session: { environment: await readEnvironment(createNodeFileSystem()) },
            }).session,
            resumed: false,
          };
        },
        projection: () => ({
          registry,
          get folders() {
            return workspaceFolders();
          },
        }),
        folders: workspaceFolders,
        changes: () => [{ path: vscode.workspace.asRelativePath(file), added: 1, removed: 0 }],
      }),
      () => undefined,
    );
    const following = followWorkspaceFolders({
      rules,
      chats: () => [chat],
      log: { warn: (message) => assert.fail(message) },
    });
    const say = async (text: string): Promise<void> => {
      const { length } = model.requests;
      await chat.send({ text, images: [] });
      await until('the turn is over', () => model.requests.length > length && !chat.running);
    };
    const asked = (): string => JSON.stringify(model.requests.at(-1)?.messages);
    try {
      await say('a');
      const session = await chat.session();
      assert.equal(
        vscode.workspace.updateWorkspaceFolders(count(), 0, { uri: vscode.Uri.file(added), name: 'Third one' }),
        true,
      );
      await until('the session knows of it', () => session.surroundings.folders.includes(added));
      assert.ok(rules.current().folders.includes(added), 'it may be worked in by then');
      await say('b');
      assert.match(asked(), new RegExp(`added to the workspace: ${added}`));
      const [card] = chat.poster.state.items.flatMap((item) => (item.kind === 'tool' ? [item.sentence.past] : []));
      assert.deepEqual([card, chat.poster.state.changes[0]?.path], ['Third one/a.ts', 'Third one/a.ts']);
      await remove();
      await until('the session knows that it is gone', () => !session.surroundings.folders.includes(added));
      await say('c');
      assert.match(asked(), new RegExp(`removed from the workspace: ${added}`));
      assert.equal(await chat.session(), session);
      assert.deepEqual(model.violations, []);
    } finally {
      following.dispose();
      rules.dispose();
      await chat.dispose();
    }
  });
});
