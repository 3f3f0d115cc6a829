// The Log port on a line sink: filtered by level, and no known secret ever reaches it.
import { type Log } from '../core/ports/log';
import { redactText, type Secrets } from '../core/text/redact';

const levels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof levels)[number] | 'off';

export interface LogOptions {
  /** The lowest level that is written; asked on every line, so that a changed setting counts at once. */
  level: () => LogLevel;
  /** Values that must not appear. */
  secrets: () => Secrets;
  now?: () => number;
}

/** Keys by their looks, for those that nobody registered. */
const keyLike = /\bsk-[A-Za-z0-9_-]{16,}/g;
/** Shorter values would also blot out ordinary words. */
const shortestSecret = 6;

/** One line per message: time, level, message, detail as JSON. The sink never sees a secret. */
export function createLog(sink: (line: string) => void, options: LogOptions): Log {
  const now = options.now ?? Date.now;
  const at = (level: (typeof levels)[number]) => (message: string, detail?: unknown) => {
    const lowest = options.level();
    if (lowest === 'off' || levels.indexOf(level) < levels.indexOf(lowest)) return;
    const line = `${new Date(now()).toISOString()} ${level} ${message}${detail === undefined ? '' : ` ${detailText(detail)}`}`;
    sink(redact(line, options.secrets()).replaceAll('\n', '\\n'));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The text with every secret replaced. */
export function redact(text: string, secrets: Secrets): string {
  let result = redactText(text, secrets);
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < shortestSecret) continue;
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
      result = result.replaceAll(form, '[redacted]');
    }
  }
  return result.replace(keyLike, '[redacted]');
}

function detailText(detail: unknown): string {
  const seen = new Set<unknown>();
  try {
    const text = JSON.stringify(detail, (_key, value: unknown) => {
      if (value instanceof Error)
        return { name: value.name, message: value.message, cause: value.cause, stack: value.stack };
      if (typeof value === 'bigint') return value.toString();
      if (typeof value === 'object' && value !== null) {
        if (seen.has(value)) return '[seen]';
        seen.add(value);
      }
      return value;
    });
    return text ?? String(detail);
  } catch {
    return String(detail);
  }
}
