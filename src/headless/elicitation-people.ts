// Whom MCP servers ask in a run without a user: hooks, where there are some for that, and nobody else.
import { type JudgedHooks } from '../core/hooks/hook-settings';
import { type HookedPeopleOptions, withElicitationHooks } from '../core/mcp/hooked-people';
import { type McpPeople } from '../core/ports/mcp';

/** Undefined where no hook answers: servers are then informed that nobody answers their questions. */
export function elicitationPeople(
  { active }: Pick<JudgedHooks, 'active'>,
  options: HookedPeopleOptions,
): McpPeople | undefined {
  if (!active.some(({ event }) => event === 'Elicitation')) return undefined;
  return withElicitationHooks(
    { elicit: async () => ({ action: 'decline' }), allowSampling: async () => false },
    options,
  );
}
