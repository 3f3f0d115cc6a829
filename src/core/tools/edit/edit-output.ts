// What Edit returns as data.
import { z } from 'zod/v3';
import { changeShape, snippetShape } from './file-change';

export const editOutputSchema = z.object({
  ...changeShape,
  ...snippetShape,
  oldString: z.string(),
  newString: z.string(),
  replaceAll: z.boolean(),
});
export type EditOutput = z.infer<typeof editOutputSchema>;
