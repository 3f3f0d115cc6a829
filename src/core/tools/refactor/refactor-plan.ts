// A change of many files before anybody has seen it, and how large it may be.
import { type FileProposal } from '../../ports/approver';
import { type Path } from '../../ports/path';
import { type ToolSession } from '../../tool/tool';

export interface MovedFile {
  from: Path;
  to: Path;
}

export interface RefactorPlan {
  /** "rename sum to total". */
  title: string;
  /** Each changes something, or moves. */
  files: FileProposal[];
  renamed?: { from: string; to: string; declaration: { path: Path; line: number } };
  /** Files that move, those without text too. */
  moves?: MovedFile[];
  /** The specifiers that are replaced, by the path that their file has then. */
  imports?: ReadonlyMap<Path, readonly string[]>;
  /** For the model. */
  notes?: string[];
}

export const maxBytes = 5 * 1024 * 1024;
/** More cannot be reviewed. */
export const maxFiles = 300;

/** What may be changed. */
export function workspaceFolders(session: ToolSession): readonly Path[] {
  const folders = session.allowedFolders?.() ?? session.folders;
  return folders.length === 0 ? [session.cwd] : folders;
}
