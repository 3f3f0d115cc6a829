// What the handlers of the webview's messages reach in the window: files, sessions, output, reviews.
import path from 'node:path';
import * as vscode from 'vscode';
import { type ToolOutput } from '../../shared/answers';
import { type Agent } from '../agent/agent';
import { openRule } from '../chat/commands/open-rule';
import { allSlashCommands } from '../chat/completion/slash-commands';
import { rankSlashCommands } from '../chat/completion/slash-rank';
import { type Chat } from '../chat/conversation/chat';
import { actOnCompaction } from '../chat/conversation/compaction-files';
import { openEdit } from '../chat/messages/open-edit';
import { wholeOutput } from '../chat/messages/output-text';
import { type HandlerServices } from '../chat/panel/handler';
import { type PanelWindow } from '../chat/panel/panel-window';
import { importedOnce } from '../host/imported-once';
import { type ModelSource } from '../model/model-source';
import { filePathOf, linkTarget } from './chat-links';
import { createMentions } from './mentions';
import { confirmModeOf } from './offered-modes';
import { revealSession } from './open-session-in-chat';
import { compareChanges } from './compare-changes';
import { type ChatTree } from '../worktrees/chat-tree';
import { type WindowParts } from './window-parts';

/** All but the way back to the webview, which the chat's host adds. */
export function handlerServices(window: WindowParts, agent: Agent, tree: ChatTree): Omit<HandlerServices, 'post'> {
  const { context, log, rules, terminal, models, proposals, changes, isHidden } = window.options;
  const skills = async () => agent.skills.list();
  const link = (file: string, chat: Chat) => linkTarget(file, chat, { rules, terminal, folders: tree.folders() });
  return {
    selection: () => window.selection.input(),
    mentions: createMentions(window, agent, tree),
    inserted: importedOnce(async () =>
      (await import('../chat/messages/files-to-insert')).createFilesToInsert({ ...window.options, tree }),
    ),
    panel: {
      version: (context.extension.packageJSON as { version: string }).version,
      revealSession: (session) => revealSession(window.places, session),
      rules,
      skills,
      slashCommands: async (query) =>
        rankSlashCommands(await allSlashCommands({ skills, servers: async () => agent.mcp.servers }), query),
      styles: async () => agent.styles,
      model: panelModel(models),
    },
    linkTarget: link,
    history: window.sessions.history,
    mcp: async () => agent.mcp,
    outputOf,
    openDiff: async ({ approvalId, path: shown, toolUseId }, chat) => {
      const file = shown === undefined ? undefined : await filePathOf(shown, tree.folders());
      if (
        approvalId !== undefined &&
        ((await window.plans.show(approvalId)) || (await proposals.show(approvalId, file)))
      )
        return;
      if (shown === undefined || file === undefined) return;
      if (toolUseId === undefined) return changes.open(file);
      const openFile = async (): Promise<void> => {
        const uri = await link(shown, chat);
        if (uri !== undefined) await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
      };
      await openEdit(toolUseId, { chat, changes, proposals, isHidden, path: file, openFile });
    },
    takeBackHunk: (requestId, lines) => proposals.takeBack({ requestId }, lines),
    openRule: (file, rule) =>
      openRule(
        file,
        rule,
        rules.current().rules.flatMap((one) => one.file ?? []),
      ),
    review: async (action, file, chat) => {
      if (action === 'compare' || action === 'compareSession')
        return compareChanges(window, chat, action === 'compareSession');
      if (action === 'sendComments') return window.comments.send();
      if (action === 'discardComments') return void (await vscode.commands.executeCommand('deft.discardComments'));
      if (action === 'nextFinding') return void (await vscode.commands.executeCommand('deft.nextFinding'));
      if (action === 'fixFindings') return void (await vscode.commands.executeCommand('deft.fixAllFindings'));
      const path = file === undefined ? undefined : await filePathOf(file, tree.folders());
      await window.ownChanges.review(action, path, chat.poster.state.sessionId);
    },
    rewind: async (id, what, chat, post) =>
      (await import('../rewind/rewind-chat')).rewindChat(id, what, { chat, post, changes }),
    showTerminal: (toolUseId) => {
      if (!terminal.show(toolUseId))
        void vscode.window.showInformationMessage('Deft: no command has run in this window yet.');
    },
    confirmMode: (mode) => confirmModeOf(rules, mode),
    compaction: actOnCompaction,
    memory: async () => agent.memory,
    draftImages: importedOnce(async () => {
      const { createDraftImages } = await import('../chat/conversation/draft-images');
      return createDraftImages(path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'draft-images'));
    }),
    log: (level, message) => log[level](`webview: ${message}`),
  };
}

/** All that a command printed, for those who ask for more than its card shows. */
export async function outputOf(chat: Chat, toolUseId: string): Promise<ToolOutput> {
  const item = chat.poster.state.items.find(({ id }) => id === toolUseId);
  if (item?.kind !== 'tool' || item.view?.kind !== 'terminal') return { text: '', truncated: false };
  const { ports, settings } = await chat.session();
  const records = chat.shown?.records ?? settings.records;
  const secrets = settings.secrets?.() ?? [];
  return wholeOutput(toolUseId, { file: item.view.outputPath, records, files: ports.files, secrets });
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
    secrets: () => models.secrets(),
    capabilities: (model) => models.client.capabilities(model),
  };
}
