// Binds a chat to the webview that shows it, in the side bar or in an editor tab.
import * as vscode from 'vscode';
import { type HostMessage } from '../../shared/host-messages';
import { Chat } from './conversation/chat';
import { type ChatServices } from './conversation/chat-needs';
import { noteFocus } from './conversation/chat-focus';
import { chatHtml } from './chat-html';
import { type HandlerServices } from './panel/handler';
import { handleMessage } from './messages/message-handlers';
import { takeMessage } from './messages/take-message';

export interface ChatHost extends vscode.Disposable {
  readonly chat: Chat;
  readonly webview: vscode.Webview;
  post(message: HostMessage): void;
  /** Shows the webview and puts the cursor into the composer. */
  reveal(): void;
  /** The user can see it now. */
  visible(): boolean;
  /** Resolves once the webview listens; anew for one that was hidden and comes back. */
  readonly ready: Promise<void>;
  /** Stops what runs; resolves when its log is closed. */
  dispose(): Promise<void>;
}

export interface ChatHostOptions {
  webview: vscode.Webview;
  extensionUri: vscode.Uri;
  services: ChatServices;
  handlers: Omit<HandlerServices, 'post'>;
  reveal: () => void;
  visible: () => boolean;
  onDidChangeVisibility: vscode.Event<unknown>;
}

export function bindChat(options: ChatHostOptions): ChatHost {
  const { webview, services, handlers } = options;
  const post = (message: HostMessage): void => void webview.postMessage(message);
  const chat = new Chat(services, post);
  let ready = createArrival();

  const subscriptions = [
    webview.onDidReceiveMessage((value: unknown) => {
      const message = takeMessage(value, {
        post,
        log: handlers.log,
        notice: (...said) => chat.notice(...said),
        handle: (taken) => handleMessage(taken, chat, { ...handlers, post }),
      });
      if (message?.type === 'ready') ready.arrived();
    }),
    options.onDidChangeVisibility(() => {
      // A hidden webview is gone; when it comes back it asks for a snapshot.
      if (options.visible()) return;
      chat.poster.silence();
      noteFocus(chat, false);
      // Who waits already waits for the same one.
      if (ready.isOver) ready = createArrival();
    }),
  ];

  webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(options.extensionUri, 'dist')] };
  webview.html = chatHtml(webview, options.extensionUri);

  return {
    chat,
    webview,
    post,
    get ready() {
      return ready.promise;
    },
    reveal: options.reveal,
    visible: options.visible,
    async dispose() {
      subscriptions.forEach((subscription) => subscription.dispose());
      noteFocus(chat, false);
      chat.poster.dispose();
      await chat.dispose();
    },
  };
}

interface Arrival {
  readonly promise: Promise<void>;
  readonly isOver: boolean;
  arrived(): void;
}

function createArrival(): Arrival {
  let isOver = false;
  let resolvePromise = (): void => undefined;
  const promise = new Promise<void>((resolve) => (resolvePromise = resolve));
  return {
    promise,
    get isOver() {
      return isOver;
    },
    arrived() {
      isOver = true;
      resolvePromise();
    },
  };
}
