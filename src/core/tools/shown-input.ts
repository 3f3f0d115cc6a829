// The input of a call that is only shown or looked at: of a log of another version or program, where fields may stand that no tool has.
import { type AnyTool } from './tool';

/** Undefined where it does not fit even without the fields that the tool does not know. */
export function shownInput(tool: AnyTool, input: unknown): unknown {
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return parsed.data as unknown;
  const unknown = new Set(parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [])));
  if (unknown.size === 0 || typeof input !== 'object' || input === null) return undefined;
  return tool.inputSchema.safeParse(Object.fromEntries(Object.entries(input).filter(([name]) => !unknown.has(name)))).data as unknown;
}
