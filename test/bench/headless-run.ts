// One run of the built headless runner against a scripted Messages API: when requests came, and how much memory it took.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startMessagesApi } from '../support/messages-api/server';
import { reply, type ReplyBlock } from '../support/messages-api/script';
import { removeFolder, temporaryFolder } from '../rig/cleanup';

const repeats = ['--max-repeats', '1000000'];

export interface HeadlessRun {
  readonly bundle: string;
  readonly workspace: string;
  /** A home folder that earlier runs have used; without one the run is the first of its user. */
  readonly home?: string;
  /** More of the command line. */
  readonly args?: readonly string[];
  /** The calls of the n-th reply, counted from 0; undefined ends the turn. */
  readonly calls: (turn: number) => readonly ReplyBlock[] | undefined;
  /** Awaited before the n-th reply goes out, so that a comparison meets the same load. */
  readonly compare?: (turn: number) => Promise<void>;
}

export interface HeadlessTimes {
  /** Milliseconds from the start of the process to its first request. */
  readonly firstRequest: number;
  /** Milliseconds from the end of the n-th reply to the next request. */
  readonly gaps: readonly number[];
  /** Largest resident memory in MiB when the last request had come; undefined without /proc. */
  readonly peakMemory: number | undefined;
}

/** Throws where the runner fails, a tool does, or a request is one that the API would refuse. */
export async function runHeadless(run: HeadlessRun): Promise<HeadlessTimes> {
  const home = run.home ?? temporaryFolder('bench-home');
  let pid: number | undefined;
  let peakMemory: number | undefined;
  let failedResult: string | undefined;
  const api = await startMessagesApi(
    async (request, index) => {
      failedResult ??= failedToolResult(request.body);
      await run.compare?.(index);
      const blocks = run.calls(index);
      if (blocks !== undefined) return reply(...blocks);
      peakMemory = pid === undefined ? undefined : residentPeak(pid);
      return reply('Done.');
    },
    { keepBodies: false },
  );
  try {
    const started = performance.now();
    const child = spawn(
      process.execPath,
      // Some areas measure one call again and again.
      [
        path.resolve(run.bundle),
        '-p',
        'Begin.',
        ...['--permission-mode', 'bypassPermissions'],
        ...repeats,
        ...(run.args ?? []),
      ],
      {
        cwd: run.workspace,
        env: quietRunner(home, api.url),
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    pid = child.pid;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`The headless runner ended with ${code}: ${said}`);
    if (api.violations.length > 0) throw new Error(`The API would refuse: ${JSON.stringify(api.violations[0])}`);
    if (failedResult !== undefined) throw new Error(`A tool failed: ${failedResult}`);
    const { requests } = api;
    return {
      firstRequest: (requests[0]?.receivedAt ?? Number.NaN) - started,
      gaps: requests.slice(1).map((request, index) => request.receivedAt - (requests[index]?.answeredAt ?? Number.NaN)),
      peakMemory,
    };
  } finally {
    await api.close();
    if (run.home === undefined) removeFolder(home);
  }
}

/** Milliseconds that a process takes from spawn to its end; its output is read and thrown away. */
export async function timeProcess(program: string, args: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return performance.now() - started;
}

/** A workspace of its own that is not a repository. */
export function benchFolder(purpose: string): string {
  const folder = temporaryFolder(`bench-${purpose}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function failedToolResult(body: Record<string, unknown>): string | undefined {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as { content?: unknown }[]) : [];
  const content: unknown = messages.at(-1)?.content;
  if (!Array.isArray(content)) return undefined;
  const failed = (content as { type?: unknown; is_error?: unknown; content?: unknown }[]).find(
    ({ is_error }) => is_error === true,
  );
  return failed === undefined ? undefined : JSON.stringify(failed.content);
}

/** VmHWM: what the process held at most at one time. */
function residentPeak(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Nothing of the user's own set-up: no keys, no settings, no proxies. */
function quietRunner(home: string, url: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => ['PATH', 'TMPDIR', 'LANG'].includes(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    SHELL: '/bin/bash',
    NO_PROXY: '127.0.0.1',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'bench-key',
  };
}
