// Changes that the editor's language servers make over many files, as data: nothing is applied.
import { type Diagnostic } from './diagnostics';
import { type CodePosition, type LanguageAnswer } from './languages';
import { type Path } from './path';

/** 0-based, as editors count. */
export interface TextPlace {
  line: number;
  character: number;
}

export interface TextReplacement {
  range: { start: TextPlace; end: TextPlace };
  newText: string;
}

/** Against the text that an editor holds, else against the disk. */
export interface FileReplacements {
  path: Path;
  edits: readonly TextReplacement[];
  /** The text that they are made for, with any line endings. */
  before?: string;
  /** The file is new. */
  created?: true;
}

export interface Refactoring {
  files: FileReplacements[];
  /** Of a renamed symbol, where that is known. */
  declaration?: CodePosition;
  /** What the server calls it. */
  title?: string;
}

/** A code action under a name that fix() knows, until the window closes. */
export interface CodeFix {
  id: string;
  title: string;
  /** The problem that it is for. */
  problem: Diagnostic;
}

type Answer = Promise<LanguageAnswer<Refactoring>>;

/** May never settle: who asks sets a time limit. */
export interface Refactorings {
  rename(at: CodePosition, newName: string, signal: AbortSignal): Answer;
  organizeImports(path: Path, signal: AbortSignal): Answer;
  format(path: Path, signal: AbortSignal): Answer;
  /** `notes`: files whose actions could not be asked for, and why. */
  fixes(problems: readonly Diagnostic[], signal: AbortSignal): Promise<{ fixes: CodeFix[]; notes: string[] }>;
  fix(id: string, signal: AbortSignal): Answer;
}
