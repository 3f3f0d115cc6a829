// Looks for words in what sessions of other programs say, line by line. Their files are opened to be read, and nothing is kept of them.
import { readClaudeCode } from '../../core/external-sessions/claude-code';
import { readCodex } from '../../core/external-sessions/codex';
import { type ExternalSource } from '../../core/external-sessions/external-session';
import { matchingLine } from '../../core/sessions/search-records';
import { searchFiles, type SearchOptions } from './session-search';

/** Newest first. Also finds what was said in an abandoned branch: a line alone does not show which branch it belongs to. */
export function searchExternal<Row extends { source: ExternalSource; file: string }>(
  rows: readonly Row[],
  text: string,
  options: SearchOptions<Row>,
): Promise<void> {
  return searchFiles(
    rows,
    text,
    ({ source }, line, wanted) => {
      const { records } = source === 'codex' ? readCodex([line]) : readClaudeCode([line]);
      for (const record of records) {
        const match = matchingLine(record, wanted);
        if (match !== undefined) return match;
      }
      return undefined;
    },
    options,
  );
}
