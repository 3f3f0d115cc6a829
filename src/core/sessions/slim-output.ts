// Cuts long texts out of a tool's structured output before it is logged: the wire block next to it holds what the model saw.
import { cutMiddle } from '../../shared/cut-text';

const maxTextChars = 20_000;
const maxDepth = 6;

/** A copy in which every longer text keeps its head and tail. Views need no more. */
export function slimOutput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return cutMiddle(value, maxTextChars, (omitted) => `\n[${omitted} characters left out of the log]\n`);
  }
  if (typeof value !== 'object' || value === null || depth >= maxDepth || isPicture(value)) return value;
  if (Array.isArray(value)) return value.map((item) => slimOutput(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, slimOutput(item, depth + 1)]));
}

/** As a card draws it: without its middle it is none. What takes it limits its size. */
function isPicture(value: object): boolean {
  if (!('mediaType' in value) || !('data' in value)) return false;
  return typeof value.mediaType === 'string' && value.mediaType.startsWith('image/') && typeof value.data === 'string';
}
