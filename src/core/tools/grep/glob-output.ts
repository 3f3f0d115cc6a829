// What Glob returns as data.
import { z } from 'zod/v3';

export const globOutputSchema = z.object({
  /** Newest first; relative to the current folder where inside it. */
  filenames: z.array(z.string()),
  /** What relative paths count from. */
  cwd: z.string(),
  numFiles: z.number(),
  /** The number of all matching files. */
  total: z.number(),
  truncated: z.boolean(),
  durationMs: z.number(),
  /** Sentences for the model: what was not looked at. */
  notes: z.array(z.string()).optional(),
});
export type GlobOutput = z.infer<typeof globOutputSchema>;
