// Suggestions behind "@" for agents: below the files, unless "agent" is what has been typed.
import { agentLabel } from '../../core/prompt/agent-mentions';
import { type MentionSuggestion } from '../../shared/answers';

const maxAgentSuggestions = 5;

export function rankAgents(names: readonly string[], query: string): { first: boolean; items: MentionSuggestion[] } {
  const typed = query.toLowerCase();
  const prefix = /^agent-?/.exec(typed)?.[0];
  const starts = (name: string, wanted: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const wanted = prefix === undefined ? typed : typed.slice(prefix.length);
  const items = names
    .filter((name) => name.toLowerCase().includes(wanted) || agentLabel(name).toLowerCase().includes(typed))
    .sort((a, b) => starts(a, wanted) - starts(b, wanted) || (a < b ? -1 : 1))
    .slice(0, prefix === undefined ? maxAgentSuggestions : maxAgentSuggestions * 3)
    .map((name): MentionSuggestion => ({ path: agentLabel(name), kind: 'agent' }));
  return { first: prefix !== undefined, items };
}
