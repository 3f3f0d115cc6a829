// The two texts of one edit, long after it: from its result in the session's log, else from the session's checkpoints.
import { z } from 'zod/v3';
import { applyHunks } from '../../core/edits/apply-hunks';
import { type Path } from '../../core/ports/path';
import { type CallChange, type FileState, type SessionCheckpoints } from '../../core/ports/checkpoints';
import { type SessionRecord } from '../../core/ports/record';
import { loggedResult } from '../../core/sessions/call-records';
import { contentHash } from '../../node/files/text-encoding';

export interface CallTexts {
  /** Absolute. */
  path: Path;
  /** Empty where the file was new. */
  before: string;
  after: string;
}

export interface CallSource {
  records: readonly SessionRecord[];
  checkpoints: Pick<SessionCheckpoints, 'changedBy' | 'bytes'> | undefined;
  /** Undefined for what is not text. */
  decode: (bytes: Uint8Array, path: Path) => Promise<string | undefined>;
}

/** A diff of larger files says less than it costs. */
const maxBytes = 5_000_000;

const hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});
/** Records of other programs and versions lack fields. */
const edited = z.object({
  filePath: z.string().min(1),
  created: z.boolean().optional(),
  originalFile: z.string().nullish(),
  structuredPatch: z.array(hunk),
  added: z.number().optional(),
  removed: z.number().optional(),
  hash: z.string().optional(),
});
type Edited = z.infer<typeof edited>;

/** Undefined where neither holds both texts any more. */
export async function textsOfCall(
  id: string,
  { records, checkpoints, decode }: CallSource,
  /** Of a call that changed several files. */
  path?: Path,
): Promise<CallTexts | undefined> {
  const output = edited.safeParse(loggedResult(records, id)).data;
  const logged = output && textsOfOutput(output);
  // What the log holds whole is what the call itself read and wrote, also where an editor held more than the disk.
  if (logged?.exact === true) return logged.texts;
  const kept = checkpoints && (await textsOfCheckpoint(id, output?.filePath ?? path, { checkpoints, decode }));
  return kept ?? logged?.texts;
}

/** `exact`: the text afterwards is the one whose hash the log holds, so nothing was cut out of it or made unreadable. */
function textsOfOutput(output: Edited): { texts: CallTexts; exact: boolean } | undefined {
  const before = output.originalFile ?? (output.created === true ? '' : undefined);
  if (before === undefined || !isWhole(output)) return undefined;
  const after = applyHunks(before, output.structuredPatch);
  if (after === undefined || after === before) return undefined;
  const texts = { path: output.filePath.replaceAll('\\', '/'), before, after };
  const exact = ['utf8', 'utf8bom', 'utf16le', 'utf16be'].some(
    (encoding) => contentHash(encoding, after) === output.hash,
  );
  // A long text of the log is cut in its middle, and says so.
  return exact || !/\n\[\d+ characters left out of the log\]\n/.test(before + after) ? { texts, exact } : undefined;
}

/** Long patches are cut; the counts show it. */
function isWhole({ structuredPatch, added, removed }: Edited): boolean {
  const lines = structuredPatch.flatMap((one) => one.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return (added === undefined || added === count('+')) && (removed === undefined || removed === count('-'));
}

async function textsOfCheckpoint(
  id: string,
  path: string | undefined,
  { checkpoints, decode }: { checkpoints: NonNullable<CallSource['checkpoints']>; decode: CallSource['decode'] },
): Promise<CallTexts | undefined> {
  const changes = await checkpoints.changedBy(id).catch((): CallChange[] => []);
  const change = changes.find((one) => one.path === path) ?? (changes.length === 1 ? changes[0] : undefined);
  if (change === undefined || change.after.kind !== 'file') return undefined;
  const textOf = async (state: FileState): Promise<string | undefined> => {
    if (state.kind === 'absent') return '';
    if (state.kind !== 'file' || state.size > maxBytes) return undefined;
    const bytes = await checkpoints.bytes(state).catch(() => undefined);
    return bytes && decode(bytes, change.path);
  };
  const [before, after] = [await textOf(change.before), await textOf(change.after)];
  return before === undefined || after === undefined || before === after
    ? undefined
    : { path: change.path, before, after };
}
