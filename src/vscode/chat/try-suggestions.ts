// Three things to try in an empty chat, taken from what this workspace has: problems, tests, changes.
import * as vscode from 'vscode';

const wanted = 3;
const projectFiles = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle', 'Makefile'];

export async function readSuggestions(): Promise<string[]> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return ['Explain what you can do for me'];
  const [hasProject, hasGit] = await Promise.all([hasAny(folder.uri, projectFiles), hasAny(folder.uri, ['.git'])]);
  return [
    ...problemSuggestion(),
    ...(hasProject ? ['Run the tests and fix what fails'] : []),
    ...(hasGit ? ['Review my uncommitted changes'] : []),
    'Explain how this project is put together',
    'Find code here that could fail, and say why',
    'Write a test for something that has none',
  ].slice(0, wanted);
}

function problemSuggestion(): string[] {
  const files = vscode.languages
    .getDiagnostics()
    .map(([uri, diagnostics]) => ({ uri, errors: diagnostics.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length }))
    .filter(({ uri, errors }) => errors > 0 && vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .sort((a, b) => b.errors - a.errors);
  const [worst] = files;
  if (worst === undefined) return [];
  const path = vscode.workspace.asRelativePath(worst.uri);
  return [`Fix the ${worst.errors === 1 ? 'problem' : `${worst.errors} problems`} in @${path}`];
}

async function hasAny(root: vscode.Uri, names: string[]): Promise<boolean> {
  const found = await Promise.all(
    names.map((name) => Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(root, name))).then(
      () => true,
      () => false,
    )),
  );
  return found.includes(true);
}
