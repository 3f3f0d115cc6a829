// Which problems are reported while a task runs: new ones, and those that its matcher takes back and reports again.
import * as vscode from 'vscode';
import { type Diagnostic, type Diagnostics } from '../../core/ports/diagnostics';
import { filePathOf } from '../host/uri-path';

export interface FollowedProblems {
  found(): { problems: Diagnostic[]; unchanged: number };
  dispose(): void;
}

/** `earlier`: what the last run of the task has found, which VS Code leaves standing until the matcher reports anew; renewed by each look. */
export function followProblems(diagnostics: Pick<Diagnostics, 'current'>, earlier: Set<string>): FollowedProblems {
  /** Reported before, and never taken back since. */
  const old = new Map<string, Set<string>>();
  for (const path of allPaths()) old.set(path, new Set(diagnostics.current([path]).map(keyOf)));
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const path of uris.flatMap((uri) => filePathOf(uri) ?? [])) {
      const now = new Set(diagnostics.current([path]).map(keyOf));
      old.set(path, new Set([...(old.get(path) ?? [])].filter((key) => now.has(key))));
    }
  });
  return {
    found() {
      const all = allPaths()
        .flatMap((path) => diagnostics.current([path]))
        .filter(isSevere);
      const isOld = (problem: Diagnostic): boolean =>
        old.get(problem.path)?.has(keyOf(problem)) === true && !earlier.has(keyOf(problem));
      const problems = all.filter((problem) => !isOld(problem));
      earlier.clear();
      for (const problem of problems) earlier.add(keyOf(problem));
      return { problems, unchanged: all.length - problems.length };
    },
    dispose: () => subscription.dispose(),
  };
}

function allPaths(): string[] {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri]) => filePathOf(uri) ?? [])
    .filter((path) => !path.includes(launchFailure));
}

/** VS Code says so in the task's terminal of a command that fails at once, repeats the command, and lets the matcher read that too. */
const launchFailure = 'The terminal process "';

function isSevere({ severity }: Diagnostic): boolean {
  return severity === 'error' || severity === 'warning';
}

function keyOf({ path, line, column, severity, message, source, code }: Diagnostic): string {
  return JSON.stringify([path, line, column, severity, message, source, code]);
}
