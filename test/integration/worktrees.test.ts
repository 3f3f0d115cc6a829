// A worktree of a chat in a real window: what its chip follows, which files "@" finds there, and edits that are brought from it and undone.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Log } from '../../src/core/ports/log';
import { type SessionLog } from '../../src/core/ports/session-store';
import { type BackgroundCommand } from '../../src/core/ports/terminal';
import { type Worktree } from '../../src/core/ports/worktrees';
import { viewWorktree, type WorktreeView } from '../../src/core/subagents/worktree-view';
import { leftWorktree } from '../../src/core/worktrees/session-worktree';
import { createJsonlSessionStore } from '../../src/node/sessions/jsonl-session-store';
import { createRunGit } from '../../src/node/worktrees/run-git';
import { createSessionTrees } from '../../src/node/worktrees/session-trees';
import { treeChanges } from '../../src/node/worktrees/tree-changes';
import { madeTrees } from '../../src/node/worktrees/tree-removal';
import { createWorkspaceFiles } from '../../src/vscode/chat/completion/workspace-files';
import { type SessionGlance } from '../../src/shared/session-glance';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { uriOf } from '../../src/vscode/host/uri-path';
import { createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles } from '../../src/vscode/review/review-files';
import { planBringing, writeBrought } from '../../src/vscode/worktrees/bring-plan';
import { createChatTree } from '../../src/vscode/worktrees/chat-tree';
import { listTrees, treeItem } from '../../src/vscode/worktrees/tree-list';
import { gitEnvironment, gitIn } from '../support/git-repository';
import { closeAll, disk, newFolder, put, show, type, until } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
const text = 'one\ntwo\nthree\nfour\nfive\nsix\n';

const signal = new AbortController().signal;

describe('a worktree of a chat', function () {
  this.timeout(60_000);
  const run = createRunGit(async () => gitEnvironment);
  let folder: string;
  let all: string;
  let worktree: Worktree;
  let view: WorktreeView;
  let trees: ReturnType<typeof createSessionTrees>;

  before(async () => {
    folder = newFolder('trees');
    all = mkdtempSync(path.join(tmpdir(), 'deft-trees-'));
    put(folder, 'a.txt', text);
    await gitIn(folder, 'init', '--quiet', '-b', 'main');
    await gitIn(folder, 'add', '.');
    await gitIn(folder, 'commit', '--quiet', '-m', 'First');
    trees = createSessionTrees(run, all);
    const made = await trees.create({ folder, folders: [folder], branch: 'work', base: 'main' }, signal);
    assert.ok(typeof made !== 'string', String(made));
    worktree = made;
    view = await viewWorktree(worktree, [folder], { realPath: async (one) => one, ignoreCase: false });
  });
  after(async () => {
    await closeAll();
    rmSync(all, { recursive: true, force: true });
  });

  it('is followed by its chip: files, commits there, and commits of the checkout', async () => {
    let changed = 0;
    const tree = createChatTree(trees, () => changed++);
    const place = { worktree: view, environment: { folders: [worktree.path] } };
    tree.opened({ settings: { place } } as never);
    const shows = (ahead: number, behind: number, files: number) =>
      until(`it shows ${ahead} ${behind} ${files}`, () => {
        const { state } = tree.chip() ?? {};
        return state?.ahead === ahead && state.behind === behind && state.files === files;
      });
    try {
      await shows(0, 0, 0);
      assert.equal(tree.shown(`${worktree.path}/src/x.ts`), 'src/x.ts');
      assert.equal(tree.shown(`${folder}/a.txt`), `${folder}/a.txt`, 'the checkout is elsewhere');
      put(worktree.path, 'new.txt', 'new\n');
      tree.heard({ type: 'turn_idle' });
      await shows(0, 0, 1);
      // Nobody tells: git's own files do.
      await gitIn(worktree.path, 'add', '.');
      await gitIn(worktree.path, 'commit', '--quiet', '-m', 'There');
      await shows(1, 0, 0);
      put(folder, 'here.txt', 'here\n');
      await gitIn(folder, 'add', 'here.txt');
      await gitIn(folder, 'commit', '--quiet', '-m', 'Here');
      await shows(1, 1, 0);
      assert.equal(tree.chip()?.branch, 'work');
      const before = changed;
      tree.left();
      assert.equal(tree.chip(), undefined);
      assert.equal(changed, before);
    } finally {
      tree.dispose();
    }
  });

  it('has its own files behind "@"', async () => {
    const files = createWorkspaceFiles({
      files: createVscodeFileSystem({ settings: () => ({ autosave: false }) }),
      respectsIgnoreFiles: async () => true,
      tree: [{ uri: uriOf(worktree.path), name: 'work' }],
    });
    try {
      put(worktree.path, 'only-here.txt', 'x\n');
      assert.deepEqual(
        (await files.find('only-here')).map((one) => one.path),
        ['only-here.txt'],
      );
      assert.deepEqual(await files.find('here.txt').then((found) => found.map((one) => one.path)), ['only-here.txt']);
    } finally {
      files.dispose();
    }
  });

  it('brings edits that wait for review, merged with what is typed here, and each can be undone', async () => {
    const storage = mkdtempSync(path.join(tmpdir(), 'deft-trees-review-'));
    const reviewFiles = registerReviewFiles({ original: 'deft-trees-original', proposed: 'deft-trees-proposed' });
    const changes = createChangeReview({ storage, files: reviewFiles, log });
    const files = createVscodeFileSystem({ settings: () => ({ autosave: false }), watch: changes.watch });
    try {
      writeFileSync(path.join(worktree.path, 'a.txt'), text.replace('two', 'TWO'));
      const file = path.join(folder, 'a.txt');
      await type(await show(file), 'typed\n', 6);
      const found = await treeChanges(worktree, run);
      assert.ok(typeof found !== 'string', String(found));
      const plan = await planBringing(found, { view, files, run });
      assert.deepEqual(
        plan.files.map(({ name, conflicts }) => [name, conflicts]),
        [
          ['a.txt', 0],
          ['new.txt', 0],
          ['only-here.txt', 0],
        ],
      );
      const texts = plan.files.map(({ proposal: { path: at, base, text: after } }) => ({
        path: at,
        base,
        text: after,
      }));
      assert.equal(disk(file), text, 'the plan writes nothing');
      assert.equal(await writeBrought(texts, 'session', files), undefined);
      await until('it is there', async () => {
        const read = await files.readText(file, 10_000);
        return read.outcome === 'read' && read.file.text === `${text.replace('two', 'TWO')}typed\n`;
      });
      assert.deepEqual(
        changes
          .changes()
          .map((one) => path.basename(one.path))
          .sort(),
        ['a.txt', 'new.txt', 'only-here.txt'],
      );
      await changes.undo(file);
      const read = await files.readText(file, 10_000);
      assert.ok(read.outcome === 'read');
      assert.equal(read.file.text, `${text}typed\n`, 'what the user typed stays');
      // What was changed since the plan is not written over.
      assert.match(
        String(await writeBrought(texts, 'session', files)),
        /was changed meanwhile, so nothing was written/,
      );
    } finally {
      await closeAll();
      changes.keep();
      await changes.flush();
      changes.dispose();
      reviewFiles.dispose();
      rmSync(storage, { recursive: true, force: true });
    }
  });

  it('is offered for removal where nothing is only there and nobody works there', async () => {
    const sessions = mkdtempSync(path.join(tmpdir(), 'deft-trees-sessions-'));
    const store = createJsonlSessionStore(sessions, log);
    const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
    const background: BackgroundCommand[] = [];
    const waiting: SessionGlance = { state: 'waiting', since: 0, title: 'Asks' };
    const window = {
      ...{ run, files, store, log },
      ...{ glances: async () => new Map([['session-asks', waiting]]) },
      ...{ trees: async () => trees, all: () => [], treeOf: () => undefined, background: () => background },
    };
    const make = async (branch: string, base = 'main'): Promise<Worktree> => {
      const made = await trees.create({ folder, folders: [folder], branch, base }, signal);
      assert.ok(typeof made !== 'string', String(made));
      return made;
    };
    const commit = async (tree: Worktree, name: string, words: string) => {
      put(tree.path, name, words);
      await gitIn(tree.path, 'add', '--all');
      await gitIn(tree.path, 'commit', '--quiet', '-m', `Add ${name}`);
    };
    /** As a window has it open, whose process lives. */
    const openSession = async (tree: Worktree, id: string): Promise<SessionLog> => {
      const opened = await store.create(id);
      const made = { timestamp: new Date().toISOString(), cwd: tree.path, version: '', sessionId: id };
      const record = {
        type: 'system',
        subtype: 'session_worktree',
        worktree: tree,
        uuid: id,
        parentUuid: null,
      } as const;
      opened.append([{ ...record, ...made }]);
      await opened.sync();
      return opened;
    };
    try {
      await make('idle');
      await commit(await make('unique'), 'u.txt', 'unique\n');
      const brought = await make('brought');
      await commit(brought, 'brought.txt', 'brought\n');
      put(folder, 'brought.txt', 'brought\n');
      await commit(await make('twin'), 'twin.txt', 'twin\n');
      await make('other-twin', 'twin');
      const held = await make('held');
      const log = await openSession(held, 'session-held');
      const closed = await openSession(await make('behind'), 'session-closed');
      await closed.close();
      const asking = await openSession(await make('asks'), 'session-asks');
      await asking.close();
      const running = { taskId: 't', toolUseId: 'u', command: 'npm run dev', outputPath: '', startedAt: 0 };
      background.push({ ...running, session: 'session-closed' });
      const edited = await make('edited');
      put(edited.path, 'a.txt', text);
      await type(await show(path.join(edited.path, 'a.txt')), 'typed\n', 0);
      const look = async () => {
        const found = await madeTrees(folder, { run, folder: all });
        assert.ok(typeof found !== 'string', String(found));
        return new Map((await listTrees(found, window)).map((row) => [row.tree.branch, row]));
      };
      const listed = await look();
      assert.deepEqual([...listed].flatMap(([branch, { preselected }]) => (preselected ? [branch] : [])).sort(), [
        'brought',
        'idle',
      ]);
      assert.deepEqual(
        ['held', 'behind', 'asks', 'edited', 'unique'].map((branch) => listed.get(branch)?.uses.join(' ')),
        [
          'Its session “Untitled session” is open in another window or program.',
          'A background command of it still runs: npm run dev.',
          'Its session “Untitled session” waits for you.',
          'a.txt has unsaved changes in an editor.',
          '',
        ],
      );
      assert.match(treeItem(listed.get('unique') ?? assert.fail()).detail ?? '', /Only here: 1 commit/);
      assert.match(treeItem(listed.get('brought') ?? assert.fail()).detail ?? '', /your checkout has its texts/);
      // Whoever continued a copy of it in the workspace works there no more.
      log.append(leftWorktree((await store.read?.('session-held')) ?? [], folder, () => crypto.randomUUID()));
      await log.sync();
      assert.deepEqual((await look()).get('held')?.uses, []);
      await log.close();
    } finally {
      await closeAll();
      rmSync(sessions, { recursive: true, force: true });
    }
  });
});
