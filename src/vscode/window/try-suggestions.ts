// Three things to try in an empty chat, taken from what this workspace has now: problems, tests, changes.
import * as vscode from 'vscode';
import { gitApi, type GitApi, type GitRepository, hasChanges } from '../commands/git-extension';

const wanted = 3;
const settleMs = 500;
const projectFiles = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle', 'Makefile'];

export interface TrySuggestions extends vscode.Disposable {
  readonly current: string[];
  /** Reads again, a moment later. */
  renew(): void;
}

export interface TrySuggestionOptions {
  /** False while nobody sees them: nothing is read then. */
  shown: () => boolean;
  changed: () => void;
  /** Its repositories report their changes, also those that it finds later. */
  git?: () => Promise<GitApi | undefined>;
}

/** Language servers and git know of problems and changes long after the chat is there: both renew them. */
export function createTrySuggestions({ shown, changed, git = gitApi }: TrySuggestionOptions): TrySuggestions {
  let current: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let disposed = false;
  let api: GitApi | undefined;
  let asked: Promise<void> | undefined;
  const follow = ({ state }: GitRepository): void => void subscriptions.push(state.onDidChange(renew));
  /** At the first look: VS Code starts the git extension for it where that has not begun. */
  const findGit = async (): Promise<void> => {
    const found = await git();
    if (found === undefined || disposed) return;
    api = found;
    found.repositories.forEach(follow);
    subscriptions.push(
      found.onDidOpenRepository((repository) => {
        follow(repository);
        renew();
      }),
    );
    renew();
  };
  const read = async (): Promise<void> => {
    if (disposed || !shown()) return;
    // Without git there are no changes to review.
    asked ??= findGit().catch(() => undefined);
    const next = await readSuggestions(api);
    if (disposed || next.join('\n') === current.join('\n')) return;
    current = next;
    changed();
  };
  const renew = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        void read();
      },
      current.length === 0 ? 0 : settleMs,
    );
  };
  const subscriptions = [vscode.languages.onDidChangeDiagnostics(renew)];
  return {
    get current() {
      return current;
    },
    renew,
    dispose() {
      disposed = true;
      clearTimeout(timer);
      subscriptions.forEach((subscription) => subscription.dispose());
    },
  };
}

async function readSuggestions(git: GitApi | undefined): Promise<string[]> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return ['Explain what you can do for me'];
  const repository = git?.getRepository(folder.uri) ?? undefined;
  return [
    ...problemSuggestion(),
    ...((await hasAny(folder.uri, projectFiles)) ? ['Run the tests and fix what fails'] : []),
    ...(repository !== undefined && hasChanges(repository) ? ['Review my uncommitted changes'] : []),
    'Explain how this project is put together',
    'Find code here that could fail, and say why',
    'Write a test for something that has none',
  ].slice(0, wanted);
}

function problemSuggestion(): string[] {
  const files = vscode.languages
    .getDiagnostics()
    .map(([uri, diagnostics]) => ({
      uri,
      errors: diagnostics.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length,
    }))
    .filter(({ uri, errors }) => errors > 0 && vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .sort((a, b) => b.errors - a.errors);
  const [worst] = files;
  if (worst === undefined) return [];
  const path = vscode.workspace.asRelativePath(worst.uri);
  return [`Fix the ${worst.errors === 1 ? 'problem' : `${worst.errors} problems`} in @${path}`];
}

async function hasAny(root: vscode.Uri, names: string[]): Promise<boolean> {
  const found = await Promise.all(
    names.map((name) =>
      Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(root, name))).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
