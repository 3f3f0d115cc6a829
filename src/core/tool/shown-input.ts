// The input of a call that is only shown or looked at: of a log of another version or program, where fields may stand that no tool has.
import { parseKnownFields } from './known-fields';
import { parseRepairedInput } from './input-repair';
import { type AnyTool } from './tool';

/** Undefined where it does not fit even without the fields that the tool does not know. */
export function shownInput(tool: AnyTool, input: unknown): unknown {
  const parsed = parseRepairedInput(tool, input);
  if (parsed.success) return parsed.data;
  const known = parseKnownFields(tool, input);
  return known.ok ? known.input : undefined;
}
