// What Write returns as data.
import { z } from 'zod/v3';
import { numberLinesCut } from '../../edits/number-lines';
import { splitLines } from '../../edits/text-lines';
import { changeShape } from './file-change';

const MAX_SHOWN_LINES = 200;

export const writeOutputSchema = z.object({
  ...changeShape,
  type: z.enum(['create', 'update']),
  /** The text as it is in the file; left out where it is long. */
  content: z.string().optional(),
  /** The new text with line numbers, cut in the middle where it is long. */
  snippet: z.string(),
});
export type WriteOutput = z.infer<typeof writeOutputSchema>;

export function writtenSnippet(text: string): string {
  return numberLinesCut(splitLines(text), 1, MAX_SHOWN_LINES);
}
