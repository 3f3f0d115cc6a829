// What Debug returns as data, and how the chat shows it.
import { z } from 'zod/v3';
import { headOf } from '../../../shared/cut-text';
import { inThousands } from '../../text/size-text';
import { shownPath } from '../grep/glob-root';
import { fenced } from '../../text/fenced';
import { type ToolView } from '../../../shared/tool-view';
import { type Report } from './state-text';

export const debugOutputSchema = z.object({
  state: z.enum(['running', 'stopped', 'ended', 'none']),
  /** What the model reads. */
  text: z.string(),
  cwd: z.string(),
  /** Where it stands. */
  path: z.string().optional(),
  line: z.number().optional(),
});
/** Every result is short: what is looked for is asked for by name. */
const maxText = 1_900;

export type DebugOutput = z.infer<typeof debugOutputSchema>;

export function debugOutput(state: DebugOutput['state'], { lines, stop }: Report, cwd: string): DebugOutput {
  const text = lines.join('\n');
  const cut = headOf(text, maxText);
  const left = text.length - cut.length;
  return { state, text: left === 0 ? text : `${cut}\n… ${inThousands(left)} more characters`, cwd, ...stop };
}

export function debugView({ text }: DebugOutput): ToolView {
  return { kind: 'markdown', text: fenced(text), about: 'code' };
}

export function debugDetail({ state, path, line, cwd }: DebugOutput): string {
  if (path !== undefined) return `at ${shownPath(path, cwd)}:${line}`;
  return state === 'none' ? '' : state;
}
