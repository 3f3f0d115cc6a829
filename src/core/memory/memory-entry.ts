// One memory file as it is found: whose it is, why it is read, what it says, or why it is left out.
import { type Path } from '../ports/path';

export type MemoryType = 'Managed' | 'User' | 'Project' | 'Local' | 'Auto';

export type LoadReason = 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';

export interface MemoryEntry {
  path: Path;
  type: MemoryType;
  reason: LoadReason;
  /** For a rule that applies to some files only. */
  globs?: readonly string[];
  /** The file that imports it. */
  parent?: Path;
  /** Without comments and frontmatter, cut to what is sent. Empty where it is left out. */
  text: string;
  /** What it imports, in the order in which it names them. */
  imported: readonly MemoryEntry[];
  /** A sentence: why its text, or the rest of it, is not sent. */
  left?: string;
}

/** The entry and all that it imports, each once. */
export function withImported(entry: MemoryEntry): MemoryEntry[] {
  return [entry, ...entry.imported.flatMap(withImported)];
}
