// One program that Deft debugs, followed through what its debuggers and VS Code say to each other.
import * as vscode from 'vscode';
import { isObject } from '../../shared/plain-object';
import { defined } from '../../shared/defined';
import {
  type Breakpoint,
  type Debuggee,
  type DebugState,
  type PlacedBreakpoint,
  type StoppingExceptions,
} from '../../core/ports/debugger';
import { createBreakpointStates } from './breakpoint-states';
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

/** Its sessions, the first of which VS Code starts, are those whose root has its id. */
export class DebugRun implements Debuggee {
  readonly name: string;
  readonly #id: string;
  readonly #own: OwnBreakpoints;
  #exceptions: StoppingExceptions;
  readonly #sessions = new Map<string, vscode.DebugSession>();
  /** By session, the latest last. */
  readonly #stops = new Map<string, Stop>();
  readonly #filters = new Map<string, readonly string[]>();
  readonly #placed = createBreakpointStates();
  readonly #watchers = new Set<() => void>();
  readonly #subscriptions: vscode.Disposable[];
  #root: vscode.DebugSession | undefined;
  #ended = false;
  #exitCode: number | undefined;
  #output = '';
  #omitted = 0;
  #isEnding = false;

  constructor({ id, name, breakpoints, exceptions }: RunOptions) {
    this.name = name;
    this.#id = id;
    this.#own = breakpoints;
    this.#exceptions = exceptions;
    this.#subscriptions = [
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#track(session),
      }),
      vscode.debug.onDidStartDebugSession((session) => {
        if (this.#isEnding && this.#isOwn(session)) void vscode.debug.stopDebugging(session);
      }),
      vscode.debug.onDidTerminateDebugSession((session) => this.#terminated(session)),
    ];
  }

  /** A session of it was started. */
  began(): boolean {
    return this.#root !== undefined;
  }

  state(): DebugState {
    if (this.#ended) return { state: 'ended', ...(this.#exitCode === undefined ? {} : { exitCode: this.#exitCode }) };
    return [...this.#stops.values()].at(-1) ?? { state: 'running' };
  }

  settled(signal: AbortSignal): Promise<void> {
    return this.#when(() => this.state().state !== 'running', signal);
  }

  takeOutput(): { text: string; omitted: number } {
    const taken = { text: this.#output, omitted: this.#omitted };
    this.#output = '';
    this.#omitted = 0;
    return taken;
  }

  async request(command: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const stopped = [...this.#stops.keys()].at(-1);
    const session = this.#sessions.get(stopped ?? '') ?? [...this.#sessions.values()].at(-1);
    if (session === undefined) throw new Error('The program has ended.');
    const stop = this.#stops.get(session.id);
    if (!resuming.has(command) || stop === undefined)
      return withPaths((await session.customRequest(command, input)) as unknown);
    // It may stand still again before the answer is here.
    this.#stops.delete(session.id);
    try {
      return (await session.customRequest(command, input)) as unknown;
    } catch (error) {
      if (this.#sessions.has(session.id)) this.#stops.set(session.id, stop);
      throw error;
    }
  }

  async breakpoints(): Promise<PlacedBreakpoint[]> {
    return this.#own.all().map(({ users, ...breakpoint }) => {
      const known = this.#placed.of(breakpoint.path, breakpoint.line);
      return {
        ...breakpoint,
        ...(users ? { users } : {}),
        ...defined({ verified: known?.verified, actualLine: known?.line }),
      };
    });
  }

  async setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void> {
    this.#own.set(breakpoints);
  }

  async setExceptions(exceptions: StoppingExceptions): Promise<boolean> {
    this.#exceptions = exceptions;
    const sent = [...this.#sessions.values()].flatMap((session) => {
      const filters = chosenFilters(exceptions, this.#filters.get(session.id) ?? []);
      return filters === undefined ? [] : [session.customRequest('setExceptionBreakpoints', { filters })];
    });
    await Promise.all(sent);
    return sent.length > 0;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.#own.set([]);
    try {
      if (this.#root !== undefined && !this.#ended)
        await endOf(this.#root, (signal) => this.#when(() => this.#ended, signal));
    } finally {
      // A session that only begins now is ended as it begins.
      if (this.#ended) this.#subscriptions.forEach((one) => one.dispose());
    }
  }

  #isOwn(session: vscode.DebugSession): boolean {
    return rootOf(session).configuration[runKey] === this.#id;
  }

  #track(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    if (!this.#isOwn(session)) return undefined;
    if (session.parentSession === undefined) this.#root = session;
    this.#sessions.set(session.id, session);
    const placed = this.#placed.forSession();
    return {
      onWillReceiveMessage: (message) => {
        placed.toAdapter(message);
        this.#withExceptions(session, message);
      },
      onDidSendMessage: (message: unknown) => {
        placed.fromAdapter(message);
        if (!isObject(message)) return;
        const body = isObject(message['body']) ? message['body'] : {};
        if (message['type'] === 'event') this.#onEvent(session, message['event'], body);
        if (message['command'] === 'initialize') this.#filters.set(session.id, filtersOf(body));
      },
    };
  }

  #onEvent(session: vscode.DebugSession, event: unknown, body: Record<string, unknown>): void {
    switch (event) {
      case 'stopped':
        // A hint of the protocol: the user's editor and their typing stay where they are.
        body['preserveFocusHint'] = true;
        this.#stops.delete(session.id);
        this.#stops.set(session.id, stopOf(body));
        return this.#changed();
      case 'continued':
        return void this.#stops.delete(session.id);
      case 'exited':
        if (typeof body['exitCode'] === 'number') this.#exitCode = body['exitCode'];
        return;
      case 'output':
        if (typeof body['output'] === 'string' && isOfProgram(session, body['category'])) this.#append(body['output']);
    }
  }

  /** The choice is that of this program: VS Code's own is for those of the user. */
  #withExceptions(session: vscode.DebugSession, message: unknown): void {
    if (!isObject(message) || message['command'] !== 'setExceptionBreakpoints') return;
    const input = message['arguments'];
    const filters = chosenFilters(this.#exceptions, this.#filters.get(session.id) ?? []);
    if (filters !== undefined && isObject(input)) Object.assign(input, { filters, filterOptions: [] });
  }

  #append(text: string): void {
    const all = this.#output + text;
    this.#output = all.slice(-maxOutput);
    this.#omitted += all.length - this.#output.length;
  }

  #terminated(session: vscode.DebugSession): void {
    if (this.#sessions.delete(session.id)) this.#stops.delete(session.id);
    if (session.id !== this.#root?.id) return;
    this.#ended = true;
    this.#stops.clear();
    this.#changed();
  }

  #changed(): void {
    [...this.#watchers].forEach((watcher) => watcher());
  }

  #when(holds: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (): void => {
        this.#watchers.delete(look);
        signal.removeEventListener('abort', abort);
      };
      const look = (): void => {
        if (!holds()) return;
        over();
        resolve();
      };
      const abort = (): void => {
        over();
        reject(signal.reason as Error);
      };
      this.#watchers.add(look);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      else look();
    });
  }
}

async function endOf(root: vscode.DebugSession, hasEnded: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const late = new AbortController();
  const limit = setTimeout(
    () => late.abort(new Error(`"${root.name}" does not end: VS Code's stop button may help.`)),
    endMs,
  );
  // VS Code answers when the program lets it.
  const stop = (): void => void Promise.resolve(vscode.debug.stopDebugging(root)).catch(() => undefined);
  const again = setInterval(stop, askAgainMs);
  try {
    stop();
    await hasEnded(late.signal);
  } finally {
    clearTimeout(limit);
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
