// The command "Bring Worktree Changes Here": as edits that are reviewed, as commits, or as the branch that they are; what would clash is said first.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type FileProposal } from '../../core/ports/approver';
import { type WorktreeView } from '../../core/subagents/worktree-view';
import { bringCommits, listed } from '../../node/worktrees/bring-commits';
import { treeChanges, type TreeChanges } from '../../node/worktrees/tree-changes';
import { counted } from '../../shared/counted';
import { type ChatHost } from '../chat/chat-host';
import { openDocument } from '../files/open-documents';
import { uriOf } from '../host/uri-path';
import { type BringPlan, type BroughtFile, hasMarks, planBringing, writeBrought } from './bring-plan';
import { treeChat } from './tree-actions';
import { type TreeWindow } from './tree-window';

type Way = 'proposal' | 'commits' | 'branch';

/** `given`: which way, without a question. */
export async function bringHere(window: TreeWindow, session?: string, given?: Way): Promise<void> {
  // The chat that was named is meant, or none.
  const found = treeChat(window, session) ?? (session === undefined ? await pickTree(window) : undefined);
  if (found === undefined) return inform('no chat of this window works in a worktree of its own.');
  const { view, host } = found;
  const changes = await treeChanges(view, window.run);
  if (typeof changes === 'string') return complain(changes);
  const plan = await planBringing(changes, { view, files: window.files, run: window.run });
  const way = given ?? (await pickWay({ view, host, changes, plan }));
  if (way === 'proposal') await asProposal({ view, host, plan }, window);
  if (way === 'commits') await asCommits(view, changes, window);
  if (way === 'branch') await asBranch(view, changes);
}

interface Bringing {
  view: WorktreeView;
  host: ChatHost;
  plan: BringPlan;
}

async function pickTree(window: TreeWindow): Promise<{ host: ChatHost; view: WorktreeView } | undefined> {
  const items = window.all().flatMap((host) => {
    const view = window.treeOf(host)?.view;
    return view === undefined
      ? []
      : [{ label: view.branch ?? view.path, description: host.chat.poster.state.title, host, view }];
  });
  if (items.length < 2) return items[0];
  return vscode.window.showQuickPick(items, { title: 'Bring Changes Here', placeHolder: 'Of which chat?' });
}

async function pickWay({ view, host, changes, plan }: Bringing & { changes: TreeChanges }): Promise<Way | undefined> {
  const conflicts = plan.files.filter((file) => file.conflicts > 0).length;
  const { commits, uncommitted } = changes;
  const items: (vscode.QuickPickItem & { way: Way })[] = [
    {
      way: 'proposal',
      label: '$(diff) As edits to review',
      description: `${counted(plan.files.length, 'file')}${conflicts === 0 ? '' : `, ${counted(conflicts, 'conflict')}`}`,
      detail: `Committed or not; nothing is written before you accept it${plan.left.length === 0 ? '' : `. ${counted(plan.left.length, 'file')} cannot come this way`}`,
    },
    {
      way: 'commits',
      label: '$(git-commit) As commits',
      description: counted(commits.length, 'commit'),
      detail: `Onto what is checked out${uncommitted.length === 0 ? '' : `; ${counted(uncommitted.length, 'file')} not committed stay${uncommitted.length === 1 ? 's' : ''} there`}`,
    },
    {
      way: 'branch',
      label: '$(git-branch) As a branch',
      description: view.branch ?? '',
      detail: 'Copies its name; nothing changes',
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: `Bring Changes of ${view.branch} Here`,
    placeHolder: host.chat.running ? 'Deft is still at work there: this is what stands there now' : view.checkout,
  });
  return picked?.way;
}

async function asProposal({ view, host, plan }: Bringing, window: TreeWindow): Promise<void> {
  const files = await withConflicts(plan);
  if (files === undefined) return;
  const [first, ...others] = files;
  if (first === undefined) return inform(nothingWords(plan));
  if (plan.left.length > 0)
    inform(`these stay in the worktree: ${plan.left.map(({ name, why }) => `${name} (${why})`).join('; ')}.`);
  const id = `bring_${crypto.randomUUID()}`;
  const proposal: FileProposal = {
    ...first.proposal,
    ...(others.length === 0 ? {} : { others: others.map((file) => file.proposal) }),
  };
  const { proposals } = window;
  const title = `Bring changes of ${view.branch}`;
  await proposals.open({
    ...{ id, toolUseId: id, toolName: 'Bring', title, reason: '', suggestions: [], proposal },
    view: { kind: 'markdown', text: '' },
  });
  try {
    const accepted = await decided(id, files, view, window);
    if (accepted === undefined) return;
    const problem = await writeBrought(accepted, host.chat.poster.state.sessionId, window.files);
    if (problem !== undefined) return complain(problem);
  } finally {
    await proposals.close(id);
  }
  const review = 'Review';
  const count = counted(files.length, 'file');
  void vscode.window
    .showInformationMessage(
      `Deft: ${count} of ${view.branch} changed here. Keep or Undo each change in the editor.`,
      review,
    )
    .then((answer) => {
      if (answer === review) void window.changes.openFirst(files.map((file) => file.proposal.path));
    });
}

/** Undefined where the user wants none. */
async function withConflicts({ files }: BringPlan): Promise<BroughtFile[] | undefined> {
  const clashing = files.filter(({ conflicts }) => conflicts > 0);
  if (clashing.length === 0) return files;
  const [without, marked] = ['Bring the Others', 'Show With Marks'];
  const answer = await vscode.window.showWarningMessage(
    `${counted(clashing.length, 'file')} changed on both sides in the same places.`,
    {
      modal: true,
      detail: `${clashing.map(({ name, conflicts }) => `${name}: ${counted(conflicts, 'conflict')}`).join('\n')}\n\nWith marks, you resolve them in the diff before you accept.`,
    },
    ...(clashing.length < files.length ? [without] : []),
    marked,
  );
  if (answer === marked) return files;
  return answer === without ? files.filter((file) => !clashing.includes(file)) : undefined;
}

/** The texts as the user leaves them; undefined where they reject them. A dismissed question leaves the diff to decide by. */
async function decided(
  id: string,
  files: readonly BroughtFile[],
  { branch }: WorktreeView,
  { proposals }: TreeWindow,
): Promise<{ path: string; base: FileProposal['base']; text: string }[] | undefined> {
  const [accept, reject, next] = ['Accept', 'Reject', 'Next File'];
  const waiting: vscode.Disposable[] = [];
  const inEditor = (): Promise<string> =>
    new Promise((resolve) => {
      const listening = proposals.onDecision(({ requestId, behavior }) => {
        if (requestId === id) resolve(behavior === 'accept' ? accept : reject);
      });
      waiting.push(listening);
    });
  try {
    for (let at = 0; ;) {
      const file = files[at % files.length];
      await proposals.show(id, file?.proposal.path);
      const elsewhere = inEditor();
      const asked = vscode.window.showInformationMessage(
        `Deft: ${counted(files.length, 'file')} of ${branch} ${files.length === 1 ? 'waits' : 'wait'} for you; shown: ${file?.name}. The right side can be changed first.`,
        ...[accept, reject, ...(files.length > 1 ? [next] : [])],
      );
      const answer = await Promise.race([elsewhere, asked.then((said) => said ?? elsewhere)]);
      if (answer === next) {
        at++;
        continue;
      }
      if (answer !== accept) return undefined;
      const texts = await acceptedTexts(id, files, proposals);
      const marked = texts.filter(({ conflicts, text }) => conflicts > 0 && hasMarks(text));
      if (marked.length === 0) return texts;
      at = files.findIndex(({ name }) => name === marked[0]?.name);
      void vscode.window.showWarningMessage(
        `Deft: ${listed(marked.map(({ name }) => name))} still has marks of a conflict. Nothing was written.`,
      );
    }
  } finally {
    waiting.forEach((one) => one.dispose());
  }
}

async function acceptedTexts(id: string, files: readonly BroughtFile[], proposals: TreeWindow['proposals']) {
  const [text, others] = [await proposals.textOf(id), await proposals.otherTextsOf(id)];
  return files.map(({ name, conflicts, proposal }, index) => ({
    ...{ name, conflicts, path: proposal.path, base: proposal.base },
    text: (index === 0 ? text : others[proposal.path]) ?? proposal.text,
  }));
}

async function asCommits(view: WorktreeView, changes: TreeChanges, { run }: TreeWindow): Promise<void> {
  const brought = await bringCommits(view, changes, {
    run,
    unsaved: (name) => openDocument([uriOf(path.posix.join(view.checkout, name))])?.isDirty === true,
  });
  if (brought.outcome === 'refused') return complain(`no commit was brought. ${brought.why}`);
  const { uncommitted } = changes;
  const rest =
    uncommitted.length === 0 ? '' : ` Not committed, and still in the worktree only: ${listed(uncommitted)}.`;
  inform(`${counted(brought.count, 'commit')} of ${view.branch} added to what is checked out.${rest}`);
}

async function asBranch({ branch = '' }: WorktreeView, { commits, uncommitted }: TreeChanges): Promise<void> {
  await vscode.env.clipboard.writeText(branch);
  const rest = uncommitted.length === 0 ? '' : ` ${counted(uncommitted.length, 'file')} there not committed yet.`;
  inform(
    `the branch ${branch} has ${counted(commits.length, 'commit')} that your checkout does not have. Its name is in the clipboard; nothing was changed.${rest}`,
  );
}

function nothingWords({ left, same }: BringPlan): string {
  if (left.length > 0)
    return `nothing can come as an edit: ${left.map(({ name, why }) => `${name} (${why})`).join('; ')}.`;
  return same > 0 ? 'your checkout has all of it already.' : 'nothing was changed in the worktree.';
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}

function complain(sentence: string): void {
  void vscode.window.showErrorMessage(`Deft: ${sentence}`);
}
