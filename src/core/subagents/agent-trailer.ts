// What is under an agent's report for the model: its id, and what it took. It is no part of the report.
import { type SubagentUsage } from './subagents';
import { type Offers, said, words } from '../text/words';

export function withTrailer(
  text: string,
  agentId: string,
  { totalTokens, toolUses, durationMs }: SubagentUsage,
  offers?: Offers,
): string {
  const usage = `<usage>total_tokens: ${totalTokens}\ntool_uses: ${toolUses}\nduration_ms: ${durationMs}</usage>`;
  const resume = said(words`{{SendMessage:  (SendMessage to it resumes this agent)}}`, offers);
  return `${text.trimEnd()}\n\nagentId: ${agentId}${resume}\n${usage}`;
}
