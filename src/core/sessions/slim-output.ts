// Cuts long texts out of a tool's structured output before it goes into the log: the wire block beside it holds what the model saw.

const maxTextChars = 20_000;
const half = maxTextChars / 2;
const maxDepth = 6;

/** A copy in which every longer text keeps its head and tail. Views need no more. */
export function slimOutput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.length <= maxTextChars) return value;
    return `${value.slice(0, half)}\n[${value.length - maxTextChars} characters left out of the log]\n${value.slice(-half)}`;
  }
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return value;
  if (Array.isArray(value)) return value.map((item) => slimOutput(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, slimOutput(item, depth + 1)]));
}
