// The commands of a window that reach its chats.
import * as vscode from 'vscode';
import { createSystemClock } from '../../node/system-clock';
import { chatCommands } from '../commands/chat-commands';
import { commitMessageCommand } from '../commands/commit-message-command';
import { contextCommands } from '../commands/context-commands';
import { keyCommands } from '../commands/key-commands';
import { providerCommands } from '../commands/provider-commands';
import { reviewCommands } from '../commands/review-commands';
import { terminalOutputCommand } from '../commands/terminal-output-command';
import { type TestRuleInput } from '../commands/test-rule-command';
import { reviewGrants } from '../session/review-grants';
import { initialModel, lastModeKey } from '../session/initial-settings';
import { startDemo } from '../commands/start-demo';
import { outputOf } from './needs-of-handlers';
import { confirmModeOf, modesOf } from './offered-modes';
import { showAllWork } from './background-work';
import { commitCommands } from './commit-commands';
import { compareChanges } from './compare-changes';
import { modelPicks } from './model-picks';
import { sessionListCommands } from './session-list-commands';
import { treeCommands } from './tree-commands';
import { type WindowParts } from './window-parts';

type Commands = Readonly<Record<string, (...args: never[]) => unknown>>;

export function windowCommands(window: WindowParts): Commands {
  const commands = commandsOf(window);
  return { ...commands, ...sideBarCommands(commands, window) };
}

/** In the title of the side bar's view: VS Code tells such a command nothing of where it was pressed, and another chat may have been used last. */
function sideBarCommands(commands: Commands, { places }: WindowParts): Commands {
  const inSideBar = (name: string) => () => {
    places.useSideBar();
    return commands[name]?.();
  };
  return {
    'deft.sideBar.newSession': inSideBar('deft.newSession'),
    'deft.sideBar.history': inSideBar('deft.history'),
    'deft.sideBar.openInEditor': inSideBar('deft.openInEditor'),
    'deft.sideBar.exportSession': inSideBar('deft.exportSession'),
    'deft.sideBar.selectModel': inSideBar('deft.selectModel'),
    'deft.sideBar.selectPermissionMode': inSideBar('deft.selectPermissionMode'),
  };
}

function commandsOf(window: WindowParts): Commands {
  const { context, models, proposals, changes, rules } = window.options;
  return {
    ...window.sessions.commands,
    'deft.testPermissionRule': async (input?: TestRuleInput) => {
      // Weighs calls like a session does: code that only a chat needs.
      const { testRule } = await import('../commands/test-rule-command');
      await testRule(
        {
          rules,
          lastMode: () => context.workspaceState.get(lastModeKey),
          registry: async () => (await window.options.agent()).registry,
          files: window.options.files,
          current: () => window.places.current(),
        },
        input,
      );
    },
    'deft.importSession': async (file?: vscode.Uri) =>
      (await import('../commands/import-session')).importSession(() => window.places.show(), file),
    ...chatCommands({
      show: () => window.places.show(),
      current: () => window.places.current(),
      openInEditor: (id) => window.places.openInEditor(id),
      nextWaiting: () => window.signs.next(window.places.current()),
      models: modelPicks(window.options),
      confirmMode: (mode) => confirmModeOf(rules, mode),
      offeredModes: () => modesOf(rules),
    }),
    ...contextCommands({ show: () => window.places.show(), isHidden: window.options.isHidden }),
    ...window.leaveChat.commands,
    ...terminalOutputCommand({
      show: () => window.places.show(),
      current: () => window.places.current(),
      shellRuns: () => window.shellExecutions.runs,
      outputOf,
    }),
    ...commitMessageCommand({
      client: models.client,
      clock: createSystemClock(),
      isDemo: () => models.demo,
      model: () => window.places.current()?.chat.poster.state.model || initialModel(rules, window.listed()),
      isHidden: window.options.isHidden,
      settings: () => {
        const values = () => rules.values();
        return rules.load().then(values, values);
      },
      used: (model, usage) => window.places.current()?.chat.countUsage(model, usage),
    }),
    ...commitCommands(window),
    ...keyCommands(models),
    ...providerCommands(models),
    ...reviewCommands({ proposals, changes, own: window.ownChanges }),
    'deft.reviewChanges': () => compareChanges(window, window.places.current()?.chat),
    ...window.comments.commands,
    ...window.inline.commands,
    'deft.rewind': async () => {
      const { chat, post } = window.places.current() ?? (await window.places.show());
      await (await import('../rewind/pick-prompt')).pickPrompt({ chat, post, changes });
    },
    'deft.goToMessage': async () => {
      const show = () => window.places.show();
      await (await import('../commands/go-to-message')).goToMessage(window.places.current() ?? (await show()), show);
    },
    ...sessionListCommands(window),
    ...treeCommands(window),
    'deft.showTasks': () => showAllWork(window),
    ...window.options.hooks.commands,
    'deft.manageMcpServers': async () => (await window.places.show()).post({ type: 'showMcp' }),
    'deft.managePlugins': async () =>
      (await import('../plugins/show-plugins')).showPlugins((await window.options.agent()).plugins),
    ...window.plans.commands,
    'deft.showLog': () => window.options.channel.show(),
    'deft.reviewProjectSettings': () => reviewGrants(rules),
    'deft.startDemo': () => startDemo(context, models, () => window.places.show()),
    'deft.openWalkthrough': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'deft-agent.deft#start', false),
  };
}
