// A sentence of an answer that says what was done, which the log may bear or not.
import { type ClaimKind } from '../../../shared/ledger';

export interface Claim {
  kind: ClaimKind;
  /** As it stands in the answer. */
  quote: string;
  /** It speaks of a part: "the unit tests". */
  isScoped: boolean;
  /** It tells what was, which may be a story of how things went. */
  isPast: boolean;
  /** Numbers that it names. */
  numbers: number[];
  /** Files or commands that it names. */
  subjects: string[];
}
