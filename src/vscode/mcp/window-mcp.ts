// The MCP servers of this window: which may run, what people see of them, and what the manager's buttons do.
import { defined } from '../../shared/defined';
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { withoutCredentials } from '../../core/text/credentials';
import { inlineServers } from '../../core/mcp/inline-servers';
import { type McpConfigSource } from '../../core/mcp/config-source';
import { timesNow } from '../../core/mcp/limits';
import { type McpConfiguration, readMcpConfig } from '../../core/mcp/read-config';
import { type McpStanding, standingOf } from '../../core/mcp/standing';
import { type PluginCheck } from '../../core/ports/plugin-identity';
import { createSmallModel } from '../../core/model/small-model';
import { textOf } from '../../core/model/whole-reply';
import { type Clock } from '../../core/ports/clock';
import { type ModelClient } from '../../core/ports/model';
import { type McpPeople, type McpServerEntry, type McpServers, type McpServerStatus } from '../../core/ports/mcp';
import { createMcpServers, type RunningMcpServers } from '../../node/mcp/create-mcp-servers';
import { findMcpFiles } from '../../node/mcp/find-config';
import { type McpSample } from '../../node/mcp/link';
import { watchSettings } from '../../node/settings-files';
import { type NoticeItem } from '../../shared/chat';
import { type McpAction, type McpServerRow, type NewMcpServer } from '../../shared/mcp-view';
import { nativeFolders } from '../host/workspace-facts';
import { readConfiguration } from '../host/configuration';
import { pathOf } from '../host/uri-path';
import { type RuleSource } from '../session/rule-source';
import { createCallingChats } from './calling-chats';
import { withExtensionTools } from './extension-tools';
import { entryFingerprint, type McpConsent } from './mcp-consent';
import { type McpFiles } from './mcp-files';
import { answersFor, approveWithAnswers, type McpInputs } from './input-answers';
import { mcpNotices } from './mcp-notices';
import { mcpRow } from './mcp-rows';
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
  secrets(): readonly string[];
  model: Pick<ModelClient, 'stream' | 'capabilities'>;
  clock: Pick<Clock, 'sleep'>;
  smallModel(): string;
  version: string;
  trusted?: () => boolean;
  home?: string;
  variables?: NodeJS.ProcessEnv;
}

export interface WindowMcp {
  /** Nothing is read or started before the first call. */
  start(): void;
  readonly servers: McpServers;
  /** For the sessions of one chat: what servers ask meanwhile goes to its user. */
  of(people: McpPeople): McpServers;
  /** Those that an agent's own file describes, for it alone. */
  startServers(servers: Record<string, unknown>, file: string | undefined): McpServers;
  rows(): McpServerRow[];
  /** Tokens and answers, which nothing may show. */
  secrets(): readonly string[];
  notices(): NoticeItem[];
  /** A sentence where it did not work. `seen` is the fingerprint of the entry that the user had before them. */
  act(server: string, seen: string, action: McpAction): Promise<string | undefined>;
  /** A sentence where nothing was added. */
  add(server: NewMcpServer): Promise<string | undefined>;
  /** The browser comes back from a sign-in. */
  signedIn(query: string): void;
  /** Soon after a change, once for several. */
  onDidChange(listener: () => void): vscode.Disposable;
  dispose(): Promise<void>;
}

/** Servers that connect change many times within a moment. */
const quietMs = 100;

export function createWindowMcp(options: WindowMcpOptions): WindowMcp {
  const { rules, consent, files, signIns, inputs } = options;
  const { trusted = () => vscode.workspace.isTrusted, home = os.homedir(), variables = process.env } = options;
  const chats = createCallingChats();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const watch = watchSettings(() => void running.refresh());

  const configuration = async (): Promise<McpConfiguration> => {
    await begun;
    const [environment] = await Promise.all([
      options.environment(),
      rules.load().catch(() => undefined),
      signIns.load(),
    ]);
    const folders = nativeFolders();
    const request = { folders, home, environment: variables, editor: true };
    // Before they are read: what changes meanwhile is seen.
    await watch.follow((await findMcpFiles(request)).watched);
    const found = await findMcpFiles(request);
    const answers = new Map(
      await Promise.all(
        found.sources.map(
          async ({ scope, file }) =>
            [file, scope === 'editor' && file !== undefined ? await inputs.load(file) : undefined] as const,
        ),
      ),
    );
    const ofPlugins = (await options.plugins?.servers()) ?? [];
    const { entries, problems } = readMcpConfig(
      [...found.sources, ...ofPlugins],
      variablesIn(environment),
      ({ scope, file }, server) => (scope === 'editor' ? answersFor(answers.get(file), server) : undefined),
    );
    return { entries, problems: [...found.problems, ...problems] };
  };
  const variablesIn = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
    const [first] = nativeFolders();
    return {
      ...withoutCredentials(variables),
      ...environment,
      ...rules.environment(),
      ...defined({ CLAUDE_PROJECT_DIR: first }),
    };
  };
  const standing = (entry: McpServerEntry): McpStanding => {
    const isTrusted = trusted();
    const { enableAllProjectMcpServers, enabledMcpjsonServers, ...others } = rules.values();
    const enabling = {
      ...defined({ enableAllProjectMcpServers, enabledMcpjsonServers }),
    };
    return standingOf(entry, {
      settings: { ...others, ...(isTrusted ? enabling : {}) },
      trusted: isTrusted,
      approved: (one) => isTrusted && consent.isApproved(projectOf(one), one),
      switchedOff: consent.isOff,
    });
  };
  const sample = async (
    { system, messages, maxTokens }: McpSample,
    signal: AbortSignal,
  ): Promise<{ text: string; model: string }> => {
    const small = createSmallModel(
      options.smallModel(),
      { model: options.model, clock: options.clock },
      () => undefined,
    );
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
  };
  const host = {
    standing,
    times: timesNow(() => ({ ...variables, ...rules.environment() })),
    projectFolder: nativeFolders()[0],
    folders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOf(uri)),
    environment: options.environment,
    version: options.version,
    people: chats.people,
    sample,
    auth: (entry: McpServerEntry) => signIns.of(entry),
    refuses: async ({ plugin }: McpServerEntry) =>
      plugin === undefined ? undefined : options.plugins?.refuses(plugin),
  };
  const running: RunningMcpServers = createMcpServers({ ...host, configuration });
  const servers: McpServers = {
    ...withExtensionTools(running, (entry) => readConfiguration().extensionTools && standing(entry).kind === 'allowed'),
    async signIn(server, signal) {
      const entry = statusOf(server)?.entry;
      if (entry === undefined) return `There is no MCP server ${server} any more.`;
      return signIns.during(entry, signal, (cancel) => running.signIn(server, cancel));
    },
  };
  const statusOf = (server: string): McpServerStatus | undefined =>
    running.list().find(({ entry }) => entry.name === server);
  const refreshed = async (problem: string | undefined): Promise<string | undefined> => {
    await running.refresh();
    return problem;
  };
  const offBySettings = (entry: McpServerEntry): boolean =>
    entry.scope === 'project' && rules.values().disabledMcpjsonServers?.includes(entry.name) === true;

  const act = async (server: string, seen: string, action: McpAction): Promise<string | undefined> => {
    const named = [...running.list(), ...running.unapproved()]
      .map(({ entry }) => entry)
      .filter(({ name }) => name === server);
    // Two may have one name: it is the one that the user had before them.
    const entry = named.find((one) => entryFingerprint(one) === seen) ?? named[0];
    if (entry === undefined) return `There is no server ${server} any more.`;
    switch (action) {
      case 'reconnect':
        // One that stands has what it needs.
        if (statusOf(server)?.state.kind === 'failed' && (entry.inputs ?? []).length > 0) {
          // Where all is answered, giving up keeps the answers.
          if (!(await inputs.ask(entry)) && entry.missing !== undefined)
            return `${server} is not started without an answer.`;
          await running.refresh();
        }
        await running.reconnect(server);
        return undefined;
      case 'signIn':
        return servers.signIn(server, new AbortController().signal);
      case 'signOut':
        await running.signOut(server);
        return undefined;
      case 'open':
        return files.open(entry);
      case 'remove':
        return refreshed(await files.remove(entry));
      case 'disable':
        await consent.switchOff(entry, true);
        return refreshed(undefined);
      case 'enable': {
        await consent.switchOff(entry, false);
        return refreshed(offBySettings(entry) ? await files.enable(entry) : undefined);
      }
      case 'approve':
        if (!trusted()) return 'Trust this workspace first: until then nothing that it names is started.';
        if (entryFingerprint(entry) !== seen)
          return `The entry of ${server} has changed since you looked at it. Look at it again.`;
        return refreshed(
          (await approveWithAnswers(entry, inputs, () => consent.approve(projectOf(entry), entry)))
            ? undefined
            : `${server} is not approved without an answer.`,
        );
    }
  };
  const changed = new vscode.EventEmitter<void>();
  let notifyTimer: NodeJS.Timeout | undefined;
  running.onChange(() => {
    notifyTimer ??= setTimeout(() => {
      notifyTimer = undefined;
      changed.fire();
    }, quietMs);
  });
  const subscriptions = [
    changed,
    rules.onDidChange(() => void running.refresh()),
    ...(options.plugins === undefined ? [] : [options.plugins.onDidChange(() => void running.refresh())]),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      running.foldersChanged();
      void running.refresh();
    }),
    ...watchInWorkspace(() => void running.refresh()),
    watch,
  ];

  return {
    start: () => begin(),
    servers,
    of: (people) => chats.of(servers, people),
    startServers: (inline, file) =>
      createMcpServers({
        ...host,
        configuration: async () => inlineServers(inline, file, variablesIn(await options.environment())),
      }),
    rows: () =>
      [false, true].flatMap((isUnapproved) =>
        (isUnapproved ? running.unapproved() : running.list()).map((status) =>
          mcpRow(status, {
            trusted: trusted(),
            secrets: [...options.secrets(), ...signIns.secrets(), ...inputs.secrets()],
            // What is beside has neither run nor signed in: the other of its name has.
            log: isUnapproved ? () => [] : running.log,
            shownPath: (file) => shownPath(file, home),
            signedIn: (entry) => !isUnapproved && signIns.isSignedIn(entry),
            canEnable: (entry) => consent.isOff(entry) || offBySettings(entry),
          }),
        ),
      ),
    secrets: () => [...signIns.secrets(), ...inputs.secrets()],
    notices: () => mcpNotices([...running.list(), ...running.unapproved()], running.problems(), trusted()),
    act,
    async add(server) {
      const added = await files.add(server);
      if (!added.ok) return added.problem;
      // The user wrote it: that needs no second consent.
      await consent.approve(projectOf(added.entry), added.entry);
      await running.refresh();
      return undefined;
    },
    signedIn: signIns.cameBack,
    onDidChange: changed.event,
    async dispose() {
      clearTimeout(notifyTimer);
      subscriptions.forEach((subscription) => subscription.dispose());
      signIns.dispose();
      await running.dispose();
    },
  };
}

/** Approvals are kept by the folder whose file names the server. */
function projectOf({ file, scope }: Pick<McpServerEntry, 'file' | 'scope'>): string {
  if (file === undefined) return '';
  return path.posix.dirname(scope === 'editor' ? path.posix.dirname(file) : file);
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
