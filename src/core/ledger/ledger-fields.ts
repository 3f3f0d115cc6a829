// `deft_ledger` of a result: what the turn has changed and proved, as the chat shows it.
import { defined } from '../../shared/defined';
import { hasProof, type Ledger } from '../../shared/ledger';
import { ledgerLine } from '../../shared/ledger-words';

/** Nothing where the turn has neither changed nor claimed anything. */
export function ledgerFields(ledger: Ledger | undefined): { deft_ledger?: Record<string, unknown> } {
  if (ledger === undefined || !hasProof(ledger)) return {};
  const { files, checks, missing, refused, running, due, claims } = ledger;
  return {
    deft_ledger: {
      summary: ledgerLine(ledger),
      files,
      commands_may_have_changed: ledger.commandsMayHaveChanged,
      agents_worked: ledger.agentsWorked,
      checks: checks.map(({ id, kinds, command, state, exitCode, counts, staleFor }) => ({
        tool_use_id: id,
        kinds,
        command,
        state,
        ...defined({ exit_code: exitCode, counts }),
        stale_for: staleFor,
      })),
      not_run: missing.map(({ kind, since, ranBefore, uncertain }) => ({
        kind,
        since,
        ran_before: ranBefore,
        uncertain,
      })),
      refused,
      running: running.map(({ id, command }) => ({ tool_use_id: id, command })),
      due: due.map(({ run, isTask, files: changed }) => ({ [isTask === true ? 'task' : 'run']: run, files: changed })),
      claims,
    },
  };
}
