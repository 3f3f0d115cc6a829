// The host's end of one sandbox process: asks, waits for the answer, and knows how many of its commands still run.
import { type ChildProcess, fork } from 'node:child_process';
import { type CommandSandbox, type SandboxedCommand, type SandboxPolicy } from '../../core/ports/command-sandbox';
import { type SandboxAnswer, type SandboxQuestion, type WrappedCommand } from './sandbox-messages';

export interface SandboxProcess {
  wrap: (command: string, signal: AbortSignal) => ReturnType<CommandSandbox['wrap']>;
  /** Commands that have not ended. */
  running(): number;
  alive(): boolean;
  close(): Promise<void>;
}

export interface SandboxProcessOptions {
  /** The built worker. */
  file: string;
  policy: SandboxPolicy;
  ripgrep: string | undefined;
  /** Without credentials. */
  environment: NodeJS.ProcessEnv;
  /** Called each time that a command has ended. */
  onEnd(): void;
}

const stderrCharacters = 2_000;
const closeMs = 5_000;

/** Rejects with a sentence where the sandbox does not start. */
export async function startSandboxProcess({
  file,
  policy,
  ripgrep,
  environment,
  onEnd,
}: SandboxProcessOptions): Promise<SandboxProcess> {
  const child = forkWorker(file, policy.root, environment);
  const waiting = new Map<
    number,
    { done: (value: WrappedCommand | string[] | null) => void; failed: (error: Error) => void }
  >();
  let questions = 0;
  let running = 0;
  let living = true;
  let complaints = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (complaints = (complaints + text).slice(-stderrCharacters)));
  const over = new Promise<void>((resolve) => {
    const ended = (why: string): void => {
      living = false;
      for (const { failed } of waiting.values())
        failed(new Error(`The process of the sandbox has ended: ${complaints.trim() || why}`));
      waiting.clear();
      resolve();
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
  });
  child.on('message', (answer: SandboxAnswer) => {
    const { done, failed } = waiting.get(answer.id) ?? {};
    waiting.delete(answer.id);
    if (waiting.size === 0) letHostEnd();
    if ('failure' in answer) failed?.(new Error(answer.failure));
    else done?.(answer.value);
  });
  const letHostEnd = (): void => {
    child.unref();
    child.channel?.unref();
  };
  letHostEnd();

  function ask(question: SandboxQuestion): Promise<WrappedCommand | string[] | null> {
    return new Promise((done, failed) => {
      if (!living || !child.connected) return failed(new Error('The process of the sandbox has ended.'));
      const id = ++questions;
      waiting.set(id, { done, failed });
      // Nothing else may keep the host alive until the answer comes, or the process ends without one.
      child.ref();
      child.channel?.ref();
      child.send({ id, ...question }, (error) => error && failed(error));
    });
  }

  async function wrap(command: string, signal: AbortSignal): Promise<SandboxedCommand> {
    signal.throwIfAborted();
    running++;
    const ended = once(async () => {
      running--;
      onEnd();
    });
    const wrapped = await ask({ ask: 'wrap', command }).catch(async (error: unknown) => {
      await ended();
      throw error;
    });
    const { name, text } = wrapped as WrappedCommand;
    const finished = once(async () => {
      await ask({ ask: 'ended', name }).catch(() => undefined);
      await ended();
    });
    if (signal.aborted) {
      await finished();
      signal.throwIfAborted();
    }
    return {
      text,
      refused: async () => (await ask({ ask: 'refused', name }).catch(() => [])) as string[],
      ended: finished,
    };
  }

  async function close(): Promise<void> {
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), closeMs);
    child.ref();
    if (living) await over;
    clearTimeout(timer);
  }

  try {
    await ask({ ask: 'start', policy, ripgrep });
  } catch (error) {
    await close();
    throw error;
  }
  return { wrap, running: () => running, alive: () => living, close };
}

function forkWorker(file: string, cwd: string, environment: NodeJS.ProcessEnv): ChildProcess {
  // VS Code's own program runs as Node only where this variable says so.
  const asNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return fork(file, [], {
    cwd,
    env: { ...environment, ...asNode },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= act());
}
