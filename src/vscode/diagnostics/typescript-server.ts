// VS Code's own TypeScript server, asked by a command of its extension that has no contract: whoever asks does without an answer too.
import * as vscode from 'vscode';
import { type Diagnostic } from '../../core/ports/diagnostics';
import { type Path } from '../../core/ports/path';
import { isObject } from '../../shared/plain-object';
import { uriOf } from '../host/uri-path';

const scriptFile = /\.[cm]?[jt]sx?$/i;

/** Files of JavaScript and TypeScript, by their name. */
export const scriptPattern = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';

export function isScript(path: Path): boolean {
  return scriptFile.test(path);
}

const categories: Readonly<Record<string, Diagnostic['severity']>> = {
  error: 'error',
  warning: 'warning',
  suggestion: 'hint',
  message: 'information',
};

/** Type errors of a file, also where no editor shows it; the server reads the file's project first. Undefined where it gives no answer. */
export async function typeErrors(path: Path): Promise<Diagnostic[] | undefined> {
  const file = uriOf(path);
  try {
    // It answers only about files that are open in it.
    await vscode.workspace.openTextDocument(file);
    const answer: unknown = await vscode.commands.executeCommand(
      'typescript.tsserverRequest',
      'semanticDiagnosticsSync',
      { file },
    );
    const body: unknown = isObject(answer) ? answer['body'] : undefined;
    return Array.isArray(body) ? body.flatMap((one: unknown) => diagnosticOf(path, one) ?? []) : undefined;
  } catch {
    return undefined;
  }
}

function diagnosticOf(path: Path, given: unknown): Diagnostic | undefined {
  if (!isObject(given) || !isObject(given['start'])) return undefined;
  const { text, category, code, start, source } = given;
  const { line, offset } = start;
  if (typeof text !== 'string' || typeof line !== 'number' || typeof offset !== 'number') return undefined;
  return {
    path,
    line,
    column: offset,
    severity: categories[String(category)] ?? 'information',
    message: text,
    source: typeof source === 'string' ? source : /\.[cm]?jsx?$/i.test(path) ? 'js' : 'ts',
    ...(typeof code === 'number' ? { code: String(code) } : {}),
  };
}
