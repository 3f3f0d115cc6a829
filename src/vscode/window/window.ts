// The composition root of one VS Code window: which part gets which other part.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { hiddenPaths } from '../../core/permissions/files/hidden-paths';
import { type Log } from '../../core/ports/log';
import { createJsonlSessionStore } from '../../node/sessions/jsonl-session-store';
import { createLog } from '../../node/file-log';
import { sessionsDirectory } from '../../node/sessions/sessions-directory';
import { createSystemClock } from '../../node/system-clock';
import { type Agent } from '../agent/agent';
import { createClosing } from '../host/closing';
import { readConfiguration, writeSettings } from '../host/configuration';
import { type ChatWindow, createChatWindow } from './chat-window';
import { createDiagnostics } from '../diagnostics/vscode-diagnostics';
import { namingWriters } from '../files/last-writers';
import { createVscodeFileSystem } from '../files/vscode-file-system';
import { createHookConsent } from '../hooks/hook-consent';
import { createHookGate } from '../hooks/hook-gate';
import { importedOnce } from '../host/imported-once';
import { heldSecrets } from '../model/held-secrets';
import { heldVariables } from '../model/held-variables';
import { ModelSource } from '../model/model-source';
import { homeFolder } from '../../node/home-folder';
import { openWriteLedger } from '../../node/write-ledger';
import { createChangeReview } from '../review/change-review';
import { type ChangeChats } from '../review/owned-changes';
import { createProposalReview } from '../review/proposal-review';
import { registerReviewFiles } from '../review/review-files';
import { createAgreements } from '../session/agreements';
import { RuleSource } from '../session/rule-source';
import { startRefusal } from '../session/start-refusal';
import { watchSessionsFolder } from '../session/sessions-folder';
import { workspaceFolders } from '../host/workspace-facts';
import { createVscodeTerminal } from '../terminal/vscode-terminal';

/** VS Code waits five seconds for all of it. */
const chatsCloseMs = 3_000;

export interface DeftWindow {
  /** Stops what runs and resolves when all of it is on disk. */
  close(): Promise<void>;
}

export function openWindow(context: vscode.ExtensionContext): DeftWindow {
  const clock = createSystemClock();
  // Settings files have the last word on the environment: they are written for this tool.
  const none = {};
  let fromFiles = (): Readonly<Record<string, string>> => none;
  const models = new ModelSource(heldSecrets(context.secrets), clock, {
    read: () => rules.load(),
    variables: heldVariables(process.env, () => fromFiles()),
    values: () => rules.values(),
    commandVariables: () => terminal.variables(),
    refusal: () => startRefusal(rules),
  });
  const channel = vscode.window.createOutputChannel('Deft');
  const log = createLog((line) => channel.appendLine(line), {
    level: () => readConfiguration().logLevel,
    secrets: () => models.secrets(),
  });
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;

  const reviewFiles = registerReviewFiles();
  const proposals = createProposalReview({
    storage: path.join(storage, 'proposals'),
    reveal: (requestId) => (chats.showsInline(requestId) ? 'onRequest' : readConfiguration().reveal),
    files: reviewFiles,
    log,
  });
  const later = chatsOf(() => chats);
  const changes = createChangeReview({ storage: path.join(storage, 'changes'), files: reviewFiles, chats: later, log });
  reviewFiles.ready();

  const files = namingWriters(createVscodeFileSystem({ settings: writeSettings, watch: changes.watch }), later.titleOf);
  const diagnostics = createDiagnostics({ delay: () => readConfiguration().diagnosticsDelay });
  const sessionsFolder = (): string =>
    sessionsDirectory(homeFolder(), workspaceFolders()[0]?.path ?? homeFolder(), readConfiguration().sessionsDirectory);
  const sessionsRoot = sessionsFolder();
  void openWriteLedger(path.join(sessionsRoot, 'writes'));
  const terminal = createVscodeTerminal({
    log,
    fallbackRoot: path.join(sessionsRoot, 'commands'),
    strategy: () => readConfiguration().terminalStrategy,
    variables: () => fromFiles(),
  });
  const rules = new RuleSource({ files, agreements: createAgreements(context.globalState), log });
  fromFiles = () => rules.environment();
  const hooks = createHookGate({ rules, consent: createHookConsent(context.globalState), told: true });
  const folderWatch = watchSessionsFolder(sessionsRoot, sessionsFolder);
  const store = createJsonlSessionStore(sessionsRoot, log);
  let agent: Promise<Agent> | undefined;
  const importAgent = importedOnce(async () =>
    (await import('../agent/agent')).openAgent({
      context,
      clock,
      log,
      models,
      files,
      diagnostics,
      terminal,
      rules,
      hooks,
      store,
      watchCells: changes.watchCells,
    }),
  );
  const openAgent = (): Promise<Agent> => (agent = importAgent());
  // Other extensions come first; the view asks for its chat a moment later.
  const loading = setImmediate(
    () => void openAgent().catch((error: unknown) => log.error('The agent could not be loaded', error)),
  );
  const chats = createChatWindow({
    context,
    log,
    channel,
    models,
    store,
    sessionsRoot,
    files,
    proposals,
    changes,
    diagnostics,
    terminal,
    rules,
    hooks,
    agent: openAgent,
    isHidden: (file) => isHidden(rules, file),
  });
  return {
    async close() {
      clearImmediate(loading);
      await closeInOrder(log, chats, [
        ['The changes to review', () => changes.flush()],
        ['The terminal', () => terminal.dispose()],
        ['The agent', async () => (await agent?.catch(() => undefined))?.close()],
      ]);
      for (const part of [folderWatch, hooks, rules, models, diagnostics, proposals, changes, reviewFiles, channel])
        part.dispose();
    },
  };
}

/** They are opened last, and asked later. */
function chatsOf(chats: () => Pick<ChatWindow, 'titleOf' | 'reveal'>): ChangeChats {
  return { titleOf: (session) => chats().titleOf(session), reveal: (session) => chats().reveal(session) };
}

function isHidden(rules: RuleSource, file: string): boolean {
  const isHiddenHere = hiddenPaths({
    ...rules.current(),
    mode: 'default',
    cwd: workspaceFolders()[0]?.path ?? homeFolder(),
    home: homeFolder(),
    ownFolders: [],
    ignoreCase: false,
    trusted: vscode.workspace.isTrusted,
  });
  return isHiddenHere(file);
}

/** Whatever of the chats fails or hangs: commands and servers must not outlive the window. */
async function closeInOrder(
  log: Log,
  chats: { close(): Promise<unknown> },
  others: readonly (readonly [what: string, close: () => Promise<unknown>])[],
): Promise<void> {
  const first = createClosing(log);
  first.add('The chats', chats.close());
  await first.settled(chatsCloseMs);
  const closing = createClosing(log);
  for (const [what, close] of others) closing.add(what, close());
  await closing.settled();
}
