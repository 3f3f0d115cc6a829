// What the tests of a session's last run were, for running the failed ones again and for "@test".
import { type Path } from '../../ports/path';
import { type TestsOutput } from './tests-output';

export interface LastRun {
  output: TestsOutput;
  failed: { ownName: string; path?: Path }[];
}

/** By session. */
const runs = new Map<string, LastRun>();
const maxSessions = 50;

export function lastRun(session: string): LastRun | undefined {
  return runs.get(session);
}

export function keepRun(session: string, run: LastRun): void {
  runs.delete(session);
  runs.set(session, run);
  const [oldest] = runs.keys();
  if (runs.size > maxSessions && oldest !== undefined) runs.delete(oldest);
}
