// Commits from a plan in the editor: proposed, edited, split, carried out or refused, with real git in a real window. Only the model is scripted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { commitChanges } from '../../src/vscode/commits/commit-changes';
import { type AgentSession } from '../../src/core/feature/agent-session';
import { createPullRequest, sendRequest } from '../../src/vscode/commits/create-pull-request';
import { whyThisLine } from '../../src/vscode/commits/why-this-line';
import { ledgerLog } from '../support/ledger-log';
import { commitPlan, splitCommits } from '../../src/vscode/commits/carry-out';
import { type CommitServices } from '../../src/vscode/commits/commit-needs';
import { registerPlanEditor, showPlanChanges } from '../../src/vscode/commits/plan-editor';
import { gitApi } from '../../src/vscode/commands/git-extension';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { httpError, reply, text, type ScriptedReply } from '../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../support/scripted-model';
import { closeAll, newFolder, put, until } from './workspace-file';

describe('commits from a plan', () => {
  let folder: string;
  let storage: string;
  let model: ScriptedModel;
  let services: CommitServices;
  let editor: vscode.Disposable;
  let source: vscode.SourceControl;
  let said: string[];
  const put_ = (name: string, content: string): void => void put(folder, name, content);
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const { window } = vscode;
  const messages = ['showInformationMessage', 'showErrorMessage', 'showWarningMessage'] as const;
  const originals = messages.map((name) => window[name]);

  before(async () => {
    folder = newFolder('commits');
    storage = mkdtempSync(path.join(tmpdir(), 'deft-commits-'));
    git('init', '--quiet', '-b', 'main');
    for (const [key, value] of [
      ['user.name', 'Ann'],
      ['user.email', 'ann@example.com'],
    ] as const)
      git('config', key, value);
    put_('a.txt', 'one\n');
    put_('b.txt', 'one\n');
    put_('.env', 'KEY=1\n');
    git('add', '.');
    git('commit', '-qm', 'shop: Begin');
    await (await gitApi())?.openRepository(vscode.Uri.file(folder));
    source = { rootUri: vscode.Uri.file(folder) } as vscode.SourceControl;
    editor = registerPlanEditor();
    for (const name of messages)
      (window as unknown as Record<string, unknown>)[name] = async (sentence: string) => void said.push(sentence);
    services = {
      storage: vscode.Uri.file(storage),
      files: createVscodeFileSystem({ settings: () => ({ autosave: false }) }),
      isHidden: (file) => file.endsWith('.env'),
      client: {
        provider: 'gateway',
        capabilities: (id) => model.capabilities(id),
        stream: (request, signal) => model.stream(request, signal),
        countTokens: async () => 0,
        listModels: async () => [],
      },
      clock: { sleep: async () => undefined },
      isDemo: () => false,
      model: () => 'claude-opus-5',
      environment: async () => process.env,
      session: async () => undefined,
      settings: async () => ({}),
      verify: () => [],
      whyNoModel: () => undefined,
      trailer: () => false,
      used: () => undefined,
    };
  });
  beforeEach(() => {
    said = [];
    git('reset', '--quiet', '--hard');
    git('clean', '-qfd');
  });
  afterEach(closeAll);
  after(() => {
    messages.forEach((name, index) => ((window as unknown as Record<string, unknown>)[name] = originals[index]));
    editor.dispose();
    rmSync(storage, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  const script = (...replies: ScriptedReply[]): void => void (model = createScriptedModel(replies));
  const shown = (): vscode.TextDocument => window.activeTextEditor?.document ?? assert.fail('nothing is open');
  const edit = async (change: (content: string) => string): Promise<void> => {
    const document = shown();
    const all = new vscode.WorkspaceEdit();
    all.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), change(document.getText()));
    await vscode.workspace.applyEdit(all);
  };

  it('shows what would be committed, hides what rules hide from the model, and commits nothing by itself', async () => {
    put_('a.txt', 'two\n');
    put_('.env', 'KEY=2\n');
    put_('new.txt', 'new\n');
    script(reply(text('shop: Count to two\n\nBecause.')));
    const plan = await commitChanges(services, source);
    assert.ok(plan);
    const content = shown().getText();
    assert.match(content, /^Nothing is committed yet\. claude-opus-5 proposed this message\.\nEdit the messages/);
    assert.match(
      content,
      /\n=== Commit\nshop: Count to two\n\nBecause\.\n\n--- Changes\nh2 {2}a\.txt {2}line 1 {2}\+1 -1\nh3 {2}new\.txt {2}new file {2}\+1 -0\n\n=== Not committed\nh1 {2}\.env {2}line 1 {2}\+1 -1 {2}\(a deny rule hides it\)\n/,
    );
    assert.doesNotMatch(JSON.stringify(model.requests.at(-1)?.messages), /KEY/);
    assert.equal(git('log', '--format=%s'), 'shop: Begin');
    // By keyboard: hover, way to the change, rows.
    const line = content.split('\n').findIndex((one) => one.startsWith('h2'));
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      plan.uri,
      new vscode.Position(line, 0),
    );
    assert.match((hover?.contents[0] as vscode.MarkdownString).value, /```diff\n-one\n\+two/);
    const [way] = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      plan.uri,
      new vscode.Position(line, 0),
    );
    assert.equal(path.basename(way?.uri.path ?? ''), 'a.txt');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      plan.uri,
      9,
    );
    const rows = lenses.map(({ command }) => command?.title.replace(/^\$\([^)]*\) /, ''));
    // The extension of the window has not made this plan; it says so once a suite before this one has called its command.
    assert.deepEqual(
      rows.filter((row) => row !== 'This plan is of an earlier window: make it anew'),
      ['Commit (1 commit · 2 changes · 1 change stays uncommitted)', 'Show Changes', 'Split into Commits'],
    );
    assert.equal(shown().languageId, 'deft-commit');
  });

  it('commits what stands in the plan after it was edited, and says what is wrong before', async () => {
    put_('a.txt', 'two\n');
    put_('b.txt', 'two\n');
    git('add', 'b.txt');
    script(reply(text('Proposed')));
    const plan = await commitChanges(services, source);
    assert.match(shown().getText(), /h2 {2}b\.txt {2}line 1 {2}\+1 -1 {2}\(staged by you\)/);
    await edit((content) => content.replace('Proposed', ''));
    await until(
      'the missing message is marked',
      () => vscode.languages.getDiagnostics(plan?.uri ?? vscode.Uri.file(storage)).length === 1,
    );
    assert.equal(await commitPlan(services, plan?.uri), undefined);
    assert.match(said.join('\n'), /nothing was committed\. Line \d+: This commit has no message\./);
    await edit((content) =>
      content.replace('=== Commit\n', '=== Commit\nMine\n').replace(/(h2.*\n)([^]*=== Not committed\n)/, '$2$1'),
    );
    assert.equal((await commitPlan(services, plan?.uri))?.kind, 'made');
    assert.equal(git('log', '-1', '--format=%s'), 'Mine');
    assert.equal(git('show', '--name-only', '--format=', 'HEAD'), 'a.txt');
    assert.equal(git('status', '--porcelain', '-uno'), 'M  b.txt');
    assert.match(said.join('\n'), /committed [0-9a-f]{8} Mine\. 1 change of the plan stays uncommitted\./);
    assert.notEqual(window.activeTextEditor?.document.uri.toString(), plan?.uri.toString(), 'its tab is closed');
  });

  it('splits by a proposal in which each change is once, else says why not; a hook that fails takes all back', async () => {
    put_('a.txt', 'three\n');
    put_('b.txt', 'three\n');
    const answer = (commits: unknown) => reply(text(JSON.stringify({ commits })));
    script(
      reply(text('Whole')),
      answer([
        { message: 'A', changes: ['h1'] },
        { message: 'B', changes: ['h1', 'h2'] },
      ]),
      answer([
        { message: 'B first', changes: ['h2'] },
        { message: 'Then a', changes: ['h1'] },
      ]),
    );
    const plan = await commitChanges(services, source);
    await splitCommits(services, plan?.uri);
    assert.match(
      shown().getText(),
      /no proposal to split them can be used: it put h1 into several commits\.\n[^]*=== Commit\nWhole\n/,
    );
    await splitCommits(services, plan?.uri);
    assert.match(
      shown().getText(),
      /=== Commit 1\nB first\n\n--- Changes\nh2 [^]*=== Commit 2\nThen a\n\n--- Changes\nh1 /,
    );
    const hook = path.join(folder, '.git/hooks/commit-msg');
    mkdirSync(path.dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\ngrep -q B "$1" || { echo "no a today"; exit 1; }\n');
    chmodSync(hook, 0o755);
    const head = git('rev-parse', 'HEAD');
    try {
      assert.equal((await commitPlan(services, plan?.uri))?.kind, 'failed');
      assert.match(
        said.at(-1) ?? '',
        /nothing was committed\. Commit 2 of 2 failed\. no a today\. The commit before it was taken back: HEAD and what is staged are as they were\./,
      );
      assert.equal(git('rev-parse', 'HEAD'), head);
      assert.match(shown().getText(), /Then a/, 'the plan is still there');
    } finally {
      rmSync(hook);
    }
    assert.equal((await commitPlan(services, plan?.uri))?.kind, 'made');
    assert.equal(git('log', '-2', '--format=%s'), 'Then a\nB first');
  });

  it('says that no model wrote the message where none answers, and shows all changes in one diff', async () => {
    put_('a.txt', 'four\n');
    script(httpError(401, 'authentication_error', 'no key'));
    const plan = await commitChanges(services, source);
    assert.ok(plan);
    assert.match(
      shown().getText(),
      /^Nothing is committed yet\. No model wrote this message \(.+\): it comes from the names of the files\.[^]*=== Commit\nChange a\.txt\n/,
    );
    await showPlanChanges(plan, shown().getText());
    await until(
      'the diff is shown',
      () => window.tabGroups.activeTabGroup.activeTab?.label.includes('files of this plan') === true,
    );
    git('checkout', '-q', '--', 'a.txt');
    await commitChanges(services, source);
    assert.match(said.join('\n'), /nothing is uncommitted in /);
  });

  it('offers what the session changed, line by line, with what its log proves', async () => {
    const lines = (first: string, last: string): string => `${first}\n${'same\n'.repeat(20)}${last}\n`;
    put_('a.txt', lines('user', 'session'));
    const session = {
      id: '01234567-89ab-cdef-0123-456789abcdef',
      settings: {
        checkpoints: {
          points: async () => [{ id: 'p', at: 0, text: 'x' }],
          preview: async () => ({
            plan: {
              steps: [
                {
                  path: path.join(folder, 'a.txt'),
                  action: 'restore',
                  from: {},
                  to: { kind: 'file', hash: 'h', mode: 0o644, size: 1 },
                },
              ],
              lost: [],
              asThen: [],
            },
          }),
          bytes: async () => Buffer.from(lines('user', 'before')),
        },
      },
      records: ledgerLog([
        { prompt: 'Say session' },
        {
          call: 'Edit',
          result: {
            filePath: path.join(folder, 'a.txt'),
            structuredPatch: [{ oldStart: 22, oldLines: 1, newStart: 22, newLines: 1, lines: ['-before', '+session'] }],
          },
        },
        'end',
      ]),
    } as unknown as AgentSession;
    git('checkout', '-q', '-b', 'lines');
    writeFileSync(path.join(folder, 'a.txt'), lines('committed', 'before'));
    git('commit', '-qam', 'Lines');
    writeFileSync(path.join(folder, 'a.txt'), lines('user', 'session'));
    const { showQuickPick } = window;
    const offered: string[] = [];
    (window as unknown as Record<string, unknown>)['showQuickPick'] = async (
      items: { label: string; description: string }[],
    ) => {
      offered.push(...items.map(({ label, description }) => `${label}: ${description}`));
      return items[0];
    };
    try {
      script(reply(text('Say session')));
      await commitChanges(
        { ...services, session: async () => ({ session, title: 'Lines' }), trailer: () => true },
        source,
      );
    } finally {
      (window as unknown as Record<string, unknown>)['showQuickPick'] = showQuickPick;
    }
    assert.deepEqual(offered, [
      'What this session changed: 1 change in 1 file',
      'All uncommitted changes: 2 changes in 1 file',
    ]);
    const content = shown().getText();
    assert.match(
      content,
      /=== Commit\nSay session\n\nDeft-Session: 01234567-89ab-cdef-0123-456789abcdef\n\n--- Changes\nh2 [^]*=== Not committed\nh1 /,
    );
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /requests-of-the-user[^]*Say session/);
  });

  it('leads from a line to the edit that wrote it, and to the session that its commit names', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'deft-lines-'));
    const id = '01234567-89ab-cdef-0123-456789abcdef';
    const file = put(folder, 'b.txt', 'by an edit\nby a commit\n');
    const [prompt, call, result] = ledgerLog([
      { prompt: 'x' },
      {
        call: 'Edit',
        result: {
          filePath: file,
          structuredPatch: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+by an edit'] }],
        },
      },
    ]).filter(({ type }) => type !== 'system');
    writeFileSync(
      path.join(root, `${id}.jsonl`),
      [prompt, call, result].map((record) => JSON.stringify(record)).join('\n'),
    );
    git('commit', '-qam', `Two lines\n\nDeft-Session: ${id}`);
    const opened: unknown[] = [];
    const ask = async (line: number): Promise<void> => {
      const editorShown = await window.showTextDocument(vscode.Uri.file(file));
      editorShown.selection = new vscode.Selection(line, 0, line, 0);
      await whyThisLine({
        sessions: async () => [{ id, title: 'The session', cwd: folder, updatedAt: 0, sizeBytes: 1 }],
        root,
        environment: services.environment,
        open: async (...which) => void opened.push(which),
      });
    };
    try {
      await ask(0);
      assert.deepEqual(opened, [[id, 'toolu_1']]);
      assert.match(said.at(-1) ?? '', /an edit of “The session” wrote this line on /);
      await ask(1);
      assert.match(
        said.at(-1) ?? '',
        /no edit in this workspace's sessions wrote this line\. Commit [0-9a-f]{8} “Two lines” by Ann has it, which names a session of Deft\./,
      );
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('hands a pull request to gh as it was edited, after a question; without gh it is a text', async () => {
    const bin = mkdtempSync(path.join(tmpdir(), 'deft-gh-'));
    git('remote', 'add', 'origin', 'https://github.com/o/r.git');
    git('update-ref', 'refs/remotes/origin/main', 'main');
    git('checkout', '-q', '-B', 'asked', 'main');
    put_('a.txt', 'asked\n');
    git('commit', '-qam', 'Ask');
    const answer = reply(text(JSON.stringify({ title: 'Ask for it', what: 'It asks.', why: '' })));
    const environment = async () => ({ ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` });
    try {
      script(answer);
      await createPullRequest(
        {
          ...services,
          environment: async () => ({
            PATH: path.dirname(execFileSync('which', ['git'], { encoding: 'utf8' }).trim()),
          }),
        },
        source,
      );
      assert.match(
        shown().getText(),
        /^# Ask for it\n\n## What changed\n\nIt asks\.\n\n## Proof\n\nUntested as far as Deft knows/,
      );
      assert.match(said.at(-1) ?? '', /Neither gh nor glab is installed for github\.com, so this is a text to copy\./);
      const gh = path.join(bin, 'gh');
      writeFileSync(
        gh,
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/args'\ncat > '${bin}/text'\necho https://github.com/o/r/pull/7\n`,
      );
      chmodSync(gh, 0o755);
      script(answer);
      const uri = await createPullRequest({ ...services, environment }, source);
      assert.match(shown().getText(), /1 commit of asked is not on origin: you are asked before it is pushed\./);
      await edit((content) => content.replace('# Ask for it', '# Edited'));
      assert.equal(await sendRequest({ ...services, environment }, uri), undefined, 'nobody has agreed');
      assert.match(said.at(-1) ?? '', /Create the pull request “Edited” from asked into main\?/);
      git('update-ref', 'refs/remotes/origin/asked', 'asked');
      (window as unknown as Record<string, unknown>)['showWarningMessage'] = async (
        _what: string,
        _options: unknown,
        act: string,
      ) => act;
      assert.equal(await sendRequest({ ...services, environment }, uri), 'https://github.com/o/r/pull/7');
      assert.match(
        readFileSync(path.join(bin, 'args'), 'utf8'),
        /^pr\ncreate\n--title\nEdited\n--body-file\n-\n--base\nmain\n--head\nasked\n$/,
      );
      assert.match(readFileSync(path.join(bin, 'text'), 'utf8'), /^## What changed\n\nIt asks\./);
    } finally {
      rmSync(bin, { recursive: true, force: true });
    }
  });
});
