// What a tool finds out about a call before it is asked about: once, so that what is judged, shown and done is the same.
import { type ToolContext } from './tool';

/** Asks for each input once, however often the call's parts ask; an input is its call's own object. */
export function oncePerCall<Input extends object, Found>(
  find: (input: Input, context: ToolContext) => Promise<Found>,
): (input: Input, context: ToolContext) => Promise<Found> {
  const known = new WeakMap<Input, Promise<Found>>();
  return (input, context) => {
    const found = known.get(input) ?? find(input, context);
    known.set(input, found);
    return found;
  };
}
