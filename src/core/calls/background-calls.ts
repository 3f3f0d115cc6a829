// Calls that take longer than the session waits: they go on in the background, where they are read, ended and told of like commands.
import { defined } from '../../shared/defined';
import { tailOf } from '../../shared/cut-text';
import { messageOf } from '../text/errors';
import { type BackgroundCommand, type Terminal } from '../ports/terminal';
import { type Clock } from '../ports/clock';
import { type CommandEnd } from '../ports/command-end';
import { type FileSystem } from '../ports/files';
import { type Log } from '../ports/log';
import { type BackgroundCalls, type LongCall } from '../tool/background-calls';

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

export interface SessionCalls extends BackgroundCalls {
  /** The session's terminal, with these calls among its background commands. */
  readonly terminal: Terminal;
  /** Ends all that run, and resolves once that is told. */
  close(): Promise<void>;
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

/** Of what a call has said on its way, and of its answer. */
const maxKept = 50_000;

export function createBackgroundCalls(services: BackgroundCallServices): SessionCalls {
  const { terminal, clock, files, afterMs } = services;
  const calls = new Map<string, RunningCall>();
  const listeners = new Set<(command: BackgroundCommand) => void>();
  let closed = false;

  const write = (path: string, text: string): Promise<void> =>
    files
      .writeOwnFile(path, text)
      .catch((error: unknown) => services.log.debug('The output of a background call was not kept.', error));
  const keep = (running: RunningCall, text: string): void => {
    running.tail = tailOf(text, maxKept);
    running.size = new TextEncoder().encode(text).length;
  };
  const follow = async <Answer>(
    running: RunningCall,
    answer: Promise<Answer>,
    printed: LongCall<Answer>['printed'],
  ): Promise<void> => {
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
    await write(command.outputPath, output);
    keep(running, output);
    running.command = { ...command, end };
    for (const listener of [...listeners]) listener(running.command);
    await services.ended(running.command);
  };
  const stop = async (running: RunningCall, by: RunningCall['by']): Promise<boolean> => {
    if (running.command.end !== undefined || running.stop.signal.aborted) return false;
    running.by = by;
    running.stop.abort(Object.assign(new Error('The call was stopped.'), { name: 'AbortError' }));
    await running.ended;
    return true;
  };

  return {
    async run(call, { toolUseId, signal, onProgress }) {
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
        afterMs === 0 || closed
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
      const taskId = `call-${services.uuid().replaceAll('-', '').slice(-8)}`;
      const outputPath = `${services.directory}/${taskId}.txt`;
      const command: BackgroundCommand = {
        taskId,
        toolUseId,
        command: call.title,
        title: call.title,
        outputPath,
        startedAt: clock.now() - afterMs,
      };
      const running: RunningCall = (moved = {
        command,
        tail: progress,
        size: new TextEncoder().encode(progress).length,
        stop: own,
        by: 'abort',
        ended: Promise.resolve(),
      });
      calls.set(taskId, running);
      await write(outputPath, progress);
      running.ended = follow(running, answer, (found) => call.printed(found));
      return { moved: { taskId, outputPath, afterMs } };
    },
    terminal: {
      run: (request, onProgress, signal) => terminal.run(request, onProgress, signal),
      background: () => [...terminal.background(), ...[...calls.values()].map(({ command }) => command)],
      ...(terminal.foundAgain === undefined ? {} : { foundAgain: () => terminal.foundAgain?.() ?? Promise.resolve() }),
      async output(taskId, maxBytes) {
        const running = calls.get(taskId);
        return running === undefined
          ? terminal.output(taskId, maxBytes)
          : { tail: tailOf(running.tail, maxBytes), totalBytes: running.size };
      },
      moveToBackground: (toolUseId) => terminal.moveToBackground(toolUseId),
      stop: async (taskId, by) => {
        const running = calls.get(taskId);
        return running === undefined ? terminal.stop(taskId, by) : stop(running, by);
      },
      onBackgroundEnd(listener) {
        listeners.add(listener);
        const forget = terminal.onBackgroundEnd(listener);
        return () => {
          listeners.delete(listener);
          forget();
        };
      },
      ...(terminal.shells === undefined ? {} : { shells: () => terminal.shells?.() ?? [] }),
      // Commands are judged by the aliases and functions that the shell gets.
      ...defined({ shellNames: terminal.shellNames?.bind(terminal) }),
      dispose: () => terminal.dispose(),
    },
    async close() {
      closed = true;
      await Promise.all([...calls.values()].map((running) => stop(running, 'abort')));
    },
  };
}
