// What Write returns as data.
import { z } from 'zod/v3';
import { changeShape, snippetShape } from './file-change';

export const writeOutputSchema = z.object({
  ...changeShape,
  ...snippetShape,
  type: z.enum(['create', 'update']),
  /** The text as it is in the file; left out where it is long. */
  content: z.string().optional(),
});
export type WriteOutput = z.infer<typeof writeOutputSchema>;
