// The command "Commit Changes…": what is uncommitted, a message for it, and a plan that the user edits before anything is committed.
import path from 'node:path';
import * as vscode from 'vscode';
import { countWords, diffOf, partsOf } from '../../core/commit/changes';
import { finishedMessage, ledgerMessage, pathsOf } from '../../core/commit/commit-texts';
import { commitEnding } from '../../core/settings/commit-attribution';
import { maxDiffChars } from '../../core/prompt/commit-message';
import { messageOf } from '../../core/text/errors';
import { counted } from '../../shared/counted';
import { type Repository, readUncommitted, type Uncommitted } from '../../node/commits/read-changes';
import { askForMessage, chooseRepository } from '../commands/commit-message-command';
import { gitApi } from '../commands/git-extension';
import { uriOf } from '../host/uri-path';
import { type CommitServices } from './commit-needs';
import { openPlan, type OpenPlan } from './plan-store';
import { factsOfSession, partsOfSession, repositoryPaths } from './session-changes';

/** What is committed: all of it, or what this session changed. */
type Scope = 'session' | 'all';

export async function commitChanges(
  services: CommitServices,
  source?: vscode.SourceControl,
): Promise<OpenPlan | undefined> {
  const folder = await repositoryFolder(source);
  if (folder === undefined || !(await savedFirst(folder))) return undefined;
  const uncommitted = await withProgress('Deft reads what is uncommitted', (signal) =>
    readUncommitted(services.environment, folder, signal),
  );
  if (uncommitted === undefined) return undefined;
  const { changes, left, repository } = uncommitted;
  if (changes.length === 0) {
    inform(
      `nothing is uncommitted in ${path.basename(repository.root)}.${left.length === 0 ? '' : ` Left out: ${left.join('; ')}.`}`,
    );
    return undefined;
  }
  const paths = await repositoryPaths(repository.root);
  const current = await services.session();
  const own = current === undefined ? undefined : await partsOfSession(current.session, uncommitted, paths);
  const all = partsOf(changes).map(({ part }) => part.id);
  const scope = await pickScope(uncommitted, own?.ids ?? new Set());
  if (scope === undefined) return undefined;
  const hidden = new Set(
    changes
      .filter(({ path: file, oldPath = file }) => [file, oldPath].some((one) => services.isHidden(paths.absolute(one))))
      .map(({ path: file }) => file),
  );
  // What a rule hides, such as a file of secrets, is committed only where the user moves it up.
  const isHidden = new Set(partsOf(changes).flatMap(({ change, part }) => (hidden.has(change.path) ? [part.id] : [])));
  const wanted = scope === 'session' ? all.filter((id) => own?.ids.has(id) === true) : all;
  const chosen = wanted.filter((id) => !isHidden.has(id));
  const facts =
    current === undefined || own === undefined || own.ids.size === 0
      ? undefined
      : await factsOfSession(current, services, pathsOf(changes, chosen), paths);
  const recent = await recentMessages(repository);
  const plan = {
    uncommitted,
    paths,
    facts,
    recent,
    hidden,
    marks: marksOf(uncommitted, hidden, own?.unclear),
    notes: standingNotes(uncommitted),
  };
  const proposed = await withProgress('Deft writes a commit message', (signal) =>
    propose(services, plan, { chosen, session: current?.session, signal }),
  );
  if (proposed === undefined) return undefined;
  return openPlan(services.storage, plan, [{ message: proposed.message, parts: chosen }], proposed.notes);
}

/** Undefined where there is none, or the user chose none. */
export async function repositoryFolder(source?: vscode.SourceControl): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) {
    inform('this workspace is not trusted, so nothing is committed: git runs hooks of the repository.');
    return undefined;
  }
  const git = await gitApi().catch(() => undefined);
  if (git !== undefined && git.repositories.length > 0)
    return (await chooseRepository(git, source?.rootUri))?.rootUri.fsPath;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  if (folder === undefined) inform('no git repository is open.');
  return folder?.uri.fsPath;
}

/** git sees what is on the disk. */
async function savedFirst(folder: string): Promise<boolean> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && uri.fsPath.startsWith(`${folder}${path.sep}`),
  );
  if (unsaved.length === 0) return true;
  const save = 'Save All';
  const leave = 'Commit What Is Saved';
  const answer = await vscode.window.showWarningMessage(
    `${counted(unsaved.length, 'file')} of this repository ${unsaved.length === 1 ? 'has' : 'have'} unsaved changes.`,
    { modal: true, detail: unsaved.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join('\n') },
    save,
    leave,
  );
  if (answer !== save) return answer === leave;
  const saved = await Promise.all(unsaved.map((document) => document.save()));
  if (saved.every(Boolean)) return true;
  inform('not all files could be saved, so nothing was prepared.');
  return false;
}

async function pickScope({ changes }: Uncommitted, own: ReadonlySet<string>): Promise<Scope | undefined> {
  const all = partsOf(changes).length;
  if (own.size === 0) return 'all';
  if (own.size === all) return 'session';
  const items: (vscode.QuickPickItem & { scope: Scope })[] = [
    { label: 'What this session changed', description: countWords(changes, (id) => own.has(id)), scope: 'session' },
    { label: 'All uncommitted changes', description: countWords(changes, () => true), scope: 'all' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Commit Changes',
    placeHolder: 'What is to be committed? You see it before anything is committed.',
  });
  return picked?.scope;
}

export async function recentMessages({ git, head }: Repository): Promise<string[]> {
  if (head === undefined) return [];
  const { code, stdout } = await git.end({ args: ['log', '-10', '--no-show-signature', '-z', '--format=%B'] });
  return code === 0 ? stdout.split('\0').filter((message) => message.trim() !== '') : [];
}

function marksOf(
  { staged }: Uncommitted,
  hidden: ReadonlySet<string>,
  unclear: ReadonlySet<string> = new Set(),
): OpenPlan['marks'] {
  return ({ path: file, oldPath }) =>
    [
      staged.has(file) || (oldPath !== undefined && staged.has(oldPath)) ? 'staged by you' : '',
      hidden.has(file) ? 'a deny rule hides it' : '',
      unclear.has(file) ? 'perhaps changed in this session: its text before was not kept' : '',
    ]
      .filter((mark) => mark !== '')
      .join(', ');
}

function standingNotes({ repository, left, staged }: Uncommitted): string[] {
  const { branch, head, root } = repository;
  const where =
    head === undefined ? 'the first commit of' : branch === undefined ? 'onto a detached HEAD of' : `onto ${branch} of`;
  return [
    'Edit the messages, move lines between the sections, or begin another commit with a heading “=== Commit”. F12 on a line',
    'goes to the change. Ctrl+Enter commits (Cmd+Enter on a Mac); close this tab to leave everything as it is.',
    `Commits go ${where} ${path.basename(root)}. Hooks of the repository run.${staged.size === 0 ? '' : ' What you have staged, and is not committed here, stays staged.'}`,
    ...(left.length === 0 ? [] : [`Left out: ${left.join('; ')}.`]),
  ];
}

interface Proposal {
  message: string;
  notes: string[];
}

export async function propose(
  services: CommitServices,
  { uncommitted: { changes }, facts, recent, hidden }: Pick<OpenPlan, 'uncommitted' | 'facts' | 'recent' | 'hidden'>,
  {
    chosen,
    session,
    signal,
  }: { chosen: readonly string[]; session: Parameters<CommitServices['whyNoModel']>[0]; signal: AbortSignal },
): Promise<Proposal> {
  const settings = await services.settings();
  const finish = (message: string): string =>
    finishedMessage(message, facts?.proof ?? '', { settings, session: services.trailer() ? facts?.id : undefined });
  const shown = changes.filter(({ path: file }) => !hidden.has(file));
  const diff = diffOf(shown, (id) => chosen.includes(id));
  const files = pathsOf(changes, chosen);
  const unseen = files.filter((file) => hidden.has(file)).length;
  const why = services.whyNoModel(session) ?? (diff === '' ? 'a deny rule hides all of these files' : undefined);
  const without = (reason: string): Proposal => ({
    message: finish(ledgerMessage(facts ?? { title: '', requests: [] }, files)),
    notes: [
      `Nothing is committed yet. No model wrote this message (${reason.replace(/\.$/, '')}): it comes from ${facts === undefined ? 'the names of the files' : "the session's log"}.`,
    ],
  });
  if (why !== undefined) return without(why);
  try {
    const message = await askForMessage(
      services,
      {
        ...{ diff, newFiles: [], recent, typed: '', endIsSet: commitEnding(settings) !== undefined },
        ...(facts === undefined ? {} : { requests: facts.requests, proof: facts.proof }),
      },
      signal,
    );
    return {
      message: finish(message),
      notes: [`Nothing is committed yet. ${services.model()} proposed this message.`, ...cutNotes(diff, unseen)],
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return without(messageOf(error));
  }
}

/** What the model did not see. */
export function cutNotes(diff: string, unseen: number): string[] {
  return [
    ...(diff.length > maxDiffChars
      ? [`The diff was too long for it: it saw the first ${Math.round((maxDiffChars / diff.length) * 100)} %.`]
      : []),
    ...(unseen === 0 ? [] : [`It did not see ${counted(unseen, 'file')} that a deny rule hides.`]),
  ];
}

/** Undefined where the user cancelled, or it failed, which was said then. */
export async function withProgress<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      try {
        return await work(abort.signal);
      } catch (error) {
        if (!abort.signal.aborted) void vscode.window.showErrorMessage(`Deft: ${messageOf(error)}`);
        return undefined;
      }
    },
  );
}

export function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}

/** Where a change is in the files of the window. */
export function fileOf({ paths }: Pick<OpenPlan, 'paths'>, below: string): vscode.Uri {
  return uriOf(paths.absolute(below));
}
