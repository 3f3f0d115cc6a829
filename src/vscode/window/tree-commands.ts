// The commands about worktrees of chats; their code comes with the first of them.
import { homeFolder } from '../../node/home-folder';
import { type RunGit, createRunGit } from '../../node/worktrees/run-git';
import { worktreesDirectory } from '../../node/worktrees/worktrees-directory';
import { type NewAttempts } from '../worktrees/new-attempts';
import { type NewTreeChat } from '../worktrees/new-chat';
import { type TreeWindow } from '../worktrees/tree-window';
import { modelPicks } from './model-picks';
import { type WindowParts } from './window-parts';

export function treeCommands(window: WindowParts): Record<string, (given?: never) => Promise<void>> {
  const parts = treeWindow(window);
  return {
    'deft.newChatInWorktree': async (given?: NewTreeChat) =>
      (await import('../worktrees/new-chat')).newChatInWorktree(parts, given),
    'deft.newChatsInWorktrees': async (given?: NewAttempts) =>
      (await import('../worktrees/new-attempts')).newChatsInWorktrees(parts, given),
    'deft.compareAttempts': async () => (await import('../worktrees/compare-attempts')).compareAttempts(parts),
    'deft.bringChangesHere': async (session?: string) =>
      (await import('../worktrees/bring-here')).bringHere(parts, session),
    'deft.cleanUpWorktrees': async () => (await import('../worktrees/clean-up')).cleanUpWorktrees(parts),
    'deft.worktreeActions': async (session?: string) =>
      (await import('../worktrees/tree-actions')).worktreeActions(parts, session),
  };
}

function treeWindow({ options, places, trees, board }: WindowParts): TreeWindow {
  const { rules, terminal, agent, log, changes, isHidden, files, proposals, store } = options;
  const run: RunGit = createRunGit(terminal.environment);
  return {
    ...{ run, log, changes, isHidden, files, proposals, store },
    models: modelPicks(options),
    treesFolder: worktreesDirectory(homeFolder()),
    glances: () => board.glances(),
    background: () => terminal.background(),
    trees: async () => (await agent()).trees,
    values: async () => {
      await rules.load();
      return rules.values();
    },
    setupWaits: () => rules.grants.waiting().some(({ text }) => text.startsWith('worktree: ')),
    openInEditor: (session, column) => places.openInEditor(session, column),
    current: () => places.current(),
    all: () => places.all(),
    treeOf: (host) => trees.get(host),
    showTerminal: (toolUseId) => void terminal.show(toolUseId),
  };
}
