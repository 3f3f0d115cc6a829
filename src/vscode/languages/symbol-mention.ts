// "@symbol:name": symbols of the workspace by their name, and the text of their definitions.
import * as vscode from 'vscode';
import { type MentionSuggestion } from '../../shared/answers';
import { headOf } from '../../shared/cut-text';
import { symbolMention } from '../../shared/mention-text';
import { folderOf, pathOf } from '../host/uri-path';

const maxSuggested = 15;
/** Definitions of one name that are shown; the others are named. */
const maxDefinitions = 3;
const maxLines = 300;
const maxChars = 20_000;

type Hidden = (path: string) => boolean;
interface Place {
  name: string;
  path: string;
  uri: vscode.Uri;
  at: vscode.Position;
}

/** Those of the workspace's files that the rules do not hide; with their file where several have the name. */
export async function suggestSymbols(query: string, isHidden: Hidden): Promise<MentionSuggestion[]> {
  const [file, name] = partsOf(query);
  const places = (await find(name, isHidden)).filter((place) => file === undefined || shown(place).includes(file));
  return places.slice(0, maxSuggested).map((place) => {
    const several = places.some((other) => other !== place && other.name === place.name);
    return {
      path: `${symbolMention}${several ? `${shown(place)}#` : ''}${place.name}`,
      kind: 'symbol',
      detail: `${shown(place)}:${place.at.line + 1}`,
    };
  });
}

/** Never rejects: what is not found is said. */
export async function mentionedSymbol(written: string, isHidden: Hidden): Promise<string> {
  const [file, name] = partsOf(written);
  try {
    const exact = (await find(name, isHidden)).filter(
      (place) => place.name === name && (file === undefined || shown(place) === file),
    );
    if (exact.length === 0)
      return `No running language server knows a symbol ${written} in the files of the workspace.`;
    const texts = await Promise.all(exact.slice(0, maxDefinitions).map(definition));
    const others = exact.slice(maxDefinitions).map((place) => `${shown(place)}:${place.at.line + 1}`);
    return [...texts, ...(others.length === 0 ? [] : [`More of this name: ${others.join(', ')}`])].join('\n\n');
  } catch (error) {
    return `The symbol ${written} could not be looked up: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** "src/a.ts#sum" names the file too; a name of its own may begin with "#". */
function partsOf(written: string): [file: string | undefined, name: string] {
  const at = written.indexOf('#', 1);
  return at <= 0 ? [undefined, written] : [written.slice(0, at), written.slice(at + 1)];
}

function shown({ uri }: Place): string {
  return vscode.workspace.asRelativePath(uri);
}

async function find(name: string, isHidden: Hidden): Promise<Place[]> {
  const found =
    (await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      name,
    )) ?? [];
  const places = found.map(({ name: own, location }) => ({
    // Functions may come with their parentheses.
    name: own.replace(/\(.*\)$/, ''),
    uri: location.uri,
    path: pathOf(location.uri),
    at: location.range.start,
  }));
  const exactFirst = (place: Place): number => (place.name === name ? 0 : place.name.startsWith(name) ? 1 : 2);
  return places
    .filter(({ path }) => folderOf(path) !== undefined && !isHidden(path))
    .sort((one, other) => exactFirst(one) - exactFirst(other) || (shown(one) < shown(other) ? -1 : 1));
}

async function definition(place: Place): Promise<string> {
  const document = await vscode.workspace.openTextDocument(place.uri);
  const outline =
    (await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      place.uri,
    )) ?? [];
  const range = rangeOf(outline, place) ?? document.lineAt(place.at.line).range;
  const first = range.start.line;
  const last = Math.min(range.end.line, first + maxLines - 1);
  const lines: string[] = [];
  for (let line = first; line <= last; line++) lines.push(`${line + 1}\t${document.lineAt(line).text}`);
  const text = headOf(lines.join('\n'), maxChars);
  const cut = last < range.end.line || text.length < lines.join('\n').length;
  return `${shown(place)}:${first + 1} ${place.name}\n${text}${cut ? '\n[cut here: read the file for the rest]' : ''}`;
}

/** All of the symbol, not only its name: the innermost one of this name that holds the place. */
function rangeOf(
  outline: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  { name, at }: Pick<Place, 'name' | 'at'>,
): vscode.Range | undefined {
  let found: vscode.Range | undefined;
  for (const one of outline) {
    const range = 'location' in one ? one.location.range : one.range;
    if (!range.contains(at)) continue;
    if (one.name.replace(/\(.*\)$/, '') === name) found = range;
    if ('children' in one) found = rangeOf(one.children, { name, at }) ?? found;
  }
  return found;
}
