// What WebFetch returns as data.
import { z } from 'zod/v3';

export const webFetchOutputSchema = z.object({
  /** Where the page was found, or what was asked for where a redirect was not followed. */
  url: z.string(),
  code: z.number(),
  codeText: z.string(),
  /** The size of the page as received. */
  bytes: z.number(),
  result: z.string(),
  durationMs: z.number(),
  /** Only the beginning of the page was read. */
  truncated: z.boolean(),
  /** It was fetched before. */
  cached: z.boolean(),
  /** Another host, to which the page has moved. */
  redirectUrl: z.string().optional(),
});
export type WebFetchOutput = z.infer<typeof webFetchOutputSchema>;
