// The ledger of whichever session a host runs: from its log so far, and from each record that comes.
import { type Ledger } from '../../shared/ledger';
import { type SessionRecord } from '../ports/record';
import { createLedgerFold, type LedgerFold, type LedgerOptions } from './ledger-fold';

export interface SessionLedger {
  /** A turn of this session begins. */
  begin(session: { id: string; records: readonly SessionRecord[] }): void;
  /** Of that session, once it was named. */
  add(record: SessionRecord): void;
  /** The turn has ended. */
  end(): Ledger | undefined;
}

export function createSessionLedger(options: LedgerOptions): SessionLedger {
  let followed: { id: string; fold: LedgerFold } | undefined;
  return {
    begin({ id, records }) {
      if (followed?.id === id) return;
      followed = { id, fold: createLedgerFold(options) };
      for (const record of records) followed.fold.add(record);
    },
    add: (record) => void followed?.fold.add(record),
    end() {
      followed?.fold.settle();
      return followed?.fold.ledger();
    },
  };
}
