// Speaks with a server that is a process: one JSON message a line, its error output into the log, and its whole tree ended on close.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { access } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../core/text/errors';
import { maxMessageBytes } from '../../core/mcp/limits';
import { createProcessFamily, type ProcessFamily } from '../terminal/process-family';
import { endProcesses } from '../terminal/process-tree';
import { readMessage } from './read-message';
import { type ServerLog } from './server-log';
import { windowsCandidates, windowsStart, type WindowsStart } from './windows-program';

export interface StdioOptions {
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  /** All of it: nothing is added but a mark to find its processes by. */
  environment: NodeJS.ProcessEnv;
  log: ServerLog;
}

/** After its input was closed, before its processes are ended. */
const leaveMs = 500;
/** A server that prints what is no message may be one that was started wrongly: so much of it is told. */
const maxStrayLines = 20;

export interface StdioTransport extends Transport {
  /** Why it ended, where it did by itself. */
  readonly ending: string | undefined;
}

export function createStdioTransport({ command, args, cwd, environment, log }: StdioOptions): StdioTransport {
  const mark = `mcp-${randomBytes(9).toString('hex')}`;
  const family: ProcessFamily = createProcessFamily();
  const decoder = new StringDecoder('utf8');
  const words = new StringDecoder('utf8');
  let child: ChildProcessWithoutNullStreams | undefined;
  let pending: string[] = [];
  let pendingSize = 0;
  let stray = 0;
  let delivery = Promise.resolve();
  let ending: string | undefined;
  let closed: Promise<void> | undefined;
  let told = false;

  const over = (why: string): void => {
    ending ??= why;
    if (told) return;
    told = true;
    transport.onclose?.();
  };
  const receive = (line: string): void => {
    if (line.trim() === '') return;
    const { message, isSound } = readMessage(line);
    if (message !== undefined) transport.onmessage?.(message);
    if (!isSound && stray++ < maxStrayLines) log.add(`(no message of the protocol) ${line}`);
  };
  const read = (chunk: Buffer): void => {
    if (closed !== undefined) return;
    const parts = decoder.write(chunk).split('\n');
    for (const [index, part] of parts.entries()) {
      pending.push(part);
      pendingSize += part.length;
      if (pendingSize > maxMessageBytes) {
        log.add(`It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB.`);
        ending = `It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB, so the connection was closed.`;
        pending = [];
        return void transport.close();
      }
      if (index === parts.length - 1) return;
      const line = pending.join('');
      pending = [];
      pendingSize = 0;
      // The library answers a notification a step later: the result behind it must not overtake it.
      delivery = delivery.then(() => receive(line));
    }
  };
  const end = async (): Promise<void> => {
    const running = child;
    if (running?.pid === undefined) return over('It was closed.');
    await family.look(running.pid);
    running.stdin.end();
    if (running.exitCode === null && running.signalCode === null)
      await Promise.race([new Promise((resolve) => running.once('exit', resolve)), later(leaveMs)]);
    await endProcesses({ mark, group: running.pid, family });
    running.stdout.destroy();
    running.stderr.destroy();
    over('It was closed.');
  };
  const transport: StdioTransport = {
    get ending() {
      return ending;
    },
    async start() {
      const program =
        process.platform === 'win32'
          ? await onWindows(command, args, cwd, environment)
          : { command, args: [...args], shell: false };
      if (closed !== undefined) throw new Error(ending ?? 'It was closed.');
      if (typeof program === 'string') {
        over(program);
        throw new Error(program);
      }
      const started = spawn(program.command, program.args, {
        cwd,
        env: { ...environment, DEFT_RUN: mark },
        detached: process.platform !== 'win32',
        shell: program.shell,
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child = started;
      started.stdin.on('error', () => undefined);
      started.stdout.on('error', () => undefined);
      started.stderr.on('error', () => undefined);
      started.stdout.on('data', read);
      started.stderr.on('data', (chunk: Buffer) => log.addChunk(words.write(chunk)));
      started.once('exit', (code, by) => {
        const why = code === null ? `It was ended by ${by ?? 'a signal'}.` : `It ended with exit code ${code}.`;
        ending ??= why;
        if (closed === undefined) log.add(why);
        // What it wrote last is read first; children of it may hold the output open.
        setTimeout(() => over(why), 50);
        if (closed === undefined) void transport.close();
      });
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', (error) => {
          over(startFailure(command, error));
          reject(new Error(startFailure(command, error)));
        });
      });
    },
    send(message: JSONRPCMessage) {
      if (child === undefined || closed !== undefined) return Promise.reject(new Error(ending ?? 'It is not running.'));
      if (child.stdin.writableLength > maxMessageBytes) {
        ending = 'It does not read what it is sent, so the connection was closed.';
        void transport.close();
        return Promise.reject(new Error(ending));
      }
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => (closed ??= end()),
  };
  return transport;
}

/** `npx` and its like are scripts there, which only a shell starts. */
async function onWindows(
  command: string,
  args: readonly string[],
  cwd: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<WindowsStart | string> {
  for (const file of windowsCandidates(command, { environment, cwd })) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return windowsStart(file, args);
  }
  return notFound(command);
}

function notFound(command: string): string {
  return `\`${command}\` was not found. Install it, or write its whole path.`;
}

function startFailure(command: string, error: Error): string {
  if ('code' in error && error.code === 'ENOENT') return notFound(command);
  return `\`${command}\` could not be started: ${messageOf(error)}`;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
