// The chat that gets what the user asks for at the cursor: the one that they see, else one with a new session.
import * as vscode from 'vscode';
import { type ChatHost } from '../chat/chat-host';
import { isAtWork } from '../chat/conversation/left-work';
import { type InlineChat } from '../inline/inline-edits';
import { type ChatPlaces } from './chat-places';

export async function inlineChat(places: ChatPlaces): Promise<InlineChat> {
  const { chat } = inSight(places) ?? (await withNewSession(places));
  const { id } = await chat.session();
  return {
    session: id,
    async send(text, inline) {
      await chat.send({ text, images: [], inline, typed: text }, id);
      // A chat that works has it in its queue.
      return chat.running;
    },
    decide: (requestId, decision) => chat.approvals.decide(requestId, decision),
    takeBack: async (messageId) => void (await chat.unqueue(messageId)),
    stop: () => chat.stop(),
  };
}

/** The one used last comes first. What is only shown takes no messages. */
function inSight(places: ChatPlaces): ChatHost | undefined {
  const last = places.current();
  return [...(last === undefined ? [] : [last]), ...places.all()].find((host) => host.visible() && !host.chat.readOnly);
}

/** Nobody sees what the chat said before: it is not continued by accident, and what works in it goes on. */
async function withNewSession(places: ChatPlaces): Promise<ChatHost> {
  const last = places.current();
  if (last !== undefined && !isAtWork(last.chat.work)) {
    if (last.chat.readOnly || last.chat.poster.state.items.length > 0) await last.chat.open(undefined, true);
    return last;
  }
  const column = vscode.window.activeTextEditor?.viewColumn;
  const host = last === undefined ? await places.show() : await places.openInEditor();
  // The user goes on in the editor in which they asked.
  await vscode.commands.executeCommand(focusOf(column));
  return host;
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'] as const;

function focusOf(column: number | undefined): string {
  const ordinal = column === undefined ? undefined : ordinals[column - 1];
  return ordinal === undefined
    ? 'workbench.action.focusActiveEditorGroup'
    : `workbench.action.focus${ordinal}EditorGroup`;
}
