// One server's life: connect, list, call, connect anew after it broke, end. What goes wrong becomes a state with a sentence.
import { abortable } from '../../core/text/abortable';
import { defined } from '../../shared/defined';
import { isAbort, messageOf } from '../../core/text/errors';
import { cleanSchema } from '../../core/mcp/clean-schema';
import { longestMs, type McpTimes } from '../../core/mcp/limits';
import { readPrompts, readResources, readTools } from '../../core/mcp/read-answers';
import {
  type McpPrompt,
  type McpResource,
  type McpServerEntry,
  type McpServerState,
  type McpServerStatus,
  type McpTool,
} from '../../core/ports/mcp';
import { type Link, type LinkHost, type LinkRequest, type ListKind, type OpenedLink, SignInNeeded } from './link';
import { createServerLog, type ServerLog } from './server-log';

export interface ConnectionOptions extends LinkHost {
  entry: McpServerEntry;
  times: McpTimes;
  changed(): void;
}

export interface Connection {
  readonly entry: McpServerEntry;
  readonly log: ServerLog;
  status(): McpServerStatus;
  /** The resources that it has listed. */
  resources(): readonly McpResource[];
  /** Resolves when it is connected or has failed. Anew where something stands already. */
  connect(request?: { signingIn: boolean; signal: AbortSignal }): Promise<void>;
  /** Rejects where the server does not answer in order. One that has died is started anew first, and waited for. */
  request(method: string, params: Record<string, unknown>, request: LinkRequest): Promise<Record<string, unknown>>;
  rootsChanged(): void;
  close(): Promise<void>;
}

const firstTries = 3;
const laterTries = 5;
/** One that held for so long may be tried as often again. */
const steadyMs = 60_000;
/** How long prompts and resources are waited for once the tools are there. */
const restMs = 1_000;
/** A server that says "changed" all the time is asked so often at most. */
const refreshMs = 250;

export function createConnection(options: ConnectionOptions): Connection {
  return new ServerConnection(options);
}

class ServerConnection implements Connection {
  readonly #options: ConnectionOptions;
  readonly #times: ConnectionOptions['times'];
  readonly #changed: ConnectionOptions['changed'];
  readonly log = createServerLog();
  #state: McpServerState = { kind: 'connecting' };
  #link: Link | undefined;
  #lists: { tools: McpTool[]; prompts: McpPrompt[]; resources: McpResource[] } = {
    tools: [],
    prompts: [],
    resources: [],
  };
  #instructions: string | undefined;
  /** Of the last request that was refused for want of a sign-in. */
  #refused: SignInNeeded | undefined;
  #life = new AbortController();
  #tried = 0;
  #connectedAt = 0;
  /** How the last connection ended by itself. */
  #ending = '';
  /** The latest `connect`. */
  #connecting: Promise<void> = Promise.resolve();
  #disposed = false;
  readonly #attempts = new Set<Promise<void>>();
  readonly #waiting = new Map<ListKind, NodeJS.Timeout>();
  readonly #reading = new Map<ListKind, object>();
  readonly entry: McpServerEntry;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { entry, times, changed } = options;
    this.#times = times;
    this.#changed = changed;
    this.entry = entry;
  }

  status(): McpServerStatus {
    return {
      entry: this.entry,
      state: this.#state,
      tools: this.#lists.tools,
      prompts: this.#lists.prompts,
      resources: this.#lists.resources.length,
      ...defined({ instructions: this.#instructions }),
    };
  }

  resources(): readonly McpResource[] {
    return this.#lists.resources;
  }

  connect(request = { signingIn: false, signal: new AbortController().signal }): Promise<void> {
    return (this.#connecting = this.#connect(request));
  }

  async #connect({ signingIn, signal }: { signingIn: boolean; signal: AbortSignal }): Promise<void> {
    this.#life.abort();
    // Another call may come while the old link closes: each knows its own life.
    const mine = (this.#life = new AbortController());
    const gone = this.#link;
    this.#link = undefined;
    this.#tried = 0;
    this.#become({ kind: 'connecting' });
    await gone?.close();
    if (this.#disposed || mine.signal.aborted) return;
    const { signal: own } = mine;
    await this.#trying(firstTries, AbortSignal.any([own, signal]), signingIn);
    if (signal.aborted && !own.aborted)
      this.#become({ kind: 'failed', why: 'Connecting was stopped. Connect it again.' });
  }

  async request(
    method: string,
    params: Record<string, unknown>,
    request: LinkRequest,
  ): Promise<Record<string, unknown>> {
    const used = this.#link ?? (await this.#standing(request.signal));
    try {
      return await used.request(method, params, request);
    } catch (error) {
      if (request.signal.aborted || isAbort(error)) throw error;
      if (this.#link !== used) throw isClosing(error) && this.#ending !== '' ? new Error(this.#ending) : error;
      if (error instanceof SignInNeeded) this.#refuse(error, used);
      if (isGone(error)) {
        this.#broken('It no longer knows this session.');
        // The server has forgotten the session: it has not run anything.
        return (await this.#standing(request.signal)).request(method, params, request);
      }
      if (isUnreachable(error)) this.#broken(`It could not be reached: ${messageOf(error)}`);
      throw error;
    }
  }

  /** The link for a request. Rejects with a sentence where there is none to be had. */
  async #standing(signal: AbortSignal): Promise<Link> {
    const { kind } = this.#state;
    if (kind === 'connecting') await abortable(this.#connecting, signal);
    // It has been there: none waits for the next try that was planned, and all that wait share one start.
    else if (kind === 'reconnecting' || (kind === 'failed' && this.#connectedAt > 0))
      await abortable(this.connect(), signal);
    if (this.#link === undefined) throw new Error(unusable(this.#state));
    return this.#link;
  }

  rootsChanged(): void {
    this.#link?.rootsChanged();
  }

  async close(): Promise<void> {
    this.#disposed = true;
    this.#life.abort();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    const gone = this.#link;
    this.#link = undefined;
    await Promise.all([gone?.close(), ...this.#attempts]);
  }

  #become(next: McpServerState): void {
    this.#state = next;
    this.#changed();
  }

  /** Without a sign-in nothing works; without more rights all but this request does. */
  #refuse(error: SignInNeeded, of: Link): void {
    this.#refused = error;
    this.log.add(error.message);
    if (error.challenge.more) return this.#become({ kind: 'connected', wantsRights: true });
    this.#link = undefined;
    void of.close();
    this.#become({ kind: 'needs-sign-in' });
  }

  /** A failed one keeps the list that was there. */
  async #refresh(kind: ListKind, of: Link, signal: AbortSignal): Promise<void> {
    if (!of.offers(kind)) return;
    const token = {};
    this.#reading.set(kind, token);
    try {
      const raw = await of.list(kind, signal);
      if (this.#link !== of) return;
      const note = (line: string): void => this.log.add(line);
      if (kind === 'tools') {
        const tools = readTools(raw, note);
        await cleanAhead(tools);
        if (this.#link !== of) return;
        this.#lists = { ...this.#lists, tools };
      } else if (kind === 'prompts') this.#lists = { ...this.#lists, prompts: readPrompts(this.entry.name, raw) };
      else this.#lists = { ...this.#lists, resources: readResources(this.entry.name, raw) };
    } catch (error) {
      if (error instanceof SignInNeeded && !signal.aborted && this.#link === of) return this.#refuse(error, of);
      if (!signal.aborted) this.log.add(`Its ${kind} could not be listed: ${messageOf(error)}`);
    } finally {
      // A later link reads its own.
      if (this.#reading.get(kind) === token) this.#reading.delete(kind);
    }
  }

  #soon(kind: ListKind): void {
    if (this.#waiting.has(kind) || this.#disposed) return;
    const timer = setTimeout(() => {
      const [of, { signal }] = [this.#link, this.#life];
      this.#waiting.delete(kind);
      // One reading at a time: a slow server would be asked ever more, and an older answer could come last.
      if (of !== undefined && this.#reading.has(kind)) this.#soon(kind);
      else if (of !== undefined) void this.#refresh(kind, of, signal).then(this.#changed);
    }, refreshMs);
    timer.unref();
    this.#waiting.set(kind, timer);
  }

  async #open(signal: AbortSignal, signingIn: boolean): Promise<OpenedLink> {
    const mine: { link?: Link } = {};
    const { openLink } = await import('./open-link');
    const events = {
      changed: (kind: ListKind) => this.#soon(kind),
      ended: (why: string) => {
        if (mine.link !== undefined && mine.link === this.#link) this.#broken(why);
      },
    };
    const opened = await openLink(
      {
        ...this.#options,
        entry: this.entry,
        times: this.#times,
        log: this.log,
        signingIn,
        events,
        challenge: this.#refused?.challenge,
      },
      signal,
    );
    if (opened.kind !== 'open') return opened;
    if (signal.aborted) {
      await opened.link.close();
      return { kind: 'failed', why: 'Connecting was stopped.', passing: false };
    }
    mine.link = opened.link;
    this.#link = opened.link;
    this.#refused = undefined;
    this.#instructions = opened.link.instructions;
    const lesser: ListKind[] = ['prompts', 'resources'];
    const rest = Promise.all(lesser.map((kind) => this.#refresh(kind, opened.link, signal)));
    await this.#refresh('tools', opened.link, signal);
    // Some servers never answer for what they do not have: their tools can be used meanwhile.
    const late = await Promise.race([rest.then(() => false), pause(restMs, signal).then(() => true)]);
    if (late) void rest.then(() => (this.#link === opened.link ? this.#changed() : undefined));
    return opened;
  }

  /** Tries until it stands, has failed for good, or the signal fires. */
  async #attempt(most: number, signal: AbortSignal, signingIn: boolean): Promise<void> {
    for (;;) {
      const opened = await this.#open(signal, signingIn);
      if (signal.aborted) return;
      this.#tried++;
      if (opened.kind === 'open') {
        // It may have broken while it was asked for its lists.
        if (this.#link !== opened.link) return;
        this.#connectedAt = Date.now();
        return this.#become({ kind: 'connected', ...(this.#refused === undefined ? {} : { wantsRights: true }) });
      }
      if (opened.kind === 'needs-sign-in') return this.#become({ kind: 'needs-sign-in' });
      this.log.add(opened.why);
      if (!opened.passing || this.#tried >= most) return this.#become({ kind: 'failed', why: opened.why });
      if (most === laterTries) this.#become({ kind: 'reconnecting', attempt: this.#tried + 1 });
      await pause(this.#times.retryMs * 2 ** (this.#tried - 1), signal);
      if (signal.aborted) return;
    }
  }

  /** `close` waits for these: a process that starts while its life ends is ended first. */
  async #trying(most: number, signal: AbortSignal, signingIn: boolean): Promise<void> {
    const one = this.#attempt(most, signal, signingIn);
    this.#attempts.add(one);
    await one.finally(() => this.#attempts.delete(one));
  }

  #broken(why: string): void {
    const gone = this.#link;
    this.#link = undefined;
    this.#ending = why;
    this.log.add(why);
    void gone?.close();
    if (this.#disposed) return;
    if (Date.now() - this.#connectedAt > steadyMs) this.#tried = 0;
    if (this.#tried >= laterTries)
      return this.#become({
        kind: 'failed',
        why: `${why} The connection broke ${this.#tried} times. The next call starts it again.`,
      });
    this.#become({ kind: 'reconnecting', attempt: this.#tried + 1 });
    const { signal } = this.#life;
    void pause(this.#times.retryMs * 2 ** this.#tried, signal).then(() =>
      signal.aborted ? undefined : this.#trying(laterTries, signal, false),
    );
  }
}

export function unusable(state: McpServerState): string {
  switch (state.kind) {
    case 'connected':
      return 'It is connected.';
    case 'connecting':
      return 'It is still connecting. Try again in a moment.';
    case 'reconnecting':
      return `Its connection broke and is being restored (attempt ${state.attempt}). The next call waits for it.`;
    case 'needs-sign-in':
      return 'The user must sign in to it first.';
    case 'unapproved':
      return 'It comes from the project, and the user has not approved it.';
    case 'disabled':
    case 'failed':
      return state.why;
  }
}

/** The first request needs all schemas at once: they are cleaned now, a few at a time. */
async function cleanAhead(tools: readonly McpTool[]): Promise<void> {
  for (const [index, { inputSchema }] of tools.entries()) {
    cleanSchema(inputSchema);
    if (index % cleanedAtOnce === cleanedAtOnce - 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const cleanedAtOnce = 50;

function isGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  // Many servers that were started anew say 400 to a session that they do not know.
  return error.code === 404 || (error.code === 400 && /session/i.test(error.message));
}

/** The library's own word for it says nothing of how. */
function isClosing(error: unknown): boolean {
  return /\bConnection closed$/.test(messageOf(error));
}

/** Rejects as soon as the signal fires: the work goes on for others. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.min(ms, longestMs));
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
