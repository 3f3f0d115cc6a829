// Tests that other extensions of the editor know and run.
import { type Path } from './path';

/** As the editor tells it of one test, after a run. */
export interface EditorTest {
  /** With the suites above it, outermost first. */
  names: string[];
  path?: Path;
  /** Where it is declared, counted from 1. */
  line?: number;
  state: 'passed' | 'failed' | 'skipped' | 'not-run';
  durationMs?: number;
  /** Of a failure: what was expected and found, where it failed. */
  message?: string;
  expected?: string;
  actual?: string;
  failedAt?: { path: Path; line: number };
}

export interface EditorTestRun {
  tests: EditorTest[];
  /** Sentences: what the editor did not tell. */
  notes: string[];
}

export interface EditorTests {
  /** Whether an extension has tests of this file or below this folder. */
  knows(place: Path, signal: AbortSignal): Promise<boolean>;
  /** Runs them; no dialog opens. Resolves when the run has ended. An abort ends it. */
  run(place: Path, signal: AbortSignal): Promise<EditorTestRun>;
}
