// What servers, linters and checking commands say of files now, and what they said before.
import { type Diagnostic } from './diagnostics';
import { type Path } from './path';

export interface ProblemSurvey {
  problems: Diagnostic[];
  /** What was known of these files when the session asked last, or right before its first edit since; a file that is not in it was not known. */
  before: ReadonlyMap<Path, readonly Diagnostic[]>;
  /** Sentences: what was not looked at, and why. */
  notes: string[];
}

export interface Problems {
  /** Of these files and folders; of everything where there are none. */
  survey(places: readonly Path[], signal: AbortSignal): Promise<ProblemSurvey>;
}
