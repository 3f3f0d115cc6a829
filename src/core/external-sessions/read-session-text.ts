// Detects whose session a text is, and reads it: a file of Claude Code, of Codex, or Deft's own log or export.
import { DeftError } from '../text/errors';
import { type SessionRecord } from '../ports/record';
import { recordOf } from '../sessions/session-codec';
import { claudeCodeTitle, firstPrompt, readClaudeCode } from './claude-code';
import { isCodexLine, readCodex } from './codex';
import { type Fields, type ExternalSession, parseLines, type ReadSource, textOf } from './external-session';
import { isObject } from '../../shared/plain-object';

/** The number of lines examined to detect the format. */
const sniffed = 200;

/** Throws a DeftError with a sentence where the text holds no session. */
export function readSessionText(text: string): ExternalSession {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const exported = exportedRecords(text);
  const source = exported === undefined ? sourceOf(lines) : 'deft';
  if (source === undefined) throw unreadable('It is not a session file of Claude Code, Codex or Deft.');
  const session =
    source === 'deft'
      ? readDeft(exported === undefined ? parseLines(lines) : { objects: exported, unreadable: 0 })
      : source === 'codex'
        ? readCodex(lines)
        : readClaudeCode(lines);
  if (session.records.some(({ type }) => type === 'user' || type === 'assistant')) return session;
  throw unreadable('It looks like a session, but none of its messages can be read.');
}

function unreadable(sentence: string): DeftError {
  return new DeftError('session-import', sentence, { audience: 'user' });
}

function sourceOf(lines: readonly string[]): ReadSource | undefined {
  const { objects } = parseLines(lines.slice(0, sniffed));
  if (objects.some(isCodexLine)) return 'codex';
  // Deft's log has the same shape, and facts of its own in it.
  if (parseLines(lines).objects.some(isDeftLine)) return 'deft';
  const types: unknown[] = [
    'user',
    'assistant',
    'summary',
    'system',
    'attachment',
    'file-history-snapshot',
    'queue-operation',
    'custom-title',
    'ai-title',
  ];
  return objects.some((line) => types.includes(line['type'])) ? 'claude-code' : undefined;
}

const deftFacts: unknown[] = ['reply_end', 'turn_end', 'tool_started', 'setting', 'decision'];

function isDeftLine(line: Fields): boolean {
  return line['type'] === 'system' && deftFacts.includes(line['subtype']);
}

/** For an export in one piece: a list of records, or an object that holds one. */
function exportedRecords(text: string): Fields[] | undefined {
  const start = text.trimStart().slice(0, 1);
  if (start !== '{' && start !== '[') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const list = isObject(value) ? value['records'] : value;
    return Array.isArray(list) && list.some(isObject) ? list.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}

function readDeft({ objects, unreadable: torn }: { objects: Fields[]; unreadable: number }): ExternalSession {
  const records = objects
    .map((line) => recordOf(line))
    .filter((record): record is SessionRecord => record !== undefined);
  const first = (name: string): string =>
    textOf(objects.find((line) => textOf(line[name]) !== undefined)?.[name]) ?? '';
  const title = claudeCodeTitle(objects) ?? firstPrompt(records);
  return {
    source: 'deft',
    id: first('sessionId'),
    title,
    cwd: first('cwd'),
    records,
    from: 0,
    incomplete: [],
    agents: [],
    unreadable: torn,
  };
}
