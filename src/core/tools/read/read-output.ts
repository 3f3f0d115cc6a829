// What a Read found, as data: text, an image, a notebook, a PDF, or that nothing changed.
import { z } from 'zod/v3';

const imageType = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

export const readOutputSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    file: z.object({
      filePath: z.string(),
      /** The lines as shown, with their numbers. */
      content: z.string(),
      numLines: z.number(),
      /** 1-based; 1 in an empty file. */
      startLine: z.number(),
      totalLines: z.number(),
      /** The hash of the whole file; absent where no line was shown. A resumed session knows by it what was read. */
      hash: z.string().optional(),
      /** Numbers of the lines that were not shown as they are: cut, or with control characters. */
      cut: z.array(z.number()).optional(),
    }),
    /** Sentences for the model after the lines. */
    reminders: z.array(z.string()),
  }),
  z.object({
    type: z.literal('image'),
    file: z.object({
      filePath: z.string(),
      base64: z.string(),
      type: imageType,
      /** Bytes of the file. */
      originalSize: z.number(),
      dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
      /** What is shown, where that is a smaller copy. */
      shown: z.object({ width: z.number(), height: z.number(), bytes: z.number() }).optional(),
    }),
  }),
  z.object({
    type: z.literal('notebook'),
    file: z.object({
      filePath: z.string(),
      /** Cells and what they put out, as shown. */
      parts: z.array(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('text'), text: z.string() }),
          z.object({ type: z.literal('image'), mediaType: imageType, base64: z.string() }),
        ]),
      ),
      cells: z.array(z.object({ id: z.string(), type: z.string() })),
      /** 1-based. */
      startCell: z.number(),
      numCells: z.number(),
      totalCells: z.number(),
      hash: z.string(),
      /** Numbers of the cells that were shown in part. */
      cut: z.array(z.number()).optional(),
    }),
    reminders: z.array(z.string()),
  }),
  z.object({
    type: z.literal('pdf'),
    file: z.object({
      filePath: z.string(),
      /** Bytes. */
      originalSize: z.number(),
      totalPages: z.number(),
      /** Those that are shown, 1-based and inclusive; absent for all. */
      pages: z.object({ first: z.number(), last: z.number() }).optional(),
    }),
  }),
  z.object({
    type: z.literal('file_unchanged'),
    file: z.object({
      filePath: z.string(),
      numLines: z.number(),
      startLine: z.number(),
      parts: z.literal('cells').optional(),
    }),
  }),
]);
export type ReadOutput = z.infer<typeof readOutputSchema>;
