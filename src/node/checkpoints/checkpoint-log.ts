// The log of checkpoints on disk: a JSON line an entry, appended; replaced as a whole only when its oldest part goes.
import { defined } from '../../shared/defined';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod/v3';
import { type CheckpointEntry, type FileState } from '../../core/ports/checkpoints';

export interface CheckpointLog {
  readonly entries: readonly CheckpointEntry[];
  append(entries: readonly CheckpointEntry[]): Promise<void>;
  /** Only what stands from there on is kept. */
  dropBefore(index: number): Promise<void>;
}

const state: z.ZodType<FileState> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('folder') }),
  z.object({ kind: z.literal('link'), target: z.string() }),
  z.object({
    kind: z.literal('file'),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    mode: z.number(),
    size: z.number(),
    inode: z.string().optional(),
  }),
  z.object({ kind: z.literal('unkept'), why: z.enum(['large', 'limit', 'special', 'unreadable']), seen: z.string() }),
]);

const entry = z.union([
  z.object({
    type: z.literal('point'),
    kind: z.enum(['prompt', 'call', 'rewind']),
    id: z.string(),
    at: z.number(),
    text: z.string().optional(),
  }),
  z.object({ type: z.literal('before'), by: z.string(), path: z.string(), state, doubt: z.literal(true).optional() }),
  z.object({ type: z.literal('after'), by: z.string(), path: z.string(), state }),
  z.object({ type: z.enum(['began', 'ended']), by: z.string() }),
]);

export async function openCheckpointLog(file: string): Promise<CheckpointLog> {
  const text = await readFile(file, 'utf8').catch(() => '');
  let entries = text.split('\n').flatMap(parseEntry);
  // The next line begins anew behind a torn one.
  let torn = text !== '' && !text.endsWith('\n');
  let writing: Promise<unknown> = Promise.resolve();
  const inOrder = (write: () => Promise<void>): Promise<void> => {
    const next = writing.then(write);
    writing = next.catch(() => undefined);
    return next;
  };
  return {
    get entries() {
      return entries;
    },
    append: (added) =>
      inOrder(async () => {
        if (added.length === 0) return;
        const lines = added.map((one) => `${JSON.stringify(one)}\n`).join('');
        await appendFile(file, torn ? `\n${lines}` : lines, { mode: 0o600, flush: true });
        torn = false;
        entries.push(...added);
      }),
    dropBefore: (index) =>
      inOrder(async () => {
        const kept = entries.slice(index);
        await writeFile(`${file}.tmp`, kept.map((one) => `${JSON.stringify(one)}\n`).join(''), {
          mode: 0o600,
          flush: true,
        });
        await rename(`${file}.tmp`, file);
        entries = kept;
        torn = false;
      }),
  };
}

export function pointEntry(kind: 'prompt' | 'call' | 'rewind', id: string, text?: string): CheckpointEntry {
  return { type: 'point', kind, id, at: Date.now(), ...defined({ text }) };
}

/** Unreadable lines are ignored: a newer version's, or a torn one. */
function parseEntry(line: string): CheckpointEntry[] {
  try {
    const parsed = entry.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data as CheckpointEntry] : [];
  } catch {
    return [];
  }
}
