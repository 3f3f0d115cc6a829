// The command "Create Pull Request…": a description that the user edits first, then `gh` or `glab`, else a text to copy. Nothing is pushed unasked.
import path from 'node:path';
import * as vscode from 'vscode';
import { visibleDiff } from '../../core/prompt/commit-message';
import {
  describedByCommits,
  type Described,
  previewText,
  type PullRequest,
  pullRequestBody,
  type PullRequestFacts,
  pullRequestRequest,
  pullRequestSchema,
  readDescribed,
  readPreview,
} from '../../core/commit/pull-request';
import { askForJson, createSmallModel } from '../../core/model/small-model';
import { messageOf } from '../../core/text/errors';
import { counted } from '../../shared/counted';
import {
  type Branch,
  findHosting,
  type HostingProgram,
  pushBranch,
  readBranch,
  sendPullRequest,
} from '../../node/commits/send-pull-request';
import { openRepository, type Repository } from '../../node/commits/read-changes';
import { gitApi } from '../commands/git-extension';
import { cutNotes, inform, repositoryFolder, withProgress } from './commit-changes';
import { type CommitServices } from './commit-needs';
import { closePreview, previewFile, showPreview } from './plan-store';
import { factsOfSession, type KnownFacts, repositoryPaths, type RepositoryPaths } from './session-changes';

const previewName = 'deft-pull-request.md';

interface OpenRequest {
  repository: Repository;
  branch: Branch;
  program: HostingProgram;
}

const requests = new Map<string, OpenRequest>();

export async function createPullRequest(
  services: CommitServices,
  source?: vscode.SourceControl,
): Promise<vscode.Uri | undefined> {
  const folder = await repositoryFolder(source);
  if (folder === undefined) return undefined;
  const found = await withProgress('Deft describes the pull request', async (signal) => {
    const repository = await openRepository(services.environment, folder, signal);
    const branch = await readBranch(repository, await knownBase(repository), signal);
    const program = await findHosting(services.environment, branch);
    return { repository, branch, program, ...(await describe(services, repository, branch, signal)) };
  });
  if (found === undefined) return undefined;
  const { repository, branch, program, title, body, notes } = found;
  const known = branch.remote?.known;
  const place = known === undefined ? (branch.remote?.address ?? 'no remote') : `${known.host}/${known.path}`;
  if (program === undefined) {
    await openText(`# ${title}\n\n${body}\n`, body, `${notes.join(' ')} ${whyNoProgram(branch)}`);
    return undefined;
  }
  const uri = previewFile(services.storage, repository.root, previewName);
  requests.set(uri.toString(), { repository, branch, program });
  const text = previewText({ title, body }, [
    `Deft: a pull request from ${branch.name} into ${branch.base} on ${place}, created by ${program.kind}.`,
    'Nothing is sent before you press “Create This Pull Request” in the title of this editor and confirm. The heading is its title.',
    pushWords(branch),
    ...notes,
  ]);
  await showPreview(uri, text, /^-->/m);
  return uri;
}

function pushWords({ unpushed, remote, name }: Branch): string {
  return unpushed === 0
    ? `${remote?.name ?? 'The remote'} has all commits of ${name}: nothing has to be pushed.`
    : `${counted(unpushed, 'commit')} of ${name} ${unpushed === 1 ? 'is' : 'are'} not on ${remote?.name ?? 'a remote'}: you are asked before ${unpushed === 1 ? 'it is' : 'they are'} pushed.`;
}

function whyNoProgram({ remote }: Branch): string {
  if (remote === undefined) return 'This repository has no remote, so this is a text to copy.';
  if (remote.known === undefined)
    return `${remote.address} is no server that gh or glab serve, so this is a text to copy.`;
  return `Neither gh nor glab is installed for ${remote.known.host}, so this is a text to copy.`;
}

async function openText(text: string, body: string, sentence: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
  await vscode.window.showTextDocument(document, { preview: false });
  const copy = 'Copy Description';
  // Nobody waits for the answer.
  void vscode.window.showInformationMessage(`Deft: ${sentence.trim()}`, copy).then(async (answer) => {
    if (answer !== copy) return;
    // As the user has edited it.
    const now = readPreview(document.getText());
    await vscode.env.clipboard.writeText(now?.body ?? body);
  });
}

/** What the branch was made from, as far as git's reflog knows. */
async function knownBase({ root, branch }: Repository): Promise<{ remote?: string; name?: string } | undefined> {
  const repository = (await gitApi().catch(() => undefined))?.getRepository(vscode.Uri.file(root));
  return branch === undefined ? undefined : repository?.getBranchBase(branch).catch(() => undefined);
}

async function describe(
  services: CommitServices,
  repository: Repository,
  branch: Branch,
  signal: AbortSignal,
): Promise<{ title: string; body: string; notes: string[] }> {
  const paths = await repositoryPaths(repository.root);
  const facts = await knownFacts(services, branch, paths);
  const isHidden = (file: string): boolean => services.isHidden(paths.absolute(file));
  const diff = visibleDiff(branch.diff, isHidden);
  const asked: PullRequestFacts = {
    ...{ diff, commits: branch.commits, requests: facts?.requests ?? [], ledger: facts?.proven.ledger },
  };
  const current = facts === undefined ? undefined : (await services.session())?.session;
  const [described, notes] = await describedBy(
    services,
    asked,
    { title: facts?.title ?? '', why: services.whyNoModel(current) },
    signal,
  );
  const edited = new Set(facts?.proven.ledger.files.map(({ path: file }) => paths.below(file)));
  const body = pullRequestBody(described, {
    ledger: facts?.proven.ledger,
    named: (text) => text.replaceAll(`${paths.absolute('')}`, ''),
    foreign: branch.files.filter((file) => !edited.has(file)),
    since: facts?.since ?? [],
    settings: await services.settings(),
    session: services.trailer() ? facts?.id : undefined,
  });
  return { title: described.title, body, notes: [...notes, ...cutNotes(diff, branch.files.filter(isHidden).length)] };
}

/** Undefined where the open session edited none of its files: it proves nothing about them. */
async function knownFacts(
  services: CommitServices,
  branch: Branch,
  paths: RepositoryPaths,
): Promise<KnownFacts | undefined> {
  const current = await services.session();
  if (current === undefined) return undefined;
  const facts = await factsOfSession(current, services, branch.files, paths);
  return facts.proven.ledger.files.length === 0 ? undefined : facts;
}

async function describedBy(
  services: CommitServices,
  facts: PullRequestFacts,
  { title, why }: { title: string; why: string | undefined },
  signal: AbortSignal,
): Promise<[described: Described, notes: string[]]> {
  const without = (reason: string): [Described, string[]] => [
    describedByCommits(facts, title),
    [`No model wrote this text (${reason.replace(/\.$/, '')}): it comes from the commits and the session's log.`],
  ];
  if (why !== undefined) return without(why);
  const model = services.model();
  const small = createSmallModel(model, { model: services.client, clock: services.clock }, (usage) =>
    services.used(model, usage),
  );
  try {
    const answer = await askForJson(
      small,
      pullRequestRequest(facts),
      { schema: pullRequestSchema, read: readDescribed },
      signal,
    );
    if (answer.kind === 'none') return without(answer.why);
    return [answer.value, [`${model} proposed “What changed” and “Why”; “Proof” comes from the session's log.`]];
  } catch (error) {
    if (signal.aborted) throw error;
    return without(messageOf(error));
  }
}

/** What the editor in front holds, as the user has edited it. Undefined where it cannot be sent, which was said then. */
async function requestInFront(
  given: unknown,
): Promise<{ uri: vscode.Uri; open: OpenRequest; text: PullRequest } | undefined> {
  const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined || path.posix.basename(uri.path) !== previewName)
    return void inform('no pull request is open here. “Deft: Create Pull Request…” prepares one.');
  const open = requests.get(uri.toString());
  if (open === undefined)
    return void inform(
      'this preview is of an earlier window. Copy your text from it, and run “Deft: Create Pull Request…” again.',
    );
  const text = readPreview((await vscode.workspace.openTextDocument(uri)).getText());
  if (text === undefined) return void inform('nothing was sent: the text has no heading “# …” for the title.');
  return { uri, open, text };
}

/** The user's explicit act, which is confirmed once more: others see what it does. */
export async function sendRequest(services: CommitServices, given: unknown): Promise<string | undefined> {
  const found = await requestInFront(given);
  if (found === undefined) return undefined;
  const { uri, text } = found;
  const { repository, branch: shown, program } = found.open;
  const now = await withProgress('Deft looks at the branch', async (signal) =>
    readBranch(await openRepository(services.environment, repository.root, signal), { name: shown.baseRef }, signal),
  );
  if (now === undefined) return undefined;
  if (now.name !== shown.name)
    return void inform(
      `nothing was sent: ${shown.name} is no longer checked out. Run “Deft: Create Pull Request…” again.`,
    );
  const { unpushed } = now;
  if (!(await isConfirmed(now, `“${text.title}” from ${now.name} into ${shown.base}`, program.kind))) return undefined;
  const created = await withProgress('Deft creates the pull request', async (signal) => {
    if (unpushed > 0) await pushBranch(repository, now, signal);
    return sendPullRequest(repository, program, { ...text, branch: { name: now.name, base: shown.base } }, signal);
  });
  if (created === undefined) return undefined;
  requests.delete(uri.toString());
  await closePreview(uri);
  sayCreated(created, now);
  return created;
}

async function isConfirmed({ name, remote, unpushed }: Branch, what: string, program: string): Promise<boolean> {
  const act = unpushed > 0 ? `Push ${counted(unpushed, 'Commit')} and Create` : 'Create';
  const push =
    unpushed > 0
      ? `${counted(unpushed, 'commit')} of ${name} ${unpushed === 1 ? 'is' : 'are'} pushed to ${remote?.name ?? ''} (${remote?.address ?? ''}) first. `
      : '';
  const detail = `${push}${program} sends the title and the description.`;
  return (
    (await vscode.window.showWarningMessage(`Create the pull request ${what}?`, { modal: true, detail }, act)) === act
  );
}

function sayCreated(output: string, { unpushed, remote }: Branch): void {
  const address = /https?:\/\/\S+/.exec(output)?.[0];
  const pushed = unpushed > 0 ? ` ${counted(unpushed, 'commit')} went to ${remote?.name ?? ''} before.` : '';
  void vscode.window
    .showInformationMessage(
      `Deft: the pull request was created${address === undefined ? '' : `: ${address}`}.${pushed}`,
      ...(address === undefined ? [] : ['Open']),
    )
    .then(async (chosen) => {
      if (chosen === 'Open' && address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address));
    });
}
