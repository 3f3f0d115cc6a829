// A plan in a real window: its editor, comments on its lines, what goes back with it, and no tab that stays behind.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../src/core/ports/approver';
import { type ProposalEditor } from '../../src/vscode/chat/conversation/pending-approvals';
import { openLeftPlans } from '../../src/vscode/plan/left-plans';
import { createPlanReview } from '../../src/vscode/plan/plan-review';
import { closeAll, until } from './workspace-file';

describe('the editor of a plan', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deft-plan-'));
  let file = '';
  let plans = 0;
  const text = '# Rename\n\n1. Change a\n2. Test\n';
  const others: string[] = [];
  const proposals: ProposalEditor = {
    open: async ({ id }) => void others.push(`open ${id}`),
    textOf: async (id) => (others.push(`text ${id}`), 'other'),
    close: async (id) => void others.push(`close ${id}`),
  };
  const review = createPlanReview({
    left: openLeftPlans(path.join(folder, 'left')),
    onLost: (error) => assert.fail(String(error)),
  });
  const editor = review.over(proposals);
  // Only a controller makes threads: the workbench makes them with that of the review.
  const controller = vscode.comments.createCommentController('deft-plan-test', 'test');
  const request = (id: string): ApprovalRequest => ({
    id,
    toolUseId: id,
    toolName: 'ExitPlanMode',
    title: 'plan',
    view: { kind: 'markdown', text },
    reason: '',
    suggestions: [],
    proposal: { path: file, base: undefined, text },
    plan: { file },
  });
  const add = review.commands['deft.addPlanComment'] as unknown as (reply: vscode.CommentReply) => void;
  const remove = review.commands['deft.removePlanComment'] as unknown as (thread: vscode.CommentThread) => void;
  const comment = (line: number, words: string): vscode.CommentThread => {
    const thread = controller.createCommentThread(vscode.Uri.file(file), new vscode.Range(line, 0, line, 0), []);
    add({ thread, text: words });
    return thread;
  };
  const tabs = (): string[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input }) =>
        input instanceof vscode.TabInputText && input.uri.fsPath === file ? [input.uri.fsPath] : [],
      );

  // Each a file of its own: VS Code does not save over one that was written behind a document it still holds.
  beforeEach(() => {
    file = path.join(folder, `rename-${++plans}.md`);
    writeFileSync(file, text);
  });
  after(async () => {
    controller.dispose();
    review.dispose();
    rmSync(folder, { recursive: true, force: true });
    await closeAll();
  });

  it('opens it as Markdown and gives back comments, by line, and edits', async () => {
    await editor.open(request('1'));
    assert.deepEqual(tabs(), [], 'the card shows it: it opens only when asked');
    assert.equal(await review.show('1'), true);
    await until('the plan is not open', () => tabs().length === 1);
    const document =
      vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file) ?? assert.fail('no document');
    assert.equal(document.languageId, 'markdown');
    comment(3, 'Twice, please.');
    comment(2, 'Why a?');
    remove(comment(0, 'Never mind.'));
    assert.equal(
      await editor.remarks?.('1'),
      'On line 3 of the plan:\n> 1. Change a\nWhy a?\n\nOn line 4 of the plan:\n> 2. Test\nTwice, please.',
    );
    assert.equal(
      await editor.feedback?.('1', 'Not yet.').then((words) => words.startsWith('Not yet.\n\nOn line 3')),
      true,
    );

    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(3, 3, 3, 7), 'Test it');
    await vscode.workspace.applyEdit(edit);
    assert.match(
      (await editor.feedback?.('1', '')) ?? '',
      /They changed the plan in the editor; build on their version:\n[\s\S]*-2\. Test\n\+2\. Test it/,
    );
    assert.match((await editor.textOf('1')) ?? '', /Test it/);
    assert.match(readFileSync(file, 'utf8'), /Test it/);
    await editor.close('1');
    await until('the tab stays', () => tabs().length === 0);
    assert.equal(await review.show('1'), false);
  });

  it('keeps what was typed where it closes unasked, and takes no comment then', async () => {
    await editor.open(request('2'));
    await review.show('2');
    await until('the plan is not open', () => tabs().length === 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(vscode.Uri.file(file), new vscode.Position(0, 0), 'Mine: ');
    await vscode.workspace.applyEdit(edit);
    await editor.close('2');
    assert.match(readFileSync(file, 'utf8'), /^Mine: # Rename/);
    const late = controller.createCommentThread(vscode.Uri.file(file), new vscode.Range(0, 0, 0, 0), []);
    add({ thread: late, text: 'Too late.' });
    assert.deepEqual(late.comments, []);
  });

  it('goes on from what the user had made of a plan, in the file in which it is asked again', async () => {
    await editor.open(request('4'));
    await review.show('4');
    await until('the plan is not open', () => tabs().length === 1);
    comment(3, 'Twice, please.');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(vscode.Uri.file(file), new vscode.Position(2, 0), 'Mine: ');
    await vscode.workspace.applyEdit(edit);
    const first = file;
    await editor.close('4', true);
    file = path.join(folder, 'rename-again.md');
    writeFileSync(file, text);
    await editor.open({ ...request('5'), toolUseId: '4' });
    await until('the plan is not open again', () => tabs().length === 1);
    assert.match((await editor.textOf('5')) ?? '', /^Mine: 1\. Change a$/m);
    assert.match((await editor.remarks?.('5')) ?? '', /Twice, please\./);
    assert.match(readFileSync(first, 'utf8'), /^Mine: 1\. Change a$/m, 'the first file stays');
    await editor.close('5');

    file = path.join(folder, 'rename-third.md');
    writeFileSync(file, text);
    await editor.open({ ...request('6'), toolUseId: '4' });
    assert.equal(await editor.textOf('6'), text, 'what was decided is not taken over');
    assert.equal(await editor.remarks?.('6'), '');
    await editor.close('6');
  });

  it('leaves other proposals to their own editor', async () => {
    const { plan: _, ...edit } = request('3');
    await editor.open(edit);
    assert.equal(await editor.textOf('3'), 'other');
    await editor.close('3');
    assert.deepEqual(others, ['open 3', 'text 3', 'close 3']);
    assert.deepEqual(tabs(), []);
  });
});
