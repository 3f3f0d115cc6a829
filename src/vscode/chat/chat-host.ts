// Binds a chat to the webview that shows it, in the side bar or in an editor tab.
import * as vscode from 'vscode';
import { type HostMessage } from '../../shared/protocol';
import { Chat } from './chat';
import { type ChatServices } from './chat-needs';
import { chatHtml } from './chat-html';
import { type HandlerServices } from './handler';
import { handleMessage } from './message-handlers';
import { takeMessage } from './take-message';

export type ChatHandlers = Omit<HandlerServices, 'post'>;

export interface ChatHost extends vscode.Disposable {
  readonly chat: Chat;
  readonly webview: vscode.Webview;
  post(message: HostMessage): void;
  /** Shows the webview and puts the cursor into the composer. */
  reveal(): void;
  /** Resolves once the webview has asked for its first snapshot. */
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
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (markReady = resolve));

  const subscriptions = [
    webview.onDidReceiveMessage((value: unknown) => {
      const message = takeMessage(value, { post, log: handlers.log, notice: (...said) => chat.notice(...said), handle: (taken) => handleMessage(taken, chat, { ...handlers, post }) });
      if (message?.type === 'ready') markReady();
    }),
    options.onDidChangeVisibility(() => {
      // A hidden webview is gone; when it comes back it asks for a snapshot.
      if (!options.visible()) chat.poster.silence();
    }),
  ];

  webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(options.extensionUri, 'dist')] };
  webview.html = chatHtml(webview, options.extensionUri);

  return {
    chat,
    webview,
    post,
    ready,
    reveal: options.reveal,
    dispose() {
      subscriptions.forEach((subscription) => subscription.dispose());
      chat.poster.dispose();
      void chat.dispose();
    },
  };
}
