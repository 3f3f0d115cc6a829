// A call in words, as its tool has them.
import { type ToolSentence } from '../../shared/tool-view';
import { shownInput } from '../tool/shown-input';
import { type AnyTool } from '../tool/tool';

/** Undefined where the input does not fit, or the tool throws on it: showing a call never ends a turn. */
export function describeCall(
  tool: AnyTool | undefined,
  input: unknown,
): { sentence: ToolSentence; readOnly: boolean; isCommand: boolean } | undefined {
  if (tool === undefined || input === undefined) return undefined;
  try {
    const shown = shownInput(tool, input);
    if (shown === undefined) return undefined;
    const isCommand = tool.targets(shown, '').some(({ kind }) => kind === 'command');
    // What must run alone is more than a look: a question, a list of tasks.
    const readOnly = tool.standsAlone !== true && tool.isReadOnly(shown) && tool.isConcurrencySafe(shown);
    return { sentence: tool.describe(shown), readOnly, isCommand };
  } catch {
    return undefined;
  }
}
