// The port that keeps permission updates in settings files, where the host has any to write to.
import { type PermissionUpdate } from '../../shared/permission';

export type SaveOutcome =
  /** `forLater`: the rules in force stay those that were read before. */
  | { saved: true; forLater?: true }
  /** `message` is a sentence for the user; nothing was written. */
  | { saved: false; message: string };

export interface PermissionStore {
  /** Resolves once the file holds the update and, unless that says otherwise, the rules in force are those of the file. Never for destination `session`. */
  save(update: PermissionUpdate): Promise<SaveOutcome>;
}
