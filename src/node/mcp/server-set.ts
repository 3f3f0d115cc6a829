// The servers of a host by name: which entries run, the connection of each, and a question to one of them.
import { chooseEntries } from '../../core/mcp/choose-entries';
import { type McpTimes } from '../../core/mcp/limits';
import { type McpConfiguration } from '../../core/mcp/read-config';
import { type McpStanding } from '../../core/mcp/standing';
import {
  type McpCallOutcome,
  type McpServerEntry,
  type McpServerState,
  type McpServerStatus,
} from '../../core/ports/mcp';
import { isAbort, messageOf } from '../../core/text/errors';
import { defined } from '../../shared/defined';
import { type Connection, createConnection, unusable } from './connection';
import { failureText, isServersError } from './failure-text';
import { type LinkHost } from './link';

export interface McpServersOptions extends LinkHost {
  /** What files name now; read at the start and at each `refresh`. */
  configuration(): Promise<McpConfiguration>;
  /** Asked again at each `refresh`: settings, consent and switches may change. */
  standing(entry: McpServerEntry): McpStanding;
  times: McpTimes;
}

interface Known {
  entry: McpServerEntry;
  standing: McpStanding;
  connection: Connection | undefined;
}

/** A question to one server, and how its answer is read. */
export interface ServerQuestion {
  method: string;
  params: Record<string, unknown>;
  take: (result: Record<string, unknown>) => McpCallOutcome;
}

export class ServerSet {
  readonly #options: McpServersOptions;
  #known = new Map<string, Known>();
  #unapproved: readonly Known[] = [];
  #problems: readonly string[] = [];
  #refreshing: Promise<void> = Promise.resolve();
  #reading = 0;
  #disposed = false;
  readonly #listeners = new Set<() => void>();

  constructor(options: McpServersOptions) {
    this.#options = options;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  list(): McpServerStatus[] {
    return [...this.#known.values()].map(statusOf);
  }

  /** Of a project, next to a server of the same name that is used. */
  unapproved(): McpServerStatus[] {
    return this.#unapproved.map(statusOf);
  }

  connections(): Connection[] {
    return [...this.#known.values()].flatMap(({ connection }) => connection ?? []);
  }

  connection(server: string): Connection | undefined {
    return this.#known.get(server)?.connection;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Nothing is being read, and nothing connects. */
  isSettled(among: (entry: McpServerEntry) => boolean = () => true): boolean {
    return (
      this.#reading === 0 &&
      [...this.#known.values()].every((one) => !among(one.entry) || statusOf(one).state.kind !== 'connecting')
    );
  }

  refresh(): Promise<void> {
    this.#reading++;
    this.#refreshing = this.#refreshing
      .then(() => this.#read())
      .finally(() => {
        this.#reading--;
        this.#changed();
      });
    return this.#refreshing;
  }

  async ask(
    server: string,
    { method, params, take }: ServerQuestion,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: ((text: string) => void) | undefined },
  ): Promise<McpCallOutcome> {
    const found = this.#known.get(server);
    if (found === undefined) return failed(`The MCP server ${server} no longer exists.`);
    const { connection, entry } = found;
    if (connection === undefined)
      return failed(`The MCP server ${server} cannot be used: ${unusable(statusOf(found).state)}`);
    const refused = entry.plugin === undefined ? undefined : await this.#options.refuses?.(entry);
    signal.throwIfAborted();
    if (refused !== undefined) return failed(`The MCP server ${server} was not asked. ${refused}`);
    const { callMs, silentMs } = this.#options.times;
    const timeoutMs = entry.timeoutMs ?? callMs;
    try {
      return take(
        await connection.request(method, params, {
          signal,
          timeoutMs,
          ...(entry.config.type === 'stdio' ? {} : { silentMs }),
          ...defined({ onProgress }),
        }),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (isAbort(error)) throw error;
      const { state } = connection.status();
      const why = failureText(error);
      // It did answer: these are its words.
      if (isServersError(error)) return failed(why);
      const standing = state.kind === 'connected' || why === unusable(state) ? '' : ` ${unusable(state)}`;
      return failed(`The MCP server ${server} did not answer: ${why}${standing}`);
    }
  }

  async close(): Promise<void> {
    this.#disposed = true;
    await Promise.all(this.connections().map((connection) => connection.close()));
    this.#listeners.clear();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #start(entry: McpServerEntry): Connection {
    const { projectFolder, startFolder } = this.#options;
    // The project stays the same, wherever a process starts.
    const environment = async (): Promise<NodeJS.ProcessEnv> => ({
      ...(await this.#options.environment()),
      ...defined({ CLAUDE_PROJECT_DIR: projectFolder }),
    });
    const connection = createConnection({
      ...this.#options,
      environment,
      projectFolder: startFolder?.(entry) ?? projectFolder,
      entry,
      changed: () => this.#changed(),
    });
    void connection.connect();
    return connection;
  }

  async #read(): Promise<void> {
    if (this.#disposed) return;
    const configuration = await this.#options.configuration().catch((error: unknown): McpConfiguration => ({
      entries: [...this.#unapproved, ...this.#known.values()].map(({ entry }) => entry),
      problems: [`The servers could not be read: ${messageOf(error)}`],
    }));
    if (this.#disposed) return;
    this.#problems = configuration.problems;
    const before = this.#known;
    const now = new Map<string, Known>();
    const ended: Connection[] = [];
    const judged = chooseEntries(
      configuration.entries.map((entry) => ({ entry, standing: this.#options.standing(entry) })),
    );
    this.#unapproved = judged.waiting.map((one) => ({ ...one, connection: undefined }));
    for (const { entry, standing } of judged.chosen) {
      const old = before.get(entry.name);
      const keeps = old?.connection !== undefined && standing.kind === 'allowed' && sameEntry(old.entry, entry);
      if (!keeps && old?.connection !== undefined) ended.push(old.connection);
      const starts = standing.kind === 'allowed' && entry.missing === undefined;
      now.set(entry.name, {
        entry,
        standing,
        connection: keeps ? old.connection : starts ? this.#start(entry) : undefined,
      });
    }
    for (const [name, { connection }] of before) if (!now.has(name) && connection !== undefined) ended.push(connection);
    this.#known = now;
    this.#changed();
    await Promise.all(ended.map((connection) => connection.close()));
  }
}

function statusOf({ entry, standing, connection }: Known): McpServerStatus {
  return (
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
    }
  );
}

function waitsForInput({ inputs = [], missing = [] }: McpServerEntry): McpServerState {
  const wanted = inputs
    .filter(({ id }) => missing.includes(id))
    .map(({ id, description }) => (id === description ? `“${id}”` : `“${id}” (${description})`));
  return {
    kind: 'failed',
    why: `It needs values for ${wanted.join(', ')}: reconnect it in the list of MCP servers to enter them.`,
  };
}

export function failed(message: string): McpCallOutcome {
  return { outcome: 'failed', message };
}

function sameEntry(a: McpServerEntry, b: McpServerEntry): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
