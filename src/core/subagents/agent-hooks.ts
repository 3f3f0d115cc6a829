// Hooks that an agent's own file contains: they run while the agent does, in addition to those of the settings.
import { parseTree } from 'jsonc-parser';
import { type HookEntry } from '../hooks/hook-entry';
import { type JudgedHooks } from '../hooks/hook-settings';
import { type FileHooks, readHookKey } from '../hooks/read-hooks';
import { type AgentDefinition } from './agent-definition';

type Hooks = Pick<
  JudgedHooks,
  'active' | 'allowedUrls' | 'allowedVariables' | 'refuses' | 'off' | 'judgeAdded' | 'wanted'
>;

/** Undefined where it has none. Those of a project's agent run once the user has agreed to them: starting it asks for that. */
export function agentHooks(agent: AgentDefinition): ((hooks: () => Hooks) => () => Hooks) | undefined {
  const own = agentHookEntries(agent);
  if (own.length === 0) return undefined;
  const mayRun = ({ off, judgeAdded }: Hooks): boolean => {
    if (agent.source === 'project') return judgeAdded !== undefined && judgeAdded(own).length > 0;
    return off !== true || agent.source === 'managed';
  };
  return (hooks) => {
    let last: { from: readonly HookEntry[]; all: readonly HookEntry[] } | undefined;
    if (agent.source === 'project') hooks().wanted?.(own);
    return () => {
      const now = hooks();
      if (!mayRun(now)) return now;
      // The same list as long as nothing changes.
      if (last?.from !== now.active) last = { from: now.active, all: [...now.active, ...own] };
      return { ...now, active: last.all };
    };
  };
}

export function agentHookEntries({
  hooks,
  source,
  file,
}: Pick<AgentDefinition, 'hooks' | 'source' | 'file'>): HookEntry[] {
  const node = hooks === undefined ? undefined : parseTree(JSON.stringify(hooks));
  if (node === undefined) return [];
  const into: FileHooks = { entries: [] };
  const place =
    source === 'project' && file !== undefined
      ? {
          file,
          source: 'projectSettings' as const,
          root: file.slice(0, file.lastIndexOf('/.claude/agents/')),
          owner: file,
        }
      : {
          file: file ?? '--agents',
          source: source === 'managed' ? ('managedSettings' as const) : ('userSettings' as const),
          root: '',
        };
  readHookKey('hooks', node, into, place, () => undefined);
  return into.entries.map((entry) => (entry.event === 'Stop' ? { ...entry, event: 'SubagentStop' } : entry));
}
