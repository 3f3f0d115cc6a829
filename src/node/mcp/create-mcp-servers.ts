// The port to the servers of a host: lists, calls, resources, prompts and sign-ins across all of them.
import { readContent, readEmbedded } from '../../core/mcp/read-answers';
import { type McpCallOutcome, type McpServers, type McpServerStatus } from '../../core/ports/mcp';
import { unusable } from './connection';
import { failed, type McpServersOptions, ServerSet } from './server-set';
import { isObject } from '../../shared/plain-object';

export interface RunningMcpServers extends McpServers {
  /** Reads the configuration anew: what is new connects, what is gone or no longer allowed ends, what has changed starts anew. Never rejects. */
  refresh(): Promise<void>;
  /** Of a project, next to a server of the same name that is used: they would come first once they may run. */
  unapproved(): readonly McpServerStatus[];
  /** The workspace has other folders now. */
  foldersChanged(): void;
}

/** Reads and connects at once, in the background: `settled` says when that is done. */
export function createMcpServers(options: McpServersOptions): RunningMcpServers {
  const servers = new ServerSet(options);
  void servers.refresh();
  return {
    list: () => servers.list(),
    unapproved: () => servers.unapproved(),
    problems: () => servers.problems,
    onChange: (listener) => servers.onChange(listener),
    settled(ms = options.times.connectMs, signal, among) {
      if (servers.isSettled(among) || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          forget();
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        const forget = servers.onChange(() => {
          if (servers.isSettled(among)) done();
        });
        signal.addEventListener('abort', done, { once: true });
      });
    },
    callTool: (server, tool, input, { signal, onProgress }) =>
      servers.ask(
        server,
        { method: 'tools/call', params: { name: tool, arguments: input }, take: calledTool },
        { signal, onProgress },
      ),
    resources: async (server) =>
      servers
        .connections()
        .flatMap((connection) =>
          server === undefined || connection.entry.name === server ? connection.resources() : [],
        ),
    readResource: (server, uri, signal) =>
      servers.ask(server, { method: 'resources/read', params: { uri }, take: readContents }, { signal }),
    prompt: (server, name, input, signal) =>
      servers.ask(
        server,
        { method: 'prompts/get', params: { name, arguments: input }, take: readMessages },
        { signal },
      ),
    async reconnect(server) {
      const connection = servers.connection(server);
      if (connection !== undefined) await connection.connect();
      else await servers.refresh();
    },
    async signIn(server, signal) {
      const connection = servers.connection(server);
      if (connection === undefined) return `There is no MCP server ${server} to sign in to.`;
      if (options.auth?.(connection.entry) === undefined)
        return `The MCP server ${server} cannot be signed in to here.`;
      await connection.connect({ signingIn: true, signal });
      const { state } = connection.status();
      return state.kind === 'connected' ? undefined : unusable(state);
    },
    async signOut(server) {
      const connection = servers.connection(server);
      if (connection === undefined) return;
      await options.auth?.(connection.entry)?.signOut();
      await connection.connect();
    },
    log: (server) => servers.connection(server)?.log.lines() ?? [],
    refresh: () => servers.refresh(),
    foldersChanged: () => servers.connections().forEach((connection) => connection.rootsChanged()),
    dispose: () => servers.close(),
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

function readContents(result: Record<string, unknown>): McpCallOutcome {
  return {
    outcome: 'answered',
    content: (Array.isArray(result['contents']) ? result['contents'] : []).filter(isObject).map(readEmbedded),
    isError: false,
  };
}

function readMessages(result: Record<string, unknown>): McpCallOutcome {
  return {
    outcome: 'answered',
    content: (Array.isArray(result['messages']) ? result['messages'] : [])
      .filter(isObject)
      .flatMap(({ content }) => readContent(Array.isArray(content) ? content : [content])),
    isError: false,
  };
}
