// Which handler each message of the webview has.
import { type WebviewMessage, type webviewMessages } from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';
import { type Handler, type Handlers, type HandlerServices } from '../panel/handler';
import { composerHandlers } from './composer-handlers';
import { conversationHandlers } from './conversation-handlers';
import { editorHandlers } from './editor-handlers';
import { serverHandlers } from './server-handlers';
import { sessionHandlers } from './session-handlers';

const messageHandlers: Handlers<typeof webviewMessages> = {
  ...conversationHandlers,
  ...composerHandlers,
  ...editorHandlers,
  ...sessionHandlers,
  ...serverHandlers,
};

/** Gives the answer to a request. Messages of one webview run one after another only where they must: none waits for a turn. */
export async function handleMessage(message: WebviewMessage, chat: Chat, services: HandlerServices): Promise<unknown> {
  const handler = messageHandlers[message.type] as Handler<(typeof webviewMessages)[WebviewMessage['type']]>;
  return handler(message as never, chat, services);
}
