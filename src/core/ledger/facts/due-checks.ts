// `verify` of the settings: which commands should have run for the files that a turn changed, and did not.
import { globMatcher } from '../../search/glob-pattern';
import { type LedgerDue } from '../../../shared/ledger';
import { type Evidence } from './evidence';

/** One entry of the key. */
export interface VerifyEntry {
  /** Globs, relative to the session's folder. */
  files: string | string[];
  /** A command. */
  run?: string | undefined;
  /** The name of a task of the editor. */
  task?: string | undefined;
}

export function dueChecks(
  evidence: Evidence,
  verify: readonly VerifyEntry[],
  changed: readonly string[] = [...evidence.turn.files.keys()],
): LedgerDue[] {
  if (changed.length === 0) return [];
  return verify.flatMap(({ files, run, task }, index): LedgerDue[] => {
    const wanted = run ?? task;
    if (wanted === undefined) return [];
    const matches = [files].flat().map(globMatcher);
    const meant = changed.filter((path) => matches.some((match) => match(below(path, evidence.root))));
    if (meant.length === 0) return [];
    const last = Math.max(...meant.map((path) => evidence.changes.get(path) ?? 0));
    const ran = [...evidence.commands].some(([command, at]) => at > last && isRunOf(command, wanted));
    const id = `verify:${index}`;
    return ran ? [] : [{ id, run: wanted, ...(run === undefined ? { isTask: true as const } : {}), files: meant }];
  });
}

function below(path: string, root: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^\//, '');
}

/** `npm test` is run by `cd app && npm test -- --bail`, and not by `npm test-only`. */
function isRunOf(command: string, wanted: string): boolean {
  const [line, part] = [command, wanted].map((text) => ` ${text.replace(/\s+/g, ' ').trim()} `);
  return (
    line !== undefined &&
    part !== undefined &&
    line
      .replace(/[;&|()]/g, ' ')
      .replace(/\s+/g, ' ')
      .includes(part)
  );
}
