// What NotebookEdit returns as data.
import { z } from 'zod/v3';
import { changeShape } from '../edit/file-change';

export const notebookEditSchema = z.object({
  /** The hunks are those of the cell's source. */
  ...changeShape,
  cellId: z.string(),
  cellType: z.string(),
  editMode: z.enum(['replace', 'insert', 'delete']),
});
export type NotebookEditOutput = z.infer<typeof notebookEditSchema>;
