// Problems that language servers and linters report, before and after a change.
import { type Path } from './path';

export interface Diagnostic {
  path: Path;
  /** The id of a notebook's cell: line and column count in its source. */
  cell?: string;
  /** 1-based. */
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  message: string;
  source?: string;
  code?: string;
}

export interface Diagnostics {
  /** What is reported now for these files. */
  current(paths: Path[]): Diagnostic[];
  /** Waits, bounded by the host's own delay, until the language servers have looked; returns those that are not in `before`. */
  newSince(before: Diagnostic[], paths: Path[], signal: AbortSignal): Promise<Diagnostic[]>;
}
