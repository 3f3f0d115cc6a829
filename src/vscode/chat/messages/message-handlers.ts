// What each message of the webview does: one small function a message, in one table.
import * as vscode from 'vscode';
import { type Prompt } from '../../../core/events/steering-queue';
import { redactValue } from '../../../core/text/redact';
import { noteOf } from '../../../core/memory/memory-note';
import { writtenPrompt } from '../../../core/sessions/fork-records';
import { type DecisionTrace } from '../../../shared/decision-trace';
import { mentionText } from '../../../shared/mention-text';
import { type ComposerImage, type WebviewMessage, type WebviewMessageType } from '../../../shared/protocol';
import { mcpHandlers } from './server-handlers';
import { sendMcpPrompt } from '../panel/send-mcp-prompt';
import { type Chat } from '../conversation/chat';
import { noteFocus } from '../conversation/chat-focus';
import { findInChat } from '../find/find-in-chat';
import { type Handler, type HandlerServices } from '../panel/handler';
import { namedPrompt } from './named-prompt';
import { panelCommand, runPanelCommand } from '../panel/panel-commands';
import { sessionHandlers } from './session-handlers';

export const messageHandlers: { [Type in WebviewMessageType]: Handler<Type> } = {
  ready: (_message, chat) => chat.poster.snapshot(),
  send: async (message, chat, services) => {
    try {
      await sendTyped(message, chat, services);
    } catch (error) {
      // What a command could not do is told; what was typed is the person's still.
      services.post({ type: 'unqueued', id: '', edit: true, taken: { text: message.text, images: message.images } });
      throw error;
    }
  },
  keepImage: async ({ id, image }, _chat, { draftImages }) => (await draftImages()).keep(id, image),
  wantImages: async ({ ids }, _chat, { draftImages, post }) =>
    post({ type: 'keptImages', images: await (await draftImages()).read(ids) }),
  dropImages: async ({ ids }, _chat, { draftImages }) => (await draftImages()).drop(ids),
  focused: ({ has }, chat) => noteFocus(chat, has),
  stop: (_message, chat) => chat.stopAndSendQueued(),
  unqueue: async ({ id, edit }, chat, { post }) => {
    const prompt = await chat.unqueue(id);
    post({ type: 'unqueued', id, edit, taken: prompt === undefined ? null : takenPrompt(prompt) });
  },
  decide: async ({ approvalId, decision }, chat) => void (await chat.approvals.decide(approvalId, decision)),
  answer: ({ questionId, answer }, chat) => void chat.questions.answer(questionId, answer),
  openDiff: ({ approvalId, path, toolUseId }, chat, { openDiff }) => openDiff({ approvalId, path, toolUseId }, chat),
  openFile: async ({ path, line, column }, chat, { linkTarget }) => {
    const uri = await linkTarget(path, chat);
    if (uri === undefined) return;
    const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
    const selection = line === undefined ? {} : { selection: new vscode.Range(position, position) };
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...selection });
  },
  openLink: async ({ url }) => {
    // Only what a browser or mail program opens: never a command: or file: link that a model wrote.
    if (/^(https?|mailto):/i.test(url)) await vscode.env.openExternal(vscode.Uri.parse(url, true));
  },
  showTerminal: ({ toolUseId }, _chat, { showTerminal }) => showTerminal(toolUseId),
  stopTask: ({ taskId }, chat) => stopTask(taskId, chat),
  side: ({ text }, chat) => (text.trim() === '' ? chat.beside.closeQuestions() : chat.beside.ask(text.trim())),
  backgroundLines: async (_message, chat, { post }) =>
    post({
      type: 'backgroundLines',
      lines: await (await import('../../agents/background-view')).backgroundLines(chat),
    }),
  moveToBackground: ({ toolUseId }, _chat, { moveToBackground }) => moveToBackground(toolUseId),
  setMode: async ({ mode }, chat, { confirmMode }) => {
    if (await confirmMode(mode)) await chat.setMode(mode);
    else chat.poster.push([{ type: 'mode', mode: chat.poster.state.mode }]);
  },
  pickModel: () => void vscode.commands.executeCommand('deft.selectModel'),
  newSession: (_message, chat) => chat.open(undefined),
  usage: async ({ count }, chat, { post, log }) =>
    (await import('../commands/usage-facts')).postUsage(chat, count, post, log),
  ...sessionHandlers,
  ...mcpHandlers,
  continueForeign: (_message, chat) => chat.continueForeign(),
  mention: async ({ requestId, query }, chat, { post, mentions }) => {
    post({ type: 'mentions', requestId, items: await mentions(query, chat) });
  },
  slash: async ({ requestId, query }, _chat, { post, slashCommands }) =>
    post({ type: 'slashCommands', requestId, items: await slashCommands(query) }),
  recall: async ({ id }, chat, { post }) => {
    const prompt = chat.readOnly ? undefined : writtenPrompt((await chat.session()).records, id);
    if (prompt !== undefined) post({ type: 'writeAnew', ...namedPrompt(prompt) });
  },
  attach: async (_message, _chat, { post }) => {
    // Files alone: with folders too, Windows and Linux show a dialog that picks nothing but folders. Those come by "@" or a drop.
    const picked = await vscode.window.showOpenDialog({
      canSelectMany: true,
      canSelectFiles: true,
      openLabel: 'Attach',
    });
    const paths = (picked ?? []).map((uri) => mentionText(vscode.workspace.asRelativePath(uri)));
    if (paths.length > 0) post({ type: 'insert', text: `${paths.join(' ')} ` });
  },
  rewind: ({ id, what }, chat, { rewind, post }) => rewind(id, what, chat, post),
  find: (message, chat, { post }) => findInChat(message, chat, post),
  loadOlder: ({ before }, chat) => chat.poster.older(before),
  loadOutput: async ({ toolUseId }, chat, { post, outputOf }) => {
    post({ type: 'output', toolUseId, ...(await outputOf(chat, toolUseId)) });
  },
  explain: async ({ toolUseId }, chat, { post }) => {
    const { decisions, secrets } = await chat.session();
    const found = await decisions.trace(toolUseId);
    const trace = found === undefined ? null : (redactValue(found.trace, secrets) as DecisionTrace);
    post({ type: 'trace', toolUseId, trace, present: found?.present ?? false });
  },
  openRule: ({ file, rule }, _chat, { openRule }) => openRule(file, rule),
  review: ({ action, path }, _chat, { review }) => review(action, path),
  compact: (_message, chat) => chat.compact(''),
  compaction: ({ id, action }, chat, { compaction }) => compaction(chat, id, action),
  command: async ({ command }, chat) => {
    if (command === 'retry') await chat.resume();
    else if (command === 'newSession') await chat.open(undefined);
    else if (command === 'stop') await chat.stopAndSendQueued();
    else if (command === 'tryNow') (await chat.session()).tryNow();
    else if (command === 'askFallback' || command === 'alwaysFallback')
      await askFallback(chat, command === 'alwaysFallback');
    else
      await vscode.commands.executeCommand(
        command === 'openSettings' ? 'workbench.action.openSettings' : `deft.${command}`,
        ...(command === 'openSettings' ? ['@ext:deft-agent.deft'] : []),
      );
  },
  log: ({ level, message }, _chat, { log }) => log(level, message),
};

/** Messages of one webview run one after another only where they must: none waits for a turn. */
export async function handleMessage(message: WebviewMessage, chat: Chat, services: HandlerServices): Promise<void> {
  const handler = messageHandlers[message.type] as Handler<WebviewMessageType>;
  await handler(message, chat, services);
}

async function sendTyped(
  { text, images, withSelection }: Extract<WebviewMessage, { type: 'send' }>,
  chat: Chat,
  services: HandlerServices,
): Promise<void> {
  const panel = images.length > 0 ? undefined : panelCommand(text);
  if (panel !== undefined) return runPanelCommand(panel, chat, services, text);
  if (text.trimStart().startsWith('/mcp__')) return sendMcpPrompt({ text, images }, chat, services);
  const note = images.length > 0 ? undefined : noteOf(text);
  if (note !== undefined) {
    const answer = await (await import('../../memory/memory-commands')).addNote(chat, note);
    if (answer === 'back') services.post({ type: 'insert', text });
    if (answer !== 'send') return;
  }
  const selected = withSelection ? services.selection() : undefined;
  return chat.send({ text, images, ...(selected === undefined ? {} : { selection: selected }) });
}

async function askFallback(chat: Chat, always: boolean): Promise<void> {
  if (!chat.running && !chat.readOnly && (await chat.session()).acceptFallback(always)) await chat.resume();
}

async function stopTask(id: string, chat: Chat): Promise<void> {
  if (id === 'loop') return void chat.beside.loop.stop();
  const session = await chat.session();
  if (id === 'goal') session.goal?.clear();
  else await session.stopTask(id);
}

/** A message as the composer takes it back; names of images are not kept: the model gets none. */
export function takenPrompt({ content, display }: Prompt): { text: string; images: ComposerImage[] } {
  const images = content.flatMap((block) =>
    block.type === 'image' && block.source.type === 'base64'
      ? [{ name: 'Image', mediaType: block.source.media_type, data: block.source.data }]
      : [],
  );
  return { text: display.text, images };
}
