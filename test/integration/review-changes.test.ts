// All changes since a point beside each other, and comments on lines: kept, undone, followed and sent in a real window.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type SessionEvent } from '../../src/core/events/session-event';
import { type FileSystem } from '../../src/core/ports/files';
import { type Log } from '../../src/core/ports/log';
import { type ReviewComment } from '../../src/shared/review-comment';
import { gitApi } from '../../src/vscode/commands/git-extension';
import { reviewPoints } from '../../src/vscode/commands/review-points';
import { type CommentThreads, createCommentThreads } from '../../src/vscode/comments/comment-threads';
import { type StoredDraft } from '../../src/vscode/comments/comment-thread';
import { createFindingThreads, type FindingThreads } from '../../src/vscode/comments/finding-threads';
import { type DismissedFinding, type Finding } from '../../src/core/tool/session-findings';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { type ChangeReview, createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles, type ReviewFiles } from '../../src/vscode/review/review-files';
import { change, closeAll, disk, newFolder, put, show, type, until } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
const five = 'one\ntwo\nthree\nfour\nfive\n';

describe('a review of all changes', () => {
  let folder: string;
  let storage: string;
  let reviewFiles: ReviewFiles;
  let changes: ChangeReview;
  let files: FileSystem;
  let undone: string[];

  before(() => void (folder = newFolder('review-all')));
  beforeEach(async () => {
    storage = mkdtempSync(path.join(tmpdir(), 'deft-review-all-'));
    reviewFiles = registerReviewFiles({ original: 'deft-all-original', proposed: 'deft-all-proposed' });
    changes = createChangeReview({ storage, files: reviewFiles, log });
    reviewFiles.ready();
    await changes.restored;
    files = createVscodeFileSystem({ settings: () => ({ autosave: false }), watch: changes.watch });
    undone = [];
    changes.onDidUndo((file) => undone.push(path.basename(file)));
  });
  afterEach(async () => {
    await closeAll();
    changes.keep();
    await changes.flush();
    changes.dispose();
    reviewFiles.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  const command = (name: string, ...args: unknown[]): Promise<void> =>
    (changes.commands[name] as (...args: unknown[]) => Promise<void>)(...args);
  const lenses = async (file: string): Promise<string[]> => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      vscode.Uri.file(file),
      100,
    );
    return found.map(({ range, command: title }) => `${range.start.line}:${title?.title.replace(/\$\([^)]*\) /, '')}`);
  };
  /** As if the user pressed this button in each dialog. */
  const answering = async <Result>(button: string, use: () => Promise<Result>): Promise<string[]> => {
    const window = vscode.window as { showWarningMessage: unknown };
    const { showWarningMessage } = window;
    const asked: string[] = [];
    window.showWarningMessage = async (message: string) => (asked.push(message), button);
    try {
      await use();
    } finally {
      window.showWarningMessage = showWarningMessage;
    }
    return asked;
  };
  const since = (compared: { path: string; before: string | undefined; gone?: boolean }[], key = 'point') =>
    changes.compared.open({ key, since: 'since a test', files: compared });

  it('shows what a user has accepted in one tab, with rows for hunks and files', async () => {
    const [a, b] = [put(folder, 'a.txt', five), put(folder, 'b.txt', five)];
    await change(files, a, (text) => text.replace('two', 'TWO').replace('five', 'FIVE'));
    await change(files, b, (text) => text.replace('one', 'ONE'));
    assert.deepEqual(changes.changes(), [], 'nothing waits for review');
    await since([
      { path: a, before: five },
      { path: b, before: five },
    ]);
    assert.equal(changes.compared.isShown(), true);
    assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^Deft: changes since a test/);
    await show(a);
    assert.deepEqual(await lenses(a), [
      '1:Keep',
      '1:Undo',
      '1:Keep file (2 changes)',
      '1:Undo file',
      '4:Keep',
      '4:Undo',
    ]);
    await command('deft.keepHunk', vscode.Uri.file(a), { newStart: 1, newEnd: 2 });
    await command('deft.undoHunk', vscode.Uri.file(a), { newStart: 4, newEnd: 5 });
    assert.equal(disk(a), five.replace('two', 'TWO'));
    assert.deepEqual(undone, ['a.txt'], 'the model is told of it');
    assert.deepEqual(changes.compared.paths(), [b]);
    // What was kept stays kept when the same point is compared again.
    await since([
      { path: a, before: five },
      { path: b, before: five },
    ]);
    await show(a);
    assert.deepEqual(changes.compared.paths(), [b]);
  });

  it('keeps and undoes whole files: made, deleted and changed ones, and all at once', async () => {
    const [changed, made, gone] = [
      put(folder, 'changed.txt', five),
      put(folder, 'made.txt', 'made\n'),
      path.join(folder, 'gone.txt'),
    ];
    await change(files, changed, (text) => text.replace('two', 'TWO'));
    await since([
      { path: changed, before: five },
      { path: made, before: undefined },
      { path: gone, before: 'gone\n', gone: true },
    ]);
    const asked = await answering('Undo All', () => command('deft.undoReview'));
    assert.equal(asked.length, 1);
    assert.equal(disk(changed), five);
    assert.equal(existsSync(made), false);
    assert.equal(disk(gone), 'gone\n');
    assert.deepEqual(undone.sort(), ['changed.txt', 'gone.txt', 'made.txt']);
    await change(files, changed, (text) => text.replace('three', 'THREE'));
    await since([{ path: changed, before: five }], 'another point');
    await command('deft.keepReview');
    assert.deepEqual(changes.compared.paths(), []);
    assert.equal(disk(changed), five.replace('three', 'THREE'));
  });

  describe('of 200 files with 2,000 changes', () => {
    const lines = Array.from({ length: 80 }, (_, line) => `line ${line}\n`);
    const changed = lines.map((line, at) => (at % 8 === 3 ? line.toUpperCase() : line));
    let many: { path: string; before: string }[];
    before(() => {
      const place = newFolder('review-many');
      many = Array.from({ length: 200 }, (_, at) => ({
        path: put(place, `file${at}.txt`, changed.join('')),
        before: lines.join(''),
      }));
    });

    it('opens in one tab, and knows the changes of what is shown', async () => {
      await since(many, 'many');
      assert.equal(changes.compared.isShown(), true);
      assert.equal(changes.compared.paths().length, many.length);
      const [first] = many;
      await show(first?.path ?? '');
      assert.equal(changes.compared.hunksOf(vscode.Uri.file(first?.path ?? '')).length, 10);
    });
  });

  it('settles what waits for review as well, and asks before it takes lines that the user wrote', async () => {
    const file = put(folder, 'typed.txt', five);
    const editor = await show(file);
    await change(files, file, (text) => text.replace('two', 'TWO'), { approved: false });
    await since([{ path: file, before: five }]);
    await show(file);
    editor.selection = new vscode.Selection(1, 3, 1, 3);
    await (await show(file)).edit((edit) => edit.insert(new vscode.Position(1, 3), ' MINE'));
    await vscode.workspace.saveAll(false);
    const seen = { newStart: 1, newEnd: 2 };
    const undo = (button: string) => answering(button, () => command('deft.undoHunk', vscode.Uri.file(file), seen));
    assert.equal((await undo('Cancel')).length, 1);
    assert.equal(disk(file), five.replace('two', 'TWO MINE'), 'nothing happens without an answer');
    await undo('Keep These Lines');
    assert.equal(disk(file), five.replace('two\n', 'two\nTWO MINE\n'));
  });

  it('undoes a whole file of which the user has rewritten a line only after a question', async () => {
    const file = put(folder, 'whole.txt', five);
    const editor = await show(file);
    await change(files, file, (text) => text.replace('two', 'TWO').replace('five', 'FIVE'), { approved: false });
    await editor.edit((edit) => edit.insert(new vscode.Position(4, 4), ' MINE'));
    await vscode.workspace.saveAll(false);
    const asked = await answering('Undo Them Too', () => changes.undo(file));
    assert.match(asked.join(), /whole\.txt has lines in this change that were written after Deft made it/);
    assert.equal(disk(file), five);
  });
});

describe('the points of a review', () => {
  it('include the last commit, with new, changed and deleted files', async () => {
    const folder = newFolder('points');
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '--quiet', '--initial-branch=main');
    for (const name of ['changed', 'gone', 'same']) put(folder, `${name}.txt`, `${name} one\n`);
    put(folder, 'picture.bin', new Uint8Array([0, 1, 2, 255, 0]));
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    git('checkout', '--quiet', '-b', 'topic');
    put(folder, 'changed.txt', 'changed two\n');
    git('commit', '--quiet', '-am', 'Second');
    const api = await gitApi();
    assert.ok(api, 'the git extension is active');
    const repository = (await api.openRepository(vscode.Uri.file(folder))) ?? assert.fail('the repository is open');
    await until('git knows the branch', () => repository.state.HEAD?.name === 'topic');
    put(folder, 'changed.txt', 'changed three\n');
    put(folder, 'new.txt', 'new\n');
    put(folder, 'picture.bin', new Uint8Array([0, 9, 2, 255, 0]));
    rmSync(path.join(folder, 'gone.txt'));
    const filesSince = async (since: string): Promise<unknown[][]> => {
      const point =
        (await reviewPoints(undefined)).find((one) => one.since === since) ?? assert.fail(`no point ${since}`);
      const { files, left } = await point.load();
      assert.ok(left.includes('picture.bin'), left.join());
      return files
        .filter((file) => file.path.startsWith(folder))
        .map((file) => [path.basename(file.path), file.before, file.gone ?? false]);
    };
    const others = [
      ['gone.txt', 'gone one\n', true],
      ['new.txt', undefined, false],
    ];
    assert.deepEqual(await filesSince('since the last commit'), [['changed.txt', 'changed two\n', false], ...others]);
    assert.deepEqual(await filesSince('since this branch began'), [['changed.txt', 'changed one\n', false], ...others]);
    // What was moved and committed to no branch yet has its old text beside it.
    git('mv', 'same.txt', 'moved.txt');
    assert.deepEqual(
      (await filesSince('since the last commit')).filter(([name]) => /same|moved/.test(String(name))),
      [['moved.txt', 'same one\n', false]],
    );
  });
});

describe('findings of a review', () => {
  let folder: string;
  let file: string;
  let threads: CommentThreads;
  let findings: FindingThreads;
  let dismissed: readonly DismissedFinding[];
  let sent: readonly ReviewComment[];
  let drafts: readonly StoredDraft[];

  before(() => void (folder = newFolder('findings')));
  beforeEach(() => {
    file = put(folder, 'found.txt', five);
    [dismissed, sent, drafts] = [[], [], []];
    open();
  });
  afterEach(async () => {
    findings.dispose();
    threads.dispose();
    await closeAll();
  });

  const open = (): void => {
    threads = createCommentThreads({
      plans: { waits: () => false, comments: () => 0 },
      keep: (all) => (drafts = structuredClone(all)),
      chat: async () => ({
        session: async () => ({ id: 'session-1', surroundings: {} }) as never,
        send: async (comments) => (sent = comments).length > 0,
      }),
    });
    findings = createFindingThreads({
      drafts: threads,
      dismissed: () => dismissed,
      dismiss: (all) => (dismissed = structuredClone(all)),
    });
  };
  const finding = (id: string, line: number, kind = 'Typo'): Finding => ({
    ...{ id, path: file, start: line, end: line, quoted: five.split('\n')[line - 1] ?? '' },
    ...{ kind, problem: `Wrong ${id}.`, severity: 'low' as const },
  });
  const reported = (...found: Finding[]): SessionEvent =>
    ({
      type: 'record',
      record: { type: 'user', sessionId: 'session-1', message: {}, toolUseResult: { reviewFindings: found } },
    }) as never;
  /** VS Code hands a thread to its commands; here it is taken as it is made. */
  const catching = (use: () => void): vscode.CommentThread[] => {
    const made: vscode.CommentThread[] = [];
    const comments = vscode.comments as { createCommentController: typeof vscode.comments.createCommentController };
    const create = comments.createCommentController;
    comments.createCommentController = (id, label) => {
      const controller = create(id, label);
      const make = controller.createCommentThread.bind(controller);
      return new Proxy(controller, {
        get: (target, key) =>
          key === 'createCommentThread'
            ? (...args: Parameters<typeof make>) => {
                const thread = make(...args);
                made.push(thread);
                return thread;
              }
            : (Reflect.get(target, key) as unknown),
      });
    };
    try {
      findings.dispose();
      findings = createFindingThreads({
        drafts: threads,
        dismissed: () => dismissed,
        dismiss: (all) => (dismissed = structuredClone(all)),
      });
      use();
    } finally {
      comments.createCommentController = create;
    }
    return made;
  };

  it('follow their lines or are outdated, become one message, and are not shown once dismissed', async () => {
    const [first, second] = catching(() => findings.heard(reported(finding('f1', 2), finding('f2', 4, 'Leak'))));
    assert.ok(first && second);
    assert.deepEqual(findings.counts(), { comments: 2, files: 1 });
    assert.equal(first.label, 'Low: Typo');
    const editor = await show(file);
    await type(editor, 'zero\n');
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 3), '!'));
    await until('it is outdated', () => first.label === 'Low: Typo · Outdated, was: two');
    assert.equal(second.label, 'Low: Leak');
    findings.dismiss(first);
    assert.deepEqual(findings.counts(), { comments: 1, files: 1 });
    assert.deepEqual(dismissed, [{ path: file, kind: 'Typo', quoted: 'two' }]);
    findings.heard(reported(finding('f7', 2)));
    assert.deepEqual(findings.counts(), { comments: 1, files: 1 }, 'the same is not shown again');
    findings.fix();
    assert.deepEqual([findings.counts().comments, threads.drafts().comments], [0, 1]);
    await threads.send();
    assert.deepEqual(
      sent.map(({ start, quoted, words, finding: of }) => [start, quoted, words, of]),
      [[5, 'four', 'Fix this: Wrong f2.', 'f2']],
    );
  });

  it('come back where the comment is not sent, after a reload, and where the user forgets that they dismissed them', async () => {
    findings.opened('session-1', new Map([['f1', finding('f1', 2)]]));
    findings.fix();
    assert.equal(findings.counts().comments, 0);
    findings.dispose();
    threads.dispose();
    const left = drafts;
    open();
    threads.restore(left);
    findings.opened('session-1', new Map([['f1', finding('f1', 2)]]));
    assert.equal(findings.counts().comments, 0, 'the draft still asks for it');
    threads.removeDrafts();
    assert.equal(findings.counts().comments, 1);
    dismissed = [{ path: file, kind: 'typo', quoted: ' two' }];
    findings.heard(reported(finding('f2', 4)));
    assert.equal(findings.counts().comments, 1, 'f1 is dismissed');
    const window = vscode.window as { showQuickPick: unknown };
    const { showQuickPick } = window;
    window.showQuickPick = async (rows: unknown) => rows;
    try {
      await findings.forget();
    } finally {
      window.showQuickPick = showQuickPick;
    }
    assert.deepEqual(dismissed, []);
    assert.equal(findings.counts().comments, 2);
    await findings.next();
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
  });
});

describe('comments on lines', () => {
  let folder: string;
  let threads: CommentThreads;
  let controller: vscode.CommentController;
  let kept: readonly StoredDraft[];
  let sent: { comments: readonly ReviewComment[]; session: string }[];

  before(() => void (folder = newFolder('comments')));
  beforeEach(() => {
    [kept, sent] = [[], []];
    controller = vscode.comments.createCommentController('deft-test-comments', 'Test');
    threads = createCommentThreads({
      plans: { waits: () => false, comments: () => 0 },
      keep: (drafts) => (kept = structuredClone(drafts)),
      chat: async () => ({
        session: async () => ({ id: 'session-1', surroundings: {} }) as never,
        send: async (comments, session) => sent.push({ comments, session }) > 0,
      }),
    });
  });
  afterEach(async () => {
    threads.dispose();
    controller.dispose();
    await closeAll();
  });

  const comment = (file: string, line: number, text: string): vscode.CommentThread => {
    const thread = controller.createCommentThread(vscode.Uri.file(file), new vscode.Range(line, 0, line, 0), []);
    threads.write({ thread, text } as vscode.CommentReply);
    return thread;
  };
  const record = (more: object): SessionEvent =>
    ({
      type: 'record',
      record: { type: 'user', uuid: 'u', sessionId: 'session-1', message: { role: 'user', content: [] }, ...more },
    }) as never;
  const labelOf = ({ label = '' }: vscode.CommentThread): string => label;

  it('follow what is typed, are outdated where their line was changed, and are one message', async () => {
    const [a, b] = [put(folder, 'a.txt', five), put(folder, 'b.txt', five)];
    const editor = await show(a);
    const [moved, changed] = [comment(a, 2, 'Why three?'), comment(a, 4, 'Why five?')];
    await show(b);
    comment(b, 0, 'First');
    const again = await show(a);
    await type(again, 'zero\n');
    await again.edit((edit) => edit.insert(new vscode.Position(5, 4), '!'));
    assert.equal(labelOf(moved), 'Draft: not sent yet');
    assert.equal(labelOf(changed), 'Draft: not sent yet · Outdated, was: five');
    assert.deepEqual(threads.drafts(), { comments: 3, files: 2 });
    await threads.send();
    assert.equal(sent.length, 1);
    assert.deepEqual(
      sent[0]?.comments.map(({ id, path: file, start, quoted, words, outdated }) => [
        id,
        path.basename(file),
        start,
        quoted,
        words,
        outdated,
      ]),
      [
        ['c1', 'a.txt', 4, 'three', 'Why three?', undefined],
        ['c2', 'a.txt', 6, 'five', 'Why five?', true],
        ['c3', 'b.txt', 1, 'one', 'First', undefined],
      ],
    );
    assert.deepEqual(threads.drafts(), { comments: 0, files: 0 });
    assert.ok(editor);
  });

  it('are answered in their threads, and stay drafts where they were not sent', async () => {
    const file = put(folder, 'answered.txt', five);
    await show(file);
    const [first, second] = [comment(file, 0, 'One?'), comment(file, 1, 'Two?')];
    await threads.send();
    // The turn ended, and the log has nothing of it.
    threads.heard({ type: 'turn_idle' });
    assert.deepEqual(threads.drafts(), { comments: 2, files: 1 });
    await threads.send();
    const comments = sent[1]?.comments ?? [];
    threads.heard(record({ display: { text: '', attachments: [], images: 0, comments } }));
    assert.deepEqual([labelOf(first), kept.length], ['Sent to the agent', 0]);
    threads.heard(record({ toolUseResult: { commentAnswer: { id: 'c1', action: 'resolve', text: 'Done.' } } }));
    threads.heard(record({ toolUseResult: { commentAnswer: { id: 'c2', action: 'disagree', text: 'No.' } } }));
    assert.equal(first.state, vscode.CommentThreadState.Resolved);
    assert.deepEqual(
      first.comments.map(({ author }) => author.name),
      ['You', 'Deft'],
    );
    assert.equal(labelOf(second), 'The agent disagrees');
    threads.write({ thread: second, text: 'But yes.' } as vscode.CommentReply);
    await threads.send();
    assert.deepEqual(
      sent[2]?.comments.map(({ id, words }) => [id, words]),
      [['c2', 'But yes.']],
    );
  });

  it('come back after a reload, at their lines or as outdated', async () => {
    const file = put(folder, 'left.txt', five);
    await show(file);
    comment(file, 3, 'Why four?');
    comment(file, 1, 'Why two?');
    threads.dispose();
    put(folder, 'left.txt', 'zero\none\nTWO\nthree\nfour\nfive\n');
    await until('the file is read anew', () => vscode.window.activeTextEditor?.document.lineCount === 7);
    threads = createCommentThreads({
      plans: { waits: () => false, comments: () => 0 },
      keep: () => undefined,
      chat: async () => ({
        session: async () => ({ id: 'session-1', surroundings: {} }) as never,
        send: async (comments, session) => sent.push({ comments, session }) > 0,
      }),
    });
    threads.restore(kept);
    await threads.send();
    assert.deepEqual(
      sent[0]?.comments.map(({ start, quoted, outdated }) => [start, quoted, outdated]),
      [
        [5, 'four', undefined],
        [2, 'two', true],
      ],
    );
  });
});
