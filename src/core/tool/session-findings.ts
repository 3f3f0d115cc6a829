// What a review has found in the code of a session, and what of it the user has called no problem: folded from the log.
import { isObject } from '../../shared/plain-object';
import { type Path } from '../ports/path';
import { type SessionRecord } from '../ports/record';
import { followLog } from '../sessions/follow-log';
import { isLight } from '../sessions/light-records';

export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

export interface Finding {
  /** One of its own in the session: "f3". */
  id: string;
  path: Path;
  /** One-based, both included. */
  start: number;
  end: number;
  quoted: string;
  /** The kind of problem, in two or three words. */
  kind: string;
  problem: string;
  fix?: string;
  severity: Severity;
}

/** What the user has called no problem: the same kind on the same lines of the same file. */
export type DismissedFinding = Pick<Finding, 'path' | 'quoted' | 'kind'>;

export interface FindingFacts {
  dismissed(): readonly DismissedFinding[];
}

/** Those that nobody has turned into a comment yet, by id. */
export type SessionFindings = ReadonlyMap<string, Finding>;

export function isSameFinding(one: DismissedFinding, other: DismissedFinding): boolean {
  return one.path === other.path && words(one.kind) === words(other.kind) && words(one.quoted) === words(other.quoted);
}

function words(text: string): string {
  return text.toLowerCase().split(/\s+/).filter(Boolean).join(' ');
}

const follow = followLog<SessionFindings>(new Map(), (findings, record) =>
  isLight(record) ? findings : withFindings(findings, record),
);

/** Only what was added to the log is read; the same map as long as nothing of it has changed. */
export function followFindings(records: readonly SessionRecord[]): () => SessionFindings {
  return () => follow(records);
}

/** With what this record says; the same map where that is nothing. */
export function withFindings(findings: SessionFindings, record: SessionRecord): SessionFindings {
  if (record.type !== 'user') return findings;
  const found = findingsIn(record.toolUseResult);
  const taken = (record.display?.comments ?? []).flatMap(({ finding }) => finding ?? []);
  if (found.length === 0 && taken.length === 0) return findings;
  const next = new Map(findings);
  for (const id of taken) next.delete(id);
  for (const finding of found) next.set(finding.id, finding);
  return next;
}

/** Other tools have other outputs, and logs may come from other programs. */
function findingsIn(output: unknown): Finding[] {
  const found = isObject(output) ? output['reviewFindings'] : undefined;
  return Array.isArray(found) ? found.filter(isFinding) : [];
}

function isFinding(value: unknown): value is Finding {
  return (
    isObject(value) &&
    ['id', 'path', 'quoted', 'kind', 'problem'].every((field) => typeof value[field] === 'string') &&
    ['start', 'end'].every((field) => Number.isInteger(value[field])) &&
    severities.some((one) => one === value['severity']) &&
    (value['fix'] === undefined || typeof value['fix'] === 'string')
  );
}
