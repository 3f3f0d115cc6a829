// A tracked file as it is stored: one whole text, and of the others only what differs, so a large file is written out once.
import { z } from 'zod/v3';
import { changedWindow } from '../../core/edits/changed-window';
import { type Path } from '../../core/ports';
import { type TrackedFile } from './tracked-file';

/** `text` in place of what the baseline says from `start` to `end`. */
const spliceSchema = z.object({ start: z.number().int().nonnegative(), end: z.number().int().nonnegative(), text: z.string() });
/** Older versions stored every text whole. */
const textSchema = z.union([z.string(), spliceSchema]);
type StoredText = z.infer<typeof textSchema>;

const storedSchema = z.object({ path: z.string().min(1), baseline: z.string(), known: textSchema, written: textSchema, created: z.boolean() });
export type StoredFile = z.infer<typeof storedSchema>;

export function parseStoredFile(value: unknown): StoredFile | undefined {
  return storedSchema.safeParse(value).data;
}

export function toStored(path: Path, { baseline, known, written, created }: TrackedFile): StoredFile {
  return { path, baseline, known: spliceOf(baseline, known), written: spliceOf(baseline, written), created };
}

export function fromStored({ baseline, known, written, created }: StoredFile): TrackedFile {
  return { baseline, known: textOf(baseline, known), written: textOf(baseline, written), created };
}

function spliceOf(baseline: string, text: string): StoredText {
  const { start, beforeEnd, afterEnd } = changedWindow(baseline, text, 0);
  return { start, end: beforeEnd, text: text.slice(start, afterEnd) };
}

function textOf(baseline: string, stored: StoredText): string {
  return typeof stored === 'string' ? stored : baseline.slice(0, stored.start) + stored.text + baseline.slice(stored.end);
}
