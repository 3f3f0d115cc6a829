// The servers of a host: each entry its connection, where it may run; calls and lists across all of them.
import { isAbort, messageOf } from '../../core/text/errors';
import { type McpTimes } from '../../core/mcp/limits';
import { type McpConfiguration } from '../../core/mcp/read-config';
import { readContent, readEmbedded } from '../../core/mcp/read-answers';
import { chooseEntries } from '../../core/mcp/choose-entries';
import { type McpStanding } from '../../core/mcp/standing';
import {
  type McpCallOutcome,
  type McpResource,
  type McpServerEntry,
  type McpServerState,
  type McpServers,
  type McpServerStatus,
} from '../../core/ports/mcp';
import { type Connection, createConnection, unusable } from './connection';
import { failureText } from './failure-text';
import { type LinkHost } from './link';
import { isObject } from '../../shared/plain-object';

export interface McpServersOptions extends LinkHost {
  /** What files name now; read at the start and at each `refresh`. */
  configuration(): Promise<McpConfiguration>;
  /** Asked again at each `refresh`: settings, consent and switches may change. */
  standing(entry: McpServerEntry): McpStanding;
  times: McpTimes;
}

export interface RunningMcpServers extends McpServers {
  /** Reads the configuration anew: what is new connects, what is gone or no longer allowed ends, what has changed starts anew. Never rejects. */
  refresh(): Promise<void>;
  /** Of a project, beside a server of the same name that is used: they would come first once they may run. */
  beside(): readonly McpServerStatus[];
  /** The workspace has other folders now. */
  foldersChanged(): void;
}

interface Known {
  entry: McpServerEntry;
  standing: McpStanding;
  connection: Connection | undefined;
}

/** Reads and connects at once, in the background: `settled` tells when. */
export function createMcpServers(options: McpServersOptions): RunningMcpServers {
  let known = new Map<string, Known>();
  let beside: readonly Known[] = [];
  let problems: readonly string[] = [];
  let refreshing: Promise<void> = Promise.resolve();
  let reading = 0;
  let disposed = false;
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };

  const start = (entry: McpServerEntry): Connection => {
    const { projectFolder, startFolder } = options;
    // The project stays the same, wherever a process starts.
    const environment = async (): Promise<NodeJS.ProcessEnv> => ({
      ...(await options.environment()),
      ...(projectFolder === undefined ? {} : { CLAUDE_PROJECT_DIR: projectFolder }),
    });
    const connection = createConnection({
      ...options,
      environment,
      projectFolder: startFolder?.(entry) ?? projectFolder,
      entry,
      changed,
    });
    void connection.connect();
    return connection;
  };
  const read = async (): Promise<void> => {
    if (disposed) return;
    const configuration = await options
      .configuration()
      .catch((error: unknown): McpConfiguration => ({
        entries: [...beside, ...known.values()].map(({ entry }) => entry),
        problems: [`The servers could not be read: ${messageOf(error)}`],
      }));
    if (disposed) return;
    problems = configuration.problems;
    const before = known;
    const now = new Map<string, Known>();
    const ended: Connection[] = [];
    const judged = chooseEntries(configuration.entries.map((entry) => ({ entry, standing: options.standing(entry) })));
    beside = judged.beside.map((one) => ({ ...one, connection: undefined }));
    for (const { entry, standing } of judged.chosen) {
      const old = before.get(entry.name);
      const keeps = old?.connection !== undefined && standing.kind === 'allowed' && sameEntry(old.entry, entry);
      if (!keeps && old?.connection !== undefined) ended.push(old.connection);
      const starts = standing.kind === 'allowed' && entry.missing === undefined;
      now.set(entry.name, { entry, standing, connection: keeps ? old.connection : starts ? start(entry) : undefined });
    }
    for (const [name, { connection }] of before) if (!now.has(name) && connection !== undefined) ended.push(connection);
    known = now;
    changed();
    await Promise.all(ended.map((connection) => connection.close()));
  };
  const refresh = (): Promise<void> => {
    reading++;
    refreshing = refreshing.then(read).finally(() => {
      reading--;
      changed();
    });
    return refreshing;
  };
  const statusOf = ({ entry, standing, connection }: Known): McpServerStatus =>
    connection?.status() ?? {
      entry,
      state:
        entry.missing !== undefined && standing.kind === 'allowed'
          ? waitsForInput(entry)
          : standing.kind === 'allowed'
            ? { kind: 'connecting' }
            : standing,
      tools: [],
      prompts: [],
      resources: 0,
    };
  const settledNow = (): boolean =>
    reading === 0 && [...known.values()].every((one) => statusOf(one).state.kind !== 'connecting');

  const ask = async (
    server: string,
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
    take: (result: Record<string, unknown>) => McpCallOutcome,
    onProgress?: (text: string) => void,
  ): Promise<McpCallOutcome> => {
    const found = known.get(server);
    if (found === undefined) return failed(`There is no MCP server ${server} any more.`);
    const { connection, entry } = found;
    if (connection === undefined)
      return failed(`The MCP server ${server} cannot be used: ${unusable(statusOf(found).state)}`);
    const refused = entry.plugin === undefined ? undefined : await options.refuses?.(entry);
    signal.throwIfAborted();
    if (refused !== undefined) return failed(`The MCP server ${server} was not asked. ${refused}`);
    const { callMs, silentMs } = options.times;
    const timeoutMs = entry.timeoutMs ?? callMs;
    try {
      return take(
        await connection.request(method, params, {
          signal,
          timeoutMs,
          ...(entry.config.type === 'stdio' ? {} : { silentMs }),
          ...(onProgress === undefined ? {} : { onProgress }),
        }),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (isAbort(error)) throw error;
      const { state } = connection.status();
      const why = failureText(error);
      const standing = state.kind === 'connected' || why === unusable(state) ? '' : ` ${unusable(state)}`;
      return failed(`The MCP server ${server} did not answer: ${why}${standing}`);
    }
  };
  const resourcesOf = (server: string | undefined): McpResource[] =>
    [...known.values()].flatMap(({ entry, connection }) =>
      server === undefined || entry.name === server ? (connection?.resources() ?? []) : [],
    );

  void refresh();
  return {
    list: () => [...known.values()].map(statusOf),
    beside: () => beside.map(statusOf),
    problems: () => problems,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    settled(ms, signal) {
      if (settledNow() || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          listeners.delete(look);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const look = (): void => {
          if (settledNow()) done();
        };
        const timer = setTimeout(done, ms);
        listeners.add(look);
        signal.addEventListener('abort', done, { once: true });
      });
    },
    callTool: (server, tool, input, { signal, onProgress }) =>
      ask(server, 'tools/call', { name: tool, arguments: input }, signal, calledTool, onProgress),
    resources: async (server) => resourcesOf(server),
    readResource: (server, uri, signal) =>
      ask(server, 'resources/read', { uri }, signal, (result) => ({
        outcome: 'answered',
        content: (Array.isArray(result['contents']) ? result['contents'] : []).filter(isObject).map(readEmbedded),
        isError: false,
      })),
    prompt: (server, name, input, signal) =>
      ask(server, 'prompts/get', { name, arguments: input }, signal, (result) => ({
        outcome: 'answered',
        content: (Array.isArray(result['messages']) ? result['messages'] : [])
          .filter(isObject)
          .flatMap(({ content }) => readContent(Array.isArray(content) ? content : [content])),
        isError: false,
      })),
    async reconnect(server) {
      const found = known.get(server);
      if (found?.connection !== undefined) await found.connection.connect();
      else await refresh();
    },
    async signIn(server, signal) {
      const connection = known.get(server)?.connection;
      if (connection === undefined) return `There is no MCP server ${server} that could be signed in to.`;
      if (options.auth?.(connection.entry) === undefined)
        return `The MCP server ${server} cannot be signed in to here.`;
      await connection.connect({ signingIn: true, signal });
      const { state } = connection.status();
      return state.kind === 'connected' ? undefined : unusable(state);
    },
    async signOut(server) {
      const connection = known.get(server)?.connection;
      if (connection === undefined) return;
      await options.auth?.(connection.entry)?.signOut();
      await connection.connect();
    },
    log: (server) => known.get(server)?.connection?.log.lines() ?? [],
    refresh,
    foldersChanged: () => {
      for (const { connection } of known.values()) connection?.rootsChanged();
    },
    async dispose() {
      disposed = true;
      await Promise.all([...known.values()].map(({ connection }) => connection?.close()));
      listeners.clear();
    },
  };
}

function waitsForInput({ inputs = [], missing = [] }: McpServerEntry): McpServerState {
  const wanted = inputs
    .filter(({ id }) => missing.includes(id))
    .map(({ id, description }) => (id === description ? `“${id}”` : `“${id}” (${description})`));
  return {
    kind: 'failed',
    why: `It wants to know ${wanted.join(', ')} first. Reconnect it in the list of MCP servers to be asked.`,
  };
}

function calledTool(result: Record<string, unknown>): McpCallOutcome {
  const structured = result['structuredContent'];
  const said = result['content'];
  // Some servers write the text where a list of pieces belongs.
  const content = typeof said === 'string' ? [{ type: 'text', text: said }] : said;
  if (!Array.isArray(content) && !isObject(structured))
    return failed('The server answered the call without any content.');
  return {
    outcome: 'answered',
    content: readContent(content),
    ...(isObject(structured) ? { structured } : {}),
    isError: result['isError'] === true,
  };
}

function failed(message: string): McpCallOutcome {
  return { outcome: 'failed', message };
}

function sameEntry(a: McpServerEntry, b: McpServerEntry): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
