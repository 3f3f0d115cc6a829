// The colour of an agent, from what a call has returned or told on the way.
import { type AgentColor, agentColorOf } from '../../shared/agent-color';

export function withColor(told: object): { color?: AgentColor } {
  const color = 'color' in told ? agentColorOf(told.color) : undefined;
  return color === undefined ? {} : { color };
}
