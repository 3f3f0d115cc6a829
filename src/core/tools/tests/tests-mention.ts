// The text that "@test" stands for: the session's last run of tests, as the tool told it.
import { lastRun } from './last-run';
import { testsText } from './tests-output';

export function mentionedTests(session: string): string {
  const run = lastRun(session);
  return run === undefined ? 'No tests have run in this session yet.' : testsText(run.output);
}
