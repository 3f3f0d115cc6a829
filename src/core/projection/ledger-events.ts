// The ledger of each turn as the chat shows it: one card behind what was said, and marks on sentences that the log does not bear.
import { type ChatEvent } from '../../shared/chat';
import { hasChanged, mapLedger } from '../../shared/ledger';
import { createLedgerFold, type LedgerOptions, type MarkedText } from '../ledger/ledger-fold';
import { type SessionRecord } from '../ports/record';

export interface LedgerEvents {
  /** Marks of the texts in this record. */
  add(record: SessionRecord): ChatEvent[];
  /** The turn has ended: its card. `id`: of the record that says so. */
  ended(id: string): ChatEvent[];
  /** What the last card says may be otherwise now. */
  changed(): ChatEvent[];
}

export function createLedgerEvents(options: LedgerOptions, shorten: (text: string) => string): LedgerEvents {
  const fold = createLedgerFold(options);
  /** The card that is shown, and the turn that it is about. */
  let shown: { id: string; turn: number } | undefined;
  const marks = (texts: readonly MarkedText[]): ChatEvent[] =>
    texts.map(({ messageId, index, claims }) => ({
      type: 'marks',
      id: `${messageId}:${index}`,
      marks: claims.map(({ text, reason }) => ({ quote: text, reason: shorten(reason) })),
    }));
  const card = (id: string): ChatEvent[] => {
    const ledger = fold.ledger();
    if (!hasChanged(ledger)) return [];
    shown = { id, turn: fold.turn };
    return [{ type: 'item', item: { kind: 'ledger', id, ledger: mapLedger(ledger, shorten) } }];
  };
  return {
    add: (record) => marks(fold.add(record)),
    ended(id) {
      // A turn that goes on without a prompt has one card, at its end.
      const before: ChatEvent[] = shown?.turn === fold.turn ? [{ type: 'remove', id: shown.id }] : [];
      return [...marks(fold.settle()), ...before, ...card(`ledger-${id}`)];
    },
    changed: () => (shown !== undefined && shown.turn === fold.turn && fold.isOver ? card(shown.id) : []),
  };
}
