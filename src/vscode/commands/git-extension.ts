// The part of VS Code's git extension that Deft uses, in the names of its public API.
import * as vscode from 'vscode';

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

export interface GitChangedFile {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  /** Of a renamed file: its new name. */
  readonly renameUri?: vscode.Uri | undefined;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly workingTreeChanges: readonly GitChange[];
    readonly indexChanges?: readonly GitChange[];
    readonly mergeChanges?: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    readonly HEAD?: { readonly name?: string; readonly commit?: string } | undefined;
    readonly onDidChange: vscode.Event<void>;
  };
  /** Of the working tree. */
  diffWith(ref: string): Promise<GitChangedFile[]>;
  /** The file as that commit has it; rejects where it has none. */
  buffer(ref: string, path: string): Promise<Uint8Array>;
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  /** The branch that this one was made from, as far as git knows. */
  getBranchBase(name: string): Promise<{ readonly name?: string; readonly remote?: string } | undefined>;
  /** Updates `state`. */
  status(): Promise<void>;
  diff(cached?: boolean): Promise<string>;
  log(options?: { maxEntries?: number }): Promise<{ message: string }[]>;
}

export interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  getRepository(uri: vscode.Uri): GitRepository | null;
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

/** `Status.UNTRACKED` of the git extension. */
const untracked = 7;

/** Undefined where the git extension is missing or switched off. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>(
    'vscode.git',
  );
  const git = await extension?.activate();
  return git?.enabled === true ? git.getAPI(1) : undefined;
}

/** New files that git does not know yet: no diff of the working tree has them. */
export function newFilesOf({ state, rootUri }: GitRepository): string[] {
  const files = [
    ...state.workingTreeChanges.filter(({ status }) => status === untracked),
    ...(state.untrackedChanges ?? []),
  ];
  const root = `${rootUri.path.replace(/\/$/, '')}/`;
  return [...new Set(files.map(({ uri }) => (uri.path.startsWith(root) ? uri.path.slice(root.length) : uri.path)))];
}

/** As far as the git extension knows now; nothing is run. */
export function hasChanges({ state }: GitRepository): boolean {
  return [state.workingTreeChanges, state.indexChanges, state.mergeChanges, state.untrackedChanges].some(
    (changes) => (changes?.length ?? 0) > 0,
  );
}
