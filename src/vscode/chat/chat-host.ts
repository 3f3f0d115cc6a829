// Binds a chat to the webview that shows it, in the side bar or in an editor tab.
import * as vscode from 'vscode';
import { messageOf } from '../../core/errors';
import { type HostMessage, parseWebviewMessage } from '../../shared/protocol';
import { Chat } from './chat';
import { type ChatServices } from './chat-needs';
import { noteFocus } from './chat-focus';
import { chatHtml } from './chat-html';
import { type HandlerServices } from './handler';
import { handleMessage } from './message-handlers';

export type ChatHandlers = Omit<HandlerServices, 'post'>;

export interface ChatHost extends vscode.Disposable {
  readonly chat: Chat;
  readonly webview: vscode.Webview;
  post(message: HostMessage): void;
  /** Shows the webview and puts the cursor into the composer. */
  reveal(): void;
  /** Resolves once the webview has asked for its snapshot; anew where it was hidden. */
  readonly ready: Promise<void>;
}

export interface ChatHostOptions {
  webview: vscode.Webview;
  extensionUri: vscode.Uri;
  services: ChatServices;
  handlers: ChatHandlers;
  reveal: () => void;
  visible: () => boolean;
  onDidChangeVisibility: vscode.Event<unknown>;
}

export function bindChat(options: ChatHostOptions): ChatHost {
  const { webview, services, handlers } = options;
  const post = (message: HostMessage): void => void webview.postMessage(message);
  const chat = new Chat(services, post);
  let ready = createGate();

  const subscriptions = [
    webview.onDidReceiveMessage((value: unknown) => {
      const message = parseWebviewMessage(value);
      if (message === undefined) {
        handlers.log('warn', `The webview sent something that is not a message: ${JSON.stringify(value)?.slice(0, 200)}`);
        return;
      }
      handleMessage(message, chat, { ...handlers, post }).catch((error: unknown) => {
        handlers.log('error', `${message.type}: ${messageOf(error)}`);
        chat.notice('error', 'That did not work.', messageOf(error), { label: 'Show log', command: 'showLog' });
      });
      if (message.type === 'ready') ready.open();
    }),
    options.onDidChangeVisibility(() => {
      // A hidden webview is gone; when it comes back it asks for a snapshot.
      if (options.visible()) return;
      chat.poster.silence();
      noteFocus(chat, false);
      if (ready.isOpen()) ready = createGate();
    }),
  ];

  webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(options.extensionUri, 'dist')] };
  webview.html = chatHtml(webview, options.extensionUri);

  return {
    chat,
    webview,
    post,
    get ready() {
      return ready.opened;
    },
    reveal: options.reveal,
    dispose() {
      subscriptions.forEach((subscription) => subscription.dispose());
      noteFocus(chat, false);
      chat.poster.dispose();
      void chat.dispose();
    },
  };
}

function createGate(): { readonly opened: Promise<void>; open(): void; isOpen(): boolean } {
  let resolve: () => void = () => undefined;
  let isOpen = false;
  const opened = new Promise<void>((done) => (resolve = done));
  return { opened, open: () => ((isOpen = true), resolve()), isOpen: () => isOpen };
}
