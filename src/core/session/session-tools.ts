// The tools of each request: built-ins first and unchanged, those of servers behind them, and what is deferred only as far as it is loaded.
import { loadedTools } from '../tools/mcp/loaded-tools';
import { withoutReferences } from '../model/tool-references';
import { toolSearchDefinition, withoutServerSearch } from '../model/server-search';
import { type Message, type RequestTool, type ToolDefinition } from '../wire/wire';
import { type McpServers } from '../ports/mcp';
import { type SessionRecord } from '../ports/record';
import { type ConvertContext, convertToolForAPI, convertToolsForAPI } from '../tool/convert-tool';
import { type AnyTool, type PromptContext } from '../tool/tool';
import { type Ports } from '../ports/ports';
import { type ToolSearchMode } from '../settings/request-variables';
import { type Environment } from '../text/environment-reminder';
import { type ToolRegistry } from '../tools/registry';

export interface RequestTools {
  tools: RequestTool[];
  /** What the API may be told of loaded tools: elsewhere a reference is a text. */
  messages(messages: Message[]): Message[];
}

export interface SessionTools {
  prepare(): Promise<void>;
  of(records: readonly SessionRecord[]): Promise<RequestTools>;
  modelChanged(): void;
}

/** They say nothing where no server is configured. */
const onlyWithServers = new Set(['ToolSearch', 'ListMcpResources', 'ReadMcpResource']);

/** Of a session's tools those that there is a use for now. */
export function usefulTools(tools: readonly AnyTool[], mcp: McpServers | undefined): AnyTool[] {
  const idle = mcp?.list().length === 0;
  return tools.filter(({ name }) => !idle || !onlyWithServers.has(name));
}

export interface SessionToolServices {
  registry: ToolRegistry;
  environment: Pick<Environment, 'platform' | 'shell'>;
  ports: Pick<Ports, 'mcp' | 'model' | 'log'>;
  toolSearch: ToolSearchMode | undefined;
  /** Those that the Agent tool may start. */
  agents: () => Promise<Pick<PromptContext, 'agents'>>;
}

export function createSessionTools(services: SessionToolServices, model: () => string): SessionTools {
  const { registry, environment, ports, toolSearch } = services;
  let base: { key: string; definitions: Promise<ToolDefinition[]> } | undefined;
  let made: { key: string; base: ToolDefinition[]; pool: readonly AnyTool[]; tools: RequestTool[] } | undefined;
  /** Settled with the first request of a provider and kept: tools stand in front of all that is cached. */
  let searchedByApi: { key: string; value: boolean } | undefined;
  /** One object for each tool, so that the bytes of an unchanged one are made once. */
  const serverDefinitions = new WeakMap<AnyTool, Promise<ToolDefinition>>();

  /** Told once: a file that changes later must not change what is cached. */
  const agents = async (tools: readonly AnyTool[]): Promise<Pick<PromptContext, 'agents'>> =>
    tools.some(({ name }) => name === 'Agent') ? services.agents() : {};
  const context = (tools: readonly AnyTool[], more: Pick<PromptContext, 'agents'> = {}): ConvertContext => {
    const prompt: PromptContext = {
      toolNames: tools.map(({ name }) => name),
      platform: environment.platform,
      shell: environment.shell,
      ...more,
    };
    return {
      prompt,
      can: ports.model.capabilities(model()),
      strictTools: false,
      warn: (message) => ports.log.warn(message),
    };
  };
  const references = (): boolean =>
    toolSearch?.references !== false && ports.model.capabilities(model()).toolReferences;
  /** What nothing could load is sent like any other tool. */
  const isDeferred = (tool: AnyTool): boolean => tool.deferred === true && registry.find('ToolSearch') !== undefined;
  /**
   * Whether the API searches, and ToolSearch is left away. The API's search cannot wait for servers that still connect: where some do, ToolSearch
   * stays, unless the conversation has been searched by the API before. It stays too where there is nothing to find, since it says why.
   */
  const isSearchedByApi = (pool: readonly AnyTool[], presentByApi: ReadonlySet<string>): boolean => {
    const servers = ports.mcp?.list() ?? [];
    const taken = references() && ports.model.capabilities(model()).toolSearch;
    const key = `${ports.model.provider} ${taken}`;
    if (searchedByApi?.key !== key) {
      const value =
        taken &&
        pool.some(isDeferred) &&
        (presentByApi.size > 0 ||
          servers.every(({ state }) => state.kind !== 'connecting' && state.kind !== 'reconnecting'));
      searchedByApi = { key, value };
    }
    return searchedByApi.value;
  };
  const baseDefinitions = (): Promise<ToolDefinition[]> => {
    const hasServers = (ports.mcp?.list().length ?? 0) > 0;
    const key = `${ports.model.provider} ${model()} ${hasServers}`;
    if (base?.key === key) return base.definitions;
    const own = usefulTools(registry.all(), ports.mcp).filter((tool) => !tool.isMcp);
    // A prompt that failed is asked for again.
    const definitions = agents(own)
      .then((more) => convertToolsForAPI(own, context(own, more)))
      .catch((error: unknown) => {
        base = undefined;
        throw error;
      });
    base = { key, definitions };
    return definitions;
  };
  const definitionOf = (tool: AnyTool): Promise<ToolDefinition> => {
    const known = serverDefinitions.get(tool) ?? convertToolForAPI(tool, context([]));
    serverDefinitions.set(tool, known);
    return known;
  };
  const serverPart = async (
    pool: readonly AnyTool[],
    ever: ReadonlySet<string>,
    present: ReadonlySet<string>,
    native: boolean,
  ): Promise<ToolDefinition[]> => {
    const loaded = pool.filter((tool) => !isDeferred(tool));
    const found = new Map(pool.filter(isDeferred).map((tool) => [tool.name, tool]));
    // In the order in which they were loaded, so that one more changes nothing in front of it.
    const searched = [...ever].flatMap((name) => found.get(name) ?? []);
    if (!native) return Promise.all([...loaded, ...searched].map(definitionOf));
    // A compaction took the references away: those tools are now sent like any other.
    const whole = searched.filter(({ name }) => !present.has(name));
    const deferred = [...found.values()].filter((tool) => !whole.includes(tool));
    // A reference to a tool that is not sent would get the request refused.
    const missing = [...present].filter((name) => !found.has(name) && !loaded.some((tool) => tool.name === name));
    return [
      ...(await Promise.all([...loaded, ...whole].map(definitionOf))),
      ...(await Promise.all(
        deferred.map(async (tool): Promise<ToolDefinition> => deferredDefinition(await definitionOf(tool))),
      )),
      ...missing.map((name): ToolDefinition => ({
        name,
        description: 'Currently unavailable: its MCP server is not connected.',
        input_schema: { type: 'object', properties: {} },
        defer_loading: true,
      })),
    ];
  };
  const deferredDefinitions = new WeakMap<ToolDefinition, ToolDefinition>();
  const deferredDefinition = (definition: ToolDefinition): ToolDefinition => {
    const known = deferredDefinitions.get(definition) ?? { ...definition, defer_loading: true };
    deferredDefinitions.set(definition, known);
    return known;
  };
  return {
    prepare: async () => void (await baseDefinitions()),
    async of(records) {
      const own = await baseDefinitions();
      const { ever, present: byResults, presentByApi } = loadedTools(records);
      const native = references();
      const pool = registry.all();
      const byApi = isSearchedByApi(pool, presentByApi);
      // Where the API is not sent its own results, what they refer to is not there.
      const present = byApi ? new Set([...byResults, ...presentByApi]) : byResults;
      const messages = (list: Message[]): Message[] => {
        const echoed = byApi ? list : list.map(withoutServerSearch);
        return native ? echoed : echoed.map(withoutReferences);
      };
      if (!byApi && !pool.some((tool) => tool.isMcp) && ever.size === 0) return { tools: own, messages };
      const key = JSON.stringify([native, byApi, model(), [...ever], native ? [...present] : []]);
      if (made?.key !== key || made.base !== own || made.pool !== pool) {
        const ofServers = await serverPart(
          pool.filter((tool) => tool.isMcp),
          ever,
          present,
          native,
        );
        const toFind = !pool.some(isDeferred) || ofServers.some((tool) => tool.defer_loading === true);
        const tools = [...(byApi ? searchedTools(own, toFind) : own), ...ofServers];
        made = { key, base: own, pool, tools };
      }
      return { tools: made.tools, messages };
    },
    modelChanged: () => {
      base = undefined;
      made = undefined;
      searchedByApi = undefined;
    },
  };
}

/**
 * The API's search in ToolSearch's own place, so that what stands before it and behind it is the same with either. With nothing left to find, as
 * after a compaction behind which all tools are sent whole, it is not sent; a server that is gone for a while changes nothing.
 */
function searchedTools(own: readonly ToolDefinition[], toFind: boolean): RequestTool[] {
  return own.flatMap((tool): RequestTool[] =>
    tool.name !== 'ToolSearch' ? [tool] : toFind ? [toolSearchDefinition] : [],
  );
}
