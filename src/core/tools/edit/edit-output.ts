// What Edit returns as data.
import { z } from 'zod/v3';
import { changeShape } from './file-change';

/** Of the changed lines that the model is shown. */
export const MAX_SNIPPET_LINES = 200;

export const editOutputSchema = z.object({
  ...changeShape,
  oldString: z.string(),
  newString: z.string(),
  replaceAll: z.boolean(),
  /** The changed lines with their real numbers; left out where a hook has left nothing of them. */
  snippet: z.string().optional(),
});
export type EditOutput = z.infer<typeof editOutputSchema>;
