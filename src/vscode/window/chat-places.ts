// Where chats are shown: the view in the side bar and tabs in the editor, restored after a reload.
import * as vscode from 'vscode';
import { type Log } from '../../core/ports/log';
import { type SessionState } from '../../shared/session-glance';
import { type Agent } from '../agent/agent';
import { type Closing, createClosing } from '../host/closing';
import { readConfiguration } from '../host/configuration';
import { type ChatHost } from '../chat/chat-host';

const chatViewId = 'deft.chat';
export const chatPanelType = 'deft.chatPanel';

/** What a chat does, or has done that nobody has seen yet. */
export type ChatSign = SessionState;

/** Where one chat is shown. */
export interface ChatPlace {
  webview: vscode.Webview;
  reveal: () => void;
  visible: () => boolean;
  onDidChangeVisibility: vscode.Event<unknown>;
  setTitle: (title: string) => void;
  /** How much waits for the user in all chats; a tab shows none. */
  setBadge: (requests: number) => void;
  /** On its tab; the view of the side bar has none. */
  setSign: (sign: ChatSign) => void;
  inPanel: boolean;
  sessionId: string | undefined;
}

export interface ChatPlacesOptions {
  log: Pick<Log, 'warn'>;
  /** Every chat waits for it, once. */
  agent(): Promise<Agent>;
  /** Binds a chat to a webview; `sessionId` is what it showed before. */
  bind(agent: Agent, place: ChatPlace): ChatHost;
  /** What the tab of a chat shows. */
  iconOf(sign: ChatSign): { light: vscode.Uri; dark: vscode.Uri };
  /** A chat is about to end: its tab was closed, or, not `byUser`, the window closes. */
  closed(host: ChatHost, byUser: boolean): void;
}

export class ChatPlaces {
  readonly #options: ChatPlacesOptions;
  readonly #hosts = new Set<ChatHost>();
  #last: ChatHost | undefined;
  readonly #sideBar: SideBar;
  /** Views and restored tabs whose chat still loads: they are the chats to show. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #closing: Closing;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(options: ChatPlacesOptions) {
    this.#options = options;
    this.#closing = createClosing(options.log);
    this.#sideBar = new SideBar((view) => this.#whilePending(this.#bindView(view)));
    this.#subscriptions = [
      vscode.window.registerWebviewViewProvider(chatViewId, {
        resolveWebviewView: (view) => this.#sideBar.resolve(view),
      }),
      vscode.window.registerWebviewPanelSerializer(chatPanelType, {
        deserializeWebviewPanel: (panel, state) => this.#whilePending(this.#restorePanel(panel, state)),
      }),
    ];
  }

  /** The one used last, or the only one. */
  current(): ChatHost | undefined {
    return this.#last;
  }

  /** What comes next is meant for the chat of the side bar, where there is one. */
  useSideBar(): void {
    this.#last = this.#sideBar.host ?? this.#last;
  }

  all(): ChatHost[] {
    return [...this.#hosts];
  }

  /** Shows the last used chat, opening one where the settings say, and waits until it is there. */
  async show(): Promise<ChatHost> {
    await Promise.allSettled([...this.#pending]);
    let host = this.#last;
    if (host !== undefined && host !== this.#sideBar.host) host.reveal();
    else if (host === undefined && readConfiguration().location === 'editor') host = await this.openInEditor();
    else host = await this.#sideBar.show();
    await host.ready;
    return host;
  }

  async openInEditor(sessionId?: string, column = vscode.ViewColumn.Beside): Promise<ChatHost> {
    const agent = await this.#options.agent();
    const panel = vscode.window.createWebviewPanel(chatPanelType, 'Deft', column, {
      enableScripts: true,
    });
    const host = this.#bindPanel(agent, panel, sessionId);
    await host.ready;
    return host;
  }

  /** Ends all chats; resolves when their logs are closed, also those of tabs that were closed before. */
  async close(): Promise<void> {
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.all().forEach((host) => this.#forget(host, false));
    await this.#closing.settled();
  }

  async #whilePending<Result>(work: Promise<Result>): Promise<Result> {
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }

  #track(host: ChatHost): void {
    this.#hosts.add(host);
    this.#last = host;
  }

  #forget(host: ChatHost, byUser = true): void {
    if (!this.#hosts.delete(host)) return;
    if (this.#last === host) this.#last = this.all().at(-1);
    this.#options.closed(host, byUser);
    this.#closing.add('A chat', host.dispose());
  }

  async #bindView(view: vscode.WebviewView): Promise<ChatHost | undefined> {
    const closed = closedSoFar(view.onDidDispose);
    const agent = await this.#options.agent();
    if (closed()) return undefined;
    const host = this.#options.bind(agent, {
      webview: view.webview,
      reveal: () => view.show(false),
      visible: () => view.visible,
      onDidChangeVisibility: view.onDidChangeVisibility,
      // A view that is gone refuses both; its chat ends a moment later.
      setTitle: (title) => closed() || (view.description = title),
      setBadge: (requests) => closed() || (view.badge = badgeOf(requests)),
      setSign: () => undefined,
      inPanel: false,
      sessionId: undefined,
    });
    this.#sideBar.holds(host, view);
    this.#track(host);
    view.onDidDispose(() => this.#forget(host));
    view.onDidChangeVisibility(() => {
      if (view.visible) this.#last = host;
    });
    return host;
  }

  #bindPanel(agent: Agent, panel: vscode.WebviewPanel, sessionId: string | undefined): ChatHost {
    const closed = closedSoFar(panel.onDidDispose);
    const host = this.#options.bind(agent, {
      webview: panel.webview,
      reveal: () => panel.reveal(undefined, false),
      visible: () => panel.visible,
      onDidChangeVisibility: panel.onDidChangeViewState,
      setTitle: (title) => closed() || (panel.title = title === '' ? 'Deft' : title),
      setBadge: () => undefined,
      // VS Code draws no theme icons on the tabs of webviews.
      setSign: (sign) => closed() || (panel.iconPath = this.#options.iconOf(sign)),
      inPanel: true,
      sessionId,
    });
    this.#track(host);
    panel.onDidDispose(() => this.#forget(host));
    panel.onDidChangeViewState(() => {
      if (panel.active) this.#last = host;
    });
    return host;
  }

  /** The webview's own state holds the session's id, so that a restored tab shows what it showed. */
  async #restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null && 'sessionId' in state ? state.sessionId : undefined;
    const closed = closedSoFar(panel.onDidDispose);
    const agent = await this.#options.agent();
    if (!closed()) this.#bindPanel(agent, panel, typeof id === 'string' ? id : undefined);
  }
}

function badgeOf(requests: number): vscode.ViewBadge | undefined {
  if (requests === 0) return undefined;
  return {
    value: requests,
    tooltip: `Deft: ${requests === 1 ? '1 request waits' : `${requests} requests wait`} for you`,
  };
}

interface Waiting {
  resolve(host: ChatHost): void;
  reject(error: unknown): void;
}

/** The chat of the side bar: VS Code gives its view when it is first shown, and its chat may fail to load. */
class SideBar {
  host: ChatHost | undefined;
  #wanted: Waiting[] = [];
  /** The view is there, but its chat could not be loaded: whoever asks for it next tries again. */
  #unbound: vscode.WebviewView | undefined;
  readonly #bind: (view: vscode.WebviewView) => Promise<ChatHost | undefined>;

  constructor(bind: (view: vscode.WebviewView) => Promise<ChatHost | undefined>) {
    this.#bind = bind;
  }

  async resolve(view: vscode.WebviewView): Promise<void> {
    this.#unbound = undefined;
    try {
      const host = await this.#bind(view);
      if (host === undefined) return;
      this.#answer(({ resolve }) => resolve(host));
    } catch (error) {
      this.#unbound = view;
      view.onDidDispose(() => {
        if (this.#unbound === view) this.#unbound = undefined;
      });
      this.#answer(({ reject }) => reject(error));
      throw error;
    }
  }

  holds(host: ChatHost, view: vscode.WebviewView): void {
    this.host = host;
    view.onDidDispose(() => {
      if (this.host === host) this.host = undefined;
    });
  }

  async show(): Promise<ChatHost> {
    const focus = vscode.commands.executeCommand(`${chatViewId}.focus`);
    const shown = this.host;
    if (shown !== undefined) {
      await focus;
      return shown;
    }
    const wanted = new Promise<ChatHost>((resolve, reject) => this.#wanted.push({ resolve, reject }));
    // Whoever waits for it is informed of a failure.
    if (this.#unbound !== undefined) this.resolve(this.#unbound).catch(() => undefined);
    const [host] = await Promise.all([wanted, focus]);
    return host;
  }

  #answer(how: (waiting: Waiting) => void): void {
    this.#wanted.forEach(how);
    this.#wanted = [];
  }
}

/** What nothing may be bound to any more. */
function closedSoFar(onDidDispose: vscode.Event<void>): () => boolean {
  let closed = false;
  onDidDispose(() => (closed = true));
  return () => closed;
}
