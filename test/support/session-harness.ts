// An agent session with everything around it in memory: its log, its files, a clock, a user who answers, and the chat.
import { type SessionEvent } from '../../src/core/events/session-event';
import { type AgentSession } from '../../src/core/feature/agent-session';
import { openSession } from '../../src/core/session/open-session';
import { type TurnEnd } from '../../src/core/loop/after-reply';
import { type Prompt } from '../../src/core/events/steering-queue';
import { type ApprovalDecision, type ApprovalRequest } from '../../src/core/ports/approver';
import { type Ports } from '../../src/core/ports/ports';
import { type SessionLog, type StoredRecords } from '../../src/core/ports/session-store';
import { type ModelClient } from '../../src/core/ports/model';
import { createChatProjection } from '../../src/core/projection/chat-projection';
import { type SessionRecord } from '../../src/core/ports/record';
import { DeftError } from '../../src/core/text/errors';
import { decodeRecord, encodeRecord } from '../../src/core/sessions/session-codec';
import { createToolRegistry } from '../../src/core/tools/registry';
import { type AnyTool } from '../../src/core/tool/tool';
import { type ChatState, emptyChat } from '../../src/shared/chat';
import { reduceEvents } from '../../src/shared/reduce-chat';
import { fakeTool, safeTool } from './fake-tools';
import { type FlatSession, type SessionParts, sessionParts } from './flat-session';
import { createManualClock, type ManualClock } from './manual-clock';
import { createMemoryFiles, type MemoryFiles } from './memory-files';

export interface HarnessOptions {
  model: ModelClient;
  tools?: readonly AnyTool[];
  /** What a log holds already. */
  records?: readonly SessionRecord[];
  answer?: (request: ApprovalRequest, signal: AbortSignal) => ApprovalDecision | Promise<ApprovalDecision>;
  clock?: ManualClock;
  files?: MemoryFiles;
  ports?: Partial<Ports>;
  onEvent?: (event: SessionEvent) => void;
  session?: Partial<FlatSession>;
  /** Changes what is opened. */
  opened?: (parts: SessionParts) => SessionParts;
}

export interface Harness {
  readonly session: AgentSession;
  readonly clock: ManualClock;
  readonly files: MemoryFiles;
  readonly events: SessionEvent[];
  readonly approvals: ApprovalRequest[];
  readonly warnings: string[];
  /** Resolves with the first event, past or to come, that passes. */
  when(passes: (event: SessionEvent) => boolean): Promise<void>;
  /** Lines of the log, in order. */
  readonly lines: string[];
  /** The log as a new process would read it. */
  stored(): SessionRecord[];
  run(text?: string, signal?: AbortSignal): Promise<TurnEnd>;
  /** What the chat shows after all events so far. */
  chat(): ChatState;
  /** What the chat shows when the stored log is opened anew. */
  replayed(): ChatState;
}

export const folder = '/w';
const chatFolders = [{ name: 'w', path: folder }];

export function prompt(text: string): Prompt {
  return { content: [{ type: 'text', text }], display: { text, attachments: [], images: 0 } };
}

/** Lines in place of a file: places count them. */
export function storedLines(lines: readonly string[]): StoredRecords {
  const placeOf = (at: number) => ({ at, length: lines[at]?.length ?? 0, check: 0, format: 1 });
  return {
    async *scan({ at: from, format }) {
      const found = lines.slice(from).flatMap((line, index) => {
        const record = decodeRecord(line);
        return record === undefined ? [] : [{ record, place: placeOf(from + index) }];
      });
      yield { found, end: { at: lines.length, format } };
    },
    read({ at }) {
      const record = decodeRecord(lines[at] ?? '');
      if (record === undefined) throw new DeftError('session-changed', 'The log of the test has no such line.');
      return record;
    },
  };
}

/** Two tools, one of them concurrency-safe, unless the test supplies its own. */
export function createHarness(options: HarnessOptions): Harness {
  const clock = options.clock ?? createManualClock();
  const files = options.files ?? createMemoryFiles({ '/w/a.txt': 'one\n' });
  const registry = createToolRegistry(options.tools ?? [safeTool('Look'), fakeTool('Act')]);
  const events: SessionEvent[] = [];
  const approvals: ApprovalRequest[] = [];
  const warnings: string[] = [];
  const watchers = new Set<{ passes: (event: SessionEvent) => boolean; resolve: () => void }>();
  const lines = (options.records ?? []).map(encodeRecord);
  let ids = 0;

  const log: SessionLog = {
    id: 'session-1',
    path: '/sessions/session-1.jsonl',
    stored: storedLines(lines),
    append: (records) => void lines.push(...records.map(encodeRecord)),
    sync: async () => undefined,
    close: async () => undefined,
  };
  const ports = memoryPorts(options, {
    clock,
    files,
    approver: {
      ask: async (request, signal) => {
        approvals.push(request);
        return (await options.answer?.(request, signal)) ?? { behavior: 'allow' };
      },
    },
    uuid: () => `00000000-0000-4000-8000-${String(++ids + lines.length * 1_000).padStart(12, '0')}`,
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => void warnings.push(message),
      error: (message) => void warnings.push(message),
    },
  });
  const parts = sessionParts({
    ports,
    registry,
    log,
    records: (options.records ?? []).map(reread),
    emit: (event) => {
      events.push(structuredClone(event));
      for (const watcher of [...watchers]) if (watcher.passes(event)) watcher.resolve();
      options.onEvent?.(event);
    },
    model: 'claude-opus-5',
    mode: 'default',
    permission: () => ({
      rules: [],
      folders: [folder],
      ownFolders: ['/results'],
      home: '/home/ann',
      ignoreCase: false,
      trusted: true,
    }),
    environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
    home: '/home/ann',
    resultsDirectory: '/results',
    version: '0.0.0',
    // A clock that ends every sleep at once would send each call to the background.
    mcpBackgroundMs: 0,
    retry: { maxAttempts: 10, baseDelayMs: 500, maxDelayMs: 32_000, random: () => 0 },
    ...options.session,
  });
  const { ports: openedPorts, settings, features } = options.opened?.(parts) ?? parts;
  const session = openSession(openedPorts, settings, features);
  const stored = (): SessionRecord[] => lines.flatMap((line) => decodeRecord(line) ?? []);
  const empty = emptyChat('session-1', 'default', 'claude-opus-5');
  return {
    session,
    clock,
    files,
    events,
    approvals,
    warnings,
    when: (passes) =>
      new Promise((resolve) => {
        if (events.some(passes)) resolve();
        else watchers.add({ passes, resolve });
      }),
    lines,
    stored,
    run: (text, signal = new AbortController().signal) =>
      session.run(text === undefined ? undefined : prompt(text), signal),
    chat: () => {
      const live = createChatProjection({ registry, folders: chatFolders });
      const start = options.records === undefined ? empty : live.replay(empty, options.records);
      return reduceEvents(
        start,
        events.flatMap((event) => live.project(event)),
      );
    },
    replayed: () => createChatProjection({ registry, folders: chatFolders }).replay(empty, stored()),
  };
}

function reread(record: SessionRecord): SessionRecord {
  return decodeRecord(encodeRecord(record)) ?? record;
}

/** What a session may use here: no search, no terminal and no store, unless the test supplies one. */
function memoryPorts(
  { model, ports: given }: Pick<HarnessOptions, 'model' | 'ports'>,
  own: Pick<Ports, 'clock' | 'files' | 'approver' | 'uuid' | 'log'>,
): Ports {
  const unused = (name: string): never => {
    throw new Error(`This test has no ${name}.`);
  };
  return {
    search: { grep: () => unused('search'), glob: () => unused('search') },
    terminal: {
      run: () => unused('terminal'),
      background: () => [],
      output: async () => undefined,
      moveToBackground: () => false,
      stop: async () => false,
      onBackgroundEnd: () => () => undefined,
      dispose: async () => undefined,
    },
    diagnostics: { current: () => [], newSince: async () => [] },
    model: model,
    sessions: {
      create: () => unused('store'),
      open: () => unused('store'),
      list: () => unused('store'),
      remove: () => unused('store'),
      resultsDirectory: () => '/results',
    },
    ...own,
    ...given,
  };
}
