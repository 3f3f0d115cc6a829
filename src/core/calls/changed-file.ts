// The one file that a call changes, as far as its input tells.
import { parseRepairedInput } from '../tool/input-repair';
import { type ToolRegistry } from '../tools/registry';
import { type ToolCall } from './tool-call';

/** Undefined where it changes none or several, or also something else. */
export function changedFile({ name, input }: ToolCall, registry: ToolRegistry, cwd: string): string | undefined {
  const tool = registry.find(name);
  if (tool === undefined) return undefined;
  try {
    const parsed = parseRepairedInput(tool, input);
    if (!parsed.success || tool.furtherFiles !== undefined || tool.asksUser) return undefined;
    const [target, ...others] = tool.targets(parsed.data, cwd);
    return others.length === 0 && target?.kind === 'file' && target.access === 'write' ? target.path : undefined;
  } catch {
    // What cannot be read asks in its turn.
    return undefined;
  }
}
