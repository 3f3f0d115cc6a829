// Which of its tools a session offers its model now, and which of them the model has to load before it calls them.
import { type Ports } from '../ports/ports';
import { type ToolSearchMode } from '../settings/request-variables';
import { type AnyTool, type ToolSession } from '../tool/tool';
import { type ToolRegistry } from './registry';

export interface ToolOffer {
  /** All that there is a use for, loaded or not; the same list as long as nothing has changed. */
  tools(): readonly AnyTool[];
  /** Whether the tool with this name is among them. */
  offers(name: string): boolean;
  isDeferred(tool: AnyTool): boolean;
  /** The API takes deferred tools and references to them. */
  sendsReferences(): boolean;
  /** Decides once what a session's state decides: a tool that came into the prefix later would make its cache worthless. */
  settle(): Promise<void>;
}

export interface ToolOfferServices {
  registry: ToolRegistry;
  ports: Pick<Ports, 'mcp' | 'model'>;
  toolSearch: ToolSearchMode | undefined;
  model: () => string;
  skills: () => ToolSession['skills'];
}

/** They say nothing where no server is configured. */
const onlyWithServers = new Set(['ListMcpResources', 'ReadMcpResource']);

/** The tools that there is a use for now. */
export function usefulTools(
  tools: readonly AnyTool[],
  mcp: Ports['mcp'],
  isDeferred: (tool: AnyTool) => boolean,
): AnyTool[] {
  // With servers the search says too what has become of one.
  if ((mcp?.list().length ?? 0) > 0) return [...tools];
  const useful = tools.filter(({ name }) => !onlyWithServers.has(name));
  return useful.some(isDeferred) ? useful : useful.filter(({ name }) => name !== 'ToolSearch');
}

export function createToolOffer({ registry, ports, toolSearch, model, skills }: ToolOfferServices): ToolOffer {
  let settled: Promise<boolean> | undefined;
  let usesSkills = true;
  const sendsReferences = (): boolean =>
    toolSearch?.references !== false && ports.model.capabilities(model()).toolReferences;
  const isOn = (toolSearch?.deferral ?? 'on') === 'on';
  // Small ones that the API does not defer stay: one that is loaded there enters the prefix, and all that is cached after it is lost.
  const defersBuiltIns = (): boolean => isOn && sendsReferences();
  /** What nothing could load is sent like any other tool. */
  const isSearchable = (): boolean => registry.find('ToolSearch') !== undefined;
  const deferral = (): ((tool: AnyTool) => boolean) => {
    if (!isSearchable()) return () => false;
    const defers = defersBuiltIns();
    return (tool) =>
      tool.isMcp
        ? tool.deferred === true
        : tool.seldom !== undefined &&
          (defers || (isOn && tool.bulky === true)) &&
          !(tool.name === 'Skill' && usesSkills);
  };
  let known: { key: string; of: readonly AnyTool[]; tools: AnyTool[]; names: ReadonlySet<string> } | undefined;
  // Each name in each sentence for the model is looked up.
  const current = (): NonNullable<typeof known> => {
    const of = registry.all();
    const key = [(ports.mcp?.list().length ?? 0) > 0, isSearchable() && defersBuiltIns(), usesSkills].join();
    if (known?.of !== of || known.key !== key) {
      const tools = usefulTools(of, ports.mcp, deferral());
      known = { key, of, tools, names: new Set(tools.map(({ name }) => name)) };
    }
    return known;
  };
  return {
    sendsReferences,
    isDeferred: (tool) => deferral()(tool),
    tools: () => current().tools,
    offers: (name) => current().names.has(name),
    async settle() {
      settled ??= hasSkills(skills());
      usesSkills = await settled;
    },
  };
}

async function hasSkills(skills: ToolSession['skills']): Promise<boolean> {
  return (await skills?.list())?.skills.some(({ forModel }) => forModel) ?? false;
}
