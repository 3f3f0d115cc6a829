// What VS Code's providers answer, in the words of the Languages port.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { type CodeCall, type CodePosition, type CodeSymbol } from '../../core/ports/languages';
import { filePathOf } from '../host/uri-path';

export function placeOf(found: vscode.Location | vscode.LocationLink): CodePosition {
  if ('targetUri' in found) return placeAt(found.targetUri, found.targetSelectionRange ?? found.targetRange);
  return placeAt(found.uri, found.range);
}

/** Several providers may name the same place. */
export function distinctPlaces(places: readonly CodePosition[]): CodePosition[] {
  return [...new Map(places.map((place) => [`${place.path}\0${place.line}:${place.column}`, place])).values()];
}

/** What TypeScript's server puts before a hover while it still reads the project; the word depends on VS Code's display language. A list of parameters is none. */
const loadingLabel = /^\s*(?:```\w*\s)?\([^),:\n]*(?:\.{3}|…)\)\s/;

/** The server still reads the project: what it answers now knows only the files that are open. */
export function saysLoading(hovers: readonly vscode.Hover[]): boolean {
  return hovers.some(({ contents }) => contents.some((content) => loadingLabel.test(markdownOf(content))));
}

export function hoverText(hovers: readonly vscode.Hover[]): string[] {
  const texts = hovers.flatMap(({ contents }) => contents.map(markdownOf)).filter((text) => text.trim() !== '');
  return [...new Set(texts)];
}

function markdownOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  if (typeof content === 'string') return content.trim();
  return 'language' in content ? `\`\`\`${content.language}\n${content.value}\n\`\`\`` : content.value.trim();
}

/** A symbol whose source line has not been read. */
export type PlacedSymbol = Omit<CodeSymbol, 'location'> & { at: CodePosition };

/** Nested ones right behind what they belong to; `path` is that of a document's own symbols. */
export function symbolsOf(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  path: Path | undefined,
  depth = 0,
): PlacedSymbol[] {
  return inOrder(symbols).flatMap((symbol) => {
    const { name, kind } = symbol;
    if ('children' in symbol && path !== undefined) {
      const { start } = symbol.selectionRange;
      const at = { path, line: start.line + 1, column: start.character + 1 };
      return [{ name, kind: kindOf(kind), depth, at }, ...symbolsOf(symbol.children, path, depth + 1)];
    }
    if (!('location' in symbol)) return [];
    const { location, containerName } = symbol;
    return [
      {
        name,
        kind: kindOf(kind),
        depth,
        at: placeAt(location.uri, location.range),
        ...(containerName ? { container: containerName } : {}),
      },
    ];
  });
}

/** A document's symbols in the order of the file; VS Code has them by kind here and there. */
function inOrder<Symbol extends vscode.DocumentSymbol | vscode.SymbolInformation>(
  symbols: readonly Symbol[],
): Symbol[] {
  return [...symbols].sort((a, b) =>
    'children' in a && 'children' in b ? a.selectionRange.start.compareTo(b.selectionRange.start) : 0,
  );
}

/** Calls of one symbol are in the file that calls. */
export function callOf(
  call: vscode.CallHierarchyIncomingCall | vscode.CallHierarchyOutgoingCall,
): Omit<CodeCall, 'location'> & { at: CodePosition } {
  const { name, kind, uri, selectionRange } = 'from' in call ? call.from : call.to;
  const lines = [...new Set(call.fromRanges.map(({ start }) => start.line + 1))].sort((a, b) => a - b);
  return { name, kind: kindOf(kind), depth: 0, at: placeAt(uri, selectionRange), lines };
}

/** A file's path; what is not a file (a decompiled class, a remote module) keeps its whole address, which nothing opens. */
export function shownPlace(uri: vscode.Uri): Path {
  return filePathOf(uri) ?? uri.toString(true);
}

/** A workspace symbol may come without its range. */
function placeAt(uri: vscode.Uri, range: vscode.Range | undefined): CodePosition {
  return { path: shownPlace(uri), line: (range?.start.line ?? 0) + 1, column: (range?.start.character ?? 0) + 1 };
}

/** "EnumMember" as "enum member". */
function kindOf(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
