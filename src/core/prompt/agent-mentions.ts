// Mentions of agents, `@agent-name` and `@"name (agent)"`, and what the model is sent about them.
import { type Mention } from './mentions';

/** The name as it is written; undefined for a path. */
function written({ path, range }: Mention): string | undefined {
  if (range !== undefined) return undefined;
  return /^(.+) \(agent\)$/.exec(path)?.[1] ?? /^agent-(.+)$/.exec(path)?.[1];
}

export function looksLikeAgent(mention: Mention): boolean {
  return written(mention) !== undefined;
}

/** One that there is; undefined where the mention may be a path. */
export function mentionedAgent(mention: Mention, names: readonly string[]): string | undefined {
  const name = written(mention)?.trim();
  return names.find((one) => one === name) ?? names.find((one) => one.toLowerCase() === name?.toLowerCase());
}

/** How one is written after "@". */
export function agentLabel(name: string): string {
  return `${name} (agent)`;
}

export function agentHint(name: string): string {
  return `The user asks for the agent ${name}: pass it what they want with the Agent tool (subagent_type ${JSON.stringify(name)}).`;
}
