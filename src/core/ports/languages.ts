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
  /** The source line there, trimmed; empty where the file is outside the workspace, which is not opened. */
  text: string;
}

export interface CodeSymbol {
  name: string;
  /** "function", "class", "enum member" … */
  kind: string;
  /** What it belongs to, where that is known. */
  container?: string;
  /** The location of its name. */
  location: CodeLocation;
  /** How deep it is nested in the file; 0 at the top. */
  depth: number;
}

/** The other end of a call. */
export interface CodeCall extends CodeSymbol {
  /** Lines of the calls, in the file of the one that calls. */
  lines: number[];
}

/** One place that a rename changes: whole lines, empty where the file is outside the workspace. */
export interface LineChange extends CodePosition {
  before: string;
  after: string;
}

/** What a question may return. */
export interface LookLimits {
  /** Items wanted at most. */
  limit: number;
  /** True for a path that permission rules hide: it is left out and not counted. */
  hidden: (path: Path) => boolean;
}

/** `total` and `files` count all that was found. */
export interface Found<Item> {
  items: Item[];
  total: number;
  files: number;
}

export type LanguageAnswer<Value> =
  | { outcome: 'answer'; value: Value }
  /** `none`: no language server looks after the file, the model has to search. `refused`: it was asked for what cannot be. */
  | { outcome: 'none' | 'refused'; message: string };

type Answer<Value> = Promise<LanguageAnswer<Value>>;

/** Unsaved text counts. Nothing is shown, nothing is written. May never settle: who asks sets a time limit. */
export interface Languages {
  definition(at: CodePosition, limits: LookLimits, signal: AbortSignal): Answer<Found<CodeLocation>>;
  references(at: CodePosition, limits: LookLimits, signal: AbortSignal): Answer<Found<CodeLocation>>;
  implementations(at: CodePosition, limits: LookLimits, signal: AbortSignal): Answer<Found<CodeLocation>>;
  /** Types and documentation as markdown; empty where there is nothing to say. */
  hover(at: CodePosition, signal: AbortSignal): Answer<string>;
  documentSymbols(path: Path, limits: LookLimits, signal: AbortSignal): Answer<Found<CodeSymbol>>;
  /** `path` wakes the language server that looks after it. */
  workspaceSymbols(
    query: string,
    path: Path | undefined,
    limits: LookLimits,
    signal: AbortSignal,
  ): Answer<Found<CodeSymbol>>;
  calls(
    at: CodePosition,
    direction: 'incoming' | 'outgoing',
    limits: LookLimits,
    signal: AbortSignal,
  ): Answer<Found<CodeCall>>;
  /** What a rename would change. */
  renamePreview(at: CodePosition, newName: string, limits: LookLimits, signal: AbortSignal): Answer<Found<LineChange>>;
}
