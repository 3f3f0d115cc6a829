// Runs what a row of a ledger offers. The page names the row; what runs is what the log or the settings have for it.
import { proof, type UserRun } from '../../../core/features/proof/proof-key';
import { type LedgerItem } from '../../../shared/chat';
import { type Chat } from './chat';

export async function runCheck(
  { ledgerId, rowId }: { ledgerId: string; rowId: string },
  chat: Chat,
  showTerminal: (toolUseId: string) => void,
): Promise<void> {
  if (chat.readOnly) return chat.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
  if (chat.running) return chat.notice('info', 'Deft is at work.', 'Run the check when this turn has ended.');
  const card = chat.poster.state.items.find(
    (item): item is LedgerItem => item.kind === 'ledger' && item.id === ledgerId,
  );
  const of = card && rowOf(card, rowId);
  if (of === undefined) return chat.notice('info', 'This check is gone.', 'The turn has a newer ledger.');
  const session = await chat.session();
  chat.turns.beside(session, async (signal) => {
    const problem = await session.feature(proof)?.run({ of, signal, began: showTerminal });
    if (problem !== undefined && !signal.aborted) chat.notice('warning', 'The check was not run.', problem);
  });
}

function rowOf({ ledger }: LedgerItem, rowId: string): UserRun['of'] | undefined {
  const due = ledger.due.find(({ id }) => id === rowId);
  if (due !== undefined) return due.isTask === true ? { task: due.run } : { run: due.run };
  const check = ledger.checks.find(({ id, repeats }) => id === rowId && repeats);
  return check && { toolUseId: check.id };
}
