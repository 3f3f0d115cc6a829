// Where chats are shown: the view in the side bar and tabs in the editor, restored after a reload.
import * as vscode from 'vscode';
import { type Log } from '../../core/ports/log';
import { type Agent } from '../agent/agent';
import { createClosing } from '../host/closing';
import { readConfiguration } from '../host/configuration';
import { type ChatHost } from '../chat/chat-host';

const chatViewId = 'deft.chat';
export const chatPanelType = 'deft.chatPanel';

/** Where one chat is shown. */
export interface ChatPlace {
  webview: vscode.Webview;
  reveal: () => void;
  visible: () => boolean;
  onDidChangeVisibility: vscode.Event<unknown>;
  setTitle: (title: string) => void;
  setBadge: (approvals: number) => void;
  inPanel: boolean;
  sessionId: string | undefined;
}

export interface ChatPlacesOptions {
  log: Pick<Log, 'warn'>;
  /** Every chat waits for it, once. */
  agent(): Promise<Agent>;
  /** Binds a chat to a webview; `sessionId` is what it showed before. */
  bind(agent: Agent, place: ChatPlace): ChatHost;
}

export interface ChatPlaces {
  /** The one used last, or the only one. */
  current(): ChatHost | undefined;
  all(): ChatHost[];
  /** Shows the last used chat, opening one where the settings say, and waits until it is there. */
  show(): Promise<ChatHost>;
  openInEditor(sessionId?: string): Promise<ChatHost>;
  /** Ends all chats; resolves when their logs are closed, also those of tabs that were closed before. */
  close(): Promise<void>;
}

export function createChatPlaces(options: ChatPlacesOptions): ChatPlaces {
  const hosts = new Set<ChatHost>();
  let sideBar: ChatHost | undefined;
  let last: ChatHost | undefined;
  let sideBarWanted: { resolve: (host: ChatHost) => void; reject: (error: unknown) => void }[] = [];
  /** The view is there, but its chat could not be loaded: who asks for it next tries again. */
  let unbound: vscode.WebviewView | undefined;
  /** Views and restored tabs whose chat still loads: they are the chats to show. */
  const pending = new Set<Promise<unknown>>();
  const closing = createClosing(options.log);

  const whilePending = async <Result>(work: Promise<Result>): Promise<Result> => {
    pending.add(work);
    try {
      return await work;
    } finally {
      pending.delete(work);
    }
  };

  const track = (host: ChatHost): void => {
    hosts.add(host);
    last = host;
  };
  const forget = (host: ChatHost): void => {
    if (!hosts.delete(host)) return;
    if (last === host) last = [...hosts].at(-1);
    closing.add('A chat', host.dispose());
  };

  const bindView = async (view: vscode.WebviewView): Promise<ChatHost | undefined> => {
    const closed = closedSoFar(view.onDidDispose);
    const agent = await options.agent();
    if (closed()) return undefined;
    const host = options.bind(agent, {
      webview: view.webview,
      reveal: () => view.show(false),
      visible: () => view.visible,
      onDidChangeVisibility: view.onDidChangeVisibility,
      // A view that is gone refuses both; its chat ends a moment later.
      setTitle: (title) => closed() || (view.description = title),
      setBadge: (approvals) =>
        closed() ||
        (view.badge = approvals === 0 ? undefined : { value: approvals, tooltip: 'Deft asks for your approval' }),
      inPanel: false,
      sessionId: undefined,
    });
    sideBar = host;
    track(host);
    view.onDidDispose(() => {
      if (sideBar === host) sideBar = undefined;
      forget(host);
    });
    view.onDidChangeVisibility(() => {
      if (view.visible) last = host;
    });
    return host;
  };
  const bindSideBar = async (view: vscode.WebviewView): Promise<void> => {
    unbound = undefined;
    try {
      const host = await whilePending(bindView(view));
      if (host === undefined) return;
      sideBarWanted.forEach(({ resolve }) => resolve(host));
      sideBarWanted = [];
    } catch (error) {
      unbound = view;
      view.onDidDispose(() => {
        if (unbound === view) unbound = undefined;
      });
      sideBarWanted.forEach(({ reject }) => reject(error));
      sideBarWanted = [];
      throw error;
    }
  };
  const provider: vscode.WebviewViewProvider = { resolveWebviewView: bindSideBar };

  const bindPanel = (agent: Agent, panel: vscode.WebviewPanel, sessionId: string | undefined): ChatHost => {
    panel.iconPath = new vscode.ThemeIcon('comment-discussion') as unknown as vscode.Uri;
    const closed = closedSoFar(panel.onDidDispose);
    const host = options.bind(agent, {
      webview: panel.webview,
      reveal: () => panel.reveal(undefined, false),
      visible: () => panel.visible,
      onDidChangeVisibility: panel.onDidChangeViewState,
      setTitle: (title) => closed() || (panel.title = title === '' ? 'Deft' : title),
      setBadge: () => undefined,
      inPanel: true,
      sessionId,
    });
    track(host);
    panel.onDidDispose(() => forget(host));
    panel.onDidChangeViewState(() => {
      if (panel.active) last = host;
    });
    return host;
  };

  const openInEditor = async (sessionId?: string): Promise<ChatHost> => {
    const agent = await options.agent();
    const panel = vscode.window.createWebviewPanel(chatPanelType, 'Deft', vscode.ViewColumn.Beside, {
      enableScripts: true,
    });
    const host = bindPanel(agent, panel, sessionId);
    await host.ready;
    return host;
  };

  const showSideBar = async (): Promise<ChatHost> => {
    const focus = vscode.commands.executeCommand(`${chatViewId}.focus`);
    const shown = sideBar;
    if (shown !== undefined) {
      await focus;
      return shown;
    }
    const wanted = new Promise<ChatHost>((resolve, reject) => sideBarWanted.push({ resolve, reject }));
    // What fails is told to all who wait for it.
    if (unbound !== undefined) bindSideBar(unbound).catch(() => undefined);
    const [host] = await Promise.all([wanted, focus]);
    return host;
  };

  const subscriptions = [
    vscode.window.registerWebviewViewProvider(chatViewId, provider),
    vscode.window.registerWebviewPanelSerializer(chatPanelType, {
      // The webview's own state holds the session's id, so that a restored tab shows what it showed.
      async deserializeWebviewPanel(panel, state: unknown) {
        const id = typeof state === 'object' && state !== null && 'sessionId' in state ? state.sessionId : undefined;
        const closed = closedSoFar(panel.onDidDispose);
        const load = async (): Promise<void> => {
          const agent = await options.agent();
          if (!closed()) bindPanel(agent, panel, typeof id === 'string' ? id : undefined);
        };
        await whilePending(load());
      },
    }),
  ];

  return {
    current: () => last,
    all: () => [...hosts],
    async show() {
      await Promise.allSettled([...pending]);
      let host: ChatHost;
      if (last !== undefined && last !== sideBar) {
        host = last;
        host.reveal();
      } else if (last === undefined && readConfiguration().location === 'editor') {
        host = await openInEditor();
      } else {
        host = await showSideBar();
      }
      await host.ready;
      return host;
    },
    openInEditor,
    async close() {
      subscriptions.forEach((subscription) => subscription.dispose());
      [...hosts].forEach(forget);
      await closing.settled();
    },
  };
}

/** What nothing may be bound to any more. */
function closedSoFar(onDidDispose: vscode.Event<void>): () => boolean {
  let closed = false;
  onDidDispose(() => (closed = true));
  return () => closed;
}
