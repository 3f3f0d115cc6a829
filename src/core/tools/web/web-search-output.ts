// What WebSearch returns as data.
import { z } from 'zod/v3';

export const webSearchOutputSchema = z.object({
  query: z.string(),
  links: z.array(z.object({ title: z.string(), url: z.string() })),
  summary: z.string(),
  /** What the numbers in the summary mean. */
  sources: z.array(z.object({ title: z.string(), url: z.string(), quotes: z.array(z.string()) })).optional(),
  searches: z.number(),
  /** What did not work, and that no searches are left. */
  notes: z.array(z.string()),
  durationSeconds: z.number(),
});
export type WebSearchOutput = z.infer<typeof webSearchOutputSchema>;
