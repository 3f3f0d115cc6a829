// Calls that take longer than the session waits: they continue in the background, where they are read, ended and reported like commands.
import { callPrefix } from './background-call-id';
import { defined } from '../../shared/defined';
import { tailOf } from '../../shared/cut-text';
import { messageOf } from '../text/errors';
import { type BackgroundCommand, type Terminal } from '../ports/terminal';
import { type Clock } from '../ports/clock';
import { type CommandEnd } from '../ports/command-end';
import { type FileSystem } from '../ports/files';
import { type Log } from '../ports/log';
import { type BackgroundCalls, type CallContext, type LongCall, type MovedCall } from '../tool/background-calls';

export interface BackgroundCallServices {
  terminal: Terminal;
  clock: Clock;
  uuid: () => string;
  files: Pick<FileSystem, 'writeOwnFile'>;
  log: Pick<Log, 'debug'>;
  /** For their output. */
  directory: string;
  /** How long a call is waited for; 0: for ever. */
  afterMs: number;
  ended(command: BackgroundCommand): Promise<unknown>;
}

export const defaultBackgroundMs = 120_000;

interface RunningCall {
  command: BackgroundCommand;
  /** The end of its output; all of it is in its file. */
  tail: string;
  size: number;
  stop: AbortController;
  by: 'user' | 'agent' | 'abort';
  ended: Promise<void>;
}

/** The maximum kept of a call's output so far, and of its answer. */
const maxKept = 50_000;

/** `terminal` of it is the session's terminal, with these calls among its background commands. */
export class SessionCalls implements BackgroundCalls {
  readonly terminal: Terminal;
  readonly #services: BackgroundCallServices;
  readonly #calls = new Map<string, RunningCall>();
  readonly #listeners = new Set<(command: BackgroundCommand) => void>();
  #closed = false;

  constructor(services: BackgroundCallServices) {
    this.#services = services;
    this.terminal = this.#withCalls(services.terminal);
  }

  async run<Answer>(
    call: LongCall<Answer>,
    { toolUseId, signal, onProgress }: CallContext,
  ): Promise<{ answer: Answer } | { moved: MovedCall }> {
    const { clock, afterMs } = this.#services;
    const own = new AbortController();
    const abort = (): void => own.abort(signal.reason);
    const waiting = new AbortController();
    let moved: RunningCall | undefined;
    let progress = '';
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    const answer = call.ask(own.signal, (text) => {
      progress = tailOf(`${progress}${text}\n`, maxKept);
      if (moved === undefined) onProgress({ kind: 'text', text });
      else keep(moved, progress);
    });
    const late = Symbol('late');
    const time =
      afterMs === 0 || this.#closed
        ? new Promise<never>(() => undefined)
        : clock.sleep(afterMs, waiting.signal).then((): typeof late => late);
    time.catch(() => undefined);
    try {
      const first = await Promise.race([answer, time]);
      if (first !== late) return { answer: first as Awaited<typeof answer> };
    } finally {
      waiting.abort();
      // From here on the turn may end without it.
      signal.removeEventListener('abort', abort);
    }
    const running = (moved = this.#begin(call.title, toolUseId, progress, own));
    const { taskId, outputPath } = running.command;
    await this.#write(outputPath, progress);
    running.ended = this.#follow(running, answer, (found) => call.printed(found));
    return { moved: { taskId, outputPath, afterMs } };
  }

  /** Ends all that run, and resolves once that is reported. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#calls.values()].map((running) => this.#stop(running, 'abort')));
  }

  #begin(title: string, toolUseId: string, progress: string, stop: AbortController): RunningCall {
    const { uuid, directory, clock, afterMs } = this.#services;
    const taskId = `${callPrefix}${uuid().replaceAll('-', '').slice(-8)}`;
    const command: BackgroundCommand = {
      taskId,
      toolUseId,
      command: title,
      title,
      outputPath: `${directory}/${taskId}.txt`,
      startedAt: clock.now() - afterMs,
    };
    const running: RunningCall = {
      command,
      tail: progress,
      size: new TextEncoder().encode(progress).length,
      stop,
      by: 'abort',
      ended: Promise.resolve(),
    };
    this.#calls.set(taskId, running);
    return running;
  }

  async #follow<Answer>(
    running: RunningCall,
    answer: Promise<Answer>,
    printed: LongCall<Answer>['printed'],
  ): Promise<void> {
    const { command } = running;
    let end: CommandEnd;
    let output = running.tail;
    try {
      const { text, failed } = await printed(await answer);
      output = text;
      end = { state: 'exited', code: failed ? 1 : 0 };
    } catch (error) {
      end = running.stop.signal.aborted ? { state: 'killed', by: running.by } : { state: 'exited', code: 1 };
      if (end.state === 'exited') output = messageOf(error);
    }
    await this.#write(command.outputPath, output);
    keep(running, output);
    running.command = { ...command, end };
    for (const listener of [...this.#listeners]) listener(running.command);
    await this.#services.ended(running.command);
  }

  async #stop(running: RunningCall, by: RunningCall['by']): Promise<boolean> {
    if (running.command.end !== undefined || running.stop.signal.aborted) return false;
    running.by = by;
    running.stop.abort(Object.assign(new Error('The call was stopped.'), { name: 'AbortError' }));
    await running.ended;
    return true;
  }

  #write(path: string, text: string): Promise<void> {
    const { files, log } = this.#services;
    return files
      .writeOwnFile(path, text)
      .catch((error: unknown) => log.debug('The output of a background call was not kept.', error));
  }

  #withCalls(terminal: Terminal): Terminal {
    return {
      run: (request, onProgress, signal) => terminal.run(request, onProgress, signal),
      background: () => [...terminal.background(), ...[...this.#calls.values()].map(({ command }) => command)],
      ...(terminal.outputDirectories === undefined
        ? {}
        : { outputDirectories: () => terminal.outputDirectories?.() ?? [] }),
      ...(terminal.foundAgain === undefined ? {} : { foundAgain: () => terminal.foundAgain?.() ?? Promise.resolve() }),
      output: async (taskId, maxBytes) => {
        const running = this.#calls.get(taskId);
        return running === undefined
          ? terminal.output(taskId, maxBytes)
          : { tail: tailOf(running.tail, maxBytes), totalBytes: running.size };
      },
      moveToBackground: (toolUseId) => terminal.moveToBackground(toolUseId),
      stop: async (taskId, by) => {
        const running = this.#calls.get(taskId);
        return running === undefined ? terminal.stop(taskId, by) : this.#stop(running, by);
      },
      onBackgroundEnd: (listener) => {
        this.#listeners.add(listener);
        const forget = terminal.onBackgroundEnd(listener);
        return () => {
          this.#listeners.delete(listener);
          forget();
        };
      },
      ...(terminal.shells === undefined ? {} : { shells: () => terminal.shells?.() ?? [] }),
      // Commands are judged by the aliases and functions that the shell gets.
      ...defined({ shellNames: terminal.shellNames?.bind(terminal) }),
      dispose: () => terminal.dispose(),
    };
  }
}

function keep(running: RunningCall, text: string): void {
  running.tail = tailOf(text, maxKept);
  running.size = new TextEncoder().encode(text).length;
}
