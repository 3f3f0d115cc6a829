// Tells the model once that an edit which gave something a new name left other uses with the old one.
import { isFirstTime } from '../../tool/said-once';
import { type ToolContext } from '../../tool/tool';
import { offeredText } from '../../text/words';

const names = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Shorter ones are not worth a search. */
const minLength = 3;
const mostFiles = 20;

interface Edited {
  old_string: string;
  new_string: string;
}

/** Only where Refactor is offered. */
export async function renameHint(edit: Edited, context: ToolContext): Promise<string | undefined> {
  try {
    return await leftUses(edit, context);
  } catch (error) {
    // The edit is written: what only helps must not fail it.
    if (!context.signal.aborted) context.ports.log.warn('Uses of a renamed symbol could not be looked for', error);
    return undefined;
  }
}

async function leftUses(
  { old_string: before, new_string: after }: Edited,
  { session, ports, signal }: ToolContext,
): Promise<string | undefined> {
  if (ports.refactorings === undefined || session.offers?.('Refactor') !== true) return undefined;
  const renamed = renamedName(before, after);
  if (renamed === undefined || !isFirstTime(session, 'rename-hint')) return undefined;
  const pattern = `\\b${renamed.from.replaceAll('$', '\\$')}\\b`;
  const found = await ports.search.grep(
    {
      ...{ pattern, path: session.cwd, mode: 'files_with_matches', limit: mostFiles, offset: 0, before: 0, after: 0 },
      ...{ ignoreCase: false, multiline: false, onlyMatching: false },
      hidden: (path) => session.isHidden(path),
    },
    signal,
  );
  if (found.outcome !== 'files' || found.paths.length === 0) return undefined;
  const files = found.paths.length === 1 ? '1 file' : `${found.truncated ? 'over ' : ''}${found.paths.length} files`;
  const left = `${renamed.from} still occurs in ${files}.`;
  return offeredText(
    `${left}{{Refactor:  If you are renaming it, Refactor changes all its uses in one call.}}`,
    session.offers,
  );
}

/** The same text but for one name, which has become another. */
export function renamedName(before: string, after: string): { from: string; to: string } | undefined {
  if (before.replace(names, '') !== after.replace(names, '')) return undefined;
  const [old, now] = [before.match(names) ?? [], after.match(names) ?? []];
  const changed = new Map(old.flatMap((name, index) => (name === now[index] ? [] : [[name, now[index] ?? '']])));
  const [only, ...others] = changed;
  if (only === undefined || others.length > 0 || old.length !== now.length || only[0].length < minLength)
    return undefined;
  return { from: only[0], to: only[1] };
}
