// What the editor's language servers know about code.

/** Absolute, as Path in ports.ts. */
type Path = string;

/** 1-based, as editors show it. */
export interface CodePosition {
  path: Path;
  line: number;
  column: number;
}

export interface CodeLocation extends CodePosition {
  /** The source line there, trimmed. */
  text: string;
}

export interface CodeSymbol {
  name: string;
  /** "function", "class", "method" … */
  kind: string;
  /** What it belongs to, where that is known. */
  container?: string;
  location: CodeLocation;
  /** How deep it is nested in the file; 0 at the top. */
  depth: number;
}

/** `none` where no language server answers for this file: the model then has to search. */
export type LanguageAnswer<Value> = { outcome: 'answer'; value: Value } | { outcome: 'none'; message: string };

export interface Languages {
  definition(at: CodePosition, signal: AbortSignal): Promise<LanguageAnswer<CodeLocation[]>>;
  references(at: CodePosition, signal: AbortSignal): Promise<LanguageAnswer<CodeLocation[]>>;
  implementations(at: CodePosition, signal: AbortSignal): Promise<LanguageAnswer<CodeLocation[]>>;
  /** Types and documentation as markdown. */
  hover(at: CodePosition, signal: AbortSignal): Promise<LanguageAnswer<string>>;
  documentSymbols(path: Path, signal: AbortSignal): Promise<LanguageAnswer<CodeSymbol[]>>;
  workspaceSymbols(query: string, signal: AbortSignal): Promise<LanguageAnswer<CodeSymbol[]>>;
  /** Who calls it, or whom it calls; `location` of a symbol is the place of the call's other end. */
  calls(at: CodePosition, direction: 'incoming' | 'outgoing', signal: AbortSignal): Promise<LanguageAnswer<CodeSymbol[]>>;
  /** What a rename would change; nothing is written. */
  renamePreview(at: CodePosition, newName: string, signal: AbortSignal): Promise<LanguageAnswer<{ path: Path; line: number; before: string; after: string }[]>>;
}
