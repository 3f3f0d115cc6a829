// Which of its tools a session offers its model now, and which of them the model has to load before it calls them.
import { type Ports } from '../ports/ports';
import { type ToolSearchMode } from '../settings/request-variables';
import { type AnyTool, type ToolSession } from '../tool/tool';
import { type ToolRegistry } from './registry';

export interface ToolOffer {
  /** All that there is a use for, loaded or not. */
  tools(): AnyTool[];
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
  // Built-ins that the API does not defer stay: one that is loaded there enters the prefix, and all that is cached after it is lost.
  const defersBuiltIns = (): boolean => (toolSearch?.deferral ?? 'on') === 'on' && sendsReferences();
  /** What nothing could load is sent like any other tool. */
  const isSearchable = (): boolean => registry.find('ToolSearch') !== undefined;
  const isDeferred = (tool: AnyTool): boolean => {
    if (!isSearchable()) return false;
    if (tool.isMcp) return tool.deferred === true;
    return tool.seldom !== undefined && defersBuiltIns() && !(tool.name === 'Skill' && usesSkills);
  };
  const tools = (): AnyTool[] => usefulTools(registry.all(), ports.mcp, isDeferred);
  return {
    sendsReferences,
    isDeferred,
    tools,
    offers: (name) => tools().some((tool) => tool.name === name),
    async settle() {
      settled ??= hasSkills(skills());
      usesSkills = await settled;
    },
  };
}

async function hasSkills(skills: ToolSession['skills']): Promise<boolean> {
  return (await skills?.list())?.skills.some(({ forModel }) => forModel) ?? false;
}
