// What TaskOutput and TaskStop return as data.
import { z } from 'zod/v3';

export const taskOutputSchema = z.object({
  taskId: z.string(),
  title: z.string(),
  /** "running", or how it ended. */
  state: z.enum([
    'running',
    'exited',
    'signalled',
    'background',
    'killed',
    'interrupted',
    'suspended',
    'closed',
    'not-started',
    'lost',
  ]),
  /** A sentence's end: "runs", "has ended with exit code 1". */
  status: z.string(),
  exitCode: z.number().optional(),
  output: z.string(),
  totalBytes: z.number(),
  outputPath: z.string(),
  /** It was waited for in vain. */
  timedOut: z.boolean(),
});
export type TaskOutputOutput = z.infer<typeof taskOutputSchema>;

export const taskStopSchema = z.object({
  taskId: z.string(),
  title: z.string(),
  outputPath: z.string(),
  /** As the model is told. */
  message: z.string(),
});
export type TaskStopOutput = z.infer<typeof taskStopSchema>;
