// What the "@" menu offers: files, resources of MCP servers, agents.
import * as vscode from 'vscode';
import { subagents } from '../../core/features/subagents/subagents-key';
import { type MentionSuggestion } from '../../shared/answers';
import {
  changesMention,
  problemsMention,
  symbolMention,
  terminalMention,
  testMention,
} from '../../shared/mention-text';
import { type Agent } from '../agent/agent';
import { rankAgents } from '../agents/agent-suggestions';
import { type FileSuggestions } from '../chat/completion/file-suggestions';
import { type Chat } from '../chat/conversation/chat';
import { localCandidates } from '../chat/messages/link-place';
import { importedOnce } from '../host/imported-once';
import { workspaceFolders } from '../host/workspace-facts';
import { rankResources } from '../mcp/resource-suggestions';
import { type ChatTree } from '../worktrees/chat-tree';
import { createTreeFiles } from './tree-files';
import { type ChatWindowOptions, type WindowParts } from './window-parts';

/** What stands for something other than a file: offered for the beginning of its name. */
const namedSuggestions: readonly MentionSuggestion[] = [
  { path: problemsMention, kind: 'problems', detail: 'what language servers and linters report' },
  { path: changesMention, kind: 'changes', detail: 'what is not committed' },
  { path: terminalMention, kind: 'terminal', detail: 'the last command and its output' },
  { path: symbolMention, kind: 'symbol', detail: 'a definition by its name' },
  { path: testMention, kind: 'test', detail: 'the last run of tests' },
];

/** Servers that take longer are left out. */
const resourcesMs = 5_000;

export function createMentions(
  { options, workspaceFiles }: Pick<WindowParts, 'options' | 'workspaceFiles'>,
  { mcp }: Pick<Agent, 'mcp'>,
  tree: Pick<ChatTree, 'view' | 'folders' | 'files'>,
): (query: string, chat: Chat) => Promise<MentionSuggestion[]> {
  const suggestedFiles = createSuggestedFiles(options);
  const files = async (query: string): Promise<MentionSuggestion[]> =>
    tree.view === undefined
      ? ((await suggestedFiles(query)) ?? workspaceFiles.find(query))
      : tree.files((folders) => createTreeFiles(options, folders)).find(query);
  const agentNames = async (chat: Chat): Promise<readonly string[]> =>
    (await (await chat.session()).feature(subagents)?.names()) ?? [];
  return async (query, chat) => {
    if (query.startsWith(symbolMention) && query.length > symbolMention.length)
      return (await import('../languages/symbol-mention')).suggestSymbols(
        query.slice(symbolMention.length),
        options.isHidden,
      );
    const [found, listed, names] = await Promise.all([
      files(query),
      mcp.servers.resources(undefined, AbortSignal.timeout(resourcesMs)).catch(() => []),
      agentNames(chat).catch(() => []),
    ]);
    const isHidden = tree.view === undefined ? options.isHidden : (await chat.session()).surroundings.isHidden;
    const shown = found.filter(({ path }) => !localCandidates(path, tree.folders()).some(isHidden));
    const named = namedSuggestions.filter(({ path }) => query !== '' && path.startsWith(query.toLowerCase()));
    const [agents, resources] = [rankAgents(names, query), rankResources(listed, query)];
    return [
      ...(agents.first ? agents.items : []),
      ...(resources.first ? resources.items : []),
      ...named,
      ...shown,
      ...(agents.first ? [] : agents.items),
      ...(resources.first ? [] : resources.items),
    ];
  };
}

/** Undefined where no command of the settings does it. */
function createSuggestedFiles({
  rules,
  hooks,
  terminal,
  log,
}: ChatWindowOptions): (query: string) => Promise<MentionSuggestion[] | undefined> {
  const suggestions = importedOnce(async (): Promise<FileSuggestions> =>
    (await import('../chat/completion/file-suggestions')).createFileSuggestions({
      handlers: async () =>
        (await import('../../node/hooks/node-hook-handlers')).createNodeHookHandlers({
          environment: terminal.environment,
        }),
      gate: hooks,
      onProblem: (problem) => log.warn(`The fileSuggestion command failed: ${problem}`),
    }),
  );
  return async (query) => {
    const command = rules.values().fileSuggestion?.command;
    const [folder] = workspaceFolders();
    if (
      command === undefined ||
      folder === undefined ||
      vscode.workspace.workspaceFolders?.[0]?.uri.scheme !== 'file' ||
      !vscode.workspace.isTrusted ||
      ['all', 'unmanaged'].includes(rules.hooks().disabled)
    )
      return undefined;
    return (await suggestions()).suggest(query, { command, project: rules.projectFileSuggestion(), cwd: folder.path });
  };
}
