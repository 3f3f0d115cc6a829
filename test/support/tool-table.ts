// Runs the rows of a tool's table: a workspace and a call through the real pipeline give a code, a text and the files afterwards.
import assert from 'node:assert/strict';
import { executeTool, type ExecutionServices } from '../../src/core/calls/execute-tool';
import { plainError } from '../../src/core/calls/tool-call';
import { type ToolResultBlock, type UserBlock } from '../../src/core/wire/wire';
import { type ApprovalRequest } from '../../src/core/ports/approver';
import { type Diagnostic } from '../../src/core/ports/diagnostics';
import { type ToolHooks } from '../../src/core/hooks/tool-hooks';
import { type Ports } from '../../src/core/ports/ports';
import { type PermissionContext } from '../../src/core/permissions/rules/verdict';
import { parseRepairedInput } from '../../src/core/tool/input-repair';
import { createReadState, type ReadState } from '../../src/core/sessions/read-state';
import { createToolRegistry } from '../../src/core/tools/registry';
import { type AnyTool, isFailure, type SessionChange, type ToolSession } from '../../src/core/tool/tool';
import { isObject } from '../../src/shared/plain-object';
import { type ToolView } from '../../src/shared/tool-view';
import { folderFiles } from './folder-files';
import { createManualClock } from './manual-clock';
import { createMemoryFiles, type MemoryEntry, type MemoryFiles, shownBytes } from './memory-files';
import { namedTools } from './named-tools';
import { type GivenPorts, unusedPorts, unusedSmallModel } from './unused-ports';

export interface ToolRow {
  name: string;
  /** Files of the workspace, by absolute path. Its folder is /w, also where it really is a temporary one. */
  files?: Record<string, MemoryEntry>;
  /** As the model sends it. */
  input: unknown;
  ports?: GivenPorts;
  session?: Partial<ToolSession>;
  prepare?: (place: Place) => unknown;
  /** The user is asked and accepts, with their own text where one is given. Nobody is asked without it. */
  answer?: Answer;
  /** After the preview, right before the call itself. */
  between?: (place: Place) => void;
  /** `ok`, the failure's code, `InputValidationError`, `error` (is_error without a code), `denied` or `stopped`. Default: ok. */
  code?: string;
  /** All that the model reads, or a pattern in it. */
  text: string | RegExp;
  /** What differs from the files before the call, byte for byte; undefined is a file that is gone. All others are as they were. */
  after?: Record<string, string | Uint8Array | undefined>;
  /** What the chat shows next to the tool's name. */
  detail?: string;
  check?: (result: TableResult, place: Place) => unknown;
}

/** What the user made of the proposal; `texts` of its other files. */
interface Answer {
  text?: string;
  texts?: Record<string, string>;
}

export interface TableResult {
  code: string;
  text: string;
  content: ToolResultBlock['content'];
  output: unknown;
  view: ToolView | undefined;
  detail: string | undefined;
  stopped: boolean;
  change: SessionChange | undefined;
  newMessages: UserBlock[];
  asked: ApprovalRequest[];
}

/** One row's workspace and session. */
export interface Place {
  /** /w, or the temporary folder that stands for it. */
  readonly root: string;
  /** Only in memory. */
  readonly files: MemoryFiles;
  readonly readState: ReadState;
  readonly hidden: Set<string>;
  readonly controller: AbortController;
  /** What newSince() reports next. */
  problems: Diagnostic[];
  /** What results hide. */
  secrets: string[];
  /** What happens after the call; by default a hook that gives back what it was shown, and a field that no tool knows. */
  after: ToolHooks['after'];
  /** What the user is told about hooks. */
  readonly told: string[];
  use(tool: AnyTool, input: unknown, how?: { answer?: Answer | undefined; between?: () => void }): Promise<TableResult>;
}

export interface TableOptions {
  /** A temporary folder with real files, for tools that need processes; default: memory. */
  on?: 'memory' | 'folder';
  /** Asked for before the first row. */
  ports?: () => GivenPorts;
  /** Milliseconds for each row. */
  timeout?: number;
}

export function toolTable(tool: AnyTool, rows: readonly ToolRow[], options: TableOptions = {}): void {
  for (const row of rows) {
    it(row.name, async function () {
      if (options.timeout !== undefined) this.timeout(options.timeout);
      await checkRow(tool, row, options);
    });
  }
  it('names no other tool in a session that has none', async function () {
    this.timeout(60_000);
    for (const row of rows) await checkWords(tool, row, options);
  });
}

/** The same call in a session that offers this tool alone. */
function checkWords(tool: AnyTool, row: ToolRow, options: TableOptions): Promise<void> {
  const session = { ...row.session, offers: (name: string) => name === tool.name };
  return withPlace({ ...row, session }, options, async (place) => {
    await row.prepare?.(place);
    const { text } = await place.use(tool, row.input, { ...row, between: () => row.between?.(place) });
    const others = namedTools(text).filter(
      (name) => name !== tool.name && !namedTools(JSON.stringify([row.input, row.files])).includes(name),
    );
    assert.deepEqual(others, [], `${row.name}: ${text}`);
    assert.doesNotMatch(text, /\{\{!?[A-Z]\w+/, row.name);
  });
}

function checkRow(tool: AnyTool, row: ToolRow, options: TableOptions): Promise<void> {
  return withPlace(row, options, async (place, snapshot) => {
    await row.prepare?.(place);
    const before = await snapshot();
    const result = await place.use(tool, row.input, { ...row, between: () => row.between?.(place) });
    assert.equal(result.code, row.code ?? 'ok', result.text);
    if (typeof row.text === 'string') assert.equal(result.text, row.text);
    else assert.match(result.text, row.text);
    if (row.detail !== undefined) assert.equal(result.detail, row.detail);
    assert.deepEqual(await snapshot(), withChanges(before, row.after ?? {}), 'the files afterwards');
    await row.check?.(result, place);
  });
}

/** A workspace for as long as `work` takes. */
export async function withPlace<Result>(
  { files = {}, ports, session = {} }: Pick<ToolRow, 'files' | 'ports' | 'session'>,
  options: TableOptions,
  work: (place: Place, snapshot: FileStore['snapshot']) => Promise<Result>,
): Promise<Result> {
  const store = options.on === 'folder' ? await folderFiles(files) : memoryStore(files);
  try {
    return await work(createPlace(store, { ...options.ports?.(), ...ports }, session), store.snapshot);
  } finally {
    await store.dispose();
  }
}

export interface FileStore {
  readonly root: string;
  readonly files: Ports['files'];
  /** Where Deft puts large results. */
  readonly results: string;
  /** Every file's bytes and every folder, by path as a row names it. */
  snapshot(): Promise<Record<string, string>>;
  dispose(): Promise<void>;
}

function memoryStore(entries: Record<string, MemoryEntry>): FileStore & { files: MemoryFiles } {
  const files = createMemoryFiles({ '/w': { type: 'directory' }, ...entries });
  return {
    root: '/w',
    results: '/results',
    files,
    // Large results are Deft's own files.
    snapshot: async () =>
      Object.fromEntries(Object.entries(files.snapshot()).filter(([path]) => !path.startsWith('/results'))),
    dispose: async () => undefined,
  };
}

function withChanges(
  before: Record<string, string>,
  changes: Record<string, string | Uint8Array | undefined>,
): Record<string, string> {
  const after = { ...before };
  for (const [path, content] of Object.entries(changes)) {
    if (content === undefined) delete after[path];
    else {
      after[path] = typeof content === 'string' ? content : shownBytes(content);
      for (let folder = parent(path); folder !== ''; folder = parent(folder)) after[folder] ??= 'directory';
    }
  }
  return after;
}

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function createPlace(store: FileStore, given: GivenPorts, session: Partial<ToolSession>): Place {
  const { root } = store;
  const readState = createReadState();
  const hidden = new Set<string>();
  const controller = new AbortController();
  let serial = 0;
  const silent = (): void => undefined;
  const place: Place = {
    root,
    files: store.files as MemoryFiles,
    readState,
    hidden,
    controller,
    problems: [],
    secrets: [],
    after: async (_call, shown) => ({ updatedToolOutput: withUnknownField(shown()) }),
    told: [],
    use: async (tool, input, { answer, between } = {}) => {
      const asked: ApprovalRequest[] = [];
      const witness = witnessed(tool);
      const services: ExecutionServices = {
        registry: createToolRegistry([witness.tool]),
        secrets: () => place.secrets,
        ports: unusedPorts({
          clock: createManualClock('manual'),
          log: {
            debug: silent,
            info: silent,
            warn: silent,
            error: (message, error) => assert.fail(`${message}: ${String(error)}`),
          },
          diagnostics: { current: () => [], newSince: async () => place.problems },
          uuid: () => `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`,
          ...given,
          files: { ...store.files, ...given.files },
          approver: {
            ask: async (request) => {
              asked.push(request);
              return { behavior: 'allow', ...answer };
            },
          },
        }),
        session: {
          id: 's',
          cwd: root,
          folders: [root],
          home: '/home/ann',
          resultsDirectory: store.results,
          readState,
          isHidden: (path) => hidden.has(path),
          todos: () => [],
          questionTimeoutMs: () => undefined,
          earlierSearches: 0,
          smallModel: unusedSmallModel,
          onArrival: () => silent,
          ...session,
        },
        hooks: {
          before: async () => ({}),
          request: async () => undefined,
          denied: async () => undefined,
          after: (...call) => place.after(...call),
          unusable: (_call, problem) => void place.told.push(problem),
          failed: async () => undefined,
        },
        permission: () => permissionIn(store, answer === undefined ? 'bypassPermissions' : 'default'),
        applyUpdates: silent,
        emit: silent,
        started: async () => between?.(),
        questionSignal: controller.signal,
      };
      const own = placed(input, '/w', root);
      const { block, state, structured, change, newMessages } = await executeTool(
        { id: `toolu_${++serial}`, name: tool.name, input: own },
        services,
        controller.signal,
      );
      const { content } = block;
      const done = block.is_error !== true;
      const code = witness.code();
      const text = ownWords(textOf(content), code, state);
      const parsed = parseRepairedInput(tool, own).data;
      const isOutput = done || (tool.outputSchema !== undefined && typeof structured === 'object');
      if (isOutput) assert.ok(tool.outputSchema?.safeParse(structured).success, 'the output fits its schema');
      return {
        code: done ? 'ok' : (code ?? codeOf(text, state)),
        text: placed(text, root, '/w'),
        content,
        output: isOutput ? structured : undefined,
        view: isOutput ? tool.view(structured, parsed) : undefined,
        detail: isOutput ? tool.detail(structured) : undefined,
        stopped: state === 'stopped',
        change,
        newMessages,
        asked,
      };
    },
  };
  return place;
}

/** As it comes from a hook's process. Not the same as what was shown, so that each tool has to read its own shape back. */
function withUnknownField(shown: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(shown)) as unknown;
  return isObject(copy) ? { ...copy, unknownField: true } : copy;
}

function permissionIn({ root, results }: FileStore, mode: PermissionContext['mode']): PermissionContext {
  return {
    mode,
    rules: [],
    folders: [root],
    ownFolders: [results],
    cwd: root,
    home: '/home/ann',
    ignoreCase: false,
    trusted: true,
  };
}

function textOf(content: ToolResultBlock['content']): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/** What a tool says about its failure has one form; the rows have the words. */
function ownWords(text: string, code: string | undefined, state: string): string {
  if (code !== undefined && state === 'failed') assert.match(text, /^<tool_use_error>[^]+<\/tool_use_error>$/);
  return code === undefined ? text : plainError(text);
}

function codeOf(text: string, state: string): string {
  if (text.startsWith('<tool_use_error>InputValidationError')) return 'InputValidationError';
  return state === 'denied' || state === 'stopped' ? state : 'error';
}

/** The tool itself; what it refuses with is noted, since the pipeline passes on only the words. */
function witnessed(tool: AnyTool): { tool: AnyTool; code: () => string | undefined } {
  let code: string | undefined;
  const note = <Outcome extends object>(outcome: Outcome): Outcome => {
    if (isFailure(outcome)) ({ code } = outcome.failure);
    return outcome;
  };
  const { preview } = tool;
  return {
    code: () => code,
    tool: {
      ...tool,
      validateInput: async (input, context) => {
        const valid = await tool.validateInput(input, context);
        if (!valid.ok) ({ code } = valid);
        return valid;
      },
      ...(preview && { preview: async (input, context) => note(await preview(input, context)) }),
      call: async (input, context) => note(await tool.call(input, context)),
    },
  };
}

/** The same value with one folder's name in the place of the other's. */
function placed<Value>(value: Value, from: string, to: string): Value {
  if (from === to) return value;
  if (typeof value === 'string') return value.replaceAll(new RegExp(`${from}(?![\\w-])`, 'g'), to) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => placed(item, from, to)) as Value;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placed(item, from, to)])) as Value;
  return value;
}
