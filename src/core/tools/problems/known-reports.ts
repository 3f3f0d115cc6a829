// What commands have reported in a session, for telling what is new and fixed since, and what "@problems" shows.
import { type Diagnostic } from '../../ports/diagnostics';
import { type Path } from '../../ports/path';
import { type ProblemsOutput } from './problems-output';

export type Report = ReadonlyMap<Path, readonly Diagnostic[]>;

interface Known {
  /** By command. */
  reports: Map<string, Report>;
  last: ProblemsOutput | undefined;
}

const sessions = new Map<string, Known>();
const maxSessions = 50;

export function knownReports(session: string): Known {
  const known = sessions.get(session) ?? { reports: new Map(), last: undefined };
  sessions.delete(session);
  sessions.set(session, known);
  const [oldest] = sessions.keys();
  if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
  return known;
}

export function byPath(problems: readonly Diagnostic[]): Map<Path, Diagnostic[]> {
  const found = new Map<Path, Diagnostic[]>();
  for (const problem of problems) found.set(problem.path, [...(found.get(problem.path) ?? []), problem]);
  return found;
}

/**
 * What was known before of the files that commands report on now or did before. A command that has reported for the first
 * time, or not to its end, tells nothing of the past: what it reports counts as known where others say that the file is.
 */
export function reportedBefore(
  now: readonly { before: Report | undefined; report: Report }[],
): ReadonlyMap<Path, readonly Diagnostic[]> {
  const paths = new Set(
    now.flatMap(({ before, report }) => (before === undefined ? [] : [...before.keys(), ...report.keys()])),
  );
  return new Map(
    [...paths].map((path) => [path, now.flatMap(({ before, report }) => (before ?? report).get(path) ?? [])] as const),
  );
}
