// Real background commands for tests of the tools that read, wait for and end them.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Clock } from '../../src/core/ports/clock';
import { type Log } from '../../src/core/ports/log';
import { type AnyTool, isFailure, type ToolContext } from '../../src/core/tool/tool';
import { createNodeTerminal } from '../../src/node/terminal/node-terminal';
import { createSystemClock } from '../../src/node/system-clock';
import { type ToolView } from '../../src/shared/tool-view';
import { type GivenPorts, unusedPorts } from './unused-ports';
import { said } from '../../src/core/text/words';

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export interface TaskRun {
  /** The failure's code, or "ok". */
  code: string;
  /** What the model reads. */
  text: string;
  view?: ToolView;
  detail?: string;
}

export interface BackgroundTasks {
  /** A private folder. */
  root: string;
  /** For a table's rows. */
  ports: GivenPorts;
  /** Starts a command and returns its id. */
  start(command: string): Promise<string>;
  /** Resolves when the command has ended. */
  ended(id: string): Promise<void>;
  use(tool: AnyTool, input: unknown, more?: { clock?: Clock; signal?: AbortSignal }): Promise<TaskRun>;
  dispose(): Promise<void>;
}

export function createBackgroundTasks(): BackgroundTasks {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
  const terminal = createNodeTerminal({ log: silentLog, environment: process.env, root });
  let serial = 0;
  return {
    root,
    ports: { terminal, clock: createSystemClock() },
    async start(command) {
      const request = {
        id: `toolu_${++serial}`,
        command,
        cwd: root,
        timeoutMs: 60_000,
        background: true,
        onTimeout: 'kill',
      } as const;
      const { end } = await terminal.run(request, () => undefined, new AbortController().signal);
      if (end.state !== 'background') throw new Error(`The command is ${end.state}.`);
      return end.taskId;
    },
    ended: (id) =>
      new Promise((resolve) => {
        terminal.onBackgroundEnd(({ taskId }) => void (taskId === id && resolve()));
        if (terminal.background().some(({ taskId, end }) => taskId === id && end !== undefined)) resolve();
      }),
    async use(tool, input, { clock = createSystemClock(), signal = new AbortController().signal } = {}) {
      const parsed: unknown = tool.inputSchema.parse(input);
      const context = {
        toolUseId: 'toolu_x',
        signal,
        session: {},
        ports: unusedPorts({ terminal, clock }),
        onProgress: () => undefined,
      } as unknown as ToolContext;
      const valid = await tool.validateInput(parsed, context);
      if (!valid.ok) return { code: valid.code, text: said(valid.message) };
      const done = await tool.call(parsed, context);
      if (isFailure(done)) return { code: done.failure.code, text: said(done.failure.message) };
      const data: unknown = tool.outputSchema?.parse(done.data);
      const { content } = tool.mapToolResultToToolResultBlockParam(data, 'toolu_x');
      return { code: 'ok', text: String(content), view: tool.view(data, parsed), detail: tool.detail(data) };
    },
    async dispose() {
      await terminal.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
