// What the webview's messages reach in the window: files, sessions, output, reviews.
import * as vscode from 'vscode';
import { type Memory } from '../../core/memory/memory';
import { type Log } from '../../core/ports/log';
import { type Agent } from '../agent/agent';
import { type ModelSource } from '../model/model-source';
import { type PlanReview } from '../plan/plan-review';
import { type ChangeReview } from '../review/change-review';
import { type ProposalReview } from '../review/proposal-review';
import { rankResources } from '../mcp/resource-suggestions';
import { type WindowMcp } from '../mcp/window-mcp';
import { type HookGate } from '../hooks/hook-gate';
import { openRule } from '../chat/commands/open-rule';
import { uriOf } from '../host/uri-path';
import { type PermissionMode } from '../../shared/permission';
import { type MentionSuggestion } from '../../shared/answers';
import { type RuleSource } from '../session/rule-source';
import { type SessionHistory } from '../chat/conversation/session-history';
import { workspaceFolders } from '../host/workspace-facts';
import { type VscodeTerminal } from '../terminal/vscode-terminal';
import { type Chat } from '../chat/conversation/chat';
import { type ChatHandlers } from '../chat/chat-host';
import { actOnCompaction } from '../chat/conversation/compaction-files';
import { type PanelWindow } from '../chat/panel/panel-window';
import { type LinkPlace, localCandidates, pathOfCard, placeOf } from '../chat/messages/link-place';
import { rankAgents } from '../agents/agent-suggestions';
import { type FileSuggestions } from '../chat/completion/file-suggestions';
import { rankMentions } from '../chat/completion/mention-index';
import { allSlashCommands } from '../chat/completion/slash-commands';
import { rankSlashCommands } from '../chat/completion/slash-rank';
import { openEdit } from '../chat/messages/open-edit';
import { outputText } from '../chat/messages/output-text';
import { type SelectionSource } from '../chat/messages/selection-chip';
import { type WorkspaceFiles } from '../chat/completion/workspace-files';
import { subagents } from '../../core/features/subagents/subagents-key';

export interface ChatHandlerOptions {
  log: Log;
  history: () => Promise<SessionHistory>;
  mcp: () => Promise<WindowMcp>;
  proposals: ProposalReview;
  plans: Pick<PlanReview, 'show'>;
  changes: ChangeReview;
  workspaceFiles: WorkspaceFiles;
  selection: SelectionSource;
  isHidden: (path: string) => boolean;
  terminal: VscodeTerminal;
  hooks: HookGate;
  rules: RuleSource;
  confirmMode: (mode: PermissionMode) => Promise<boolean>;
  agent: () => Promise<Pick<Agent, 'skills' | 'styles'>>;
  models: ModelSource;
  version: string;
  memory: () => Promise<Memory>;
  /** The folder for images of drafts. */
  draftImages: string;
}

export function createChatHandlers(options: ChatHandlerOptions): ChatHandlers {
  const { proposals, changes, models } = options;
  const skills = async () => (await options.agent()).skills.list();
  let suggestions: Promise<FileSuggestions> | undefined;
  /** Undefined where no command of the settings does it. */
  let drafts: ReturnType<ChatHandlers['draftImages']> | undefined;
  const suggestedFiles = async (query: string): Promise<MentionSuggestion[] | undefined> => {
    const { rules } = options;
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
    suggestions ??= import('../chat/completion/file-suggestions').then(({ createFileSuggestions }) =>
      createFileSuggestions({
        handlers: async () =>
          (await import('../../node/hooks/node-hook-handlers')).createNodeHookHandlers({
            environment: options.terminal.environment,
          }),
        gate: options.hooks,
        onProblem: (problem) => options.log.warn(`The command of fileSuggestion did not work: ${problem}`),
      }),
    );
    return (await suggestions).suggest(query, { command, project: rules.projectFileSuggestion(), cwd: folder.path });
  };
  const linked: ChatHandlers['linkTarget'] = async (path, chat) => {
    // Deft's own words, not the model's.
    if (options.rules.problems().some(({ file }) => file === path)) return uriOf(path);
    if (chat.poster.state.background.some(({ output }) => output === path)) return uriOf(path);
    const { ports, surroundings } = await chat.session();
    const own = [surroundings.resultsDirectory, ...options.terminal.outputDirectories()] as const;
    return linkTarget(path, await placeOf(path, { files: ports.files, folders: workspaceFolders(), own }));
  };
  return {
    selection: () => options.selection.input(),
    mentions: async (query, chat) => {
      const { servers } = await options.mcp();
      const [found, listed, names] = await Promise.all([
        suggestedFiles(query).then(
          async (found) => found ?? rankMentions(await options.workspaceFiles.matching(query), query),
        ),
        servers.resources(undefined, AbortSignal.timeout(5_000)).catch(() => []),
        chat
          .session()
          .then(async (session) => (await session.feature(subagents)?.names()) ?? [])
          .catch(() => []),
      ]);
      const files = found.filter(({ path }) => !localCandidates(path, workspaceFolders()).some(options.isHidden));
      const resources = rankResources(listed, query);
      const agents = rankAgents(names, query);
      const [first, others] = [
        [...(agents.first ? agents.items : []), ...(resources.first ? resources.items : [])],
        [...(agents.first ? [] : agents.items), ...(resources.first ? [] : resources.items)],
      ];
      return [...first, ...files, ...others];
    },
    slashCommands: async (query) =>
      rankSlashCommands(await allSlashCommands({ skills, servers: async () => (await options.mcp()).servers }), query),
    panel: {
      version: options.version,
      rules: options.rules,
      skills,
      styles: async () => (await options.agent()).styles,
      model: panelModel(models),
    },
    linkTarget: linked,
    history: options.history,
    mcp: options.mcp,
    outputOf,
    openDiff: async ({ approvalId, path, toolUseId }, chat) => {
      if (approvalId !== undefined && ((await options.plans.show(approvalId)) || (await proposals.show(approvalId))))
        return;
      if (path === undefined) return;
      const file = await toPath(path);
      if (toolUseId === undefined) return changes.open(file);
      const openFile = async (): Promise<void> => {
        const uri = await linked(path, chat);
        if (uri !== undefined) await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
      };
      await openEdit(toolUseId, { chat, changes, proposals, isHidden: options.isHidden, path: file, openFile });
    },
    openRule: (file, rule) =>
      openRule(
        file,
        rule,
        options.rules.current().rules.flatMap((one) => one.file ?? []),
      ),
    review: async (action, path) => changes.review(action, path === undefined ? undefined : await toPath(path)),
    rewind: async (id, what, chat, post) =>
      (await import('../rewind/rewind-chat')).rewindChat(id, what, { chat, post, changes }),
    showTerminal: (toolUseId) => {
      if (!options.terminal.show(toolUseId))
        void vscode.window.showInformationMessage('Deft: no command has run in this window yet.');
    },
    // Where it has ended meanwhile there is nothing to move, and its card says so.
    moveToBackground: (toolUseId) => void options.terminal.moveToBackground(toolUseId),
    confirmMode: options.confirmMode,
    compaction: actOnCompaction,
    memory: options.memory,
    draftImages: () =>
      (drafts ??= import('../chat/conversation/draft-images').then(({ createDraftImages }) =>
        createDraftImages(options.draftImages),
      )),
    log: (level, message) => options.log[level](`webview: ${message}`),
  };
}

/** The output file of a command, from the result in the log. */
export async function outputOf(chat: Chat, toolUseId: string): Promise<{ text: string; truncated: boolean }> {
  const item = chat.poster.state.items.find(({ id }) => id === toolUseId);
  const path = item?.kind === 'tool' && item.view?.kind === 'terminal' ? item.view.outputPath : undefined;
  if (path === undefined)
    return { text: item?.kind === 'tool' && item.view?.kind === 'terminal' ? item.view.tail : '', truncated: false };
  const session = await chat.session();
  const read = await session.ports.files.readBytes(path, 50_000_000);
  if (read.outcome === 'refused') return { text: read.message, truncated: false };
  return outputText(read.bytes, session.settings.secrets?.() ?? []);
}

async function toPath(path: string): Promise<string> {
  const exists = (candidate: string): Promise<boolean> =>
    Promise.resolve(vscode.workspace.fs.stat(uriOf(candidate))).then(
      () => true,
      () => false,
    );
  return pathOfCard(path, workspaceFolders(), exists);
}

/** Looked at anew each time: providers change. */
function panelModel(models: ModelSource): PanelWindow['model'] {
  return {
    get provider() {
      return models.client.provider;
    },
    get demo() {
      return models.demo;
    },
    needsSetup: () => models.needsSetup(),
    capabilities: (model) => models.client.capabilities(model),
  };
}

/** What the user is told or asked before a path of the chat opens; undefined where it does not. */
async function linkTarget(path: string, place: LinkPlace): Promise<vscode.Uri | undefined> {
  switch (place.kind) {
    case 'inside':
      return uriOf(place.path);
    case 'missing':
      void vscode.window.showWarningMessage(`Deft: ${path} was not found.`);
      return undefined;
    case 'network':
      void vscode.window.showWarningMessage(
        `Deft: ${path} is on another machine, so a link in the chat does not open it.`,
      );
      return undefined;
    case 'outside': {
      const detail = place.realPath === place.path ? place.path : `${place.path}\nleads to ${place.realPath}`;
      const answer = await vscode.window.showWarningMessage(
        'Open a file outside the workspace?',
        { modal: true, detail },
        'Open',
      );
      return answer === undefined ? undefined : uriOf(place.path);
    }
  }
}
