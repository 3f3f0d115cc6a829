// One program that Deft debugs, followed through what its debuggers and VS Code say to each other.
import * as vscode from 'vscode';
import { isObject } from '../../shared/plain-object';
import { type Debuggee, type DebugState, type StoppingExceptions } from '../../core/ports/debugger';
import { type BreakpointStates, createBreakpointStates } from './breakpoint-states';
import { type OwnBreakpoints } from './own-breakpoints';
import { withPaths } from './frame-paths';

/** In the configuration of the first session: those that it starts are below it. */
export const runKey = '__deftRun';

const resuming = new Set(['continue', 'next', 'stepIn', 'stepOut', 'goto', 'restartFrame']);
const maxOutput = 20_000;
/** Milliseconds that VS Code may take to end a program. */
const endMs = 10_000;
/** The first stop asks the program, which may stand still; the next ones end it. */
const askAgainMs = 1_000;

export interface DebugRun extends Debuggee {
  /** A session of it was started. */
  began(): boolean;
}

interface RunOptions {
  id: string;
  name: string;
  breakpoints: OwnBreakpoints;
  exceptions: StoppingExceptions;
}

type Stop = Extract<DebugState, { state: 'stopped' }>;

export function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  return session.parentSession === undefined ? session : rootOf(session.parentSession);
}

export function createDebugRun({ id, name, breakpoints, exceptions: wanted }: RunOptions): DebugRun {
  const sessions = new Map<string, vscode.DebugSession>();
  const stops = new Map<string, Stop>();
  const filters = new Map<string, readonly string[]>();
  const states = createBreakpointStates();
  const watchers = new Set<() => void>();
  let exceptions = wanted;
  let root: vscode.DebugSession | undefined;
  let ended: { exitCode?: number } | undefined;
  let exitCode: number | undefined;
  let output = '';
  let omitted = 0;
  let isEnding = false;

  const changed = (): void => [...watchers].forEach((watcher) => watcher());
  const state = (): DebugState => {
    if (ended !== undefined) return { state: 'ended', ...ended };
    return [...stops.values()].at(-1) ?? { state: 'running' };
  };
  const stopped = (): vscode.DebugSession | undefined => sessions.get([...stops.keys()].at(-1) ?? '');
  const append = (text: string): void => {
    const all = output + text;
    output = all.slice(-maxOutput);
    omitted += all.length - output.length;
  };
  const subscriptions: vscode.Disposable[] = [];
  const finish = (): void => {
    ended ??= exitCode === undefined ? {} : { exitCode };
    stops.clear();
    changed();
  };

  const onEvent = (session: vscode.DebugSession, event: unknown, body: Record<string, unknown>): void => {
    switch (event) {
      case 'stopped':
        // A hint of the protocol: the user's editor and their typing stay where they are.
        body['preserveFocusHint'] = true;
        stops.delete(session.id);
        stops.set(session.id, stopOf(body));
        return changed();
      case 'continued':
        return void stops.delete(session.id);
      case 'exited':
        exitCode = typeof body['exitCode'] === 'number' ? body['exitCode'] : exitCode;
        return;
      case 'output':
        if (typeof body['output'] === 'string' && isOfProgram(session, body['category'])) append(body['output']);
    }
  };
  const onMessage = (session: vscode.DebugSession, own: BreakpointStates, message: unknown): void => {
    if (!isObject(message)) return;
    own.fromAdapter(message);
    const body = isObject(message['body']) ? message['body'] : {};
    if (message['type'] === 'event') onEvent(session, message['event'], body);
    if (message['command'] === 'initialize') filters.set(session.id, filtersOf(body));
  };
  /** The choice is that of this program: VS Code's own is for those of the user. */
  const withExceptions = (session: vscode.DebugSession, message: unknown): void => {
    if (!isObject(message) || message['command'] !== 'setExceptionBreakpoints') return;
    const input = message['arguments'];
    const chosen = chosenFilters(exceptions, filters.get(session.id) ?? []);
    if (chosen !== undefined && isObject(input)) Object.assign(input, { filters: chosen, filterOptions: [] });
  };

  subscriptions.push(
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker(session) {
        const top = rootOf(session);
        if (top.configuration[runKey] !== id) return undefined;
        if (top === session) root = session;
        sessions.set(session.id, session);
        const own = states.forSession();
        return {
          onWillReceiveMessage(message) {
            own.toAdapter(message);
            withExceptions(session, message);
          },
          onDidSendMessage: (message) => onMessage(session, own, message),
        };
      },
    }),
    vscode.debug.onDidStartDebugSession((session) => {
      if (isEnding && rootOf(session).configuration[runKey] === id) void vscode.debug.stopDebugging(session);
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (sessions.delete(session.id)) stops.delete(session.id);
      if (session.id === root?.id) finish();
    }),
  );

  const settled = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const over = (): void => {
        watchers.delete(look);
        signal.removeEventListener('abort', abort);
      };
      const look = (): void => {
        if (state().state === 'running') return;
        over();
        resolve();
      };
      const abort = (): void => {
        over();
        reject(signal.reason as Error);
      };
      watchers.add(look);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      else look();
    });

  return {
    name,
    began: () => root !== undefined,
    state,
    settled,
    takeOutput() {
      const taken = { text: output, omitted };
      output = '';
      omitted = 0;
      return taken;
    },
    async request(command, input) {
      const session = stopped() ?? [...sessions.values()].at(-1);
      if (session === undefined) throw new Error('The program has ended.');
      const stop = stops.get(session.id);
      if (!resuming.has(command) || stop === undefined)
        return withPaths((await session.customRequest(command, input)) as unknown);
      stops.delete(session.id);
      try {
        return (await session.customRequest(command, input)) as unknown;
      } catch (error) {
        if (ended === undefined && sessions.has(session.id)) stops.set(session.id, stop);
        throw error;
      }
    },
    breakpoints: async () =>
      breakpoints.all().map(({ users, ...breakpoint }) => {
        const known = states.of(breakpoint.path, breakpoint.line);
        return {
          ...breakpoint,
          ...(users ? { users } : {}),
          ...(known === undefined ? {} : { verified: known.verified }),
          ...(known?.line === undefined ? {} : { actualLine: known.line }),
        };
      }),
    setBreakpoints: async (list) => breakpoints.set(list),
    async setExceptions(choice) {
      exceptions = choice;
      const chosen = [...sessions.values()].flatMap((session) => {
        const names = chosenFilters(choice, filters.get(session.id) ?? []);
        return names === undefined ? [] : [session.customRequest('setExceptionBreakpoints', { filters: names })];
      });
      await Promise.all(chosen);
      return chosen.length > 0;
    },
    async end() {
      isEnding = true;
      breakpoints.set([]);
      try {
        if (root !== undefined && ended === undefined) await endOf(root, settledAtEnd);
      } finally {
        // A session that only begins now is ended as it begins.
        if (ended !== undefined) subscriptions.forEach((one) => one.dispose());
      }
    },
  };

  function settledAtEnd(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (ended === undefined) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  }
}

async function endOf(root: vscode.DebugSession, hasEnded: () => Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  // VS Code answers when the program lets it.
  const stop = (): void => void Promise.resolve(vscode.debug.stopDebugging(root)).catch(() => undefined);
  const again = setInterval(stop, askAgainMs);
  try {
    stop();
    await Promise.race([
      hasEnded(),
      new Promise<never>((_, reject) => {
        late = setTimeout(
          () => reject(new Error(`"${root.name}" does not end: VS Code's stop button may help.`)),
          endMs,
        );
      }),
    ]);
  } finally {
    clearTimeout(late);
    clearInterval(again);
  }
}

/** The first session of Node's debugger says only how it started. */
function isOfProgram(session: vscode.DebugSession, category: unknown): boolean {
  if (category === 'telemetry') return false;
  return category !== 'console' || session.parentSession !== undefined || session.type !== 'pwa-node';
}

function stopOf(body: Record<string, unknown>): Stop {
  const { reason, threadId, text, description } = body;
  const told = [text, description].find((one): one is string => typeof one === 'string' && one !== '');
  return {
    state: 'stopped',
    reason: typeof reason === 'string' ? reason : 'stopped',
    thread: typeof threadId === 'number' ? threadId : 0,
    ...(told === undefined ? {} : { text: told }),
  };
}

function filtersOf(body: Record<string, unknown>): string[] {
  const filters = body['exceptionBreakpointFilters'];
  return Array.isArray(filters)
    ? filters.flatMap((one) => (isObject(one) && typeof one['filter'] === 'string' ? [one['filter']] : []))
    : [];
}

/** Undefined where the debugger has no filters of these meanings. */
function chosenFilters(wanted: StoppingExceptions, known: readonly string[]): string[] | undefined {
  if (!known.includes('uncaught')) return undefined;
  if (wanted === 'none') return [];
  return wanted === 'uncaught' ? ['uncaught'] : known.filter((one) => ['all', 'raised', 'uncaught'].includes(one));
}
