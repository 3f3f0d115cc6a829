// The commands around commits, pull requests and the origin of a line; their code comes with the first of them.
import * as vscode from 'vscode';
import { budget } from '../../core/features/budget/budget-key';
import { createSystemClock } from '../../node/system-clock';
import { importedOnce } from '../host/imported-once';
import { initialModel } from '../session/initial-settings';
import { type CommitServices } from '../commits/commit-needs';
import { openSessionInChat } from './open-session-in-chat';
import { type WindowParts } from './window-parts';

type Commands = Record<string, (...args: never[]) => unknown>;

export function commitCommands(window: WindowParts): Commands {
  const services = servicesOf(window);
  const plans = importedOnce(async () => {
    const [{ registerPlanEditor }, carryOut] = await Promise.all([
      import('../commits/plan-editor'),
      import('../commits/carry-out'),
    ]);
    window.options.context.subscriptions.push(registerPlanEditor());
    return carryOut;
  });
  const pullRequests = importedOnce(() => import('../commits/create-pull-request'));
  return {
    'deft.commitChanges': async (source?: vscode.SourceControl) => {
      await plans();
      await (await import('../commits/commit-changes')).commitChanges(services, source);
    },
    'deft.commitPlan': async (uri?: unknown) => void (await (await plans()).commitPlan(services, uri)),
    'deft.splitCommits': async (uri?: unknown) => void (await (await plans()).splitCommits(services, uri)),
    'deft.showPlanChanges': async (uri?: unknown) => {
      const plan = await (await plans()).planText(uri);
      if (plan !== undefined) await (await import('../commits/plan-editor')).showPlanChanges(plan.plan, plan.text);
    },
    'deft.createPullRequest': async (source?: vscode.SourceControl) =>
      void (await (await pullRequests()).createPullRequest(services, source)),
    'deft.whyThisLine': async () =>
      (await import('../commits/why-this-line')).whyThisLine({
        sessions: () => window.options.store.list(),
        root: window.options.sessionsRoot,
        environment: window.options.terminal.environment,
        open: (session, item) => openAt(window, session, item),
      }),
    'deft.sendPullRequest': async (uri?: unknown) => void (await (await pullRequests()).sendRequest(services, uri)),
  };
}

/** The session in its chat, at one of its items. */
async function openAt({ places }: WindowParts, session: string, item: string | undefined): Promise<void> {
  await openSessionInChat(places, session);
  const host = places.all().find(({ chat }) => chat.poster.state.sessionId === session);
  await host?.ready;
  if (item !== undefined) host?.post({ type: 'goToItem', id: item });
}

function servicesOf(window: WindowParts): CommitServices {
  const { context, models, rules, files, terminal, isHidden } = window.options;
  const chat = () => window.places.current()?.chat;
  return {
    storage: context.storageUri ?? context.globalStorageUri,
    files,
    isHidden,
    client: models.client,
    clock: createSystemClock(),
    isDemo: () => models.demo,
    model: () => chat()?.poster.state.model || initialModel(rules, window.listed()),
    environment: terminal.environment,
    session: async () => {
      const current = chat();
      // An empty chat has changed nothing: no session begins for it.
      if (current === undefined || current.readOnly || current.poster.state.items.length === 0) return undefined;
      const session = await current.session().catch(() => undefined);
      return session && { session, title: current.poster.state.title };
    },
    settings: () => {
      const values = () => rules.values();
      return rules.load().then(values, values);
    },
    verify: () => rules.values().verify ?? [],
    whyNoModel: (session) => {
      if (models.demo) return 'the demo has no model that could';
      return session?.feature(budget)?.passed() === true ? 'the budget of the session is used up' : undefined;
    },
    trailer: () => vscode.workspace.getConfiguration('deft').get('commitTrailer') === true,
    used: (model, usage) => chat()?.countUsage(model, usage),
  };
}
