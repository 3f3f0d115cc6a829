// Finds text in files, and files by their names.
import { type Path } from './path';

export interface GrepQuery {
  pattern: string;
  /** File or folder. */
  path: Path;
  glob?: string;
  type?: string;
  mode: 'content' | 'files_with_matches' | 'count';
  ignoreCase: boolean;
  multiline: boolean;
  onlyMatching: boolean;
  before: number;
  after: number;
  /** Result lines or files wanted at most, and how many to skip first. */
  limit: number;
  offset: number;
  /** True for a path that permission rules hide. */
  hidden: (path: Path) => boolean;
}

/** What a result leaves unsaid. */
export interface SearchRemarks {
  /** No file matches `glob` and `type`, regardless of content. */
  noFileFits?: true;
  /** The search ended before it had seen all: there is more than `total`; `unordered` where another one would see others first. */
  stopped?: 'in_order' | 'unordered';
  /** Sentences about what was not looked at. */
  notes?: string[];
}

export type GrepOutcome = GrepFound | { outcome: 'failed'; message: string };

/** `message` of a failure is ripgrep's own text, or says what is missing. */
export type GrepFound = SearchRemarks &
  /** `separator` is between groups with context. Paths are absolute. `total` counts what the search saw before it was cut. */
  (
    | {
        outcome: 'content';
        lines: ({ path: Path; line: number; text: string; match: boolean } | 'separator')[];
        total: number;
        truncated: boolean;
      }
    | { outcome: 'files'; paths: Path[]; total: number; truncated: boolean }
    | { outcome: 'counts'; counts: { path: Path; count: number }[]; total: number; truncated: boolean }
  );

export interface GlobQuery {
  pattern: string;
  path: Path;
  limit: number;
  hidden: (path: Path) => boolean;
}

export type GlobOutcome =
  /** Newest first. */
  | ({ outcome: 'files'; paths: Path[]; total: number; truncated: boolean } & Pick<SearchRemarks, 'notes'>)
  | { outcome: 'failed'; message: string };

export interface Search {
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepOutcome>;
  glob(query: GlobQuery, signal: AbortSignal): Promise<GlobOutcome>;
}
