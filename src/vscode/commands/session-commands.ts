// Sessions of a window beyond the conversation itself: their history, export, titles and cleanup; the code for each comes when it is needed.
import * as vscode from 'vscode';
import { namedSmallModel } from '../../core/model/models';
import { homeFolder } from '../../node/home-folder';
import { type AgentSession } from '../../core/feature/agent-session';
import { type Log } from '../../core/ports/log';
import { type SessionStore } from '../../core/ports/session-store';
import { defaultKeptDays, noticeDays } from '../../core/sessions/cleanup-due';
import { type Agent } from '../agent/agent';
import { readConfiguration } from '../host/configuration';
import { type Chat } from '../chat/conversation/chat';
import { importedOnce } from '../host/imported-once';
import { chooseProvider } from '../../core/model/provider-choice';
import { type ModelSource } from '../model/model-source';
import { type RuleSource } from '../session/rule-source';
import { type SessionHistory, type SessionHistoryOptions } from '../chat/conversation/session-history';
import { budget } from '../../core/features/budget/budget-key';
import { variablesNow } from '../session/variables-now';

export interface SessionCommandOptions {
  context: Pick<vscode.ExtensionContext, 'extension' | 'workspaceState'>;
  log: Log;
  models: Pick<ModelSource, 'demo' | 'secrets'>;
  rules: Pick<RuleSource, 'load' | 'values' | 'environment' | 'problems'>;
  store: SessionStore;
  agent: () => Promise<Pick<Agent, 'external' | 'copyCheckpoints'>>;
  /** The folder of the store. */
  sessionsRoot: string;
  chats: () => Chat[];
  glances: SessionHistoryOptions['glances'];
  current: () => Chat | undefined;
}

export interface SessionCommands extends vscode.Disposable {
  history(): Promise<SessionHistory>;
  /** Named by the small model where nobody has named it. */
  turnCompleted(session: AgentSession): void;
  /** Looks after old sessions, as it happens by itself from time to time. */
  cleanUp(now?: number): Promise<void>;
  commands: Record<string, () => Promise<void>>;
}

const lastCleanupKey = 'deft.lastCleanup';
const announcedKey = 'deft.cleanupAnnounced';
const keepAllKey = 'deft.keepAllSessions';
/** Long after everything that the user waits for. */
const firstLookMs = 3 * 60_000;
const nextLookMs = 60 * 60_000;
const titleMs = 30_000;

export function sessionCommands(options: SessionCommandOptions): SessionCommands {
  const { context, log, models, rules, store, sessionsRoot, chats, current, agent } = options;
  const { version } = context.extension.packageJSON as { version: string };
  const keepsAll = (): boolean => context.workspaceState.get(keepAllKey, false);
  const keptDays = (): number => (keepsAll() ? 0 : (rules.values().cleanupPeriodDays ?? defaultKeptDays));
  let rememberedOutside = false;
  const history = importedOnce(async () => {
    const [{ SessionHistory }, { createSessionArchive }] = await Promise.all([
      import('../chat/conversation/session-history'),
      import('../../node/sessions/session-archive'),
    ]);
    return new SessionHistory({
      store,
      archive: createSessionArchive(sessionsRoot, store, version),
      external: async () => (await agent()).external,
      copyCheckpoints: async (from, to) => (await agent()).copyCheckpoints(from, to),
      chats,
      glances: options.glances,
      keptDays,
      secrets: () => models.secrets(),
    });
  });

  const nameSession = async (session: AgentSession): Promise<void> => {
    // Nothing hangs on it.
    if (session.feature(budget)?.passed() === true) return;
    const { aiTitle } = await import('../../core/sessions/ai-title');
    const title = await aiTitle(session.records, session.surroundings.smallModel, AbortSignal.timeout(titleMs));
    // Another one may have been opened meanwhile: the log of this one is closed then.
    if (title !== undefined && chats().some((chat) => chat.poster.state.sessionId === session.id))
      session.writer.write({ type: 'ai-title', title: title });
  };

  const announce = async (many: number, days: number): Promise<boolean> => {
    const which = many === 1 ? '1 session' : `${many.toLocaleString('en')} sessions`;
    const answer = await vscode.window.showInformationMessage(
      `Deft: ${which} older than ${days} days will be removed in ${noticeDays} days.`,
      'Keep All',
      'Settings',
    );
    // The history says at once how long they are kept.
    if (answer === 'Keep All') await context.workspaceState.update(keepAllKey, true);
    if (answer === 'Settings')
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:deft-agent.deft');
    return answer === 'Keep All';
  };

  const cleanUp = async (now = Date.now()): Promise<void> => {
    if (keepsAll() && rememberedOutside) return;
    await rules.load();
    // How long sessions are to be kept is not known: nothing goes.
    if (rules.problems().length > 0) return log.info('No session was cleaned up: a settings file cannot be read.');
    const { lookAfterSessions } = await import('../../node/sessions/kept-sessions');
    const gone = await lookAfterSessions({
      ...{ root: sessionsRoot, store, now, home: homeFolder(), announce },
      days: rules.values().cleanupPeriodDays,
      isOpen: (id) => chats().some((chat) => chat.poster.state.sessionId === id),
      environment: variablesNow(rules),
      // Older versions remembered it here, where headless runs cannot look.
      known: {
        lastCleanup: context.workspaceState.get(lastCleanupKey, 0),
        announced: context.workspaceState.get<number>(announcedKey),
        keepAll: keepsAll(),
      },
    });
    rememberedOutside = true;
    if (gone !== undefined && gone.sessions + gone.leftovers > 0)
      log.info(
        `Cleaned up ${gone.sessions} sessions that were not changed for ${keptDays()} days and ${gone.leftovers} folders of deleted sessions: ${(gone.bytes / 1e6).toFixed(1)} MB.`,
      );
  };
  const look = (): void =>
    void cleanUp().catch((error: unknown) => log.warn('Sessions could not be cleaned up.', String(error)));
  const first = setTimeout(look, firstLookMs);
  const later = setInterval(look, nextLookMs);

  return {
    history,
    cleanUp,
    turnCompleted(session) {
      if (models.demo || !asksForTitles(variablesNow(rules))) return;
      void nameSession(session).catch((error: unknown) => log.debug('The session was not named.', String(error)));
    },
    commands: {
      'deft.exportSession': async () => {
        const chat = current();
        if (chat === undefined || chat.poster.state.items.length === 0)
          return void vscode.window.showInformationMessage('Deft: there is no conversation to export yet.');
        await (await history()).export(chat.poster.state.sessionId);
      },
    },
    dispose() {
      clearTimeout(first);
      clearInterval(later);
    },
  };
}

/** A server of one's own may have no small model, and it or a plan for VS Code's models may count each request: they are asked only where the small model is named. */
function asksForTitles(variables: Readonly<Record<string, string | undefined>>): boolean {
  const off = variables['DISABLE_NON_ESSENTIAL_MODEL_CALLS'];
  if (off !== undefined && off !== '' && off !== '0' && off !== 'false') return false;
  const { provider, baseUrl } = readConfiguration();
  if (chooseProvider(provider, variables) === 'vscode') return namedSmallModel(variables) !== undefined;
  return (baseUrl || variables['ANTHROPIC_BASE_URL'] || '') === '' || namedSmallModel(variables) !== undefined;
}
