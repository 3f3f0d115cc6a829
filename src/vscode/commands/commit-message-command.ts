// Writes a commit message into the input box of source control, from what is staged, else from what has changed.
import { basename } from 'pathe';
import * as vscode from 'vscode';
import { DeftError, messageOf } from '../../core/text/errors';
import { quickRequest } from '../../core/model/quick-request';
import { textOf, wholeReply } from '../../core/model/whole-reply';
import { type Usage } from '../../core/wire/wire';
import { type Clock } from '../../core/ports/clock';
import { type ModelClient } from '../../core/ports/model';
import { commitMessageOf, commitMessageRequest, visibleDiff, type CommitFacts } from '../../core/prompt/commit-message';
import { type AttributionSettings, commitEnding, endedWith, withoutEnd } from '../../core/settings/commit-attribution';
import { pathOf } from '../host/uri-path';
import { gitApi, newFilesOf, type GitApi, type GitRepository } from './git-extension';

export interface CommitMessageOptions {
  client: ModelClient;
  clock: Pick<Clock, 'sleep'>;
  /** The scripted model answers, which plays its script and nothing else. */
  isDemo: () => boolean;
  model: () => string;
  isHidden: (path: string) => boolean;
  /** How commit messages end, as settings files say now. */
  settings: () => Promise<AttributionSettings>;
  /** Called with what the message cost. */
  used: (model: string, usage: Usage) => void;
}

export function commitMessageCommand(options: CommitMessageOptions): Record<string, (...args: never[]) => unknown> {
  const running = new Set<string>();
  /** What Deft left in the box last, by repository, and the user's part of it: writing again replaces the rest. */
  const left = new Map<string, { value: string; typed: string }>();
  const typedIn = ({ rootUri, inputBox }: GitRepository): string => {
    const own = left.get(rootUri.toString());
    return own?.value === inputBox.value ? own.typed : inputBox.value;
  };

  const write = async (repository: GitRepository): Promise<void> => {
    const root = repository.rootUri.toString();
    if (running.has(root)) return;
    running.add(root);
    try {
      const ending = commitEnding(await options.settings());
      const message = await withCancel(async (signal) => {
        const facts = await factsOf(repository, typedIn(repository), options.isHidden);
        if (facts !== undefined) return askForMessage(options, { ...facts, endIsSet: ending !== undefined }, signal);
        void vscode.window.showInformationMessage('Deft: there is no change to write a commit message for.');
        return undefined;
      });
      if (message === undefined) return;
      // Read anew: the user may have typed meanwhile. What they wrote is never lost.
      const typed = typedIn(repository);
      const written = withoutEnd(message, ending ?? '');
      const whole = typed.trim() === '' ? written : `${written}\n\n${typed}`;
      const value = ending === undefined ? whole : endedWith(whole, ending);
      repository.inputBox.value = value;
      left.set(root, { value, typed });
    } catch (error) {
      void showFailure(error);
    } finally {
      running.delete(root);
    }
  };

  return {
    'deft.generateCommitMessage': async (source?: vscode.SourceControl) => {
      if (options.isDemo())
        return void vscode.window.showInformationMessage(
          "Deft: the demo's scripted model cannot write commit messages. Set an API key first.",
        );
      const git = await gitApi();
      if (git === undefined)
        return void vscode.window.showInformationMessage("Deft: VS Code's git extension is not active here.");
      const repository = await chooseRepository(git, source?.rootUri);
      if (repository !== undefined) await write(repository);
    },
  };
}

/** Undefined where nothing has changed. */
async function factsOf(
  repository: GitRepository,
  typed: string,
  isHidden: (path: string) => boolean,
): Promise<CommitFacts | undefined> {
  const root = pathOf(repository.rootUri);
  const hidden = (path: string): boolean => isHidden(`${root}/${path}`);
  const staged = await repository.diff(true);
  const isStaged = staged.trim() !== '';
  const diff = visibleDiff(isStaged ? staged : await repository.diff(false), hidden);
  if (!isStaged) await repository.status();
  const newFiles = isStaged ? [] : newFilesOf(repository).filter((path) => !hidden(path));
  if (diff.trim() === '' && newFiles.length === 0) return undefined;
  // A repository without a commit has no log.
  const recent = await repository.log({ maxEntries: 10 }).catch(() => []);
  return { diff, newFiles, recent: recent.map(({ message }) => message), typed };
}

/** One model's message, which is not empty. */
export async function askForMessage(
  { client, clock, model, used }: Pick<CommitMessageOptions, 'client' | 'clock' | 'model' | 'used'>,
  facts: CommitFacts,
  signal: AbortSignal,
): Promise<string> {
  const asked = model();
  const request = quickRequest(commitMessageRequest(asked, facts), client.capabilities(asked));
  const { content } = await wholeReply({ model: client, clock }, request, signal, (usage) =>
    used(request.model, usage),
  );
  const message = commitMessageOf(textOf(content));
  if (message === '') throw new DeftError('no-message', 'The model answered without a message.', { audience: 'user' });
  return message;
}

/** Undefined where the user cancelled. */
async function withCancel<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Deft writes a commit message', cancellable: true },
    async (_progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      try {
        return await work(abort.signal);
      } catch (error) {
        if (abort.signal.aborted) return undefined;
        throw error;
      }
    },
  );
}

/** The one that the button belongs to, that of the file in the editor, the only one, or the user's choice. */
export async function chooseRepository(git: GitApi, root: vscode.Uri | undefined): Promise<GitRepository | undefined> {
  const { repositories } = git;
  const named = repositories.find(({ rootUri }) => rootUri.toString() === root?.toString());
  if (named !== undefined) return named;
  const file = vscode.window.activeTextEditor?.document.uri;
  const ofEditor = file === undefined ? null : git.getRepository(file);
  if (ofEditor !== null) return ofEditor;
  if (repositories.length === 0) void vscode.window.showInformationMessage('Deft: no git repository is open.');
  if (repositories.length <= 1) return repositories[0];
  const items = repositories.map((repository) => ({
    label: basename(repository.rootUri.path),
    description: pathOf(repository.rootUri),
    repository,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Repository', placeHolder: 'For which repository?' }))
    ?.repository;
}

async function showFailure(error: unknown): Promise<void> {
  const needsKey = error instanceof DeftError && error.code === 'model-authentication';
  const action = needsKey ? 'Set API Key' : 'Show Log';
  const chosen = await vscode.window.showErrorMessage(
    `Deft: no commit message was written. ${messageOf(error)}`,
    action,
  );
  if (chosen !== undefined) await vscode.commands.executeCommand(needsKey ? 'deft.setApiKey' : 'deft.showLog');
}
