// What Debug returns as data, and how the chat shows it.
import { z } from 'zod/v3';
import { headOf } from '../../../shared/cut-text';
import { defined } from '../../../shared/defined';
import { inThousands } from '../../text/size-text';
import { shownPath } from '../grep/glob-root';
import { type ToolView } from '../../../shared/tool-view';
import { placesSchema, reportView } from '../../tool/report-view';
import { type Report } from './state-text';

export const debugOutputSchema = z.object({
  state: z.enum(['running', 'stopped', 'ended', 'none']),
  /** What the model reads. */
  text: z.string(),
  cwd: z.string(),
  /** Where it stands. */
  path: z.string().optional(),
  line: z.number().optional(),
  places: placesSchema.optional(),
});
/** Every result is short: what is looked for is asked for by name. */
const maxText = 1_900;

export type DebugOutput = z.infer<typeof debugOutputSchema>;

export function debugOutput(state: DebugOutput['state'], { lines, stop, places }: Report, cwd: string): DebugOutput {
  const text = lines.join('\n');
  const cut = headOf(text, maxText);
  const left = text.length - cut.length;
  const shown = left === 0 ? text : `${cut}\n… ${inThousands(left)} more characters`;
  return { state, text: shown, cwd, ...stop, ...defined({ places }) };
}

export function debugView({ text, places }: DebugOutput): ToolView {
  return reportView('debugger', text, places);
}

export function debugDetail({ state, path, line, cwd }: DebugOutput): string {
  if (path !== undefined) return `at ${shownPath(path, cwd)}:${line}`;
  return state === 'none' ? '' : state;
}
