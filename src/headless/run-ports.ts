// The ports of a run: this machine's files, processes and clock, and nobody to ask.
import { defined } from '../shared/defined';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { homeFolder } from '../node/home-folder';
import { type Checkpoints } from '../core/ports/checkpoints';
import { type CheckCommand } from '../core/ports/checks';
import { type CommandSandbox } from '../core/ports/command-sandbox';
import { type HookHandlers } from '../core/ports/hook-handlers';
import { type McpServers } from '../core/ports/mcp';
import { type Pages } from '../core/ports/pages';
import { type Repl } from '../core/ports/repl';
import { type Log } from '../core/ports/log';
import { type Ports } from '../core/ports/ports';
import { type SessionStore } from '../core/ports/session-store';
import { type ModelClient } from '../core/ports/model';
import { createNodeCheckpoints } from '../node/checkpoints/node-checkpoints';
import { createNodeDocuments } from '../node/documents/node-documents';
import { createNodeFileSystem } from '../node/files/node-file-system';
import { createRipgrepSearch } from '../node/search/ripgrep-search';
import { findRipgrep } from '../node/search/ripgrep-path';
import { createSystemClock } from '../node/system-clock';
import { createWebClient } from '../node/web/web-client';
import { markdownInThread } from '../node/web/web-markdown-thread';
import { environmentProxy } from '../node/web/web-proxy';
import { withMcpTools } from '../core/hooks/mcp-hook';
import { createSettingsStore, type SettingsStoreOptions } from '../core/settings/settings-store';
import { createNodeHookHandlers } from '../node/hooks/node-hook-handlers';
import { createNodePages } from '../node/page/node-pages';
import { createNodeRepl } from '../node/repl/node-repl';
import { cleanEnvironment } from '../node/terminal/command-environment';
import { createNodeSandbox } from '../node/sandbox/node-sandbox';
import { createGit } from '../node/worktrees/git-state';
import { createGitWorktrees } from '../node/worktrees/git-worktrees';
import { worktreesDirectory } from '../node/worktrees/worktrees-directory';
import { createRunGit } from '../node/worktrees/run-git';
import { createNodeTerminal } from '../node/terminal/node-terminal';
import { listedProcesses } from '../node/terminal/process-tree';
import { createDenyApprover } from './deny-approver';
import { type RunEditor } from './run-basis';

export interface RunPortsOptions {
  /** For commands; credentials are taken out of it. */
  environment: NodeJS.ProcessEnv;
  /** Variables that hooks inherit though they look like credentials. */
  passed: readonly string[];
  /** The folder of this bundle: workers lie in it, and ripgrep may be installed next to or above it. */
  installation: string;
  version: string;
  model: ModelClient;
  sessions: SessionStore;
  log: Log;
  /** A sentence for standard error. */
  warn(message: string): void;
  /** Takes the files of commands where the temporary folder does not. */
  commandsFolder: string;
  /** What the settings name for Problems; none: there is no such tool. */
  checks: readonly CheckCommand[];
  /** Left out where there are to be none. */
  mcp?: McpServers;
  /** Left out where nobody can be asked. */
  people?: Pick<RunEditor, 'approver' | 'questioner'> | undefined;
  /** What the host has for files and commands. */
  hands?: Pick<RunEditor, 'files' | 'launch'> | undefined;
  /** Where permission updates of hooks and of the program are saved. */
  saves: Pick<SettingsStoreOptions, 'target' | 'locked'>;
  /** Hooks of the program that runs Deft. */
  callback?: HookHandlers['callback'];
}

export interface RunPorts extends Ports {
  terminal: ReturnType<typeof createNodeTerminal>;
  repl: Repl;
  pages: Pages;
  sandbox: CommandSandbox;
  checkpoints: Checkpoints;
}

export function createRunPorts({
  environment,
  passed,
  installation,
  version,
  model,
  sessions,
  log,
  warn,
  commandsFolder,
  checks,
  mcp,
  saves,
  people,
  hands = {},
  callback,
}: RunPortsOptions): RunPorts {
  const ripgrep = () => findRipgrep({ searchPath: environment['PATH'], packageRoots: [installation] });
  const own = createNodeFileSystem();
  const files = hands.files?.(own) ?? own;
  const runGit = createRunGit(async () => environment);
  return {
    files,
    permissionStore: createSettingsStore({ files, ...saves }),
    search: createRipgrepSearch(ripgrep),
    terminal: createNodeTerminal({
      log,
      environment,
      ...defined({ launch: hands.launch }),
      fallbackRoot: commandsFolder,
      onOrphans: ({ ended, alive }) => {
        if (ended.length > 0)
          warn(`Still running since an earlier run crashed, and ended now: ${listedProcesses(ended)}`);
        if (alive.length > 0)
          warn(`Still running since an earlier run crashed, and could not be ended: ${listedProcesses(alive)}`);
      },
    }),
    sandbox: createNodeSandbox({
      file: path.join(installation, 'sandbox-worker.js'),
      environment: async () => cleanEnvironment(environment),
      ripgrep,
    }),
    // A run may end any moment: the workspace is looked at when a command needs it.
    checkpoints: createNodeCheckpoints({ ripgrep, log, uuid: randomUUID, early: false }),
    repl: createNodeRepl({ environment: async () => cleanEnvironment(environment) }),
    pages: createNodePages({ search: async () => ({ chosen: '', environment: cleanEnvironment(environment) }) }),
    approver: people?.approver ?? createDenyApprover(saves.locked()),
    ...defined({ questioner: people?.questioner }),
    // No editor, no language servers.
    diagnostics: { current: () => [], newSince: async () => [] },
    model,
    sessions,
    clock: createSystemClock(),
    uuid: randomUUID,
    log,
    web: createWebClient({
      version,
      proxyFor: environmentProxy(environment),
      toMarkdown: markdownInThread(path.join(installation, 'web-markdown.js')),
    }),
    documents: createNodeDocuments({ workers: installation }),
    hooks: withMcpTools(
      {
        ...createNodeHookHandlers({ environment: async () => cleanEnvironment(environment), passed: () => passed }),
        ...defined({ callback }),
      },
      mcp,
    ),
    worktrees: createGitWorktrees(runGit, worktreesDirectory(homeFolder())),
    git: createGit(runGit),
    ...defined({ mcp }),
    ...(checks.length === 0 ? {} : { checks: { commands: () => checks } }),
  };
}
