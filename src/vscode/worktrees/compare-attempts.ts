// The command "Compare Attempts": what each attempt at a task has changed; two of them side by side, or the changes of one brought here.
import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { attemptsOf } from '../../core/worktrees/branch-name';
import { listed } from '../../node/worktrees/bring-commits';
import { treeChanges, type TreeChanges, wholeOutput } from '../../node/worktrees/tree-changes';
import { type MadeTree, madeTrees } from '../../node/worktrees/tree-removal';
import { counted } from '../../shared/counted';
import { defined } from '../../shared/defined';
import { glanceFacts, type SessionGlance, stateWords } from '../../shared/session-glance';
import { lineHunks } from '../files/line-hunks';
import { uriOf } from '../host/uri-path';
import { bringHere } from './bring-here';
import { repositoryToUse } from './new-chat';
import { treeChat } from './tree-actions';
import { nameOf } from './tree-list';
import { repositoryRows, sessionsIn } from './tree-uses';
import { type TreeWindow } from './tree-window';

interface Attempt {
  tree: MadeTree;
  /** A sentence where they cannot be determined. */
  changes: TreeChanges | string;
  /** The session of this folder that worked there last. */
  session: string | undefined;
  glance: SessionGlance | undefined;
}

type Item = vscode.QuickPickItem & { attempt?: Attempt };

export async function compareAttempts(window: TreeWindow): Promise<void> {
  const repository = await repositoryToUse(window);
  if (typeof repository === 'string') return void vscode.window.showWarningMessage(`Deft: ${repository}`);
  const found = await madeTrees(repository.top, { run: window.run, folder: window.treesFolder });
  if (typeof found === 'string') return void vscode.window.showErrorMessage(`Deft: ${found}`);
  const groups = attemptsOf(found.filter(({ gone }) => !gone));
  if (groups.length === 0)
    return inform(
      'there are no attempts to compare: no two worktrees of chats are on branches that differ in their number.',
    );
  const [rows, glances] = await Promise.all([repositoryRows(window), window.glances()]);
  const look = async (tree: MadeTree): Promise<Attempt> => {
    const own = sessionsIn(tree.path, rows).filter(({ store }) => store === window.store);
    const [session] = own.sort((one, other) => other.updatedAt - one.updatedAt);
    const glance = session && glances.get(session.id);
    return { tree, changes: await treeChanges(tree, window.run), session: session?.id, glance };
  };
  const items: Item[] = [];
  for (const { name, trees } of groups)
    items.push(
      { label: name, kind: vscode.QuickPickItemKind.Separator },
      ...(await Promise.all(trees.map(look))).map(attemptItem),
    );
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Compare Attempts',
    placeHolder: 'Two are compared side by side; the changes of one can be brought here',
    canPickMany: true,
    matchOnDescription: true,
  });
  const chosen = (picked ?? []).flatMap(({ attempt }) => attempt ?? []);
  const [one, other] = chosen;
  if (one === undefined) return;
  if (chosen.length > 2) return inform('select two attempts to compare, or one to bring its changes here.');
  if (other === undefined) return bring(one, window);
  await compare(one, other, window);
}

function attemptItem(attempt: Attempt): Item {
  const { tree, changes, glance } = attempt;
  const said = glance === undefined ? [] : [stateWords[glance.state], glanceFacts(defined({ cost: glance.cost }))];
  const facts = [typeof changes === 'string' ? '' : changeWords(changes), ...said].filter((part) => part !== '');
  return {
    label: `$(git-branch) ${nameOf(tree)}`,
    description: facts.join(' · '),
    detail: typeof changes === 'string' ? changes : (glance?.line ?? ''),
    attempt,
  };
}

function changeWords({ texts, left }: TreeChanges): string {
  const hunks = texts.flatMap(({ base = '', theirs = '' }) => lineHunks(base, theirs));
  const added = hunks.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
  const removed = hunks.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
  const files = texts.length + left.length;
  return files === 0 ? 'nothing changed' : `${counted(files, 'file')} +${added} −${removed}`;
}

async function bring({ tree, session }: Attempt, window: TreeWindow): Promise<void> {
  const shown = window.all().find((one) => window.treeOf(one)?.view?.path === tree.path);
  if (shown !== undefined) return bringHere(window, shown.chat.poster.state.sessionId);
  const stays = (why: string) => inform(`${why} Merge the branch ${nameOf(tree)} to bring its commits here.`);
  if (session === undefined) return stays('no session of this folder works there any more.');
  await (await window.openInEditor(session)).chat.session().catch(() => undefined);
  if (treeChat(window, session) === undefined) return stays('its session cannot be used in this window.');
  await bringHere(window, session);
}

async function compare(one: Attempt, other: Attempt, { run, isHidden }: TreeWindow): Promise<void> {
  const failed = [one, other].flatMap(({ changes }) => (typeof changes === 'string' ? [changes] : []));
  if (failed.length > 0) return void vscode.window.showErrorMessage(`Deft: ${failed.join(' ')}`);
  const sides = [one, other].flatMap(({ tree, changes }) => (typeof changes === 'string' ? [] : [{ tree, changes }]));
  const [before, after] = sides;
  if (before === undefined || after === undefined) return;
  const names = new Set(sides.flatMap(({ changes }) => changes.texts.map(({ name }) => name)));
  // Begun at different commits, they also differ in what was changed between these.
  if (before.changes.base !== after.changes.base) {
    const diff = ['diff', '--name-only', '-z', '--no-renames', '--ignore-submodules=all'];
    const between = await wholeOutput(run, after.tree.path, [...diff, before.changes.base, after.changes.base]);
    between?.split('\0').forEach((name) => name !== '' && names.add(name));
  }
  const unread = sides.flatMap(({ changes }) => changes.left.map(({ name, why }) => `${name} (${why})`));
  const differing: string[] = [];
  for (const name of [...names].sort()) {
    const [one, two] = await Promise.all(sides.map(({ tree }) => bytesOf(`${tree.path}/${name}`)));
    if (one === undefined || two === undefined ? one !== two : !one.equals(two)) differing.push(name);
  }
  const shown = differing.filter((name) => !isHidden(`${before.tree.checkout}/${name}`));
  const place = ({ tree }: { tree: MadeTree }, name: string): vscode.Uri | undefined =>
    existsSync(`${tree.path}/${name}`) ? uriOf(`${tree.path}/${name}`) : undefined;
  if (shown.length > 0)
    await vscode.commands.executeCommand(
      'vscode.changes',
      `${nameOf(before.tree)} ↔ ${nameOf(after.tree)}`,
      shown.map((name) => [uriOf(`${after.tree.path}/${name}`), place(before, name), place(after, name)]),
    );
  const missing = [...(shown.length < differing.length ? ['what a deny rule hides'] : []), ...new Set(unread)];
  if (missing.length > 0) inform(`not shown: ${listed(missing)}.`);
  else if (shown.length === 0) inform(`${nameOf(before.tree)} and ${nameOf(after.tree)} have the same texts.`);
}

/** Undefined where there is no such file. */
async function bytesOf(file: string): Promise<Buffer | undefined> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true ? readFile(file) : undefined;
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
