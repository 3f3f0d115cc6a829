// The composition root of one VS Code window: which part gets which other part.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { availabilityOf } from '../core/tools/availability';
import { createToolRegistry, getTools } from '../core/tools/registry';
import { type Ports, type Search } from '../core/ports';
import { hiddenPaths } from '../core/permissions/hidden-paths';
import { createJsonlSessionStore } from '../node/jsonl-session-store';
import { createLog } from '../node/file-log';
import { createNodeDocuments } from '../node/documents/node-documents';
import { createNodeRepl } from '../node/repl/node-repl';
import { createRipgrepSearch } from '../node/ripgrep-search';
import { findRipgrep } from '../node/ripgrep-path';
import { sessionsDirectory } from '../node/sessions-directory';
import { createSystemClock } from '../node/system-clock';
import { createWebClient } from '../node/web-client';
import { markdownInThread } from '../node/web-markdown-thread';
import { createWalkSearch } from '../core/search/walk-search';
import * as os from 'node:os';
import { readConfiguration } from './configuration';
import { createConfiguration, type Manifest } from './configuration-port';
import { createChatWindow, lastModeKey, listedModelKey } from './chat/chat-window';
import { createDiagnostics } from './diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from './files/vscode-file-system';
import { createLanguages } from './languages/vscode-languages';
import { createModelSource } from './model/model-source';
import { createVscodeNotebooks } from './notebooks/vscode-notebooks';
import { createChangeReview } from './review/change-review';
import { createProposalReview } from './review/proposal-review';
import { registerReviewFiles } from './review/review-files';
import { createAgreements } from './session/agreements';
import { createRuleSource } from './session/rule-source';
import { createSessionFactory } from './session/session-factory';
import { readEnvironment, workspaceFolders } from './session/workspace-facts';
import { createVscodeTerminal } from './terminal/vscode-terminal';

export interface DeftWindow {
  /** Stops what runs and resolves when all of it is on disk. */
  close(): Promise<void>;
}

export function openWindow(context: vscode.ExtensionContext): DeftWindow {
  const clock = createSystemClock();
  // Settings files have the last word on the environment: they are written for this tool.
  let fromFiles = (): Readonly<Record<string, string>> => ({});
  const models = createModelSource(context.secrets, clock, {
    read: () => rules.load(),
    variables: () => ({ ...process.env, ...fromFiles() }),
  });
  const channel = vscode.window.createOutputChannel('Deft');
  const log = createLog((line) => channel.appendLine(line), {
    level: () => readConfiguration().logLevel,
    secrets: () => models.secrets(),
  });
  const { version } = context.extension.packageJSON as { version: string };
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;

  const reviewFiles = registerReviewFiles();
  const proposals = createProposalReview({ storage: path.join(storage, 'proposals'), reveal: () => readConfiguration().reveal, files: reviewFiles, log });
  const changes = createChangeReview({ storage: path.join(storage, 'changes'), files: reviewFiles, log });
  reviewFiles.ready();

  const files = createVscodeFileSystem({ settings: () => readConfiguration(), watch: changes.watch });
  const diagnostics = createDiagnostics({ delay: () => readConfiguration().diagnosticsDelay });
  const terminal = createVscodeTerminal({ log, strategy: () => readConfiguration().terminalStrategy, variables: () => fromFiles() });
  const repl = createNodeRepl({ environment: terminal.environment });
  const rules = createRuleSource({ files, agreements: createAgreements(context.globalState) });
  fromFiles = rules.environment;
  const store = createJsonlSessionStore(
    sessionsDirectory(os.homedir(), workspaceFolders()[0]?.path ?? os.homedir(), readConfiguration().sessionsDirectory),
    log,
  );
  const ports: Omit<Ports, 'approver' | 'questioner' | 'sessions'> = {
    files,
    search: createSearch(files),
    terminal,
    diagnostics,
    languages: createLanguages(files),
    model: models.client,
    clock,
    uuid: () => crypto.randomUUID(),
    log,
    configuration: createConfiguration(context.extension.packageJSON as Manifest, () => vscode.workspace.getConfiguration('deft'), () => rules.current().rules),
    // VS Code's proxy settings work underneath.
    web: createWebClient({ version, toMarkdown: markdownInThread(context.asAbsolutePath('dist/web-markdown.js')) }),
    notebooks: createVscodeNotebooks({ files, settings: () => readConfiguration() }),
    documents: createNodeDocuments({ workers: path.join(context.extensionPath, 'dist') }),
    repl,
  };
  const availability = availabilityOf(ports, { interactive: true, platform: process.platform, names: rules.namesTool });
  // Also what only some sessions get: the chat shows calls of each.
  const registry = createToolRegistry(
    getTools({ isDenied: () => false, simple: process.env['CLAUDE_CODE_SIMPLE'] === '1', availability: { ...availability, names: () => true } }),
  );
  const openSession = createSessionFactory({
    ports,
    store,
    registry: () => registry,
    availability,
    rules,
    environment: readEnvironment,
    outputDirectories: () => terminal.outputDirectories(),
    listedModel: () => context.globalState.get<string>(listedModelKey),
    lastMode: () => context.workspaceState.get(lastModeKey),
    secrets: () => models.secrets(),
    version,
  });
  const isHidden = (file: string): boolean =>
    hiddenPaths({ ...rules.current(), mode: 'default', cwd: workspaceFolders()[0]?.path ?? os.homedir(), home: os.homedir(), ownFolders: [], ignoreCase: false, trusted: vscode.workspace.isTrusted })(file);

  const chats = createChatWindow({ context, log, channel, models, store, registry, proposals, changes, diagnostics, terminal, rules, openSession, isHidden });
  return {
    async close() {
      await chats.close();
      await Promise.all([changes.flush(), terminal.dispose(), repl.dispose()]);
      for (const part of [rules, models, diagnostics, proposals, changes, reviewFiles, channel]) part.dispose();
    },
  };
}

/** ripgrep where there is a disk, the filesystem API where there is none. */
function createSearch(files: Ports['files']): Search {
  const ripgrep = createRipgrepSearch(() => findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }));
  const walk = createWalkSearch(files);
  const choose = (): Search => ((vscode.workspace.workspaceFolders ?? []).every(({ uri }) => uri.scheme === 'file') ? ripgrep : walk);
  return { grep: (query, signal) => choose().grep(query, signal), glob: (query, signal) => choose().glob(query, signal) };
}
