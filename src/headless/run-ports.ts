// The ports of a run: this machine's files, processes and clock, and nobody to ask.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type Repl } from '../core/ports/repl';
import { type Log, type ModelClient, type Ports, type SessionStore } from '../core/ports';
import { createNodeDocuments } from '../node/documents/node-documents';
import { createNodeFileSystem } from '../node/node-file-system';
import { createRipgrepSearch } from '../node/ripgrep-search';
import { findRipgrep } from '../node/ripgrep-path';
import { createSystemClock } from '../node/system-clock';
import { createWebClient } from '../node/web-client';
import { markdownInThread } from '../node/web-markdown-thread';
import { environmentProxy } from '../node/web-proxy';
import { createNodeHookHandlers } from '../node/hooks/node-hook-handlers';
import { createNodeRepl } from '../node/repl/node-repl';
import { cleanEnvironment } from '../node/terminal/command-environment';
import { createNodeTerminal } from '../node/terminal/node-terminal';
import { createDenyApprover } from './deny-approver';

export interface RunPortsOptions {
  /** For commands; credentials are taken out of it. */
  environment: NodeJS.ProcessEnv;
  /** The folder of this bundle: workers lie in it, and ripgrep may be installed beside or above it. */
  installation: string;
  version: string;
  model: ModelClient;
  sessions: SessionStore;
  log: Log;
}

export interface RunPorts extends Ports {
  terminal: ReturnType<typeof createNodeTerminal>;
  repl: Repl;
}

export function createRunPorts({ environment, installation, version, model, sessions, log }: RunPortsOptions): RunPorts {
  return {
    files: createNodeFileSystem(),
    search: createRipgrepSearch(() => findRipgrep({ searchPath: environment['PATH'], packageRoots: [installation] })),
    terminal: createNodeTerminal({ log, environment }),
    repl: createNodeRepl({ environment: async () => cleanEnvironment(environment) }),
    approver: createDenyApprover(),
    // No editor, no language servers.
    diagnostics: { current: () => [], newSince: async () => [] },
    model,
    sessions,
    clock: createSystemClock(),
    uuid: randomUUID,
    log,
    web: createWebClient({ version, proxyFor: environmentProxy(environment), toMarkdown: markdownInThread(path.join(installation, 'web-markdown.js')) }),
    documents: createNodeDocuments({ workers: installation }),
    hooks: createNodeHookHandlers({ environment: async () => cleanEnvironment(environment) }),
  };
}
