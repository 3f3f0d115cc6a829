// Hooks that an agent's own file brings: they run while the agent does, beside those of the settings.
import { parseTree } from 'jsonc-parser';
import { type HookEntry } from '../hooks/hook-entry';
import { type JudgedHooks } from '../hooks/hook-settings';
import { type FileHooks, readHookKey } from '../hooks/read-hooks';
import { type AgentDefinition } from './agent-definition';

type Hooks = Pick<JudgedHooks, 'active' | 'allowedUrls' | 'allowedVariables' | 'refuses' | 'off'>;

/** Undefined where it brings none that may run. A project's never do: nobody was asked about them. */
export function agentHooks(agent: AgentDefinition): ((hooks: () => Hooks) => () => Hooks) | undefined {
  if (agent.hooks === undefined || agent.source === 'project') return undefined;
  const own = entriesOf(agent);
  if (own.length === 0) return undefined;
  return (hooks) => {
    let last: { from: readonly HookEntry[]; all: readonly HookEntry[] } | undefined;
    return () => {
      const now = hooks();
      if (now.off === true && agent.source !== 'managed') return now;
      // The same list as long as nothing changes.
      if (last?.from !== now.active) last = { from: now.active, all: [...now.active, ...own] };
      return { ...now, active: last.all };
    };
  };
}

function entriesOf(agent: AgentDefinition): HookEntry[] {
  const node = parseTree(JSON.stringify(agent.hooks));
  if (node === undefined) return [];
  const into: FileHooks = { entries: [] };
  const source = agent.source === 'managed' ? 'managedSettings' : 'userSettings';
  readHookKey('hooks', node, into, { file: agent.file ?? '--agents', source, root: '' }, () => undefined);
  return into.entries.map((entry) => (entry.event === 'Stop' ? { ...entry, event: 'SubagentStop' } : entry));
}
