// The tools of a session: those that its host gave, and those of its features, which come and go while it runs.
import { type AnyTool } from '../tool/tool';
import { assembleToolPool, type ToolRegistry } from '../tools/registry';
import { nearNames } from '../text/near-names';

/** Asks for the features' tools at each call: they are there once all features are. */
export function withFeatureTools(base: ToolRegistry, featureTools: () => readonly AnyTool[]): ToolRegistry {
  let known: { of: readonly AnyTool[]; all: AnyTool[]; byName: ReadonlyMap<string, AnyTool> } | undefined;
  const current = (): { all: AnyTool[]; byName: ReadonlyMap<string, AnyTool> } => {
    const tools = featureTools();
    if (known?.of !== tools) {
      const own = new Set(base.all().map(({ name }) => name));
      known = {
        of: tools,
        all: tools.length === 0 ? base.all() : assembleToolPool(base.all(), tools),
        byName: new Map(tools.flatMap((tool) => (own.has(tool.name) ? [] : [[tool.name, tool]]))),
      };
    }
    return known;
  };
  const registry: ToolRegistry = {
    register(tool) {
      base.register(tool);
      known = undefined;
      return registry;
    },
    find: (name) => current().byName.get(name) ?? base.find(name),
    all: () => current().all,
    near: (name) =>
      nearNames(
        name,
        current().all.map((tool) => tool.name),
      ),
  };
  return registry;
}
