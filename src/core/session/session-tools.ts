// The tools of each request: built-ins first and unchanged, those of servers after them, and what is deferred last, or only as far as it is loaded.
import { loadedTools } from '../tools/mcp/loaded-tools';
import { withoutReferences } from '../model/tool-references';
import { toolSearchDefinition, withoutServerSearch } from '../model/server-search';
import { type Message, type RequestTool, type ToolDefinition } from '../wire/wire';
import { type SessionRecord } from '../ports/record';
import { type ConvertContext, convertToolForAPI, convertToolsForAPI } from '../tool/convert-tool';
import { type AnyTool, type PromptContext } from '../tool/tool';
import { type Ports } from '../ports/ports';
import { type Environment } from '../text/environment-reminder';
import { type ToolRegistry } from '../tools/registry';
import { type ToolOffer } from '../tools/tool-offer';

export interface RequestTools {
  tools: RequestTool[];
  /** What the API may be sent about loaded tools: elsewhere a reference is a text. */
  messages(messages: Message[]): Message[];
}

export interface SessionToolServices {
  registry: ToolRegistry;
  offer: ToolOffer;
  environment: Pick<Environment, 'platform' | 'shell'>;
  ports: Pick<Ports, 'mcp' | 'model' | 'log'>;
  /** Never changes: tools are before all that is cached. */
  strictTools: boolean;
  /** Those that the Agent tool may start. */
  agents: () => Promise<Pick<PromptContext, 'agents'>>;
}

/** Built-ins with what the model is sent of each. */
interface OwnTools {
  key: string;
  tools: readonly AnyTool[];
  definitions: ToolDefinition[];
}

type IsDeferred = (tool: AnyTool) => boolean;

export class SessionTools {
  readonly #services: SessionToolServices;
  readonly #model: () => string;
  #own: { key: string; made: Promise<OwnTools> } | undefined;
  #made: { key: string; own: OwnTools; pool: readonly AnyTool[]; tools: RequestTool[] } | undefined;
  /** Settled with the first request of a provider and kept: tools are before all that is cached. */
  #searchedByApi: { key: string; value: boolean } | undefined;
  /** One object for each tool, so that the bytes of an unchanged one are made once. */
  readonly #definitions = new WeakMap<AnyTool, Promise<ToolDefinition>>();
  readonly #deferredDefinitions = new WeakMap<ToolDefinition, ToolDefinition>();

  constructor(services: SessionToolServices, model: () => string) {
    this.#services = services;
    this.#model = model;
  }

  async prepare(): Promise<void> {
    await this.#ownTools();
  }

  async of(records: readonly SessionRecord[]): Promise<RequestTools> {
    const { offer, registry } = this.#services;
    await offer.settle();
    const own = await this.#ownTools();
    const { ever, present: byResults, presentByApi } = loadedTools(records);
    const native = offer.sendsReferences();
    const pool = registry.all();
    const useful = offer.tools();
    const byApi = this.#isSearchedByApi(useful, presentByApi);
    // Where the API is not sent its own results, what they refer to is not there.
    const present = byApi ? new Set([...byResults, ...presentByApi]) : byResults;
    const messages = (list: Message[]): Message[] => {
      const echoed = byApi ? list : list.map(withoutServerSearch);
      return native ? echoed : echoed.map(withoutReferences);
    };
    // What a reference names has to be sent deferred, whatever has become of it since.
    const isDeferred: IsDeferred = (tool) => offer.isDeferred(tool) || (native && present.has(tool.name));
    const later = own.tools.filter(isDeferred);
    const others = [...later, ...useful.filter((tool) => tool.isMcp)];
    if (!byApi && others.length === 0 && ever.size === 0) return { tools: own.definitions, messages };
    const names = later.map(({ name }) => name);
    const key = JSON.stringify([native, byApi, this.#model(), [...ever], native ? [...present] : [], names]);
    let made = this.#made;
    if (made?.key !== key || made.own !== own || made.pool !== pool) {
      const front = own.definitions.filter((_, index) => !isDeferred(own.tools[index]!));
      const after = await this.#definitionsAfter(others, ever, {
        isDeferred,
        referenced: native ? present : undefined,
      });
      const toFind = !useful.some(isDeferred) || after.some((tool) => tool.defer_loading === true);
      const tools = [...(byApi ? searchedTools(front, toFind) : front), ...after];
      made = this.#made = { key, own, pool, tools };
    }
    return { tools: made.tools, messages };
  }

  modelChanged(): void {
    this.#own = undefined;
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
      strictTools: this.#services.strictTools,
      warn: (message) => ports.log.warn(message),
    };
  }

  /**
   * Whether the API searches, and ToolSearch is left away. The API's search cannot wait for servers that still connect: where some do, ToolSearch
   * stays, unless the conversation has been searched by the API before. It stays too where there is nothing to find, since it says why.
   */
  #isSearchedByApi(tools: readonly AnyTool[], presentByApi: ReadonlySet<string>): boolean {
    const { ports, offer } = this.#services;
    const servers = ports.mcp?.list() ?? [];
    const taken = offer.sendsReferences() && ports.model.capabilities(this.#model()).toolSearch;
    const key = `${ports.model.provider} ${taken}`;
    if (this.#searchedByApi?.key !== key) {
      const value =
        taken &&
        tools.some(offer.isDeferred) &&
        (presentByApi.size > 0 ||
          servers.every(({ state }) => state.kind !== 'connecting' && state.kind !== 'reconnecting'));
      this.#searchedByApi = { key, value };
    }
    return this.#searchedByApi.value;
  }

  #ownTools(): Promise<OwnTools> {
    const { offer, ports } = this.#services;
    const tools = offer.tools().filter((tool) => !tool.isMcp);
    const key = JSON.stringify([ports.model.provider, this.#model(), tools.map(({ name }) => name)]);
    if (this.#own?.key === key) return this.#own.made;
    // A prompt that failed is asked for again.
    const made = this.#agents(tools)
      .then((more) => convertToolsForAPI(tools, this.#context(tools, more)))
      .then((definitions): OwnTools => {
        tools.forEach((tool, index) => this.#definitions.set(tool, Promise.resolve(definitions[index]!)));
        return { key, tools, definitions };
      })
      .catch((error: unknown) => {
        this.#own = undefined;
        throw error;
      });
    this.#own = { key, made };
    return made;
  }

  #definitionOf(tool: AnyTool): Promise<ToolDefinition> {
    const known = this.#definitions.get(tool) ?? convertToolForAPI(tool, this.#context([]));
    this.#definitions.set(tool, known);
    return known;
  }

  #definitionsOf(tools: readonly AnyTool[]): Promise<ToolDefinition[]> {
    return Promise.all(tools.map((tool) => this.#definitionOf(tool)));
  }

  /** Those behind the built-ins that are always there. `referenced`: what references in the conversation name; undefined where none are sent. */
  async #definitionsAfter(
    others: readonly AnyTool[],
    ever: ReadonlySet<string>,
    { isDeferred, referenced }: { isDeferred: IsDeferred; referenced: ReadonlySet<string> | undefined },
  ): Promise<ToolDefinition[]> {
    const loaded = others.filter((tool) => !isDeferred(tool));
    const found = new Map(others.filter(isDeferred).map((tool) => [tool.name, tool]));
    // In the order in which they were loaded, so that one more changes nothing before it.
    const searched = [...ever].flatMap((name) => found.get(name) ?? []);
    if (referenced === undefined) return this.#definitionsOf([...loaded, ...searched]);
    // A compaction took the references away: those tools are now sent like any other.
    const whole = searched.filter(({ name }) => !referenced.has(name));
    const deferred = [...found.values()].filter((tool) => !whole.includes(tool));
    // A reference to a tool that is not sent would get the request refused.
    const missing = [...referenced].filter((name) => !found.has(name));
    return [
      ...(await this.#definitionsOf([...loaded, ...whole])),
      ...(await this.#definitionsOf(deferred)).map((definition) => this.#deferred(definition)),
      ...missing.map((name): ToolDefinition => ({
        name,
        description: name.startsWith('mcp__')
          ? 'Currently unavailable: its MCP server is not connected.'
          : 'Currently unavailable.',
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
