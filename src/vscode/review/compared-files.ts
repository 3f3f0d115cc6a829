// Files beside what they were at an earlier point, all in one multi-file diff: what differs is kept or undone by hunk, by file or all at once, whoever accepted it.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type FileSystem } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { maxWritableBytes } from '../files/disk';
import { editorLines, lineHunks, type LineHunk, replaceLines } from '../files/line-hunks';
import { openDocument } from '../files/open-documents';
import { filePathOf, uriOf } from '../host/uri-path';
import { type ReviewFiles, reviewUri } from './review-files';
import { findHunk } from './tracked-file';
import { type UndoOutcome } from './undo-changes';

export interface ComparedFile {
  path: Path;
  /** What it was then; undefined where there was no such file. */
  before: string | undefined;
  /** There is no such file now. */
  gone?: boolean;
}

export interface Comparison {
  /** Names the point: what was kept stays kept when it is opened again. */
  key: string;
  /** "since your last message". */
  since: string;
  files: readonly ComparedFile[];
}

type SeenLines = Pick<LineHunk, 'newStart' | 'newEnd'>;

export interface ComparedFiles extends vscode.Disposable {
  /** Shows all of them; the tab that is there already gets the new list. */
  open(comparison: Comparison): Promise<void>;
  /** The tab in front shows them. */
  isShown(): boolean;
  /** Files with something left to decide on. */
  paths(): Path[];
  /** Of the file's text in an editor; none where no editor has it. */
  hunksOf(uri: vscode.Uri): readonly LineHunk[];
  /** False where no such change is compared. */
  keepHunk(path: Path, seen: SeenLines): boolean;
  /** Undefined where no such change is compared. */
  undoHunk(path: Path, seen: SeenLines): Promise<UndoOutcome | undefined>;
  keepFile(path: Path): Promise<boolean>;
  undoFile(path: Path): Promise<UndoOutcome | undefined>;
  readonly onDidChange: vscode.Event<Path[]>;
}

interface Entry extends ComparedFile {
  /** What it was then, with what was kept since. */
  baseline: string;
  original: vscode.Uri;
  /** The whole file was kept or undone, and nothing has changed since. */
  settled?: boolean;
}

/** By this a tab is known: the public API has no type for it. */
const titlePrefix = 'Deft: changes ';
/** Typing comes in many events; rows may follow this much later. */
const settleMs = 60;

export function createComparedFiles(
  files: Pick<FileSystem, 'readText' | 'writeText'>,
  reviewFiles: ReviewFiles,
): ComparedFiles {
  return new Comparing(files, reviewFiles);
}

class Comparing implements ComparedFiles {
  readonly #files: Pick<FileSystem, 'readText' | 'writeText'>;
  readonly #reviewFiles: ReviewFiles;
  readonly #changed = new vscode.EventEmitter<Path[]>();
  readonly onDidChange = this.#changed.event;
  #entries = new Map<Path, Entry>();
  #shown: Comparison | undefined;
  #title = '';
  /** By point and path: the text then, and with what was kept. */
  readonly #kept = new Map<string, { before: string; baseline: string }>();
  readonly #hunks = new WeakMap<vscode.TextDocument, { version: number; baseline: string; hunks: LineHunk[] }>();
  #watching: vscode.Disposable | undefined;
  readonly #typed = new Set<Path>();
  #timer: NodeJS.Timeout | undefined;

  constructor(files: Pick<FileSystem, 'readText' | 'writeText'>, reviewFiles: ReviewFiles) {
    this.#files = files;
    this.#reviewFiles = reviewFiles;
    // A reload restores the tab, but not what it compares with.
    void vscode.window.tabGroups.close(comparingTabs(), true).then(undefined, () => undefined);
  }

  async open(comparison: Comparison): Promise<void> {
    this.#forget();
    for (const file of comparison.files) this.#entries.set(file.path, this.#entryOf(file, comparison.key));
    this.#shown = comparison;
    this.#title = `${titlePrefix}${comparison.since}`;
    this.#watching ??= this.#watch();
    await this.#show();
    this.#tell([...this.#entries.keys()]);
  }

  isShown(): boolean {
    return isComparing(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  paths(): Path[] {
    return [...this.#entries.values()].flatMap((entry) => {
      const uri = uriOf(entry.path);
      // Nobody knows of a file that no editor has loaded yet, unless it was decided on.
      const isOpen = entry.gone !== true && openDocument([uri]) !== undefined;
      return (isOpen ? this.hunksOf(uri).length > 0 : entry.settled !== true) ? [entry.path] : [];
    });
  }

  hunksOf(uri: vscode.Uri): readonly LineHunk[] {
    if (this.#entries.size === 0) return [];
    const entry = this.#entries.get(filePathOf(uri) ?? '');
    const document = entry === undefined ? undefined : openDocument([uri]);
    if (entry === undefined || document === undefined) return [];
    const known = this.#hunks.get(document);
    if (known?.version === document.version && known.baseline === entry.baseline) return known.hunks;
    const hunks = lineHunks(entry.baseline, document.getText(), true);
    this.#hunks.set(document, { version: document.version, baseline: entry.baseline, hunks });
    return hunks;
  }

  keepHunk(path: Path, seen: SeenLines): boolean {
    const entry = this.#entries.get(path);
    const text = openDocument([uriOf(path)])?.getText();
    const hunk = entry && text !== undefined ? findHunk(this.hunksOf(uriOf(path)), seen) : undefined;
    if (entry === undefined || text === undefined || hunk === undefined) return false;
    const lines = editorLines(text).slice(hunk.newStart, hunk.newEnd);
    this.#keep(entry, replaceLines(editorLines(entry.baseline), hunk.oldStart, hunk.oldEnd, lines).join(''));
    return true;
  }

  async undoHunk(path: Path, seen: SeenLines): Promise<UndoOutcome | undefined> {
    const entry = this.#entries.get(path);
    if (entry === undefined || findHunk(this.hunksOf(uriOf(path)), seen) === undefined) return undefined;
    return this.#rewrite(entry, (text) => {
      const hunk = findHunk(lineHunks(entry.baseline, text, true), seen);
      if (hunk === undefined) return undefined;
      const lines = editorLines(entry.baseline).slice(hunk.oldStart, hunk.oldEnd);
      return replaceLines(editorLines(text), hunk.newStart, hunk.newEnd, lines).join('');
    });
  }

  async keepFile(path: Path): Promise<boolean> {
    const entry = this.#entries.get(path);
    if (entry === undefined) return false;
    if (entry.gone === true) {
      this.#entries.delete(path);
      this.#tell([path]);
      await this.#showWithout(path);
      return true;
    }
    const read = await this.#files.readText(path, maxWritableBytes);
    if (read.outcome === 'read') this.#keep(entry, read.file.text);
    entry.settled = read.outcome === 'read';
    return read.outcome === 'read';
  }

  async undoFile(path: Path): Promise<UndoOutcome | undefined> {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    const outcome =
      entry.gone === true
        ? await this.#restore(entry)
        : entry.before === undefined
          ? await this.#remove(entry)
          : await this.#rewrite(entry, () => entry.baseline);
    entry.settled = outcome.outcome === 'undone';
    if (outcome.outcome === 'undone' && (entry.gone === true || entry.before === undefined)) {
      this.#entries.delete(path);
      await this.#showWithout(path);
    }
    this.#tell([path]);
    return outcome;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watching?.dispose();
    this.#changed.dispose();
  }

  async #show(): Promise<void> {
    const resources = [...this.#entries.values()].map(({ path, original, gone }) => {
      const uri = uriOf(path);
      return [uri, original, gone === true ? undefined : uri];
    });
    await vscode.commands.executeCommand('vscode.changes', this.#title, resources);
    this.#setContext();
  }

  /** Another list in the same tab, where that is in front. */
  async #showWithout(path: Path): Promise<void> {
    if (this.#shown === undefined) return;
    this.#shown = { ...this.#shown, files: this.#shown.files.filter((file) => file.path !== path) };
    if (this.isShown()) await this.#show();
  }

  #entryOf(file: ComparedFile, key: string): Entry {
    const before = file.before ?? '';
    const kept = this.#kept.get(keptKey(key, file.path));
    const baseline = kept?.before === before ? kept.baseline : before;
    const original = reviewUri(uriOf(file.path), this.#reviewFiles.schemes.original, 'since');
    this.#reviewFiles.original.set(original, baseline);
    return { ...file, baseline, original };
  }

  #keep(entry: Entry, baseline: string): void {
    entry.baseline = baseline;
    this.#reviewFiles.original.set(entry.original, baseline);
    if (this.#shown !== undefined)
      this.#kept.set(keptKey(this.#shown.key, entry.path), { before: entry.before ?? '', baseline });
    this.#tell([entry.path]);
  }

  async #rewrite({ path }: Entry, change: (text: string) => string | undefined): Promise<UndoOutcome> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const read = await this.#files.readText(path, maxWritableBytes);
      if (read.outcome === 'refused') return read;
      const text = change(read.file.text);
      if (text === undefined) return { outcome: 'refused', message: `That change of ${path} is no longer there.` };
      const written = await this.#files.writeText({ path, base: read.file, text, approved: true });
      if (written.outcome === 'refused') return written;
      if (written.outcome !== 'written') continue;
      this.#tell([path]);
      return { outcome: 'undone' };
    }
    return { outcome: 'refused', message: `${path} keeps changing; nothing was undone.` };
  }

  async #restore({ path, before = '' }: Entry): Promise<UndoOutcome> {
    const written = await this.#files.writeText({ path, base: undefined, text: before, approved: true });
    if (written.outcome === 'written') return { outcome: 'undone' };
    return written.outcome === 'refused'
      ? written
      : { outcome: 'refused', message: `${path} is there again, so it stays as it is.` };
  }

  async #remove({ path }: Entry): Promise<UndoOutcome> {
    const uri = uriOf(path);
    if (openDocument([uri])?.isDirty)
      return { outcome: 'refused', message: `${path} has unsaved changes, so it stays.` };
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: true }).then(undefined, () => vscode.workspace.fs.delete(uri));
      return { outcome: 'undone' };
    } catch (error) {
      return { outcome: 'refused', message: `${path} could not be deleted: ${messageOf(error)}` };
    }
  }

  #watch(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(isComparing) && comparingTabs().length === 0) this.#forget();
        this.#setContext();
      }),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.#setContext()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const path = contentChanges.length === 0 ? undefined : filePathOf(document.uri);
        const entry = path === undefined ? undefined : this.#entries.get(path);
        if (entry === undefined) return;
        entry.settled = false;
        this.#typed.add(entry.path);
        this.#timer ??= setTimeout(() => this.#tellTyped(), settleMs);
      }),
    );
  }

  #forget(): void {
    const paths = [...this.#entries.keys()];
    for (const { original } of this.#entries.values()) this.#reviewFiles.original.remove(original);
    this.#entries = new Map();
    this.#shown = undefined;
    if (paths.length > 0) this.#tell(paths);
  }

  #tellTyped(): void {
    this.#timer = undefined;
    const paths = [...this.#typed];
    this.#typed.clear();
    this.#tell(paths);
  }

  #tell(paths: Path[]): void {
    this.#changed.fire(paths);
  }

  #setContext(): void {
    void vscode.commands.executeCommand('setContext', 'deft.comparing', this.isShown());
  }
}

function keptKey(key: string, path: Path): string {
  return `${key}\n${path}`;
}

function isComparing(tab: vscode.Tab | undefined): boolean {
  return tab !== undefined && tab.label.startsWith(titlePrefix) && !(tab.input instanceof vscode.TabInputText);
}

function comparingTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isComparing));
}
