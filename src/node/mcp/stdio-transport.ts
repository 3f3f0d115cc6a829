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
const exitMs = 500;
/** A server that prints other lines than messages may have been started wrongly: so many of them are logged. */
const maxStrayLines = 20;

export interface StdioTransport extends Transport {
  /** Why it ended, where it did by itself. */
  readonly ending: string | undefined;
}

export function createStdioTransport(options: StdioOptions): StdioTransport {
  return new ProcessTransport(options);
}

class ProcessTransport implements StdioTransport {
  readonly #options: StdioOptions;
  readonly #log: StdioOptions['log'];
  readonly #mark = `mcp-${randomBytes(9).toString('hex')}`;
  readonly #family: ProcessFamily = createProcessFamily();
  readonly #decoder = new StringDecoder('utf8');
  readonly #words = new StringDecoder('utf8');
  #child: ChildProcessWithoutNullStreams | undefined;
  #pending: string[] = [];
  #pendingSize = 0;
  #stray = 0;
  #delivery = Promise.resolve();
  #ending: string | undefined;
  #closed: Promise<void> | undefined;
  #isOverReported = false;
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  get ending(): string | undefined {
    return this.#ending;
  }

  async start(): Promise<void> {
    const { command, args, cwd, environment } = this.#options;
    const program =
      process.platform === 'win32'
        ? await onWindows(command, args, cwd, environment)
        : { command, args: [...args], shell: false };
    if (this.#closed !== undefined) throw new Error(this.#ending ?? 'It was closed.');
    if (typeof program === 'string') {
      this.#over(program);
      throw new Error(program);
    }
    const started = spawn(program.command, program.args, {
      cwd,
      env: { ...environment, DEFT_RUN: this.#mark },
      detached: process.platform !== 'win32',
      shell: program.shell,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = started;
    started.stdin.on('error', () => undefined);
    started.stdout.on('error', () => undefined);
    started.stderr.on('error', () => undefined);
    started.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    started.stderr.on('data', (chunk: Buffer) => this.#log.addChunk(this.#words.write(chunk)));
    started.once('exit', (code, by) => {
      const why = code === null ? `It was ended by ${by ?? 'a signal'}.` : `It ended with exit code ${code}.`;
      this.#ending ??= why;
      if (this.#closed === undefined) this.#log.add(why);
      // What it wrote last is read first; children of it may hold the output open.
      setTimeout(() => this.#over(why), 50);
      if (this.#closed === undefined) void this.close();
    });
    await new Promise<void>((resolve, reject) => {
      started.once('spawn', resolve);
      started.once('error', (error) => {
        this.#over(startFailure(command, error));
        reject(new Error(startFailure(command, error)));
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#child === undefined || this.#closed !== undefined)
      return Promise.reject(new Error(this.#ending ?? 'It is not running.'));
    if (this.#child.stdin.writableLength > maxMessageBytes) {
      this.#ending = 'It does not read its input, so the connection was closed.';
      void this.close();
      return Promise.reject(new Error(this.#ending));
    }
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#end());
  }

  #over(why: string): void {
    this.#ending ??= why;
    if (this.#isOverReported) return;
    this.#isOverReported = true;
    this.onclose?.();
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const { message, isSound } = readMessage(line);
    if (message !== undefined) this.onmessage?.(message);
    if (!isSound && this.#stray++ < maxStrayLines) this.#log.add(`(not a protocol message) ${line}`);
  }

  #read(chunk: Buffer): void {
    if (this.#closed !== undefined) return;
    const parts = this.#decoder.write(chunk).split('\n');
    for (const [index, part] of parts.entries()) {
      this.#pending.push(part);
      this.#pendingSize += part.length;
      if (this.#pendingSize > maxMessageBytes) {
        this.#log.add(`It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB.`);
        this.#ending = `It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB, so the connection was closed.`;
        this.#pending = [];
        return void this.close();
      }
      if (index === parts.length - 1) return;
      const line = this.#pending.join('');
      this.#pending = [];
      this.#pendingSize = 0;
      // The library answers a notification a step later: the result behind it must not overtake it.
      this.#delivery = this.#delivery.then(() => this.#receive(line));
    }
  }

  async #end(): Promise<void> {
    const running = this.#child;
    if (running?.pid === undefined) return this.#over('It was closed.');
    await this.#family.look(running.pid);
    running.stdin.end();
    if (running.exitCode === null && running.signalCode === null)
      await Promise.race([new Promise((resolve) => running.once('exit', resolve)), later(exitMs)]);
    await endProcesses({ mark: this.#mark, group: running.pid, family: this.#family });
    running.stdout.destroy();
    running.stderr.destroy();
    this.#over('It was closed.');
  }
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
  return `\`${command}\` was not found. Install it, or give its full path.`;
}

function startFailure(command: string, error: Error): string {
  if ('code' in error && error.code === 'ENOENT') return notFound(command);
  return `\`${command}\` could not be started: ${messageOf(error)}`;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
