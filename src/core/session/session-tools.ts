// The tools of each request: built-ins first and unchanged, those of servers after them, and what is deferred only as far as it is loaded.
import { loadedTools } from '../tools/mcp/loaded-tools';
import { withoutReferences } from '../model/tool-references';
import { toolSearchDefinition, withoutServerSearch } from '../model/server-search';
import { type Message, type RequestTool, type ToolDefinition } from '../wire/wire';
import { type SessionRecord } from '../ports/record';
import { type ConvertContext, convertToolForAPI, convertToolsForAPI } from '../tool/convert-tool';
import { type AnyTool, type PromptContext } from '../tool/tool';
import { type Ports } from '../ports/ports';
import { type ToolSearchMode } from '../settings/request-variables';
import { type Environment } from '../text/environment-reminder';
import { type ToolRegistry, usefulTools } from '../tools/registry';

export interface RequestTools {
  tools: RequestTool[];
  /** What the API may be sent about loaded tools: elsewhere a reference is a text. */
  messages(messages: Message[]): Message[];
}

export interface SessionToolServices {
  registry: ToolRegistry;
  environment: Pick<Environment, 'platform' | 'shell'>;
  ports: Pick<Ports, 'mcp' | 'model' | 'log'>;
  toolSearch: ToolSearchMode | undefined;
  /** Those that the Agent tool may start. */
  agents: () => Promise<Pick<PromptContext, 'agents'>>;
}

export class SessionTools {
  readonly #services: SessionToolServices;
  readonly #model: () => string;
  #base: { key: string; definitions: Promise<ToolDefinition[]> } | undefined;
  #made: { key: string; base: ToolDefinition[]; pool: readonly AnyTool[]; tools: RequestTool[] } | undefined;
  /** Settled with the first request of a provider and kept: tools are before all that is cached. */
  #searchedByApi: { key: string; value: boolean } | undefined;
  /** One object for each tool, so that the bytes of an unchanged one are made once. */
  readonly #serverDefinitions = new WeakMap<AnyTool, Promise<ToolDefinition>>();
  readonly #deferredDefinitions = new WeakMap<ToolDefinition, ToolDefinition>();

  constructor(services: SessionToolServices, model: () => string) {
    this.#services = services;
    this.#model = model;
  }

  async prepare(): Promise<void> {
    await this.#baseDefinitions();
  }

  async of(records: readonly SessionRecord[]): Promise<RequestTools> {
    const own = await this.#baseDefinitions();
    const { ever, present: byResults, presentByApi } = loadedTools(records);
    const native = this.#sendsReferences();
    const pool = this.#services.registry.all();
    const byApi = this.#isSearchedByApi(pool, presentByApi);
    // Where the API is not sent its own results, what they refer to is not there.
    const present = byApi ? new Set([...byResults, ...presentByApi]) : byResults;
    const messages = (list: Message[]): Message[] => {
      const echoed = byApi ? list : list.map(withoutServerSearch);
      return native ? echoed : echoed.map(withoutReferences);
    };
    if (!byApi && !pool.some((tool) => tool.isMcp) && ever.size === 0) return { tools: own, messages };
    const key = JSON.stringify([native, byApi, this.#model(), [...ever], native ? [...present] : []]);
    let made = this.#made;
    if (made?.key !== key || made.base !== own || made.pool !== pool) {
      const servers = pool.filter((tool) => tool.isMcp);
      const ofServers = await this.#serverDefinitionsFor(servers, ever, native ? present : undefined);
      const toFind =
        !pool.some((tool) => this.#isDeferred(tool)) || ofServers.some((tool) => tool.defer_loading === true);
      const tools = [...(byApi ? searchedTools(own, toFind) : own), ...ofServers];
      made = this.#made = { key, base: own, pool, tools };
    }
    return { tools: made.tools, messages };
  }

  modelChanged(): void {
    this.#base = undefined;
    this.#made = undefined;
    this.#searchedByApi = undefined;
  }

  /** Asked once: a file that changes later must not change what is cached. */
  async #agents(tools: readonly AnyTool[]): Promise<Pick<PromptContext, 'agents'>> {
    return tools.some(({ name }) => name === 'Agent') ? this.#services.agents() : {};
  }

  #context(tools: readonly AnyTool[], more: Pick<PromptContext, 'agents'> = {}): ConvertContext {
    const { environment, ports } = this.#services;
    const prompt: PromptContext = {
      toolNames: tools.map(({ name }) => name),
      platform: environment.platform,
      shell: environment.shell,
      ...more,
    };
    return {
      prompt,
      can: ports.model.capabilities(this.#model()),
      strictTools: false,
      warn: (message) => ports.log.warn(message),
    };
  }

  #sendsReferences(): boolean {
    const { ports, toolSearch } = this.#services;
    return toolSearch?.references !== false && ports.model.capabilities(this.#model()).toolReferences;
  }

  /** What nothing could load is sent like any other tool. */
  #isDeferred(tool: AnyTool): boolean {
    return tool.deferred === true && this.#services.registry.find('ToolSearch') !== undefined;
  }

  /**
   * Whether the API searches, and ToolSearch is left away. The API's search cannot wait for servers that still connect: where some do, ToolSearch
   * stays, unless the conversation has been searched by the API before. It stays too where there is nothing to find, since it says why.
   */
  #isSearchedByApi(pool: readonly AnyTool[], presentByApi: ReadonlySet<string>): boolean {
    const { ports } = this.#services;
    const servers = ports.mcp?.list() ?? [];
    const taken = this.#sendsReferences() && ports.model.capabilities(this.#model()).toolSearch;
    const key = `${ports.model.provider} ${taken}`;
    if (this.#searchedByApi?.key !== key) {
      const value =
        taken &&
        pool.some((tool) => this.#isDeferred(tool)) &&
        (presentByApi.size > 0 ||
          servers.every(({ state }) => state.kind !== 'connecting' && state.kind !== 'reconnecting'));
      this.#searchedByApi = { key, value };
    }
    return this.#searchedByApi.value;
  }

  #baseDefinitions(): Promise<ToolDefinition[]> {
    const { registry, ports } = this.#services;
    const hasServers = (ports.mcp?.list().length ?? 0) > 0;
    const key = `${ports.model.provider} ${this.#model()} ${hasServers}`;
    if (this.#base?.key === key) return this.#base.definitions;
    const own = usefulTools(registry.all(), ports.mcp).filter((tool) => !tool.isMcp);
    // A prompt that failed is asked for again.
    const definitions = this.#agents(own)
      .then((more) => convertToolsForAPI(own, this.#context(own, more)))
      .catch((error: unknown) => {
        this.#base = undefined;
        throw error;
      });
    this.#base = { key, definitions };
    return definitions;
  }

  #definitionOf(tool: AnyTool): Promise<ToolDefinition> {
    const known = this.#serverDefinitions.get(tool) ?? convertToolForAPI(tool, this.#context([]));
    this.#serverDefinitions.set(tool, known);
    return known;
  }

  #definitionsOf(tools: readonly AnyTool[]): Promise<ToolDefinition[]> {
    return Promise.all(tools.map((tool) => this.#definitionOf(tool)));
  }

  /** `referenced`: the tools that references in the conversation name; undefined where references are not sent. */
  async #serverDefinitionsFor(
    pool: readonly AnyTool[],
    ever: ReadonlySet<string>,
    referenced: ReadonlySet<string> | undefined,
  ): Promise<ToolDefinition[]> {
    const loaded = pool.filter((tool) => !this.#isDeferred(tool));
    const found = new Map(pool.filter((tool) => this.#isDeferred(tool)).map((tool) => [tool.name, tool]));
    // In the order in which they were loaded, so that one more changes nothing before it.
    const searched = [...ever].flatMap((name) => found.get(name) ?? []);
    if (referenced === undefined) return this.#definitionsOf([...loaded, ...searched]);
    // A compaction took the references away: those tools are now sent like any other.
    const whole = searched.filter(({ name }) => !referenced.has(name));
    const deferred = [...found.values()].filter((tool) => !whole.includes(tool));
    // A reference to a tool that is not sent would get the request refused.
    const missing = [...referenced].filter((name) => !found.has(name) && !loaded.some((tool) => tool.name === name));
    return [
      ...(await this.#definitionsOf([...loaded, ...whole])),
      ...(await this.#definitionsOf(deferred)).map((definition) => this.#deferred(definition)),
      ...missing.map((name): ToolDefinition => ({
        name,
        description: 'Currently unavailable: its MCP server is not connected.',
        input_schema: { type: 'object', properties: {} },
        defer_loading: true,
      })),
    ];
  }

  #deferred(definition: ToolDefinition): ToolDefinition {
    const known = this.#deferredDefinitions.get(definition) ?? { ...definition, defer_loading: true };
    this.#deferredDefinitions.set(definition, known);
    return known;
  }
}

/**
 * The API's search in ToolSearch's own place, so that what is before it and after it is the same with either. With nothing left to find, as
 * after a compaction since which all tools are sent whole, it is not sent; a server that is gone for a while changes nothing.
 */
function searchedTools(own: readonly ToolDefinition[], toFind: boolean): RequestTool[] {
  return own.flatMap((tool): RequestTool[] =>
    tool.name !== 'ToolSearch' ? [tool] : toFind ? [toolSearchDefinition] : [],
  );
}
