// The ledger of a session's last turn, from its records one by one: the one source for the chat, exports and headless results.
import {
  type Ledger,
  type LedgerCheck,
  type LedgerClaim,
  type LedgerMissing,
  type CheckKind,
} from '../../shared/ledger';
import { defined } from '../../shared/defined';
import { type SessionRecord } from '../ports/record';
import { type Run } from './facts/call-facts';
import { findClaims } from './claims/find-claims';
import { type Claim } from './claims/claim';
import { type JudgedBy, judgeClaim } from './claims/judge-claim';
import { dueChecks, type VerifyEntry } from './facts/due-checks';
import { Evidence, isCode } from './facts/evidence';
import { readCounts } from './facts/counts';

export interface LedgerOptions {
  /** `verify` of the settings, asked when a ledger is made. */
  verify?: (() => readonly VerifyEntry[]) | undefined;
  /** The beginning of the log is missing: what did not happen in it may have happened before. */
  isPart?: boolean | undefined;
}

/** Claims of one text of an answer. */
export interface MarkedText {
  messageId: string;
  /** Which block of the message it is. */
  index: number;
  claims: LedgerClaim[];
}

export interface LedgerFold {
  /** Another number with each prompt. */
  readonly turn: number;
  /** The turn has ended. */
  readonly isOver: boolean;
  /** Claims that the new record makes and the log does not bear. */
  add(record: SessionRecord): MarkedText[];
  /** Of the last turn, as the log stands. */
  ledger(): Ledger;
  /** Texts of the last turn whose claims the log bears by now, as they are to be shown: without them. */
  settle(): MarkedText[];
}

interface OpenClaim {
  text: MarkedText;
  claim: Claim;
  shown: LedgerClaim;
  judgedBy: JudgedBy;
}

const mostRows = 50;

export function createLedgerFold({ verify = () => [], isPart = false }: LedgerOptions = {}): LedgerFold {
  const evidence = new Evidence();
  let turn = evidence.turn;
  let open: OpenClaim[] = [];
  /** Blocks seen of each message of the turn. */
  const blocks = new Map<string, number>();
  return {
    get turn() {
      return evidence.turn.from;
    },
    get isOver() {
      return evidence.turn.ended;
    },
    add(record) {
      evidence.add(record);
      if (turn !== evidence.turn) {
        turn = evidence.turn;
        open = [];
        blocks.clear();
      }
      if ('raw' in record || record.isSidechain === true) return [];
      if (record.type === 'user' && record.isMeta !== true && saysTestsRan(record)) evidence.doubtAt = evidence.at;
      if (record.type !== 'assistant') return [];
      const { id: messageId, content } = record.message;
      const found = content.flatMap((block): OpenClaim[] => {
        const index = blocks.get(messageId) ?? 0;
        blocks.set(messageId, index + 1);
        if (block.type !== 'text') return [];
        const text: MarkedText = { messageId, index, claims: [] };
        return findClaims(block.text).flatMap((claim) => {
          if (isPart && (claim.kind === 'ran' || claim.kind === 'touched')) return [];
          const judgedBy = { evidence, text: block.text };
          const reason = judgeClaim(claim, judgedBy);
          if (reason === undefined) return [];
          const shown = { kind: claim.kind, text: claim.quote, reason };
          text.claims.push(shown);
          return [{ text, claim, shown, judgedBy }];
        });
      });
      open.push(...found);
      return [...new Set(found.map(({ text }) => text))];
    },
    settle() {
      const borne = open.filter(({ claim, judgedBy }) => judgeClaim(claim, judgedBy) === undefined);
      open = open.filter((one) => !borne.includes(one));
      for (const { text, shown } of borne) text.claims = text.claims.filter((one) => one !== shown);
      return [...new Set(borne.map(({ text }) => text))];
    },
    ledger: () =>
      ledgerOf(
        evidence,
        open.map(({ shown }) => shown),
        verify(),
      ),
  };
}

/** The user reports of a run of their own, or attaches its output. */
function saysTestsRan(record: Extract<SessionRecord, { type: 'user' }>): boolean {
  const { content } = record.message;
  if (record.isCompactSummary === true) return true;
  const texts =
    typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.some(
    (text) =>
      readCounts(text, true) !== undefined ||
      findClaims(text).some(({ kind }) => kind === 'tests' || kind === 'checks'),
  );
}

function ledgerOf(evidence: Evidence, claims: LedgerClaim[], verify: readonly VerifyEntry[]): Ledger {
  const { turn } = evidence;
  return {
    files: [...turn.files].map(([path, edits]) => ({ path, edits })),
    commandsMayHaveChanged: turn.mayHaveChanged,
    agentsWorked: turn.agentsWorked,
    checks: turn.runs.slice(-mostRows).map((run) => checkOf(run, evidence)),
    missing: missingOf(
      evidence,
      [...turn.files].flatMap(([path, edits]) => (edits > 0 ? [path] : [])),
    ),
    refused: turn.refused.slice(-mostRows),
    running: [...evidence.running].map(([id, command]) => ({ id, command })),
    due: dueChecks(evidence, verify),
    claims,
  };
}

export function checkOf(run: Run, evidence: Evidence): LedgerCheck {
  const { id, kinds, command, state, exitCode, counts, byUser } = run;
  return {
    id,
    kinds,
    command,
    state,
    ...defined({ exitCode, counts, byUser }),
    staleFor: evidence.staleFor(run),
    repeats: state !== 'running',
  };
}

/** What nobody would expect to be checked is not missed: types of a language that has none, a lint that never ran. */
export function missingOf(evidence: Evidence, files: readonly string[]): LedgerMissing[] {
  const changed = files.filter(isCode);
  const missing = (kind: CheckKind, of: readonly string[], borneBy: readonly CheckKind[] = [kind]): LedgerMissing[] => {
    const last = evidence.lastChange((path) => of.includes(path));
    if (last === undefined) return [];
    const runs = [...evidence.runs.values()].filter(({ kinds }) => kinds.some((one) => borneBy.includes(one)));
    if (runs.some(({ startAt }) => startAt > last.at)) return [];
    return [{ kind, since: last.path, ranBefore: runs.length > 0, uncertain: evidence.doubtAt > last.at }];
  };
  const typed = changed.filter((path) => /\.(?:[cm]?tsx?|vue|svelte)$/.test(path));
  return [
    ...missing('tests', changed),
    ...(evidence.problemsAt > (evidence.lastChange((path) => typed.includes(path))?.at ?? 0)
      ? []
      : missing('types', typed, ['types', 'build'])),
    ...missing('build', changed).filter(({ ranBefore }) => ranBefore),
    ...missing('lint', changed).filter(({ ranBefore }) => ranBefore),
  ];
}
