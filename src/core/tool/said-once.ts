// What a session's model is told at most once: a hint that it has read is not repeated.
import { type ToolSession } from './tool';

/** By what lives as long as the session does here; after a reload a hint may come again. */
const said = new WeakMap<object, Set<string>>();

/** True for the first call with this key. */
export function isFirstTime({ readState }: Pick<ToolSession, 'readState'>, key: string): boolean {
  const keys = said.get(readState) ?? new Set();
  said.set(readState, keys);
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}
