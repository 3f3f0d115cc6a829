// Which session of this window wrote a file last: a proposal that comes too late is told who was first.
import { type ChangedBy, type FileSystem, type TextFile } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { defined } from '../../shared/defined';

/** Files whose last writer is known; the oldest is forgotten. */
const maxKnown = 2_000;

/** The same files; a write that came too late names the session that was first. `titleOf`: of a chat that is open. */
export function namingWriters(files: FileSystem, titleOf: (session: string) => string | undefined): FileSystem {
  const last = new Map<Path, { hash: string; session: string }>();
  const remember = ({ path, hash }: TextFile, session: string): void => {
    last.delete(path);
    last.set(path, { hash, session });
    const [oldest] = last.keys();
    if (last.size > maxKnown && oldest !== undefined) last.delete(oldest);
  };
  const writerOf = ({ path, hash }: TextFile, session: string | undefined): ChangedBy | undefined => {
    const known = last.get(path);
    // Written to by somebody else since.
    if (known?.hash !== hash) return undefined;
    if (known.session === session) return 'this session';
    const chat = titleOf(known.session);
    return chat === undefined ? undefined : { chat };
  };
  return {
    ...files,
    async writeText(change) {
      const outcome = await files.writeText(change);
      if (outcome.outcome === 'written' && change.session !== undefined) remember(outcome.file, change.session);
      return outcome.outcome === 'changed' && outcome.current !== undefined
        ? { ...outcome, ...defined({ by: writerOf(outcome.current, change.session) }) }
        : outcome;
    },
  };
}
