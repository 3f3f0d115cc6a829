// Commit messages with VS Code's own git extension and a real repository; only the model is scripted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type AttributionSettings } from '../../src/core/settings/commit-attribution';
import { commitMessageCommand } from '../../src/vscode/commands/commit-message-command';
import { gitApi, type GitRepository } from '../../src/vscode/commands/git-extension';
import { httpError, reply, text, type ScriptedReply } from '../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../support/scripted-model';
import { newFolder, put } from './workspace-file';

describe('a commit message in VS Code', () => {
  let folder: string;
  let repository: GitRepository;
  let model: ScriptedModel;

  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const write = (name: string, content: string): void => writeFileSync(path.join(folder, name), content);
  const sent = (): string => JSON.stringify(model.requests.at(-1)?.messages);

  let settings: AttributionSettings = {};
  const used: [model: string, tokens: boolean][] = [];
  let generateAgain: () => Promise<void>;
  async function generate(...replies: ScriptedReply[]): Promise<void> {
    model = createScriptedModel(replies);
    await generateAgain();
  }

  /** VS Code reports each change of the box to the extension host once more: waits until it has. */
  async function fillBox(value: string): Promise<void> {
    repository.inputBox.value = value;
    await vscode.commands.executeCommand('setContext', 'deft.testBox', value);
    assert.equal(repository.inputBox.value, value);
  }

  before(async () => {
    folder = newFolder('repository');
    git('init', '--quiet');
    put(folder, 'a.txt', 'one\n');
    put(folder, '.env', 'KEY=first\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'shop: Add the files');
    const api = await gitApi();
    assert.ok(api, 'the git extension is active');
    repository = (await api.openRepository(vscode.Uri.file(folder))) ?? assert.fail('the repository is open');
    const commands = commitMessageCommand({
      client: {
        provider: 'gateway',
        capabilities: (id) => model.capabilities(id),
        stream: (request, signal) => model.stream(request, signal),
        countTokens: async () => 0,
        listModels: async () => [],
      },
      clock: { sleep: async () => undefined },
      used: (name, { output_tokens }) => void used.push([name, output_tokens > 0]),
      isDemo: () => false,
      model: () => 'claude-opus-5',
      settings: async () => settings,
      isHidden: (file) => file === path.join(folder, '.env'),
    });
    const command = commands['deft.generateCommitMessage'] as
      ((source: { rootUri: vscode.Uri }) => Promise<void>) | undefined;
    generateAgain = async () => command?.({ rootUri: vscode.Uri.file(folder) });
  });
  beforeEach(async () => {
    settings = {};
    git('reset', '--quiet', '--hard');
    await fillBox('');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('comes from what is staged alone', async () => {
    write('a.txt', 'two\n');
    git('add', 'a.txt');
    write('a.txt', 'three\n');
    await generate(reply(text('shop: Count to two\n')));
    assert.equal(repository.inputBox.value, 'shop: Count to two');
    assert.deepEqual(used, [['claude-opus-5', true]]);
    assert.match(sent(), /\+two/);
    assert.doesNotMatch(sent(), /three/);
    assert.match(sent(), /shop: Add the files/);
  });

  it('comes from the working tree where nothing is staged, with new files, without what rules hide', async () => {
    write('a.txt', 'four\n');
    write('.env', 'KEY=second\n');
    write('new.txt', 'new\n');
    try {
      await generate(reply(text('Count to four')));
      assert.equal(repository.inputBox.value, 'Count to four');
      assert.match(sent(), /\+four/);
      assert.match(sent(), /new\.txt/);
      assert.doesNotMatch(sent(), /KEY|\.env/);
    } finally {
      rmSync(path.join(folder, 'new.txt'));
    }
  });

  it('keeps what the user typed, and replaces only its own', async () => {
    write('a.txt', 'five\n');
    await generate(reply(text('Count to five')), reply(text('Count on to five')));
    await generateAgain();
    assert.equal(repository.inputBox.value, 'Count on to five');
    await fillBox('see issue 7');
    await generate(reply(text('Count to five')));
    assert.equal(repository.inputBox.value, 'Count to five\n\nsee issue 7');
    assert.match(sent(), /typed-by-the-user.*see issue 7/);
    await generate(reply(text('Count five')));
    assert.equal(repository.inputBox.value, 'Count five\n\nsee issue 7');
    await fillBox('Count to ten');
    await generate(reply(text('Count')));
    assert.equal(repository.inputBox.value, 'Count\n\nCount to ten', 'what was edited counts as typed');
  });

  it('ends as settings files say, once, behind what the user typed', async () => {
    settings = { attribution: { commit: 'Helped-By: a tool\n' } };
    write('a.txt', 'seven\n');
    await generate(reply(text('Count to seven\n\nHelped-By: a tool')));
    assert.equal(repository.inputBox.value, 'Count to seven\n\nHelped-By: a tool');
    await fillBox('see issue 7');
    await generate(reply(text('Count to seven')), reply(text('Count seven')));
    assert.equal(repository.inputBox.value, 'Count to seven\n\nsee issue 7\n\nHelped-By: a tool');
    await generateAgain();
    assert.equal(repository.inputBox.value, 'Count seven\n\nsee issue 7\n\nHelped-By: a tool');
    settings = { includeCoAuthoredBy: false };
    await fillBox('');
    await generate(reply(text('Count to seven')));
    assert.equal(repository.inputBox.value, 'Count to seven');
    assert.match(JSON.stringify(model.requests.at(-1)?.system), /Put no line into a commit message/);
  });

  it('asks nothing where nothing has changed, and leaves the box alone where the model fails or says nothing', async () => {
    await generate();
    assert.equal(model.requests.length, 0);
    write('a.txt', 'six\n');
    await fillBox('mine');
    await generate(reply(text('  ')), httpError(401, 'authentication_error', 'no'));
    await generateAgain();
    assert.equal(model.requests.length, 2);
    assert.equal(repository.inputBox.value, 'mine');
  });
});
