// One interpreter that lives on between calls: code goes in on a separate descriptor, and marks delimit what it prints.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type Readable, type Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../../core/text/errors';
import { createProcessFamily } from '../terminal/process-family';
import { endProcesses } from '../terminal/process-tree';
import { createPrintedText } from './printed-text';

export interface ReplProcessOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  /** Complete, and without credentials. */
  environment: NodeJS.ProcessEnv;
}

export interface ReplAnswer {
  state: 'finished' | 'failed' | 'timeout' | 'stopped' | 'died' | 'not-started';
  output: string;
  value: string;
  late: string;
}

export interface ReplProcess {
  /** One call at a time. */
  evaluate(code: string, timeoutMs: number, signal: AbortSignal): Promise<ReplAnswer>;
  /** False once it has ended: another one is needed. */
  alive(): boolean;
  /** Ends it with everything it has started. */
  end(): Promise<void>;
}

/** From the answer to the last of what was printed before it. */
const PRINT_WAIT_MS = 1_000;

type Ended = { state: 'timeout' | 'stopped' | 'died' | 'not-started'; message: string };
type Answer = { state: 'finished' | 'failed'; value: string };
/** `late` is what came before the answer. */
type Answered = Answer & { late: string };

export function startReplProcess(options: ReplProcessOptions): ReplProcess {
  const mark = `repl-${randomBytes(9).toString('hex')}`;
  const family = createProcessFamily();
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: { ...options.environment, DEFT_RUN: mark },
    detached: process.platform !== 'win32',
    windowsHide: true,
    // No input: whoever asks for some gets its end.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, requests, answers] = child.stdio as [null, Readable, Readable, Writable, Readable];
  const printed = [stdout, stderr].map(follow);
  const late = createPrintedText();
  requests.on('error', () => undefined);
  let living = true;
  const over = new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve({ state: 'not-started', message: messageOf(error) }));
    child.once('exit', (code, signal) =>
      resolve({
        state: 'died',
        message: signal === null ? `The process ended with exit code ${code}.` : `The process was ended by ${signal}.`,
      }),
    );
  });
  void over.then(() => (living = false));
  let waiting: { until: string; onAnswer: (answer: Answered) => void } | undefined;
  let rest = '';
  answers.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = fieldsOf(line);
      if (typeof message['late'] === 'string') late.add(message['late']);
      // Code may write here too: what is not the answer to the present call is none.
      const answer = waiting === undefined ? undefined : answerIn(message, waiting.until);
      if (answer === undefined) continue;
      waiting?.onAnswer({ ...answer, late: late.take() });
      waiting = undefined;
    }
  });

  async function end(): Promise<void> {
    living = false;
    if (child.pid !== undefined) {
      await family.look(child.pid);
      await endProcesses({ mark, group: child.pid, family });
    }
    child.kill('SIGKILL');
    // Killed is not gone yet: the system still has to say so.
    await over;
  }

  async function evaluate(code: string, timeoutMs: number, signal: AbortSignal): Promise<ReplAnswer> {
    const until = `\0${randomBytes(12).toString('hex')}\0`;
    const answer = new Promise<Answered>((resolve) => (waiting = { until, onAnswer: resolve }));
    let stop: (end: Ended) => void = () => undefined;
    const stopped = new Promise<Ended>((resolve) => (stop = resolve));
    const abort = (): void => stop({ state: 'stopped', message: '' });
    const timer = setTimeout(() => stop({ state: 'timeout', message: '' }), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const request = Buffer.from(JSON.stringify({ code, mark: until }));
    requests.write(Buffer.concat([Buffer.from(String(request.length).padStart(10, '0')), request]));
    const first = await Promise.race([answer, stopped, over]);
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    if (!('value' in first)) await end();
    const texts = await Promise.all(printed.map((stream) => stream.takeUntil(until, PRINT_WAIT_MS)));
    return {
      state: first.state,
      output: texts.join(''),
      value: 'value' in first ? first.value : first.message,
      late: 'late' in first ? first.late : late.take(),
    };
  }

  return { evaluate, end, alive: () => living };
}

/** Undefined for what is not an answer, or one to another call. */
function answerIn({ state, value, mark }: Record<string, unknown>, until: string): Answer | undefined {
  if (mark !== until || typeof value !== 'string' || (state !== 'finished' && state !== 'failed')) return undefined;
  return { state, value };
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function follow(stream: Readable) {
  const decoder = new StringDecoder('utf8');
  const text = createPrintedText();
  stream.on('data', (chunk: Buffer) => text.add(decoder.write(chunk)));
  stream.on('error', () => text.close());
  stream.once('close', () => text.close());
  return text;
}
