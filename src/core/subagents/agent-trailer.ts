// What stands under an agent's report for the model: its id, and what it took. It is no part of the report.
import { type SubagentUsage } from './subagents';

const mark = /\n*agentId: ([\w-]+)[^\n]*\n<usage>([^<]*)<\/usage>\s*$/;

export function withTrailer(text: string, agentId: string, { totalTokens, toolUses, durationMs }: SubagentUsage): string {
  const usage = `<usage>total_tokens: ${totalTokens}\ntool_uses: ${toolUses}\nduration_ms: ${durationMs}</usage>`;
  return `${text.trimEnd()}\n\nagentId: ${agentId} (SendMessage to it goes on with this agent)\n${usage}`;
}

/** The report alone; undefined where there is no trailer. */
export function splitTrailer(content: string): { text: string; agentId: string; usage: SubagentUsage } | undefined {
  const match = mark.exec(content);
  if (match === null) return undefined;
  const number = (name: string): number => Number(new RegExp(`${name}: (\\d+)`).exec(match[2] ?? '')?.[1] ?? 0);
  return {
    text: content.slice(0, match.index).trimEnd(),
    agentId: match[1] ?? '',
    usage: { totalTokens: number('total_tokens'), toolUses: number('tool_uses'), durationMs: number('duration_ms') },
  };
}
