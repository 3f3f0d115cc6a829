// What reviews keep on disk, as it is read back after a reload: in a file of its own, since only then a window needs zod so early.
import { z } from 'zod/v3';

const proposalSchema = z.object({
  /** The tool_use id: the same after a reload, where the approval is asked for again. */
  id: z.string().min(1),
  path: z.string().min(1),
  uri: z.string().min(1),
  created: z.boolean(),
  original: z.string(),
  proposed: z.string(),
  /** As the person has it now. */
  shown: z.string(),
  /** Milliseconds since the epoch. */
  askedAt: z.number(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** `text` in place of what the baseline says from `start` to `end`. */
const spliceSchema = z.object({ start: z.number().int().nonnegative(), end: z.number().int().nonnegative(), text: z.string() });
/** Older versions stored every text whole. */
const textSchema = z.union([z.string(), spliceSchema]);
export type StoredText = z.infer<typeof textSchema>;

const storedFileSchema = z.object({ path: z.string().min(1), baseline: z.string(), known: textSchema, written: textSchema, created: z.boolean() });
export type StoredFile = z.infer<typeof storedFileSchema>;

/** Undefined for anything else. */
export function parseProposal(value: unknown): Proposal | undefined {
  return proposalSchema.safeParse(value).data;
}

/** Undefined for anything else. */
export function parseStoredFile(value: unknown): StoredFile | undefined {
  const file = storedFileSchema.safeParse(value).data;
  return file !== undefined && fits(file.known, file.baseline) && fits(file.written, file.baseline) ? file : undefined;
}

function fits(text: StoredText, baseline: string): boolean {
  return typeof text === 'string' || (text.start <= text.end && text.end <= baseline.length);
}
