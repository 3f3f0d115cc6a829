// Commands of the composer's "/" menu that the panel itself carries out: one entry a command.
import * as vscode from 'vscode';
import { featureCommands } from '../../../core/features/shown-features';
import { slashLine } from '../../../core/text/slash-line';
import { helpPage, permissionsPage, showPage, skillsPage } from '../../host/pages';
import { findings, statusText, todosText } from './session-facts';
import { runFeatureCommand } from '../commands/feature-command';
import { type Chat } from '../conversation/chat';
import { type HandlerServices } from './handler';
import { mcpCommand } from './mcp-command';

export interface PanelCommand {
  name: string;
  /** One line, in the menu. */
  description: string;
  /** "[focus]": what may follow the name. */
  argumentHint?: string;
  /** It would end a turn that runs: the user is notified instead, and gets back what they typed. */
  whenIdle?: boolean;
  /** Many people have a command of their own of this name: theirs is meant then. */
  givesWay?: true;
  /** `typed` is the whole message, to be given back where it could not be carried out. */
  run(chat: Chat, rest: string, services: HandlerServices, typed: string): Promise<void> | void;
}

const command =
  (name: string, ...args: unknown[]): (() => Promise<void>) =>
  async () =>
    void (await vscode.commands.executeCommand(name, ...args));

export const panelCommands: readonly PanelCommand[] = [
  mcpCommand,
  { name: 'clear', description: 'Start a new session', whenIdle: true, run: (chat) => chat.open(undefined) },
  {
    name: 'compact',
    description: 'Replace the conversation so far with a summary',
    argumentHint: '[what to keep]',
    run: (chat, focus, _services, typed) => chat.compact(focus, typed),
  },
  {
    name: 'commit',
    description: 'Commit what this session changed, after a preview',
    givesWay: true,
    run: command('deft.commitChanges'),
  },
  {
    name: 'config',
    description: "Open Deft's settings",
    run: command('workbench.action.openSettings', '@ext:deft-agent.deft'),
  },
  {
    name: 'context',
    description: "Show what fills the model's window",
    run: (_chat, _rest, { post }) => post({ type: 'showUsage', part: 'context' }),
  },
  { name: 'copy', description: 'Copy the last answer', run: copyAnswer },
  {
    name: 'cost',
    description: 'Show what this session has used',
    run: (_chat, _rest, { post }) => post({ type: 'showUsage', part: 'cost' }),
  },
  {
    name: 'diff',
    description: "Review Deft's changes",
    run: (chat, _rest, { review }) => review('open', undefined, chat),
  },
  {
    name: 'doctor',
    description: 'Show the problems that Deft finds here',
    run: async (chat, _rest, { panel }) =>
      notify(chat, 'Doctor', (await findings(chat, panel)).join('\n') || 'Nothing is wrong.'),
  },
  { name: 'export', description: 'Save this conversation to a file', run: command('deft.exportSession') },
  {
    name: 'fork',
    description: 'Continue in a copy of this conversation',
    whenIdle: true,
    run: async (chat) => void (await chat.fork()),
  },
  {
    name: 'help',
    description: 'List all commands',
    run: async (_chat, _rest, { panel }) => showPage('Commands', helpPage(await panel.slashCommands(''))),
  },
  { name: 'hooks', description: 'Show the hooks and whether they may run', run: command('deft.showHooks') },
  { name: 'messages', description: 'Go to one of your messages', run: command('deft.goToMessage') },
  {
    name: 'model',
    description: 'Pick a model',
    argumentHint: '[model]',
    run: async (_chat, name) => void (await vscode.commands.executeCommand('deft.selectModel', name)),
  },
  {
    name: 'permissions',
    description: 'Show the permission rules with their files, and what each tool may do',
    run: async (chat) => {
      const { permission, settings } = await chat.session();
      const { rules } = permission.now();
      await showPage('Permissions', permissionsPage(rules, permission.mode, settings.registry.all()));
    },
  },
  {
    name: 'plugin',
    description: 'Install plugins, turn them on and off, and see what they contain',
    run: command('deft.managePlugins'),
  },
  { name: 'rename', description: 'Name this session', argumentHint: '[title]', run: renameSession },
  {
    name: 'resume',
    description: 'Open an earlier session',
    run: (_chat, _rest, { post }) => post({ type: 'showHistory' }),
  },
  { name: 'rewind', description: 'Rewind to before a message', whenIdle: true, run: command('deft.rewind') },
  {
    name: 'share',
    description: 'Copy this conversation into the folder of Claude Code',
    whenIdle: true,
    run: async (chat) => (await import('../commands/share-command')).shareConversation(chat),
  },
  {
    name: 'skills',
    description: 'Show skills and commands, and their problems',
    run: async (_chat, _rest, { panel }) => showPage('Skills', skillsPage(await panel.skills())),
  },
  {
    name: 'status',
    description: 'Show version, model, account and folders',
    run: async (chat, _rest, { panel }) => notify(chat, 'Status', await statusText(chat, panel)),
  },
  {
    name: 'todos',
    description: "Show the agent's task list",
    run: async (chat) => notify(chat, 'Tasks', await todosText(chat)),
  },
  {
    name: 'tasks',
    description: 'Show the background work: commands and agents',
    run: async (chat, _rest, { post }) => (await import('../../agents/background-view')).showTasks(chat, post),
  },
  {
    name: 'agents',
    description: 'List the agents, and problems in their files',
    run: async (chat) => (await import('../../agents/show-agents')).showAgents(chat),
  },
  {
    name: 'plan',
    description: 'Only read, and answer with a plan',
    argumentHint: '[task]',
    run: async (chat, task) => {
      await chat.setMode('plan');
      if (task !== '') await chat.send({ text: task, images: [] });
    },
  },
  {
    name: 'init',
    description: 'Write or improve the CLAUDE.md of this workspace',
    argumentHint: '[what matters]',
    run: async (chat, more) => (await import('../../memory/memory-commands')).initMemory(chat, more),
  },
  {
    name: 'memory',
    description: 'List the loaded memory files and open one',
    run: async (chat, _rest, { memory }) =>
      (await import('../../memory/memory-commands')).showMemory(chat, await memory()),
  },
  {
    name: 'add-dir',
    description: 'Let the agent work in another folder',
    argumentHint: '[folder]',
    run: async (chat, rest) => (await import('../commands/add-folder-command')).addFolderTo(chat, rest),
  },
  {
    name: 'btw',
    description: 'Ask a side question',
    argumentHint: '[question]',
    run: async (chat, rest) => (await import('../commands/side-work-commands')).sideQuestion(chat, rest),
  },
  {
    name: 'effort',
    description: 'Choose how much the model thinks',
    argumentHint: '[level]',
    run: async (chat, rest, { panel }) =>
      (await import('../commands/choose-effort')).chooseEffort(chat, rest, panel.model.capabilities),
  },
  {
    name: 'think',
    description: 'Turn thinking on or off',
    argumentHint: '[on|off]',
    run: async (chat, rest) => (await import('../commands/choose-effort')).switchThinking(chat, rest),
  },
  {
    name: 'fast',
    description: 'Turn fast mode on or off',
    argumentHint: '[on|off]',
    run: async (chat, rest, { panel }) =>
      (await import('../commands/choose-effort')).switchFast(chat, rest, panel.model.capabilities),
  },
  ...featureCommands.map((facts): PanelCommand => ({
    ...facts,
    run: (chat, rest) => runFeatureCommand(chat, facts.name, rest),
  })),
  {
    name: 'import',
    description: 'Import instructions, servers and commands from Codex and Gemini',
    run: async (chat) => (await import('../../imports/import-command')).importFromOthers(chat),
  },
  {
    name: 'loop',
    description: 'Send a prompt repeatedly',
    argumentHint: '[5m] [prompt | stop]',
    run: async (chat, rest) => (await import('../commands/side-work-commands')).loopCommand(chat, rest),
  },
  {
    name: 'branch',
    description: 'Continue in a copy of this conversation',
    whenIdle: true,
    run: async (chat) => void (await chat.fork()),
  },
  { name: 'debug', description: "Show Deft's log", run: command('deft.showLog') },
  {
    name: 'usage',
    description: 'Show what this session has used',
    run: (_chat, _rest, { post }) => post({ type: 'showUsage', part: 'cost' }),
  },
  {
    name: 'output-style',
    description: 'Choose how the agent works and answers',
    argumentHint: '[name]',
    run: async (chat, rest, { panel }) =>
      (await import('../../styles/pick-style')).pickOutputStyle(chat, rest, await panel.styles(), panel.rules),
  },
];

/** Undefined where the message is not a panel command. */
export function panelCommand(text: string): { command: PanelCommand; rest: string } | undefined {
  const line = slashLine(text);
  const found = line && panelCommands.find(({ name }) => name === line.name);
  return line && found && { command: found, rest: line.rest };
}

export async function runPanelCommand(
  { command: { run, whenIdle }, rest }: { command: PanelCommand; rest: string },
  chat: Chat,
  services: HandlerServices,
  typed: string,
): Promise<void> {
  if (whenIdle === true && chat.running) {
    chat.notice('info', 'Deft is working.', 'Stop the turn first, or wait until it ends.');
    services.post({ type: 'givenBack', text: typed, images: [] });
    return;
  }
  await run(chat, rest, services, typed);
}

function notify(chat: Chat, title: string, detail: string): void {
  chat.notice('info', title, detail);
}

async function copyAnswer(chat: Chat): Promise<void> {
  const answer = chat.poster.state.items.findLast((item) => item.kind === 'text');
  if (answer?.kind !== 'text') return notify(chat, 'Nothing was copied.', 'There is no answer in this session yet.');
  await vscode.env.clipboard.writeText(answer.text);
  notify(chat, 'Copied.', 'The last answer is in the clipboard.');
}

async function renameSession(chat: Chat, rest: string): Promise<void> {
  const title =
    rest !== ''
      ? rest
      : await vscode.window.showInputBox({
          title: 'Rename Session',
          value: chat.poster.state.title,
          ignoreFocusOut: true,
        });
  const name = title?.replace(/\s+/g, ' ').trim().slice(0, 200) ?? '';
  if (name !== '' && !chat.readOnly) (await chat.session()).writer.write({ type: 'custom-title', title: name });
}
