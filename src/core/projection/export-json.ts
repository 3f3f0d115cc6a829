// A session as one JSON file: its records as the log holds them, without credentials.
import { redactValue, type Secrets } from '../text/redact';
import { type SessionRecord } from '../ports/record';
import { encodeRecord } from '../sessions/session-codec';

const exportVersion = 1;

interface SessionExport {
  format: 'deft-session';
  version: typeof exportVersion;
  id: string;
  title: string;
  records: unknown[];
}

export function exportJson(
  records: readonly SessionRecord[],
  { id, title, secrets }: { id: string; title: string; secrets: Secrets },
): string {
  const whole: SessionExport = {
    format: 'deft-session',
    version: exportVersion,
    id,
    title,
    records: records.map((record): unknown => JSON.parse(encodeRecord(record))),
  };
  return `${JSON.stringify(redactValue(whole, secrets), undefined, 1)}\n`;
}
