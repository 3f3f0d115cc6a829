// What the composer's messages do: send, take back, keep images, suggest, attach.
import * as vscode from 'vscode';
import { noteOf } from '../../../core/memory/memory-note';
import { writtenPrompt } from '../../../core/sessions/fork-records';
import { defined } from '../../../shared/defined';
import { type composerMessages, type MessageInput } from '../../../shared/protocol';
import { namedPrompt, takenPrompt } from '../commands/named-prompt';
import { type Chat } from '../conversation/chat';
import { type Handlers, type HandlerServices } from '../panel/handler';
import { panelCommand, runPanelCommand } from '../panel/panel-commands';
import { sendMcpPrompt } from '../panel/send-mcp-prompt';

export const composerHandlers: Handlers<typeof composerMessages> = {
  send: async (message, chat, services) => {
    try {
      await sendTyped(message, chat, services);
    } catch (error) {
      // The user reads why the command failed, and keeps what they typed.
      services.post({ type: 'givenBack', text: message.text, images: message.images });
      throw error;
    }
  },
  unqueue: async ({ id, edit }, chat, { post }) => {
    const prompt = await chat.unqueue(id);
    // A message of its own: an answer would be lost with the page that asked.
    if (prompt !== undefined && edit) post({ type: 'givenBack', ...takenPrompt(prompt) });
    return prompt !== undefined;
  },
  recall: async ({ id }, chat) => {
    const prompt = chat.readOnly ? undefined : writtenPrompt((await chat.session()).records, id);
    return prompt === undefined ? null : namedPrompt(prompt);
  },
  keepImage: async ({ id, image }, _chat, { draftImages }) => (await draftImages()).keep(id, image),
  keptImages: async ({ ids }, _chat, { draftImages }) => (await draftImages()).read(ids),
  dropImages: async ({ ids }, _chat, { draftImages }) => (await draftImages()).drop(ids),
  mention: ({ query }, chat, { mentions }) => mentions(query, chat),
  slash: ({ query }, _chat, { panel }) => panel.slashCommands(query),
  attach: async (_input, _chat, { post, inserted }) => {
    // Files alone: with folders too, Windows and Linux show a dialog that picks nothing but folders. Those come by "@" or a drop.
    const picked = await vscode.window.showOpenDialog({
      canSelectMany: true,
      canSelectFiles: true,
      openLabel: 'Attach',
    });
    if (picked !== undefined) post({ type: 'insert', ...(await (await inserted()).name(picked)) });
  },
  dropped: async ({ uris }, _chat, { post, inserted }) => {
    const { name, uriOfDrag } = await inserted();
    post({ type: 'insert', ...(await name(uris.map(uriOfDrag))) });
  },
  locate: async ({ files }, _chat, { inserted }) => (await inserted()).locate(files),
};

/** The user has a command or skill of this name. */
async function isOwn(name: string, { panel }: HandlerServices): Promise<boolean> {
  const { skills } = await panel.skills();
  return skills.some((skill) => skill.forUser && skill.name === name);
}

async function sendTyped(
  { text, images, withSelection }: MessageInput<'send'>,
  chat: Chat,
  services: HandlerServices,
): Promise<void> {
  const panel = images.length > 0 ? undefined : panelCommand(text);
  if (panel !== undefined && !(panel.command.givesWay === true && (await isOwn(panel.command.name, services))))
    return runPanelCommand(panel, chat, services, text);
  if (text.trimStart().startsWith('/mcp__')) return sendMcpPrompt({ text, images }, chat, services);
  const note = images.length > 0 ? undefined : noteOf(text);
  if (note !== undefined) {
    const answer = await (await import('../../memory/memory-commands')).addNote(chat, note);
    if (answer === 'back') services.post({ type: 'insert', text });
    if (answer !== 'send') return;
  }
  const selected = withSelection ? services.selection() : undefined;
  return chat.send({ text, images, ...defined({ selection: selected }) });
}
