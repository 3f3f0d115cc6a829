// Plays an editor that drives Deft by the Agent Client Protocol, with the library's own client, over the real program's standard input and output.
import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type InitializeResponse,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { defined } from '../../src/shared/defined';
import { type HeadlessPlace, type HeadlessProcess } from './headless-run';

export interface AcpEditor {
  readonly run: HeadlessProcess;
  readonly connection: ClientConnection;
  readonly agent: ClientConnection['agent'];
  readonly initialized: InitializeResponse;
  /** All that came, in order. */
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  /** Files that were written through the editor, and terminals that were opened in it. */
  readonly written: string[];
  readonly terminals: string[];
  /** Texts of buffers that are not saved, by their paths. */
  readonly buffers: Map<string, string>;
  /** Resolves with an update that fits, come already or to come. */
  next(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
  /** What the agent has said since the last time. */
  said(): string;
  close(): Promise<void>;
}

export interface AcpEditorOptions {
  url: string;
  args?: readonly string[];
  /** Another agent's program in place of Deft's, and its variables. */
  script?: string;
  env?: Record<string, string>;
  capabilities?: ClientCapabilities;
  /** The option that the user picks; undefined cancels. */
  choose?: (request: RequestPermissionRequest) => string | undefined | Promise<string | undefined>;
  /** What the user fills in where they are asked something. */
  fill?: (request: unknown) => Record<string, string | string[]> | undefined;
}

export async function startAcpEditor(place: HeadlessPlace, options: AcpEditorOptions): Promise<AcpEditor> {
  const { url, args = [], capabilities = {}, choose = () => undefined, fill = () => undefined } = options;
  const { script, env } = options;
  const run = place.start(args, { url, stdin: 'open', program: 'acp', ...defined({ script, env }) });
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const waiting = new Set<{ fits: (update: SessionUpdate) => boolean; found: (update: SessionUpdate) => void }>();
  const written: string[] = [];
  const buffers = new Map<string, string>();
  const shells = new EditorTerminals();
  let heard = 0;
  const app = client({ name: 'editor' })
    .onNotification('session/update', ({ params: { update } }) => {
      updates.push(update);
      for (const waiter of waiting)
        if (waiter.fits(update)) {
          waiting.delete(waiter);
          waiter.found(update);
        }
    })
    .onRequest('session/request_permission', async ({ params }) => {
      asked.push(params);
      const optionId = await choose(params);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onRequest('elicitation/create', ({ params }) => {
      const content = fill(params);
      return content === undefined ? { action: 'decline' } : { action: 'accept', content };
    })
    .onRequest('fs/read_text_file', async ({ params: { path } }) => ({
      content: buffers.get(path) ?? (await readFile(path, 'utf8')),
    }))
    .onRequest('fs/write_text_file', async ({ params: { path, content } }) => {
      written.push(path);
      buffers.delete(path);
      await writeFile(path, content);
      return {};
    })
    .onRequest('terminal/create', ({ params }) => ({ terminalId: shells.open(params) }))
    .onRequest('terminal/output', ({ params }) => ({ output: shells.of(params.terminalId).output, truncated: false }))
    .onRequest('terminal/wait_for_exit', ({ params }) => shells.of(params.terminalId).ended)
    .onRequest('terminal/kill', ({ params }) => (shells.of(params.terminalId).child.kill('SIGKILL'), {}))
    .onRequest('terminal/release', ({ params }) => (shells.released.push(params.terminalId), {}));
  const connection = app.connect(streamOf(run.child));
  const { agent } = connection;
  const initialized = await agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
  return {
    ...{ run, connection, agent, initialized, updates, asked, written, buffers },
    terminals: shells.released,
    next(fits) {
      const there = updates.find(fits);
      return there === undefined ? new Promise((found) => waiting.add({ fits, found })) : Promise.resolve(there);
    },
    said() {
      const texts = updates.slice(heard).flatMap((update) => {
        heard++;
        const isText = update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text';
        return isText && 'text' in update.content ? [update.content.text] : [];
      });
      return texts.join('');
    },
    async close() {
      run.child.stdin?.end();
      await run.ended;
      connection.close();
    },
  };
}

function streamOf(child: ChildProcess): ReturnType<typeof ndJsonStream> {
  const output = new WritableStream<Uint8Array>({ write: (chunk) => void child.stdin?.write(chunk) });
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder();
      child.stdout?.on('data', (text: string) => controller.enqueue(encoder.encode(text)));
      child.stdout?.once('end', () => controller.close());
    },
  });
  return ndJsonStream(output, input);
}

class EditorTerminals {
  readonly released: string[] = [];
  readonly #open = new Map<
    string,
    { child: ChildProcess; output: string; ended: Promise<{ exitCode: number | null }> }
  >();

  open({ command, args = [], env = [], cwd }: OpenTerminal): string {
    const child = spawn(command, args, {
      ...(typeof cwd === 'string' ? { cwd } : {}),
      env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<{ exitCode: number | null }>((resolve) =>
      child.once('close', (exitCode) => resolve({ exitCode })),
    );
    const terminal = { child, output: '', ended };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (terminal.output += text));
    const id = `terminal ${this.#open.size + 1}`;
    this.#open.set(id, terminal);
    return id;
  }

  of(id: string): { child: ChildProcess; output: string; ended: Promise<{ exitCode: number | null }> } {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new Error(`There is no ${id}.`);
    return terminal;
  }
}

interface OpenTerminal {
  command: string;
  args?: string[];
  env?: { name: string; value: string }[];
  cwd?: string | null;
}
