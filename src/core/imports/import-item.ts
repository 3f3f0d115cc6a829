// One thing that can be taken over from another agent: what it is, where it comes from, and what would be written where.
import { type Path } from '../ports/path';

export type ImportItem = {
  /** "Codex", "Gemini". */
  program: string;
  from: Path;
  /** One line. */
  title: string;
  /** All that would be written; of a server without what may be secret in it. */
  text: string;
  to: Path;
  /** It has to be in there once links are followed; left out for the user's own files. */
  inside?: Path;
} & (
  | { kind: 'command' }
  /** Put after what the file holds. */
  | { kind: 'instructions' }
  | { kind: 'server'; name: string; entry: Record<string, unknown> }
);

export interface Importable {
  items: ImportItem[];
  /** Sentences: what is left out, and why. */
  left: string[];
}
