// The colours that an agent's file may give its name in the chat.

export const agentColors = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan'] as const;
export type AgentColor = (typeof agentColors)[number];

/** Undefined for what is none. */
export function agentColorOf(value: unknown): AgentColor | undefined {
  return agentColors.find((color) => color === value);
}
