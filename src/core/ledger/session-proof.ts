// What the whole log of a session proves about some files: for what leaves it, a commit or a pull request.
import { type Ledger, type LedgerRefusal } from '../../shared/ledger';
import { ledgerLine } from '../../shared/ledger-words';
import { counted } from '../../shared/counted';
import { type SessionRecord } from '../ports/record';
import { hashesOf } from './facts/call-facts';
import { type VerifyEntry, dueChecks } from './facts/due-checks';
import { Evidence, isCode } from './facts/evidence';
import { checkOf, missingOf } from './ledger-fold';

export interface SessionProof {
  ledger: Ledger;
  /** What Deft knew of each of them last: another text now came from a command or somebody else. */
  hashes: ReadonlyMap<string, string>;
}

export interface ProofOptions {
  /** Absolute paths. */
  paths: ReadonlySet<string>;
  verify?: readonly VerifyEntry[] | undefined;
}

/** Claims are no part of it: what a model says proves nothing to others. */
export function sessionProof(records: readonly SessionRecord[], { paths, verify = [] }: ProofOptions): SessionProof {
  const evidence = new Evidence();
  const edits = new Map<string, number>();
  const hashes = new Map<string, string>();
  const refused: LedgerRefusal[] = [];
  let [mayHaveChanged, agentsWorked] = [false, false];
  let turn = evidence.turn;
  const fold = (): void => {
    for (const [path, count] of turn.files) if (paths.has(path)) edits.set(path, (edits.get(path) ?? 0) + count);
    refused.push(...turn.refused);
    mayHaveChanged ||= turn.mayHaveChanged;
    agentsWorked ||= turn.agentsWorked;
  };
  for (const record of records) {
    evidence.add(record);
    if (evidence.turn !== turn) fold();
    turn = evidence.turn;
    if (record.type === 'user')
      for (const { path, hash } of hashesOf(record.toolUseResult)) if (paths.has(path)) hashes.set(path, hash);
  }
  fold();
  const changed = [...evidence.changes.keys()].filter((path) => paths.has(path));
  const files = [...edits].map(([path, count]) => ({ path, edits: count }));
  const ledger: Ledger = {
    files,
    commandsMayHaveChanged: mayHaveChanged,
    agentsWorked,
    checks: [...evidence.runs.values()].map((run) => {
      const check = checkOf(run, evidence);
      return { ...check, staleFor: check.staleFor.filter((path) => paths.has(path)) };
    }),
    missing: missingOf(evidence, changed),
    refused,
    running: [...evidence.running].map(([id, command]) => ({ id, command })),
    due: dueChecks(evidence, verify, changed),
    claims: [],
  };
  return { ledger, hashes };
}

/** "41 tests passed after the last edit · types not checked"; empty where there is nothing to check. `since`: files that are not as the last edit left them. */
export function proofLine(ledger: Ledger, since: readonly string[] = []): string {
  const hasChecks = ledger.checks.length + ledger.missing.length + ledger.due.length > 0;
  const line = hasChecks
    ? ledgerLine({ ...ledger, files: [], commandsMayHaveChanged: false, refused: [], claims: [], running: [] })
    : '';
  const code = since.filter(isCode);
  const [first] = code;
  if (line === '' || first === undefined) return line;
  const which = code.length === 1 ? first : `${first} and ${counted(code.length - 1, 'other file')}`;
  return `${line} · ${which} changed again since`;
}
