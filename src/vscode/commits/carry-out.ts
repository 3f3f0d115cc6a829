// Carries a plan out when the user says so, and says plainly what came of it; and splits it by a model's proposal.
import * as vscode from 'vscode';
import { diffOf, partsOf } from '../../core/commit/changes';
import { type PlannedCommit, type ReadPlan } from '../../core/commit/commit-plan';
import { finishedMessage, readSplit, splitRequest } from '../../core/commit/commit-texts';
import { answerSchema } from '../../core/model/json-answer';
import { askForJson, createSmallModel } from '../../core/model/small-model';
import { messageOf } from '../../core/text/errors';
import { counted } from '../../shared/counted';
import { type CommitsOutcome, makeCommits } from '../../node/commits/make-commits';
import { commitChanges, cutNotes, inform, withProgress } from './commit-changes';
import { type CommitServices } from './commit-needs';
import { closePreview, type OpenPlan, planOf, planUri, readOpenPlan, rewritePlan } from './plan-store';

/** Undefined where it is none that can be carried out, which was said then. */
async function planInFront(given: unknown): Promise<{ plan: OpenPlan; text: string; read: ReadPlan } | undefined> {
  const uri = planUri(given);
  const plan = planOf(uri);
  if (uri === undefined) return void inform('no plan of commits is open here. “Deft: Commit Changes…” makes one.');
  if (plan === undefined) {
    const again = 'Commit Changes…';
    const answer = await vscode.window.showInformationMessage(
      'Deft: this plan is of an earlier window, which knew its changes. Copy your message from it, and make the plan anew.',
      again,
    );
    if (answer === again) await vscode.commands.executeCommand('deft.commitChanges');
    return undefined;
  }
  if (plan.busy) return void inform('this plan is being worked on already.');
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return { plan, text, read: readOpenPlan(plan, text) };
}

export async function planText(given: unknown): Promise<{ plan: OpenPlan; text: string } | undefined> {
  return planInFront(given);
}

/** The user's explicit act: the plan as it stands in the editor. */
export async function commitPlan(services: CommitServices, given: unknown): Promise<CommitsOutcome | undefined> {
  const found = await planInFront(given);
  if (found === undefined) return undefined;
  const { plan, read } = found;
  const [problem] = read.problems;
  if (problem !== undefined) {
    void vscode.window.showErrorMessage(`Deft: nothing was committed. Line ${problem.line + 1}: ${problem.message}`);
    return undefined;
  }
  plan.busy = true;
  try {
    const outcome = await withProgress(`Deft makes ${counted(read.commits.length, 'commit')}`, (signal) =>
      makeCommits(plan.uncommitted, read.commits, signal),
    );
    if (outcome?.kind === 'made') await done(services, plan, outcome, read);
    else if (outcome !== undefined) void sayFailure(outcome, read.commits.length);
    return outcome;
  } finally {
    plan.busy = false;
  }
}

async function done(
  services: CommitServices,
  plan: OpenPlan,
  { commits }: Extract<CommitsOutcome, { kind: 'made' }>,
  { left }: ReadPlan,
): Promise<void> {
  await closePreview(plan.uri);
  const names = commits.map(({ id, subject }) => `${id.slice(0, 8)} ${subject}`);
  const hooked = commits.filter(({ byHook }) => byHook).length;
  inform(
    [
      `committed ${names.length === 1 ? names[0] : `${counted(names.length, 'time')}: ${names.join('; ')}`}.`,
      left.length === 0
        ? ''
        : `${counted(left.length, 'change')} of the plan ${left.length === 1 ? 'stays' : 'stay'} uncommitted.`,
      hooked === 0 ? '' : `A hook of the repository changed what was committed in ${counted(hooked, 'commit')}.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  );
  const current = await services.session();
  if (current !== undefined && plan.facts?.id === current.session.id)
    current.session.remind(`The user has committed with Deft, by themselves:\n${names.join('\n')}`);
}

async function sayFailure(outcome: Extract<CommitsOutcome, { kind: 'failed' }>, many: number): Promise<void> {
  const { message, output, at, takenBack, unrestored } = outcome;
  const which = many > 1 && at !== undefined ? ` Commit ${at} of ${many} failed.` : '';
  const restored =
    unrestored ??
    (takenBack === 0
      ? 'HEAD, what is staged and your files are as they were.'
      : `${takenBack === 1 ? 'The commit before it was' : 'The commits before it were'} taken back: HEAD and what is staged are as they were.`);
  const show = 'Show Output';
  const answer = await vscode.window.showErrorMessage(
    `Deft: ${unrestored === undefined ? 'nothing was committed' : 'the plan was not carried out'}.${which} ${message} ${restored}`,
    ...(output === '' || output === message ? [] : [show]),
  );
  if (answer === show)
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: output }));
}

const splitSchema = {
  type: 'object',
  properties: {
    commits: {
      type: 'array',
      items: {
        ...answerSchema({ message: { type: 'string' } }),
        properties: { message: { type: 'string' }, changes: { type: 'array', items: { type: 'string' } } },
        required: ['message', 'changes'],
      },
    },
  },
  required: ['commits'],
  additionalProperties: false,
};

/** Of an open plan: what it commits, in as many commits as a model finds purposes. Without one, makes a plan first. */
export async function splitCommits(services: CommitServices, given: unknown): Promise<OpenPlan | undefined> {
  if (planUri(given) === undefined) {
    const plan = await commitChanges(services);
    return plan === undefined ? undefined : splitCommits(services, plan.uri);
  }
  const found = await planInFront(given);
  if (found === undefined) return undefined;
  const { plan, read } = found;
  const chosen = partsOf(plan.uncommitted.changes).flatMap(({ part }) =>
    read.left.includes(part.id) ? [] : [part.id],
  );
  if (chosen.length < 2) return void inform('there is only one change in this plan: nothing can be split.');
  plan.busy = true;
  try {
    const proposed = await withProgress('Deft proposes commits', (signal) =>
      proposeSplit(services, plan, { chosen, read }, signal),
    );
    if (proposed !== undefined) await rewritePlan(plan, proposed.commits, proposed.notes);
    return plan;
  } finally {
    plan.busy = false;
  }
}

async function proposeSplit(
  services: CommitServices,
  { uncommitted: { changes }, facts, recent, hidden }: OpenPlan,
  { chosen, read }: { chosen: readonly string[]; read: ReadPlan },
  signal: AbortSignal,
): Promise<{ commits: PlannedCommit[]; notes: string[] }> {
  const shown = changes.filter(({ path: file }) => !hidden.has(file));
  const ids = partsOf(shown).flatMap(({ part }) => (chosen.includes(part.id) ? [part.id] : []));
  const unseen = chosen.filter((id) => !ids.includes(id));
  const message = read.commits.find((commit) => commit.message !== '')?.message ?? 'Change files';
  const whole = (why: string): { commits: PlannedCommit[]; notes: string[] } => ({
    commits: [{ message, parts: chosen }],
    notes: [
      `Nothing is committed yet. The changes are in one commit, since no proposal to split them can be used: ${why.replace(/\.$/, '')}.`,
    ],
  });
  const session = facts === undefined ? undefined : (await services.session())?.session;
  const why = services.whyNoModel(session) ?? (ids.length < 2 ? 'a deny rule hides the others' : undefined);
  if (why !== undefined) return whole(why);
  const diff = diffOf(shown, (id) => ids.includes(id), true);
  const small = createSmallModel(services.model(), { model: services.client, clock: services.clock }, (usage) =>
    services.used(services.model(), usage),
  );
  try {
    const answer = await askForJson(
      small,
      splitRequest({ diff, recent, requests: facts?.requests ?? [], proof: facts?.proof ?? '' }),
      { schema: splitSchema, read: (value) => readSplit(value, ids) },
      signal,
    );
    if (answer.kind === 'none') return whole(answer.why);
    if ('why' in answer.value) return whole(answer.value.why);
    const settings = await services.settings();
    const ending = { settings, session: services.trailer() ? facts?.id : undefined };
    const last = answer.value.commits.length - 1;
    // The checks ran over all of it: the last commit alone has what they checked.
    const commits = answer.value.commits.map((commit, index) => ({
      ...commit,
      message: finishedMessage(commit.message, index === last ? (facts?.proof ?? '') : '', ending),
    }));
    return {
      commits,
      notes: [
        `Nothing is committed yet. ${services.model()} proposed ${counted(commits.length, 'commit')}; they are made from top to bottom, all or none.`,
        ...cutNotes(diff, 0),
        ...(unseen.length === 0
          ? []
          : [
              `${counted(unseen.length, 'change')} that a deny rule hides from it ${unseen.length === 1 ? 'is' : 'are'} below “Not committed”.`,
            ]),
      ],
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return whole(messageOf(error));
  }
}
