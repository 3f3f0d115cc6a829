// The colour of an agent, from what a call has returned or reported so far.
import { defined } from '../../shared/defined';
import { type AgentColor, agentColorOf } from '../../shared/agent-color';

export function withColor(output: object): { color?: AgentColor } {
  const color = 'color' in output ? agentColorOf(output.color) : undefined;
  return defined({ color });
}
