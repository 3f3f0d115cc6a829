// Commands of the composer's "/" menu that the panel itself carries out: one entry a command.
import { slashLine } from '../../core/prompt/slash-line';
import { type Chat } from './chat';
import { type HandlerServices } from './handler';

export interface PanelCommand {
  name: string;
  /** One line, in the menu. */
  description: string;
  /** "[focus]": what may follow the name. */
  argumentHint?: string;
  /** `typed` is the whole message, to be given back where it could not be carried out. */
  run(chat: Chat, rest: string, services: HandlerServices, typed: string): Promise<void> | void;
}

export const panelCommands: readonly PanelCommand[] = [
  { name: 'clear', description: 'Begin a new session', run: (chat) => chat.open(undefined) },
  { name: 'compact', description: 'Replace what was said so far by a summary', argumentHint: '[what to keep]', run: (chat, focus, _services, typed) => chat.compact(focus, typed) },
  {
    name: 'plan',
    description: 'Only look, and answer with a plan',
    argumentHint: '[task]',
    run: async (chat, task) => {
      await chat.setMode('plan');
      if (task !== '') await chat.send({ text: task, images: [] });
    },
  },
  { name: 'init', description: 'Write or improve the CLAUDE.md of this workspace', argumentHint: '[what matters]', run: async (chat, more) => (await import('../memory/memory-commands')).initMemory(chat, more) },
  { name: 'memory', description: 'See which memory files are told, and open one', run: async (chat, _rest, { memory }) => (await import('../memory/memory-commands')).showMemory(chat, await memory()) },
];

/** Undefined where the message is no panel command. */
export function panelCommand(text: string): { command: PanelCommand; rest: string } | undefined {
  const line = slashLine(text);
  const command = line && panelCommands.find(({ name }) => name === line.name);
  return line && command && { command, rest: line.rest };
}
