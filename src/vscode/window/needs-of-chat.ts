// What each chat of a window needs of it: where its sessions are, what it shows, and whom it notifies of what happens.
import * as vscode from 'vscode';
import { defined } from '../../shared/defined';
import { variableProblems } from '../../core/settings/variable-problems';
import { createSystemClock } from '../../node/system-clock';
import { type Agent } from '../agent/agent';
import { notifyUser } from '../host/notifications';
import { initialMode, initialModel, isKeptMode, lastModeKey, usualModel } from '../session/initial-settings';
import { windowAnswers } from '../host/window-answers';
import {
  type ChatFacts,
  type ChatListener,
  type ChatServices,
  type ChatSessions,
} from '../chat/conversation/chat-needs';
import { type ChatHost } from '../chat/chat-host';
import { takenPrompt } from '../chat/commands/named-prompt';
import { confirmLeaving } from './leaving-chats';
import { hookNotices } from '../hooks/hook-notices';
import { settingsNotices } from './settings-notices';
import { type ChatPlace } from './chat-places';
import { type WindowParts } from './window-parts';
import { variablesNow } from '../session/variables-now';
import { type ChatTree } from '../worktrees/chat-tree';

/** The session that the side bar showed last, by workspace. */
export const lastSessionKey = 'deft.lastSession';

/** `host`: that of this very chat, once it is bound. */
export function chatServices(
  window: WindowParts,
  agent: Agent,
  place: ChatPlace,
  tree: ChatTree,
  host: () => ChatHost,
): ChatServices {
  return {
    ...sessionsOf(window, agent, tree),
    ...factsOf(window, agent, tree, host),
    ...listenerOf(window, place, host),
  };
}

function sessionsOf(window: WindowParts, agent: Agent, tree: ChatTree): ChatSessions {
  const { store } = window.options;
  return {
    openSession: async (id, connection) => {
      const own: { session?: string } = {};
      const emit: typeof connection.emit = (event) => {
        window.comments.heard(event);
        if (own.session !== undefined) window.inline.heard(own.session, event);
        tree.heard(event);
        connection.emit(event);
      };
      tree.left();
      const opened = await agent.openSession(id, { ...connection, emit });
      if (opened !== undefined) {
        own.session = opened.session.id;
        window.comments.opened(opened.session);
        tree.opened(opened.session);
      }
      return opened;
    },
    sessionEnd: async (id) => store.end?.(id),
    readExternal: agent.external.read,
    followOwn: async (id, follower) => (await store.follow?.(id, follower)) ?? { records: [], stop: () => undefined },
    windowAnswers,
    copyCheckpoints: agent.copyCheckpoints,
    readOwn: async (id) => (await store.read?.(id)) ?? [],
  };
}

function factsOf(window: WindowParts, agent: Agent, tree: ChatTree, host: () => ChatHost): ChatFacts {
  const { context, models, rules, proposals, hooks } = window.options;
  return {
    clock: createSystemClock(),
    projection: () => ({
      registry: agent.registry,
      get folders() {
        return tree.folders();
      },
      verify: () => rules.values().verify ?? [],
    }),
    proposals: window.plans.over(proposals),
    folders: () => tree.folders(),
    surroundings: () => ({
      ...window.surroundings(host().chat.poster.state.model),
      ...defined({ worktree: tree.chip() }),
    }),
    // Written as in the cards, so that their Keep and Undo find their file.
    changes: (session) => window.ownChanges.of(session).map((change) => ({ ...change, path: tree.shown(change.path) })),
    selection: () => window.selection.input(),
    symbolText: async (name, isHidden) => (await import('../languages/symbol-mention')).mentionedSymbol(name, isHidden),
    terminalText: async (secrets) =>
      (await import('../terminal/terminal-mention')).mentionedTerminal(
        window.shellExecutions.runs,
        vscode.window.activeTerminal,
        secrets,
      ),
    initialMode: () => initialMode(rules, context.workspaceState.get(lastModeKey)),
    initialModel: () => initialModel(rules, window.listed()),
    provider: () => models.client.provider,
    fitModel: (wanted) => models.fitModel(wanted, usualModel(window.listed())),
    settingsNotices: () => [
      ...settingsNotices(rules.problems(), rules.grants.unasked(), variableProblems(variablesNow(rules))),
      ...hookNotices(hooks.judged()),
      ...agent.mcp.notices(),
      ...agent.plugins.plugins.notices(),
    ],
    servers: (people) => agent.mcp.of(people),
  };
}

function listenerOf(window: WindowParts, place: ChatPlace, host: () => ChatHost): ChatListener {
  const { context } = window.options;
  return {
    modePicked: (mode) => {
      if (isKeptMode(mode)) void context.workspaceState.update(lastModeKey, mode);
    },
    confirmLeaving: (work, to) => confirmLeaving(work, to, window.places),
    notify: (event, text) => {
      if (event === 'ended') window.signs.ended(host(), 'finished');
      if (event === 'failed') window.signs.ended(host(), 'failed');
      notifyUser(event, text, place.visible(), place.reveal);
      // The chat plays the sound, where there is to be one.
      if (event === 'ended' || event === 'failed') host().post({ type: 'ended', notify: true });
    },
    workChanged: () => window.signs.changed(host()),
    titleChanged: (title) => {
      place.setTitle(title);
      // Another session may be shown.
      window.signs.changed(host());
    },
    statusChanged: window.statusChanged,
    turnCompleted: (session) => window.sessions.turnCompleted(session),
    sessionChanged: (id) => {
      if (!place.inPanel) void context.workspaceState.update(lastSessionKey, id);
      window.suggestions.renew();
      window.statusChanged();
      // What no chat had before may be of this one now, and the other way round.
      window.everyChat((chat) => chat.changesChanged());
      window.draftsChanged();
    },
    unsent: (prompt) => host().post({ type: 'givenBack', ...takenPrompt(prompt) }),
  };
}
