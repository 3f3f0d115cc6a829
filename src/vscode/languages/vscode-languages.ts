// The Languages port in VS Code: asks whatever providers its extensions have registered.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type FileSystem } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import {
  type CodeCall,
  type CodeLocation,
  type CodePosition,
  type CodeSymbol,
  type Found,
  type LanguageAnswer,
  type Languages,
  type LineChange,
  type LookLimits,
} from '../../core/ports/languages';
import { agreedAnswer } from './agreed-answer';
import { type AwakeDocument, createDocumentOpener } from './awake-document';
import { changedLines } from './changed-lines';
import { ofEdit } from './refactorings';
import { settledAnswer } from './settled-answer';
import { createLineReader, type LineReader } from './line-reader';
import {
  callOf,
  distinctPlaces,
  hoverText,
  type PlacedSymbol,
  placeOf,
  shownPlace,
  symbolsOf,
} from './provider-answers';

const run = vscode.commands.executeCommand;

type Files = Pick<FileSystem, 'readText' | 'realPath'>;
type Place = vscode.Location | vscode.LocationLink;

export function createLanguages(files: Files): Languages {
  return new ProviderLanguages(files);
}

/** A server whose answers keep changing. */
class Unsettled extends Error {}

class ProviderLanguages implements Languages {
  readonly #files: Files;
  readonly #opener = createDocumentOpener();
  readonly definition = this.#locations('vscode.executeDefinitionProvider');
  readonly references = this.#allLocations('vscode.executeReferenceProvider');
  readonly implementations = this.#allLocations('vscode.executeImplementationProvider');

  constructor(files: Files) {
    this.#files = files;
  }

  hover(at: CodePosition, signal: AbortSignal): Promise<LanguageAnswer<string>> {
    return this.#askAt<string, string>(
      at,
      async (uri, position) =>
        hoverText((await run<vscode.Hover[] | undefined>('vscode.executeHoverProvider', uri, position)) ?? []),
      async (texts) => texts.join('\n\n'),
      signal,
    );
  }

  documentSymbols(path: Path, limits: LookLimits, signal: AbortSignal): Promise<LanguageAnswer<Found<CodeSymbol>>> {
    return this.#ask(
      path,
      (awake) =>
        this.#opener.ask<vscode.DocumentSymbol | vscode.SymbolInformation>(
          awake,
          () => run('vscode.executeDocumentSymbolProvider', awake.document.uri),
          signal,
        ),
      (items) => this.#symbols(symbolsOf(items, path), path, limits, signal),
      signal,
    );
  }

  async workspaceSymbols(
    query: string,
    path: Path | undefined,
    limits: LookLimits,
    signal: AbortSignal,
  ): Promise<LanguageAnswer<Found<CodeSymbol>>> {
    const look = (): PromiseLike<vscode.SymbolInformation[] | undefined> =>
      run('vscode.executeWorkspaceSymbolProvider', query);
    const value = (items: vscode.SymbolInformation[]): Promise<Found<CodeSymbol>> =>
      this.#symbols(symbolsOf(items, undefined), path, limits, signal);
    if (path !== undefined) {
      const lookInProject = async (awake: AwakeDocument): Promise<vscode.SymbolInformation[] | string> => {
        const { uri } = awake.document;
        const [first] = symbolsOf(
          (await run<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', uri)) ?? [],
          path,
        );
        const anywhere = new vscode.Position((first?.at.line ?? 1) - 1, (first?.at.column ?? 1) - 1);
        return (await this.#opener.hasReadProject(awake, anywhere, signal))
          ? this.#opener.ask(awake, look, signal)
          : stillReading(path);
      };
      return this.#ask(path, lookInProject, value, signal);
    }
    const items = (await look()) ?? [];
    if (items.length > 0) return { outcome: 'answer', value: await value(items) };
    return { outcome: 'none', message: 'No running language server knows such a symbol.' };
  }

  calls(
    at: CodePosition,
    direction: 'incoming' | 'outgoing',
    limits: LookLimits,
    signal: AbortSignal,
  ): Promise<LanguageAnswer<Found<CodeCall>>> {
    return this.#askAt<vscode.CallHierarchyItem, Found<CodeCall>>(
      at,
      (uri, position) => run('vscode.prepareCallHierarchy', uri, position),
      async ([item]) => {
        const command = direction === 'incoming' ? 'vscode.provideIncomingCalls' : 'vscode.provideOutgoingCalls';
        const calls =
          item === undefined
            ? []
            : ((await run<(vscode.CallHierarchyIncomingCall | vscode.CallHierarchyOutgoingCall)[] | undefined>(
                command,
                item,
              )) ?? []);
        return this.#symbols(calls.map(callOf), at.path, limits, signal);
      },
      signal,
    );
  }

  async renamePreview(
    at: CodePosition,
    newName: string,
    limits: LookLimits,
    signal: AbortSignal,
  ): Promise<LanguageAnswer<Found<LineChange>>> {
    try {
      return await this.#askAt<[vscode.Uri, vscode.TextEdit[]], Found<LineChange>>(
        at,
        async (uri, position) => {
          const ask = () =>
            run<vscode.WorkspaceEdit | undefined>('vscode.executeDocumentRenameProvider', uri, position, newName);
          return (await settledAnswer(ask, ofEdit, this.#files, signal))?.answer?.entries() ?? [];
        },
        (entries) => renamed(entries, createLineReader(this.#files, at.path, limits.hidden), limits, signal),
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      // The provider says no by rejecting: nothing to rename there, a name that cannot be.
      return { outcome: 'refused', message: `The language server refuses to rename this: ${messageOf(error)}` };
    }
  }

  /** Opens the file, asks, and distinguishes an empty answer from none at all. */
  async #ask<Item, Value>(
    path: Path,
    question: (awake: AwakeDocument) => Promise<Item[] | string>,
    value: (items: Item[]) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<LanguageAnswer<Value>> {
    const awake = await this.#opener.open(path, signal);
    if ('message' in awake) return { outcome: 'refused', message: awake.message };
    const items = await question(awake);
    if (typeof items === 'string') return { outcome: 'refused', message: items };
    if (items.length === 0 && !awake.served)
      return { outcome: 'none', message: `No language server answers for ${path}.` };
    if (items.length === 0 && this.#opener.isStarting(awake)) {
      return {
        outcome: 'none',
        message: `The language server of ${path} has not answered yet: it may still be starting.`,
      };
    }
    return { outcome: 'answer', value: await value(items) };
  }

  /** A question about a place, put to one provider command. */
  #askAt<Item, Value>(
    { path, line, column }: CodePosition,
    question: (uri: vscode.Uri, position: vscode.Position) => PromiseLike<Item[] | undefined>,
    value: (items: Item[]) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<LanguageAnswer<Value>> {
    return this.#ask(
      path,
      async (awake) => {
        const { document } = awake;
        if (line > document.lineCount) return `${path} has ${document.lineCount} lines; there is no line ${line}.`;
        const position = document.validatePosition(new vscode.Position(line - 1, column - 1));
        if (!(await this.#opener.hasReadProject(awake, position, signal))) return stillReading(path);
        return this.#opener.ask(awake, () => question(document.uri, position), signal);
      },
      value,
      signal,
    );
  }

  /** Of the whole project: what a server says while it still reads it is a part. */
  #allLocations(command: string): Languages['definition'] {
    const settled = this.#locations(command, async (ask, signal) => {
      const key = (items: Place[] | undefined): string => JSON.stringify(distinctPlaces((items ?? []).map(placeOf)));
      const agreed = await agreedAnswer(ask, key, signal);
      if (agreed === undefined) throw new Unsettled();
      return agreed.answer;
    });
    return async (at, limits, signal) => {
      try {
        return await settled(at, limits, signal);
      } catch (error) {
        if (!(error instanceof Unsettled)) throw error;
        return { outcome: 'refused', message: stillReading(at.path) };
      }
    };
  }

  #locations(
    command: string,
    settle: (ask: () => PromiseLike<Place[] | undefined>, signal: AbortSignal) => PromiseLike<Place[] | undefined> = (
      ask,
    ) => ask(),
  ): Languages['definition'] {
    return (at, limits, signal) =>
      this.#askAt<Place, Found<CodeLocation>>(
        at,
        (uri, position) => settle(() => run(command, uri, position), signal),
        (items) => {
          const reader = createLineReader(this.#files, at.path, limits.hidden);
          const places = distinctPlaces(items.map(placeOf)).map((place) => ({ at: place }));
          return found(places, limits, (place) => reader.located(place.at), signal);
        },
        signal,
      );
  }

  #symbols<Symbol extends PlacedSymbol>(
    items: Symbol[],
    path: Path | undefined,
    limits: LookLimits,
    signal: AbortSignal,
  ) {
    const reader = createLineReader(this.#files, path, limits.hidden);
    return found(
      items,
      limits,
      async ({ at, ...symbol }) => ({ ...symbol, location: await reader.located(at) }),
      signal,
    );
  }
}

function stillReading(path: Path): string {
  return `The language server is still loading the project of ${path}. Ask again later, or use Grep and Read.`;
}

/** Cut to the limit before anything is read; hidden ones neither shown nor counted. */
async function found<Item extends { at: CodePosition }, Shown>(
  all: readonly Item[],
  { limit, hidden }: LookLimits,
  show: (item: Item) => Promise<Shown>,
  signal: AbortSignal,
): Promise<Found<Shown>> {
  const visible = all.filter(({ at }) => !hidden(at.path));
  const items: Shown[] = [];
  for (const item of visible.slice(0, limit)) {
    signal.throwIfAborted();
    items.push(await show(item));
  }
  return { items, total: visible.length, files: new Set(visible.map(({ at }) => at.path)).size };
}

async function renamed(
  entries: readonly [vscode.Uri, vscode.TextEdit[]][],
  reader: LineReader,
  limits: LookLimits,
  signal: AbortSignal,
): Promise<Found<LineChange>> {
  const changes: { at: CodePosition; before: string; after: string }[] = [];
  for (const [uri, edits] of entries) {
    signal.throwIfAborted();
    const path = shownPlace(uri);
    const text = await reader.text(path);
    const own =
      text === undefined
        ? edits.map(({ range }) => ({ start: range.start, before: '', after: '' }))
        : changedLines(text, edits);
    changes.push(
      ...own.map(({ start, ...lines }) => ({
        at: { path, line: start.line + 1, column: start.character + 1 },
        ...lines,
      })),
    );
  }
  return found(changes, limits, async ({ at, ...lines }) => ({ ...at, ...lines }), signal);
}
