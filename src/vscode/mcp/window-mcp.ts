// The MCP servers of this window: which may run, what users see of them, and what the manager's buttons do.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { type McpConfigSource } from '../../core/mcp/config-source';
import { timesNow } from '../../core/mcp/limits';
import { type McpStanding, standingOf } from '../../core/mcp/standing';
import { type PluginCheck } from '../../core/ports/plugin-identity';
import { createSmallModel } from '../../core/model/small-model';
import { textOf } from '../../core/model/whole-reply';
import { type Clock } from '../../core/ports/clock';
import { type ModelClient } from '../../core/ports/model';
import { type Secrets } from '../../core/text/redact';
import { type McpPeople, type McpServerEntry, type McpServers } from '../../core/ports/mcp';
import { createMcpServers, type RunningMcpServers } from '../../node/mcp/create-mcp-servers';
import { type McpSample } from '../../node/mcp/link';
import { type McpServersOptions } from '../../node/mcp/server-set';
import { watchSettings } from '../../node/settings-files';
import { type NoticeItem } from '../../shared/chat';
import { type McpAction, type McpServerRow, type NewMcpServer } from '../../shared/mcp-view';
import { nativeFolders } from '../host/workspace-facts';
import { readConfiguration } from '../host/configuration';
import { pathOf } from '../host/uri-path';
import { type RuleSource } from '../session/rule-source';
import { passedVariables } from '../session/variables-now';
import { createCallingChats } from './calling-chats';
import { withExtensionTools } from './extension-tools';
import { type McpConsent, projectOf } from './mcp-consent';
import { McpEntries } from './mcp-entries';
import { type McpFiles } from './mcp-files';
import { type McpInputs } from './input-answers';
import { mcpNotices } from './mcp-notices';
import { mcpRow } from './mcp-rows';
import { ServerActions } from './server-actions';
import { type SignIns } from './sign-in';

export interface WindowMcpOptions {
  rules: Pick<RuleSource, 'load' | 'values' | 'environment' | 'onDidChange'>;
  consent: McpConsent;
  files: McpFiles;
  signIns: SignIns;
  inputs: McpInputs;
  /** Servers of plugins that are on, and that the user has agreed to. */
  plugins?: {
    servers(): Promise<readonly McpConfigSource[]>;
    refuses: PluginCheck;
    readonly onDidChange: vscode.Event<void>;
  };
  environment(): Promise<NodeJS.ProcessEnv>;
  secrets(): Secrets;
  model: Pick<ModelClient, 'stream' | 'capabilities'>;
  clock: Pick<Clock, 'sleep'>;
  smallModel(): string;
  version: string;
  trusted?: () => boolean;
  home?: string;
  variables?: NodeJS.ProcessEnv;
}

/** Servers that connect change many times within a moment. */
const quietMs = 100;

export class WindowMcp {
  readonly servers: McpServers;
  readonly #options: WindowMcpOptions;
  readonly #home: string;
  readonly #chats = createCallingChats();
  readonly #entries: McpEntries;
  readonly #host: Omit<McpServersOptions, 'configuration'>;
  readonly #running: RunningMcpServers;
  readonly #actions: ServerActions;
  readonly #changed = new vscode.EventEmitter<void>();
  #notifyTimer: NodeJS.Timeout | undefined;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(options: WindowMcpOptions) {
    const { rules, signIns, plugins, environment, home = homeFolder(), variables = process.env } = options;
    this.#options = options;
    this.#home = home;
    const refresh = (): void => void this.#running.refresh();
    const watch = watchSettings(refresh);
    const pluginServers = async (): Promise<readonly McpConfigSource[]> => (await plugins?.servers()) ?? [];
    this.#entries = new McpEntries({ ...options, environment, pluginServers, home, variables, watch });
    this.#host = {
      standing: (entry) => this.#standing(entry),
      times: timesNow(() => ({ ...variables, ...rules.environment() })),
      projectFolder: nativeFolders()[0],
      folders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOf(uri)),
      environment,
      passed: () => passedVariables(rules),
      version: options.version,
      people: this.#chats.people,
      sample: (asked, signal) => answerSample(asked, options, signal),
      auth: (entry) => signIns.of(entry),
      refuses: async ({ plugin }) => (plugin === undefined ? undefined : plugins?.refuses(plugin)),
    };
    this.#running = createMcpServers({ ...this.#host, configuration: () => this.#entries.read() });
    this.servers = this.#withSignIn();
    this.#actions = new ServerActions({
      ...options,
      running: this.#running,
      signIn: this.servers.signIn,
      trusted: () => this.#trusted(),
    });
    this.#running.onChange(() => this.#changedSoon());
    this.#subscriptions = [
      this.#changed,
      rules.onDidChange(refresh),
      ...(plugins === undefined ? [] : [plugins.onDidChange(refresh)]),
      vscode.workspace.onDidGrantWorkspaceTrust(refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#running.foldersChanged();
        refresh();
      }),
      ...watchInWorkspace(refresh),
      watch,
    ];
  }

  /** Nothing is read or started before the first call. */
  start(): void {
    this.#entries.start();
  }

  /** For the sessions of one chat: what servers ask meanwhile goes to its user. */
  of(people: McpPeople): McpServers {
    return this.#chats.of(this.servers, people);
  }

  /** Those that an agent's own file describes, for it alone. */
  startServers(inline: Record<string, unknown>, file: string | undefined): McpServers {
    return createMcpServers({ ...this.#host, configuration: () => this.#entries.inline(inline, file) });
  }

  rows(): McpServerRow[] {
    const { signIns, inputs, secrets } = this.#options;
    return [false, true].flatMap((isUnapproved) =>
      (isUnapproved ? this.#running.unapproved() : this.#running.list()).map((status) =>
        mcpRow(status, {
          trusted: this.#trusted(),
          secrets: [...secrets(), ...signIns.secrets(), ...inputs.secrets()],
          // What is not approved has neither run nor signed in: the other of its name has.
          log: isUnapproved ? () => [] : this.#running.log,
          shownPath: (file) => shownPath(file, this.#home),
          signedIn: (entry) => !isUnapproved && signIns.isSignedIn(entry),
          canEnable: (entry) => this.#actions.canEnable(entry),
        }),
      ),
    );
  }

  /** Tokens and answers, which nothing may show. */
  secrets(): readonly string[] {
    return [...this.#options.signIns.secrets(), ...this.#options.inputs.secrets()];
  }

  notices(): NoticeItem[] {
    const all = [...this.#running.list(), ...this.#running.unapproved()];
    return mcpNotices(all, this.#running.problems(), this.#trusted());
  }

  /** A sentence where it did not work. `seen` is the fingerprint of the entry that the user had before them. */
  act(server: string, seen: string, action: McpAction): Promise<string | undefined> {
    return this.#actions.act(server, seen, action);
  }

  /** A sentence where nothing was added. */
  add(server: NewMcpServer): Promise<string | undefined> {
    return this.#actions.add(server);
  }

  /** The browser comes back from a sign-in. */
  signedIn(query: string): void {
    this.#options.signIns.cameBack(query);
  }

  /** Soon after a change, once for several. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#changed.event(listener);
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#notifyTimer);
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#options.signIns.dispose();
    await this.#running.dispose();
  }

  #changedSoon(): void {
    this.#notifyTimer ??= setTimeout(() => {
      this.#notifyTimer = undefined;
      this.#changed.fire();
    }, quietMs);
  }

  #trusted(): boolean {
    return this.#options.trusted?.() ?? vscode.workspace.isTrusted;
  }

  #standing(entry: McpServerEntry): McpStanding {
    const { rules, consent } = this.#options;
    const trusted = this.#trusted();
    const { enableAllProjectMcpServers, enabledMcpjsonServers, ...others } = rules.values();
    const enabling = defined({ enableAllProjectMcpServers, enabledMcpjsonServers });
    return standingOf(entry, {
      settings: { ...others, ...(trusted ? enabling : {}) },
      trusted,
      approved: (one) => trusted && consent.isApproved(projectOf(one), one),
      switchedOff: consent.isOff,
    });
  }

  /** With the tools of other extensions, and sign-ins that their own window shows. */
  #withSignIn(): McpServers {
    const running = this.#running;
    const { signIns } = this.#options;
    return {
      ...withExtensionTools(
        running,
        (entry) => this.#standing(entry).kind === 'allowed',
        () => readConfiguration().extensionTools,
      ),
      async signIn(server, signal) {
        const entry = running.list().find((status) => status.entry.name === server)?.entry;
        if (entry === undefined) return `The MCP server ${server} no longer exists.`;
        return signIns.during(entry, signal, (cancel) => running.signIn(server, cancel));
      },
    };
  }
}

/** By the small model. */
async function answerSample(
  { system, messages, maxTokens }: McpSample,
  { smallModel, model, clock }: Pick<WindowMcpOptions, 'smallModel' | 'model' | 'clock'>,
  signal: AbortSignal,
): Promise<{ text: string; model: string }> {
  const small = createSmallModel(smallModel(), { model, clock }, () => undefined);
  const { content } = await small.ask(
    {
      max_tokens: maxTokens,
      system: system === undefined ? [] : [{ type: 'text', text: system }],
      tools: [],
      messages: messages.map(({ role, text }) => ({ role, content: [{ type: 'text', text }] })),
    },
    signal,
  );
  return { text: textOf(content), model: small.id };
}

function shownPath(file: string, home: string): string {
  const relative = vscode.workspace.asRelativePath(file, false);
  return relative === file && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : relative;
}

/** Faster than looking now and then. */
function watchInWorkspace(changed: () => void): vscode.Disposable[] {
  return ['**/.mcp.json', '**/.vscode/mcp.json'].flatMap((pattern) => {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    return [watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed)];
  });
}
