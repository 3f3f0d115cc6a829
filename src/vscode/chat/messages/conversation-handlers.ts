// What messages do with the conversation: its turns, its cards, its background work, its mode, its usage.
import * as vscode from 'vscode';
import { backgroundRefusal, moveToBackground } from '../../../core/features/subagents/move-to-background';
import { fallback } from '../../../core/features/fallback/fallback-key';
import { redactValue } from '../../../core/text/redact';
import { type DecisionTrace } from '../../../shared/decision-trace';
import { type conversationMessages, type MessageInput } from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';
import { noteFocus } from '../conversation/chat-focus';
import { findInChat } from '../find/find-in-chat';
import { type Handlers } from '../panel/handler';

export const conversationHandlers: Handlers<typeof conversationMessages> = {
  ready: (_input, chat) => chat.poster.snapshot(),
  drawn: ({ epoch, seq }, chat) => chat.poster.drawn(epoch, seq),
  loadOlder: ({ before }, chat) => chat.poster.older(before),
  find: ({ words }, chat) => findInChat(words, chat),
  stop: (_input, chat) => chat.stopAndSendQueued(),
  decide: async ({ approvalId, decision }, chat) => void (await chat.approvals.decide(approvalId, decision)),
  answer: ({ questionId, answer }, chat) => void chat.questions.answer(questionId, answer),
  loadOutput: ({ toolUseId }, chat, { outputOf }) => outputOf(chat, toolUseId),
  explain: async ({ toolUseId }, chat) => {
    const { permission, settings } = await chat.session();
    const found = await permission.decisions.trace(toolUseId);
    const trace = found === undefined ? null : (redactValue(found.trace, settings.secrets?.() ?? []) as DecisionTrace);
    return { trace, present: found?.present ?? false };
  },
  moveToBackground: async ({ toolUseId }, chat) => {
    const session = await chat.session();
    const refusal = backgroundRefusal(session);
    if (refusal !== undefined) void vscode.window.showInformationMessage(`Deft: ${refusal}`);
    // Where it has ended meanwhile there is nothing to move, and its card says so.
    else moveToBackground(session, toolUseId);
  },
  stopTask: async ({ taskId }, chat) => void (await (await import('../../agents/session-work')).endWork(chat, taskId)),
  runCheck: async ({ ledgerId, rowId }, chat, { showTerminal }) =>
    (await import('../conversation/run-check')).runCheck({ ledgerId, rowId }, chat, showTerminal),
  backgroundLines: async (_input, chat) => (await import('../../agents/background-view')).backgroundLines(chat),
  side: ({ text }, chat) => (text.trim() === '' ? chat.sideWork.closeQuestions() : chat.sideWork.ask(text.trim())),
  setMode: async ({ mode }, chat, { confirmMode }) => {
    if (await confirmMode(mode)) await chat.setMode(mode);
    else chat.poster.push([{ type: 'mode', mode: chat.poster.state.mode }]);
  },
  pickModel: () => void vscode.commands.executeCommand('deft.selectModel'),
  compact: (_input, chat) => chat.compact(''),
  compaction: ({ id, action }, chat, { compaction }) => compaction(chat, id, action),
  rewind: ({ id, what }, chat, { rewind, post }) => rewind(id, what, chat, post),
  usage: async ({ count }, chat, { log }) => (await import('../commands/usage-facts')).usageOf(chat, count, log),
  command: ({ command }, chat) => runCommand(command, chat),
  focused: ({ has }, chat) => noteFocus(chat, has),
  log: ({ level, message }, _chat, { log }) => log(level, message),
};

async function runCommand(command: MessageInput<'command'>['command'], chat: Chat): Promise<void> {
  switch (command) {
    case 'retry':
      return chat.resume();
    case 'newSession':
      return chat.open(undefined);
    case 'stop':
      return chat.stopAndSendQueued();
    case 'tryNow':
      return void (await chat.session()).turns.tryNow();
    case 'askFallback':
    case 'alwaysFallback':
      return askFallback(chat, command === 'alwaysFallback');
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', '@ext:deft-agent.deft');
    // Of the chat in which it was pressed.
    case 'worktreeActions':
      return vscode.commands.executeCommand('deft.worktreeActions', chat.poster.state.sessionId);
    default:
      return vscode.commands.executeCommand(`deft.${command}`);
  }
}

async function askFallback(chat: Chat, always: boolean): Promise<void> {
  if (chat.running || chat.readOnly) return;
  if ((await chat.session()).feature(fallback)?.accept(always) === true) await chat.resume();
}
