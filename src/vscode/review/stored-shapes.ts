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
  /** As the user has it now. */
  shown: z.string(),
  /** Milliseconds since the epoch. */
  askedAt: z.number(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** `text` in place of what the baseline says from `start` to `end`. */
const spliceSchema = z.object({
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  text: z.string(),
});
/** Older versions stored every text whole. */
const textSchema = z.union([z.string(), spliceSchema]);
export type StoredText = z.infer<typeof textSchema>;

const ownedSchema = z
  .array(z.object({ session: z.string(), start: z.number().int().nonnegative(), end: z.number().int().nonnegative() }))
  .optional();

const storedFileSchema = z.object({
  path: z.string().min(1),
  baseline: z.string(),
  known: textSchema,
  written: textSchema,
  created: z.boolean(),
  movedFrom: z.string().min(1).optional(),
  /** Older versions did not store whose changes they are. */
  sessions: z.array(z.string()).optional(),
  owned: ownedSchema,
  typed: ownedSchema,
});
export type StoredFile = z.infer<typeof storedFileSchema>;

const outputSchema = z.object({
  items: z.array(z.object({ mime: z.string(), base64: z.string() })),
  metadata: z.record(z.unknown()).optional(),
});
const cellDataSchema = z.object({
  kind: z.number().int(),
  value: z.string(),
  languageId: z.string(),
  metadata: z.record(z.unknown()).optional(),
  outputs: z.array(outputSchema),
  executionSummary: z
    .object({
      executionOrder: z.number().optional(),
      success: z.boolean().optional(),
      timing: z.object({ startTime: z.number(), endTime: z.number() }).optional(),
    })
    .optional(),
});
export type StoredCellData = z.infer<typeof cellDataSchema>;

/** Its cells that wait for review, where they were last. */
const storedNotebookSchema = z.object({
  path: z.string().min(1),
  cells: z.array(
    z.object({
      id: z.string().optional(),
      index: z.number().int().nonnegative(),
      file: storedFileSchema,
      replaced: cellDataSchema.optional(),
    }),
  ),
  removed: z.array(
    z.object({ index: z.number().int().nonnegative(), data: cellDataSchema, session: z.string().optional() }),
  ),
});
export type StoredNotebook = z.infer<typeof storedNotebookSchema>;

/** Undefined for anything else. */
export function parseProposal(value: unknown): Proposal | undefined {
  return proposalSchema.safeParse(value).data;
}

/** Undefined for anything else. */
export function parseStoredFile(value: unknown): StoredFile | undefined {
  const file = storedFileSchema.safeParse(value).data;
  return file !== undefined && isWhole(file) ? file : undefined;
}

/** Undefined for anything else. */
export function parseStoredNotebook(value: unknown): StoredNotebook | undefined {
  const notebook = storedNotebookSchema.safeParse(value).data;
  return notebook?.cells.every(({ file }) => isWhole(file)) === true ? notebook : undefined;
}

function isWhole({ baseline, known, written }: StoredFile): boolean {
  return fits(known, baseline) && fits(written, baseline);
}

function fits(text: StoredText, baseline: string): boolean {
  return typeof text === 'string' || (text.start <= text.end && text.end <= baseline.length);
}
