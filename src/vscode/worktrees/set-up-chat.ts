// Sets a chat's new worktree up by the key `worktree.setup`: copies, links, and commands that the rules judge like any other.
import { type AgentSession } from '../../core/feature/agent-session';
import { proof } from '../../core/features/proof/proof-key';
import { type Worktree } from '../../core/ports/worktrees';
import { setUpTree } from '../../node/worktrees/set-up-tree';
import { type ChatHost } from '../chat/chat-host';
import { type TreeWindow } from './tree-window';

const waits = [
  'The set-up of worktrees waits for you.',
  'A settings file of this project has the key `worktree`: what it copies and runs counts once you have agreed to it, from the next worktree on.',
] as const;

/** False where something that it should have prepared is missing. */
export async function setUpChat(window: TreeWindow, { chat }: ChatHost, worktree: Worktree): Promise<boolean> {
  if (window.setupWaits()) chat.notice('warning', ...waits, { label: 'Review', command: 'reviewProjectSettings' });
  const { setup } = (await window.values()).worktree ?? {};
  if (setup === undefined) return true;
  const { copied, linked, left } = await setUpTree(worktree, { copy: setup.copy, link: setup.link }, window.run);
  const did = [
    ...(copied.length === 0 ? [] : [`Copied: ${copied.join(', ')}.`]),
    ...(linked.length === 0 ? [] : [`Linked: ${linked.join(', ')}.`]),
  ];
  if (did.length > 0) chat.notice('info', 'The worktree got files of your checkout.', did.join(' '));
  if (left.length > 0) chat.notice('warning', 'Not all files were put into the worktree.', left.join('\n'));
  const commands = setup.commands ?? [];
  return (commands.length === 0 || (await runCommands(commands, chat, window))) && left.length === 0;
}

/** One after the other; what follows one that failed is not run. */
async function runCommands(
  commands: readonly string[],
  chat: ChatHost['chat'],
  { showTerminal }: TreeWindow,
): Promise<boolean> {
  const session = await chat.session();
  return new Promise((resolve) => {
    if (chat.running) {
      chat.notice('warning', 'The set-up was not run.', 'Deft is at work in this chat.');
      return resolve(false);
    }
    chat.turns.beside(session, async (signal) => {
      const rest = [...commands];
      let succeeded = true;
      try {
        for (let command = rest.shift(); command !== undefined && succeeded; command = rest.shift()) {
          const end = await runCommand(command, { session, signal, showTerminal });
          ({ succeeded } = end);
          chat.notice(succeeded ? 'info' : 'warning', `Set-up: ${command}`, end.output);
          if (!succeeded) break;
        }
        if (rest.length > 0)
          chat.notice('warning', 'The set-up ended early.', `Not run: ${rest.map((one) => `\`${one}\``).join(', ')}.`);
      } catch (error) {
        succeeded = false;
        throw error;
      } finally {
        resolve(succeeded);
      }
    });
  });
}

async function runCommand(
  setUp: string,
  {
    session,
    signal,
    showTerminal,
  }: {
    session: AgentSession;
    signal: AbortSignal;
    showTerminal: TreeWindow['showTerminal'];
  },
): Promise<{ succeeded: boolean; output: string }> {
  let end = { succeeded: false, output: 'It was stopped.' };
  const problem = await session.feature(proof)?.run({
    of: { setUp },
    signal,
    began: showTerminal,
    ended: (succeeded, output) => void (end = { succeeded, output }),
  });
  return problem === undefined ? end : { succeeded: false, output: `It was not run: ${problem}` };
}
