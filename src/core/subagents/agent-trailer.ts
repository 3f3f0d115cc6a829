// What is under an agent's report for the model: its id, and what it took. It is no part of the report.
import { type SubagentUsage } from './subagents';

export function withTrailer(
  text: string,
  agentId: string,
  { totalTokens, toolUses, durationMs }: SubagentUsage,
): string {
  const usage = `<usage>total_tokens: ${totalTokens}\ntool_uses: ${toolUses}\nduration_ms: ${durationMs}</usage>`;
  return `${text.trimEnd()}\n\nagentId: ${agentId} (SendMessage to it resumes this agent)\n${usage}`;
}
