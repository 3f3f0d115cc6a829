// Proposed edits as diffs that can be changed, and changes that wait for review in the real editor.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../src/core/ports/approver';
import { type FileSystem } from '../../src/core/ports/files';
import { type Log } from '../../src/core/ports/log';
import { type ChangesView, type DiffHunk, type DiffView } from '../../src/shared/tool-view';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createChangeReview, type ChangeReview } from '../../src/vscode/review/change-review';
import {
  createProposalReview,
  type ProposalDecision,
  type ProposalReview,
} from '../../src/vscode/review/proposal-review';
import { proposalAtCursor } from '../../src/vscode/review/proposal-tabs';
import { registerReviewFiles, type ReviewFiles } from '../../src/vscode/review/review-files';
import {
  change,
  closeAll,
  dirtyDocuments,
  disk,
  newFolder,
  put,
  read,
  show,
  type,
  until,
  withSettings,
} from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
/** Other names than the extension's own, which may be active in this window. */
const schemes = { original: 'deft-test-original', proposed: 'deft-test-proposed' };
const plain = createVscodeFileSystem({ settings: () => ({ autosave: false }) });

const hunksOf = (view: DiffView | ChangesView): DiffHunk[] =>
  view.kind === 'diff' ? view.hunks : view.files.flatMap(({ hunks }) => hunks);

describe('reviews in VS Code', () => {
  let folder: string;
  let storage: string;

  before(() => {
    folder = newFolder('review');
    storage = mkdtempSync(path.join(tmpdir(), 'deft-review-'));
  });
  after(() => rmSync(storage, { recursive: true, force: true }));
  afterEach(closeAll);

  describe('a proposal', () => {
    let reviewFiles: ReviewFiles;
    let proposals: ProposalReview;
    let decisions: ProposalDecision[];
    let reveal: 'automatic' | 'onRequest' = 'automatic';
    let serial = 0;

    const start = (): void => {
      reviewFiles = registerReviewFiles(schemes);
      proposals = createProposalReview({
        storage: path.join(storage, 'proposals'),
        files: reviewFiles,
        reveal: () => reveal,
        log,
      });
      reviewFiles.ready();
      decisions = [];
      proposals.onDecision((decision) => decisions.push(decision));
    };
    const stop = (): void => {
      proposals.dispose();
      reviewFiles.dispose();
    };
    const requestFor = async (file: string, text: string): Promise<ApprovalRequest> => ({
      id: `request-${++serial}`,
      toolUseId: `toolu_${serial}`,
      toolName: 'Edit',
      title: `Edit ${file}`,
      view: { kind: 'markdown', text: '' },
      reason: 'a test',
      suggestions: [],
      proposal: { path: file, base: existsSync(file) ? await read(plain, file) : undefined, text },
    });
    const diffTabs = (): vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.filter(
          ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === schemes.proposed,
        ),
      );
    const proposedEditor = async (): Promise<vscode.TextEditor> => {
      await until(
        'the proposal has focus',
        () => vscode.window.activeTextEditor?.document.uri.scheme === schemes.proposed,
      );
      return vscode.window.activeTextEditor ?? assert.fail();
    };

    beforeEach(() => {
      reveal = 'automatic';
      start();
    });
    afterEach(async () => {
      proposals.decideAll('reject');
      for (const { requestId } of decisions) await proposals.close(requestId);
      await closeAll();
      stop();
    });

    it('is shown beside the editor in use, which keeps its place and its focus', async () => {
      const file = put(folder, 'beside.ts', 'const one = 1;\n');
      const editor = await show(file);
      const request = await requestFor(file, 'const one = 2;\n');
      await proposals.open(request);
      await until('the diff is there', () => diffTabs().length === 1);
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
      assert.equal(
        vscode.window.visibleTextEditors.some(({ document }) => document === editor.document),
        true,
      );
      assert.match(diffTabs()[0]?.label ?? '', /beside\.ts \(Deft: proposed\)/);
      assert.equal(await proposals.textOf(request.id), 'const one = 2;\n');
      await proposals.close(request.id);
      assert.deepEqual(diffTabs(), []);
    });

    it('gives up one of its changes before it is accepted: at the cursor of its diff, or with no diff open', async () => {
      const five = 'one\ntwo\nthree\nfour\nfive\n';
      const request = await requestFor(
        put(folder, 'take-back.txt', five),
        five.replace('one', '1').replace('four\n', ''),
      );
      reveal = 'onRequest';
      await proposals.open(request);
      const changes: boolean[] = [];
      const listening = proposals.onChange(({ byUser }) => changes.push(byUser));
      const { id: requestId } = request;
      assert.equal(await proposals.takeBack({ requestId }, { start: 1, end: 3 }), false, 'nothing has changed there');
      assert.equal(await proposals.takeBack({ requestId }, { start: 0, end: 1 }), true);
      assert.equal(await proposals.textOf(requestId), five.replace('four\n', ''));
      assert.deepEqual(changes, [true]);
      assert.equal(await proposals.show(requestId), true);
      const editor = await proposedEditor();
      assert.equal(editor.document.getText(), five.replace('four\n', ''));
      editor.selection = new vscode.Selection(3, 0, 3, 0);
      const at = proposalAtCursor(schemes.proposed) ?? assert.fail('the cursor is in the diff');
      assert.equal(await proposals.takeBack(at, { start: at.line, end: at.line + 1 }), true);
      assert.equal(await proposals.textOf(requestId), five);
      listening.dispose();
      await proposals.close(requestId);
      assert.equal(await proposals.takeBack({ requestId }, { start: 0, end: 9 }), false, 'it waits no more');
    });

    it('never covers a webview, which may be the chat', async () => {
      const panel = vscode.window.createWebviewPanel('deft-test', 'Chat', vscode.ViewColumn.One);
      try {
        await until(
          'the panel is there',
          () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview,
        );
        const request = await requestFor(put(folder, 'webview.txt', 'one\n'), 'two\n');
        await proposals.open(request);
        await until('the diff is there', () => diffTabs().length === 1);
        assert.equal(panel.visible, true);
        await proposals.close(request.id);
        await show(put(folder, 'code.txt', 'one\n'));
        panel.reveal(vscode.ViewColumn.Two, true);
        await until('the panel is in the second group', () => panel.viewColumn === vscode.ViewColumn.Two);
        const opened = await requestFor(put(folder, 'webview-2.txt', 'one\n'), 'two\n');
        await proposals.open(opened);
        await until('the second diff is there', () => diffTabs().length === 1);
        assert.equal(panel.visible, true);
        assert.equal(
          vscode.window.visibleTextEditors.some(({ document }) => document.uri.path.endsWith('/code.txt')),
          true,
        );
        await proposals.close(opened.id);
      } finally {
        panel.dispose();
      }
    });

    it('follows an undo that comes before the text was saved', async () => {
      const request = await requestFor(put(folder, 'undone-at-once.txt', 'one\n'), 'two\n');
      await proposals.open(request);
      await proposals.show(request.id);
      await type(await proposedEditor(), 'mine ');
      await vscode.commands.executeCommand('undo');
      assert.equal(await proposals.textOf(request.id), 'two\n');
    });

    it('leaves no diff behind that nobody waits for after a reload', async () => {
      const request = await requestFor(put(folder, 'abandoned.txt', 'one\n'), 'two\n');
      await proposals.open(request);
      await until('the diff is there', () => diffTabs().length === 1);
      stop();
      start();
      await until('the diff is gone', () => diffTabs().length === 0);
    });

    it('has the language of its file, and the right side can be changed without touching the file', async () => {
      const file = put(folder, 'edited.ts', 'const one = 1;\n');
      const request = await requestFor(file, 'const one = 2;\n');
      await proposals.open(request);
      assert.equal(await proposals.show(request.id), true);
      const editor = await proposedEditor();
      assert.equal(editor.document.languageId, 'typescript');
      assert.equal(editor.document.getText(), 'const one = 2;\n');
      await type(editor, '// mine\n');
      assert.equal(await proposals.textOf(request.id), '// mine\nconst one = 2;\n');
      assert.equal(disk(file), 'const one = 1;\n');
    });

    it('is never left unsaved, and no formatter touches it', async () => {
      const formatter = vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/silent.txt' },
        {
          provideDocumentFormattingEdits: () => [vscode.TextEdit.insert(new vscode.Position(0, 0), 'formatted ')],
        },
      );
      try {
        await withSettings({ 'editor.formatOnSave': true }, async () => {
          const request = await requestFor(put(folder, 'silent.txt', 'one\n'), 'two\n');
          await proposals.open(request);
          await proposals.show(request.id);
          const editor = await proposedEditor();
          await type(editor, 'mine ');
          await until('the document is saved', () => !editor.document.isDirty);
          assert.equal(editor.document.getText(), 'mine two\n');
        });
      } finally {
        formatter.dispose();
      }
    });

    it('stays pending when its tab is closed, with what was typed', async () => {
      const request = await requestFor(put(folder, 'closed-tab.txt', 'one\n'), 'two\n');
      await proposals.open(request);
      await proposals.show(request.id);
      const editor = await proposedEditor();
      await type(editor, 'mine ');
      await until('the document is saved', () => !editor.document.isDirty);
      await vscode.window.tabGroups.close(diffTabs());
      assert.deepEqual(diffTabs(), []);
      assert.deepEqual(decisions, []);
      assert.equal(await proposals.textOf(request.id), 'mine two\n');
      await proposals.show(request.id);
      assert.equal((await proposedEditor()).document.getText(), 'mine two\n');
    });

    it('closes without a question right after typing', async () => {
      const request = await requestFor(put(folder, 'quick.txt', 'one\n'), 'two\n');
      await proposals.open(request);
      await proposals.show(request.id);
      await type(await proposedEditor(), 'mine ');
      assert.equal(await proposals.textOf(request.id), 'mine two\n');
      await proposals.close(request.id);
      assert.deepEqual(diffTabs(), []);
      assert.deepEqual(dirtyDocuments(), []);
      assert.equal(await proposals.textOf(request.id), undefined);
    });

    it('keeps mixed line endings where the user typed nothing', async () => {
      const file = put(folder, 'mixed.txt', 'one\r\ntwo\n');
      const request = await requestFor(file, 'one\r\nTWO\n');
      await proposals.open(request);
      await proposals.show(request.id);
      await proposedEditor();
      assert.equal(await proposals.textOf(request.id), 'one\r\nTWO\n');
    });

    it('reads well whatever files.encoding says', async () => {
      const request = await requestFor(put(folder, 'umlaut.txt', 'eins\n'), 'zwölf – 世\n');
      await withSettings({ 'files.encoding': 'windows1252' }, async () => {
        await proposals.open(request);
        await proposals.show(request.id);
        assert.equal((await proposedEditor()).document.getText(), 'zwölf – 世\n');
      });
    });

    it('names the encoding that it has, and keeps what is typed, with and without a mark', async () => {
      for (const [encoding, shown] of [
        ['utf8', 'utf8'],
        ['windows1252', 'utf8bom'],
        ['utf16le', 'utf8bom'],
      ] as const) {
        const request = await requestFor(put(folder, `encoded-${encoding}.txt`, 'one\n'), 'two\n');
        await withSettings({ 'files.encoding': encoding }, async () => {
          await proposals.open(request);
          await proposals.show(request.id);
          const editor = await proposedEditor();
          const { document } = editor;
          assert.equal(document.encoding, shown, encoding);
          await type(editor, 'zwölf – 世 ');
          await until('it is saved', () => !document.isDirty);
          assert.equal(reviewFiles.proposed.text(document.uri), 'zwölf – 世 two\n');
          assert.equal(await proposals.textOf(request.id), 'zwölf – 世 two\n');
          await proposals.close(request.id);
        });
      }
    });

    it('of a new file has an empty left side', async () => {
      const request = await requestFor(path.join(folder, 'brand-new.txt'), 'new\n');
      await proposals.open(request);
      await until('the diff is there', () => diffTabs().length === 1);
      assert.match(diffTabs()[0]?.label ?? '', /new file/);
      assert.equal(existsSync(path.join(folder, 'brand-new.txt')), false);
    });

    it('is decided from its own tab, else from the only one that waits', async () => {
      const first = await requestFor(put(folder, 'first.txt', 'one\n'), 'two\n');
      const second = await requestFor(put(folder, 'second.txt', 'one\n'), 'two\n');
      assert.equal(proposals.decide('accept'), false);
      reveal = 'onRequest';
      await proposals.open(first);
      assert.equal(proposals.decide('reject'), true);
      await proposals.open(second);
      assert.equal(proposals.decide('accept'), false, 'two wait and none can be seen');
      await proposals.show(second.id);
      await proposedEditor();
      assert.equal(proposals.decide('accept'), true);
      assert.deepEqual(decisions, [
        { requestId: first.id, behavior: 'reject' },
        { requestId: second.id, behavior: 'accept' },
      ]);
    });

    it('waits for the one before it to be decided', async () => {
      const first = await requestFor(put(folder, 'queue-1.txt', 'one\n'), 'two\n');
      const second = await requestFor(put(folder, 'queue-2.txt', 'one\n'), 'two\n');
      await proposals.open(first);
      await until('the first is shown', () => diffTabs().length === 1);
      await proposals.open(second);
      assert.deepEqual(
        diffTabs().map(({ label }) => label.split(' ')[0]),
        ['queue-1.txt'],
      );
      await proposals.close(first.id);
      await until('the second is shown', () => diffTabs()[0]?.label.startsWith('queue-2.txt') === true);
      assert.equal(diffTabs().length, 1);
    });

    it('opens on request only, where the setting or its size says so', async () => {
      const file = put(folder, 'on-request.txt', 'one\n');
      const large = await requestFor(file, 'x\n'.repeat(600_000));
      await proposals.open(large);
      reveal = 'onRequest';
      const small = await requestFor(file, 'two\n');
      await proposals.open(small);
      assert.deepEqual(diffTabs(), []);
      assert.equal(await proposals.show(small.id), true);
      assert.equal(diffTabs().length, 1);
      assert.equal(await proposals.show('another'), false);
    });

    it('of several files has a diff for each, which waits, is changed and is decided with the others', async () => {
      const [one, two] = [put(folder, 'many-1.txt', 'one\n'), put(folder, 'many-2.txt', 'one\n')];
      const request = await requestFor(one, 'two\n');
      const proposal = request.proposal ?? assert.fail();
      const other = { path: two, base: await read(plain, two), text: 'two\n' };
      const changes: string[] = [];
      proposals.onChange(({ view }) =>
        changes.push(
          hunksOf(view)
            .flatMap(({ lines }) => lines)
            .join(' '),
        ),
      );
      await proposals.open({ ...request, proposal: { ...proposal, others: [other] } });
      await until('the first diff is there', () => diffTabs().length === 1);
      assert.match(diffTabs()[0]?.label ?? '', /many-1\.txt \(Deft: proposed, 1 of 2\)/);
      await proposals.show(request.id, two);
      const editor = await proposedEditor();
      await until('the second one has focus', () =>
        /many-2/.test(vscode.window.activeTextEditor?.document.uri.path ?? ''),
      );
      await type(vscode.window.activeTextEditor ?? editor, 'mine ');
      assert.equal(await proposals.textOf(request.id), 'two\n');
      assert.deepEqual(await proposals.otherTextsOf(request.id), { [two]: 'mine two\n' });
      await until('the chat is told', () => changes.at(-1) === '-one +two -one +mine two');
      assert.equal(proposals.decide('accept'), true);
      assert.deepEqual(decisions, [{ requestId: request.id, behavior: 'accept' }]);
      await proposals.close(request.id);
      assert.deepEqual(diffTabs(), []);
      assert.equal(await proposals.textOf(request.id), undefined);
      assert.deepEqual([disk(one), disk(two)], ['one\n', 'one\n']);
    });

    it('comes back after a reload with what the user had typed', async () => {
      const request = await requestFor(put(folder, 'reload.txt', 'one\n'), 'two\n');
      await proposals.open(request);
      await proposals.show(request.id);
      const editor = await proposedEditor();
      await type(editor, 'mine ');
      await until('the document is saved', () => !editor.document.isDirty);
      await closeAll();
      stop();
      start();
      const again = { ...request, id: 'request-again' };
      const viewChanges: string[] = [];
      proposals.onChange(({ requestId, view, byUser }) =>
        viewChanges.push(
          `${requestId} ${byUser} ${hunksOf(view)
            .flatMap(({ lines }) => lines)
            .join(' ')}`,
        ),
      );
      await proposals.open(again);
      assert.deepEqual(viewChanges, ['request-again true -one +mine two'], 'the chat shows what was typed');
      assert.equal(await proposals.textOf('request-again'), 'mine two\n');
      await proposals.close('request-again');
      stop();
      start();
      await proposals.open({ ...request, id: 'request-later' });
      assert.equal(await proposals.textOf('request-later'), 'two\n', 'what was decided is forgotten');
    });

    it('comes back as it was left by a chat that was closed, in the same window and after a reload', async () => {
      const request = await requestFor(put(folder, 'left.txt', 'one\n'), 'two\n');
      await proposals.open(request);
      await proposals.show(request.id);
      await type(await proposedEditor(), 'mine ');
      await proposals.close(request.id, true);
      assert.deepEqual([diffTabs(), dirtyDocuments()], [[], []]);
      assert.equal(proposals.decide('accept'), false, 'nobody waits for it');
      await proposals.open({ ...request, id: 'request-back' });
      assert.equal(await proposals.textOf('request-back'), 'mine two\n');
      await proposals.close('request-back', true);
      stop();
      start();
      await proposals.open({ ...request, id: 'request-reloaded' });
      assert.equal(await proposals.textOf('request-reloaded'), 'mine two\n');
      await proposals.close('request-reloaded');
    });
  });

  describe('changes made without asking', () => {
    let reviewFiles: ReviewFiles;
    let changes: ChangeReview;
    let files: FileSystem;

    const start = async (): Promise<void> => {
      reviewFiles = registerReviewFiles(schemes);
      changes = createChangeReview({ storage: path.join(storage, 'changes'), files: reviewFiles, log });
      reviewFiles.ready();
      files = createVscodeFileSystem({ settings: () => ({ autosave: false }), watch: changes.watch });
      await changes.restored;
    };
    const stop = (): void => {
      changes.dispose();
      reviewFiles.dispose();
    };
    const edit = async (file: string, replace: (text: string) => string): Promise<void> => {
      const outcome = await change(files, file, replace, { approved: false });
      assert.equal(outcome.outcome, 'written', JSON.stringify(outcome));
    };
    const three = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
    const deft = (text: string): string => text.replace('two', 'TWO').replace('six\n', 'SIX\nsix and a half\n');
    const baselineOf = (file: string): string | undefined =>
      reviewFiles.original.text(vscode.Uri.file(file).with({ scheme: schemes.original, query: 'baseline' }));
    const lenses = async (file: string): Promise<string[]> => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        vscode.Uri.file(file),
        100,
      );
      return found.map(({ range, command }) => `${range.start.line}:${command?.title.replace(/\$\([^)]*\) /, '')}`);
    };

    beforeEach(start);
    afterEach(async () => {
      await closeAll();
      changes.keep();
      await changes.flush();
      stop();
    });

    it('are counted by file, and none is when a user approved', async () => {
      const file = put(folder, 'counted.txt', three);
      await change(files, file, (text) => text.replace('one', 'ONE'));
      assert.deepEqual(changes.changes(), []);
      await edit(file, deft);
      assert.deepEqual(changes.changes(), [{ path: file, added: 3, removed: 2 }]);
    });

    it('have a row above each hunk in the editor, at the hunk’s present place', async () => {
      const file = put(folder, 'lenses.txt', three);
      const editor = await show(file);
      await edit(file, deft);
      assert.deepEqual(await lenses(file), ['1:Keep', '1:Undo', '1:1 removed', '5:Keep', '5:Undo', '5:1 removed']);
      await type(editor, 'typed by the user\n');
      assert.deepEqual(
        (await lenses(file)).map((lens) => lens.split(':')[0]),
        ['2', '2', '2', '6', '6', '6'],
      );
      assert.deepEqual(changes.changes(), [{ path: file, added: 3, removed: 2 }]);
    });

    it('can be kept hunk by hunk', async () => {
      const file = put(folder, 'kept.txt', three);
      await show(file);
      await edit(file, deft);
      assert.equal(changes.keepHunk(file, { newStart: 1, newEnd: 2 }), true);
      assert.deepEqual(changes.changes(), [{ path: file, added: 2, removed: 1 }]);
      assert.equal(changes.keepHunk(file, { newStart: 1, newEnd: 2 }), false);
      assert.equal(changes.keepHunk(file, { newStart: 5, newEnd: 7 }), true);
      assert.deepEqual(changes.changes(), []);
      assert.equal(disk(file), deft(three));
    });

    it('can be undone hunk by hunk, in an editor with Ctrl+Z to follow', async () => {
      const file = put(folder, 'undone.txt', three);
      const editor = await show(file);
      await edit(file, deft);
      assert.deepEqual(await changes.undoHunk(file, { newStart: 5, newEnd: 7 }), { outcome: 'undone' });
      assert.equal(disk(file), three.replace('two', 'TWO'));
      assert.deepEqual(changes.changes(), [{ path: file, added: 1, removed: 1 }]);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), deft(three));
    });

    it('can be undone in a file that no editor shows, line ending for line ending', async () => {
      const mixed = three.replace('three\n', 'three\r\n').replace('six\n', 'six\r\n');
      const file = put(folder, 'undone-closed.txt', mixed);
      await edit(file, (text) => text.replace('two', 'TWO').replace('six', 'SIX'));
      assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
      assert.equal(disk(file), mixed);
      assert.deepEqual(changes.changes(), []);
    });

    it('leave the user’s own lines alone when they are undone', async () => {
      const file = put(folder, 'theirs.txt', three);
      const editor = await show(file);
      await edit(file, deft);
      await type(editor, 'typed by the user\n', 3);
      await changes.undo(file);
      assert.equal(editor.document.getText(), three.replace('three\n', 'three\ntyped by the user\n'));
      assert.deepEqual(changes.changes(), []);
    });

    it('are gone when the user takes them back', async () => {
      const file = put(folder, 'taken-back.txt', three);
      await show(file);
      await edit(file, deft);
      await vscode.commands.executeCommand('undo');
      await until('nothing waits', () => changes.changes().length === 0);
    });

    it('of several edits lie over one baseline', async () => {
      const file = put(folder, 'several.txt', three);
      await edit(file, deft);
      await edit(file, (text) => text.replace('four', 'FOUR'));
      assert.deepEqual(changes.changes(), [{ path: file, added: 4, removed: 3 }]);
      await changes.undo();
      assert.equal(disk(file), three);
    });

    it('follow what other programs do to the file', async () => {
      const file = put(folder, 'other-program.txt', three);
      await edit(file, deft);
      writeFileSync(file, `zero\n${deft(three)}`);
      await until('the baseline has the line too', () => baselineOf(file) === `zero\n${three}`);
      assert.deepEqual(changes.changes(), [{ path: file, added: 3, removed: 2 }]);
      rmSync(file);
      await until('the file is forgotten', () => changes.changes().length === 0);
    });

    it('are files that can be deleted again when Deft made them, unless somebody wrote in them', async () => {
      const file = path.join(folder, 'made.txt');
      const make = (): Promise<unknown> =>
        files.writeText({ path: file, base: undefined, text: 'made\n', approved: false });
      await make();
      assert.deepEqual(changes.changes(), [{ path: file, added: 1, removed: 0 }]);
      assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
      assert.equal(existsSync(file), false);
      assert.deepEqual(changes.changes(), []);
      await make();
      writeFileSync(file, 'theirs\n');
      // A test window refuses every question, so nobody says yes here.
      await assert.rejects(changes.undo(file));
      assert.equal(disk(file), 'theirs\n');
    });

    it('survive a reload, with what was edited meanwhile', async () => {
      const file = put(folder, 'reloaded.txt', three);
      await edit(file, deft);
      await changes.flush();
      stop();
      writeFileSync(file, `zero\n${deft(three)}`);
      await start();
      assert.deepEqual(changes.changes(), [{ path: file, added: 3, removed: 2 }]);
      await changes.undo();
      assert.equal(disk(file), `zero\n${three}`);
    });

    it('are visited one after the other, over all files', async () => {
      const first = put(folder, 'visit-a.txt', three);
      const second = put(folder, 'visit-b.txt', three);
      await edit(first, deft);
      await edit(second, (text) => text.replace('four', 'FOUR'));
      const next = changes.commands['deft.nextEdit'] as () => Promise<void>;
      const previous = changes.commands['deft.previousEdit'] as () => Promise<void>;
      const place = (): string => {
        const editor = vscode.window.activeTextEditor;
        return `${path.basename(editor?.document.uri.path ?? '')}:${editor?.selection.active.line}`;
      };
      const visited: string[] = [];
      for (const go of [next, next, next, next, previous]) {
        await go();
        visited.push(place());
      }
      assert.deepEqual(visited, ['visit-a.txt:1', 'visit-a.txt:5', 'visit-b.txt:3', 'visit-a.txt:1', 'visit-b.txt:3']);
    });

    it('understand the peek’s own way to name a hunk', async () => {
      const file = put(folder, 'peek.txt', three);
      await edit(file, (text) => text.replace('two\n', '').replace('six', 'SIX'));
      const keep = changes.commands['deft.keepHunk'] as (...args: unknown[]) => void;
      const peeked = [
        { originalStartLineNumber: 2, originalEndLineNumber: 2, modifiedStartLineNumber: 1, modifiedEndLineNumber: 0 },
        { originalStartLineNumber: 6, originalEndLineNumber: 6, modifiedStartLineNumber: 5, modifiedEndLineNumber: 5 },
      ];
      keep(vscode.Uri.file(file), peeked, 1);
      assert.deepEqual(changes.changes(), [{ path: file, added: 0, removed: 1 }]);
      keep(vscode.Uri.file(file), peeked, 0);
      assert.deepEqual(changes.changes(), []);
    });

    it('open as a diff against the text without them', async () => {
      const file = put(folder, 'diff.txt', three);
      await edit(file, deft);
      await changes.open(file);
      assert.equal(baselineOf(file), three);
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
      assert.equal(tab.input.original.scheme, schemes.original);
      assert.equal(tab.input.modified.fsPath, file);
    });
  });
});
