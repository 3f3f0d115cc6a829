// The ports of a window's sessions that no activation waits for: search, web, notebooks, documents, processes.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { type Ports } from '../../core/ports/ports';
import { type Search } from '../../core/ports/search';
import { withMcpTools } from '../../core/hooks/mcp-hook';
import { searchByPlace } from '../../core/search/search-by-place';
import { createWalkSearch } from '../../core/search/walk-search';
import { createNodeDocuments } from '../../node/documents/node-documents';
import { createNodeHookHandlers } from '../../node/hooks/node-hook-handlers';
import { createNodePages } from '../../node/page/node-pages';
import { createNodeRepl } from '../../node/repl/node-repl';
import { createNodeSandbox } from '../../node/sandbox/node-sandbox';
import { findRipgrep } from '../../node/search/ripgrep-path';
import { createRipgrepSearch } from '../../node/search/ripgrep-search';
import { createGit } from '../../node/worktrees/git-state';
import { createGitWorktrees } from '../../node/worktrees/git-worktrees';
import { worktreesDirectory } from '../../node/worktrees/worktrees-directory';
import { createRunGit } from '../../node/worktrees/run-git';
import { createWebClient } from '../../node/web/web-client';
import { patternInThread } from '../../node/search/pattern-thread';
import { markdownInThread } from '../../node/web/web-markdown-thread';
import { uriOf } from '../host/uri-path';
import { readConfiguration, writeSettings } from '../host/configuration';
import { createConfiguration, type Manifest } from './configuration-port';
import { createDebugger } from '../debugger/vscode-debugger';
import { createRefactorings } from '../languages/refactorings';
import { createLanguages } from '../languages/vscode-languages';
import { createEditorTasks } from '../tasks/editor-tasks';
import { createEditorTests } from '../tests/editor-tests';
import { createVscodeNotebooks } from '../notebooks/vscode-notebooks';
import { type McpServers } from '../../core/ports/mcp';
import { passedVariables } from '../session/variables-now';
import { type AgentOptions } from './agent-options';

export type WindowPorts = Omit<Ports, 'approver' | 'questioner' | 'sessions'>;

interface ToolProcesses {
  readonly repl: ReturnType<typeof createNodeRepl>;
  readonly pages: ReturnType<typeof createNodePages>;
  readonly sandbox: ReturnType<typeof createNodeSandbox>;
}

/** The processes that tools run in. Whoever makes them closes them. */
export function createToolProcesses({ context, terminal }: Pick<AgentOptions, 'context' | 'terminal'>): ToolProcesses {
  return {
    repl: createNodeRepl({ environment: terminal.environment }),
    pages: createNodePages({
      search: async () => ({ chosen: readConfiguration().pageBrowser, environment: await terminal.environment() }),
    }),
    sandbox: createNodeSandbox({
      file: context.asAbsolutePath('dist/sandbox-worker.js'),
      environment: terminal.environment,
      ripgrep: findWindowRipgrep,
    }),
  };
}

/** Without those that each session has of its own. */
export function createWindowPorts(
  { context, clock, log, models, files, diagnostics, terminal, rules, watchCells }: AgentOptions,
  { repl, pages, sandbox }: ToolProcesses,
  mcp: McpServers,
): WindowPorts {
  const runGit = createRunGit(terminal.environment);
  const { version } = context.extension.packageJSON as { version: string };
  return {
    files,
    search: createSearch(files, context),
    terminal,
    diagnostics,
    problems: diagnostics,
    languages: createLanguages(files),
    refactorings: createRefactorings(files),
    debugger: createDebugger(context.workspaceState, context.subscriptions),
    tests: createEditorTests(),
    editorTasks: createEditorTasks(diagnostics),
    model: models.client,
    clock,
    uuid: () => crypto.randomUUID(),
    log,
    configuration: createConfiguration(
      context.extension.packageJSON as Manifest,
      () => vscode.workspace.getConfiguration('deft'),
      () => rules.current().rules,
    ),
    // VS Code's proxy settings work underneath.
    web: createWebClient({ version, toMarkdown: markdownInThread(context.asAbsolutePath('dist/web-markdown.js')) }),
    notebooks: createVscodeNotebooks({ files, settings: writeSettings, watch: watchCells }),
    documents: createNodeDocuments({ workers: path.join(context.extensionPath, 'dist') }),
    repl,
    pages,
    sandbox,
    hooks: withMcpTools(
      createNodeHookHandlers({ environment: terminal.environment, passed: () => passedVariables(rules) }),
      mcp,
    ),
    worktrees: createGitWorktrees(runGit, worktreesDirectory(homeFolder())),
    git: createGit(runGit),
  };
}

/** The one that VS Code comes with, or that of the user. */
export function findWindowRipgrep(): ReturnType<typeof findRipgrep> {
  return findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] });
}

/** ripgrep where a folder is on the disk, the filesystem API where it is not. */
function createSearch(files: Ports['files'], context: vscode.ExtensionContext): Search {
  const ripgrep = createRipgrepSearch(findWindowRipgrep);
  const walk = createWalkSearch(files, {
    openPattern: patternInThread(context.asAbsolutePath('dist/pattern-worker.js')),
  });
  return searchByPlace((path) => uriOf(path).scheme === 'file', ripgrep, walk);
}
