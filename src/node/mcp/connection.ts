// One server's life: connect, list, call, connect anew after it broke, end. What goes wrong becomes a state with a sentence.
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
  /** Rejects where the server does not answer in order. */
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
  const { entry, times, changed } = options;
  const log = createServerLog();
  let state: McpServerState = { kind: 'connecting' };
  let link: Link | undefined;
  let lists: { tools: McpTool[]; prompts: McpPrompt[]; resources: McpResource[] } = {
    tools: [],
    prompts: [],
    resources: [],
  };
  let instructions: string | undefined;
  /** Of the last request that was refused for want of a sign-in. */
  let refused: SignInNeeded | undefined;
  let life = new AbortController();
  let tried = 0;
  let connectedAt = 0;
  let disposed = false;
  const attempts = new Set<Promise<void>>();
  const waiting = new Map<ListKind, NodeJS.Timeout>();
  const reading = new Map<ListKind, object>();

  const become = (next: McpServerState): void => {
    state = next;
    changed();
  };
  /** Without a sign-in nothing works; without more rights all but this request does. */
  const refuse = (error: SignInNeeded, of: Link): void => {
    refused = error;
    log.add(error.message);
    if (error.challenge.more) return become({ kind: 'connected', wantsRights: true });
    link = undefined;
    void of.close();
    become({ kind: 'needs-sign-in' });
  };
  /** A failed one keeps the list that was there. */
  const refresh = async (kind: ListKind, of: Link, signal: AbortSignal): Promise<void> => {
    if (!of.offers(kind)) return;
    const token = {};
    reading.set(kind, token);
    try {
      const raw = await of.list(kind, signal);
      if (link !== of) return;
      const note = (line: string): void => log.add(line);
      if (kind === 'tools') {
        const tools = readTools(raw, note);
        await cleanAhead(tools);
        if (link !== of) return;
        lists = { ...lists, tools };
      } else if (kind === 'prompts') lists = { ...lists, prompts: readPrompts(entry.name, raw) };
      else lists = { ...lists, resources: readResources(entry.name, raw) };
    } catch (error) {
      if (error instanceof SignInNeeded && !signal.aborted && link === of) return refuse(error, of);
      if (!signal.aborted) log.add(`Its ${kind} could not be listed: ${messageOf(error)}`);
    } finally {
      // A later link reads its own.
      if (reading.get(kind) === token) reading.delete(kind);
    }
  };
  const soon = (kind: ListKind): void => {
    if (waiting.has(kind) || disposed) return;
    const timer = setTimeout(() => {
      const [of, { signal }] = [link, life];
      waiting.delete(kind);
      // One reading at a time: a slow server would be asked ever more, and an older answer could come last.
      if (of !== undefined && reading.has(kind)) soon(kind);
      else if (of !== undefined) void refresh(kind, of, signal).then(changed);
    }, refreshMs);
    timer.unref();
    waiting.set(kind, timer);
  };
  const open = async (signal: AbortSignal, signingIn: boolean): Promise<OpenedLink> => {
    const mine: { link?: Link } = {};
    const { openLink } = await import('./open-link');
    const events = {
      changed: soon,
      ended: (why: string) => {
        if (mine.link !== undefined && mine.link === link) broken(why);
      },
    };
    const opened = await openLink(
      { ...options, entry, times, log, signingIn, events, challenge: refused?.challenge },
      signal,
    );
    if (opened.kind !== 'open') return opened;
    if (signal.aborted) {
      await opened.link.close();
      return { kind: 'failed', why: 'Connecting was stopped.', passing: false };
    }
    mine.link = opened.link;
    link = opened.link;
    refused = undefined;
    instructions = opened.link.instructions;
    const lesser: ListKind[] = ['prompts', 'resources'];
    const rest = Promise.all(lesser.map((kind) => refresh(kind, opened.link, signal)));
    await refresh('tools', opened.link, signal);
    // Some servers never answer for what they do not have: their tools can be used meanwhile.
    const late = await Promise.race([rest.then(() => false), pause(restMs, signal).then(() => true)]);
    if (late) void rest.then(() => (link === opened.link ? changed() : undefined));
    return opened;
  };
  /** Tries until it stands, has failed for good, or the signal fires. */
  const attempt = async (most: number, signal: AbortSignal, signingIn: boolean): Promise<void> => {
    for (;;) {
      const opened = await open(signal, signingIn);
      if (signal.aborted) return;
      tried++;
      if (opened.kind === 'open') {
        // It may have broken while it was asked for its lists.
        if (link !== opened.link) return;
        connectedAt = Date.now();
        return become({ kind: 'connected', ...(refused === undefined ? {} : { wantsRights: true }) });
      }
      if (opened.kind === 'needs-sign-in') return become({ kind: 'needs-sign-in' });
      log.add(opened.why);
      if (!opened.passing || tried >= most) return become({ kind: 'failed', why: opened.why });
      if (most === laterTries) become({ kind: 'reconnecting', attempt: tried + 1 });
      await pause(times.retryMs * 2 ** (tried - 1), signal);
      if (signal.aborted) return;
    }
  };
  /** `close` waits for these: a process that starts while its life ends is ended first. */
  const trying = async (most: number, signal: AbortSignal, signingIn: boolean): Promise<void> => {
    const one = attempt(most, signal, signingIn);
    attempts.add(one);
    await one.finally(() => attempts.delete(one));
  };
  const broken = (why: string): void => {
    const gone = link;
    link = undefined;
    log.add(why);
    void gone?.close();
    if (disposed) return;
    if (Date.now() - connectedAt > steadyMs) tried = 0;
    if (tried >= laterTries)
      return become({ kind: 'failed', why: `${why} It broke off ${tried} times. Reconnect it once it runs again.` });
    become({ kind: 'reconnecting', attempt: tried + 1 });
    const { signal } = life;
    void pause(times.retryMs * 2 ** tried, signal).then(() =>
      signal.aborted ? undefined : trying(laterTries, signal, false),
    );
  };

  return {
    entry,
    log,
    status: () => ({
      entry,
      state,
      tools: lists.tools,
      prompts: lists.prompts,
      resources: lists.resources.length,
      ...(instructions === undefined ? {} : { instructions }),
    }),
    resources: () => lists.resources,
    async connect({ signingIn, signal } = { signingIn: false, signal: new AbortController().signal }) {
      life.abort();
      // Another call may come while the old link closes: each knows its own life.
      const mine = (life = new AbortController());
      const gone = link;
      link = undefined;
      tried = 0;
      become({ kind: 'connecting' });
      await gone?.close();
      if (disposed || mine.signal.aborted) return;
      const { signal: own } = mine;
      await trying(firstTries, AbortSignal.any([own, signal]), signingIn);
      if (signal.aborted && !own.aborted) become({ kind: 'failed', why: 'Connecting was stopped. Connect it again.' });
    },
    async request(method, params, request) {
      const used = link;
      if (used === undefined) throw new Error(unusable(state));
      try {
        return await used.request(method, params, request);
      } catch (error) {
        if (request.signal.aborted || isAbort(error) || link !== used) throw error;
        if (error instanceof SignInNeeded) refuse(error, used);
        // The server has forgotten the session: it has not run anything.
        if (isGone(error)) {
          broken('It has forgotten this session.');
        } else if (isUnreachable(error)) broken(`It could not be reached: ${messageOf(error)}`);
        throw error;
      }
    },
    rootsChanged: () => link?.rootsChanged(),
    async close() {
      disposed = true;
      life.abort();
      for (const timer of waiting.values()) clearTimeout(timer);
      const gone = link;
      link = undefined;
      await Promise.all([gone?.close(), ...attempts]);
    },
  };
}

export function unusable(state: McpServerState): string {
  switch (state.kind) {
    case 'connected':
      return 'It is connected.';
    case 'connecting':
      return 'It is still connecting. Try again in a moment.';
    case 'reconnecting':
      return `Its connection broke and is made anew (try ${state.attempt}). Try again in a moment.`;
    case 'needs-sign-in':
      return 'It wants the person to sign in first.';
    case 'unapproved':
      return 'The project names it, and the person has not agreed to it.';
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
