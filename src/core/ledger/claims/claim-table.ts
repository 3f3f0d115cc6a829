// The table of one language: what reports a success, and what makes something else of such a sentence.
import { type CheckKind } from '../../../shared/ledger';

export interface ClaimWords {
  language: string;
  /** Sentences without any of it are not looked at. */
  hint: string;
  /** Patterns of sentences that report a success. */
  claims: readonly (readonly [CheckKind | 'checks', string])[];
  /** Ahead of the report, such words make it a wish, a plan, a doubt, or what others say. */
  before: string;
  /** The same behind it. */
  after: string;
  /** The sentence speaks of failures … */
  failure: string;
  /** … and such phrases are none. */
  noFailure: string;
  /** The report is about a part. */
  scope: string;
}
