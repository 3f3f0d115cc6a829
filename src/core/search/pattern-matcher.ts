// What matches the texts of a search where ripgrep cannot: a pattern may never come to an end, so it runs where it can be stopped.
import { type GrepQuery } from '../ports/search';
import { type LineMatch } from './search-pattern';

export type PatternQuery = Pick<GrepQuery, 'pattern' | 'ignoreCase' | 'multiline' | 'onlyMatching'>;

export interface PatternRun {
  /** For each text its matches; undefined where they took too long or too much memory. Rejects when the search is stopped, and where nothing can match at all. */
  matches(texts: readonly string[], signal: AbortSignal): Promise<LineMatch[][] | undefined>;
  close(): void;
}

/** One run for each search. */
export type OpenPattern = (query: PatternQuery) => PatternRun;
