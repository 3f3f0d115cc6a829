// Whom MCP servers ask in a run: hooks, where there are some for that, then whoever answers for the user, if anybody does.
import { type JudgedHooks } from '../core/hooks/hook-settings';
import { type HookedPeopleOptions, withElicitationHooks } from '../core/mcp/hooked-people';
import { type McpPeople } from '../core/ports/mcp';

/** Undefined where nobody answers: servers are then informed of it. */
export function elicitationPeople(
  { active }: Pick<JudgedHooks, 'active'>,
  people: McpPeople | undefined,
  options: HookedPeopleOptions,
): McpPeople | undefined {
  if (people === undefined && !active.some(({ event }) => event === 'Elicitation')) return undefined;
  return withElicitationHooks(people ?? nobody, options);
}

const nobody: McpPeople = { elicit: async () => ({ action: 'decline' }), allowSampling: async () => false };
