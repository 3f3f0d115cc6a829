// Opens the settings file that contains a permission rule, at the rule.
import * as vscode from 'vscode';
import { parseRule, formatRule } from '../../../core/permissions/rules/rule-syntax';
import { uriOf } from '../../host/uri-path';

/** `known`: files that rules really come from. No other is opened. */
export async function openRule(file: string, rule: string, known: readonly string[]): Promise<void> {
  if (!known.includes(file)) {
    void vscode.window.showWarningMessage(`Deft: no rule comes from ${file} any more.`);
    return;
  }
  try {
    const document = await vscode.workspace.openTextDocument(uriOf(file));
    const range = rangeOf(document.getText(), rule);
    await vscode.window.showTextDocument(document, {
      preview: true,
      ...(range === undefined
        ? {}
        : { selection: new vscode.Range(document.positionAt(range[0]), document.positionAt(range[1])) }),
    });
  } catch (error) {
    void vscode.window.showWarningMessage(
      `Deft: ${file} could not be opened. ${error instanceof Error ? error.message : ''}`,
    );
  }
}

/** The JSON string that means this rule, however it is spelled; between its quotes. */
export function rangeOf(text: string, rule: string): [number, number] | undefined {
  for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) {
    const value = parseRule(unquoted(match[0]));
    if (value !== undefined && formatRule(value) === rule) return [match.index + 1, match.index + match[0].length - 1];
  }
  return undefined;
}

function unquoted(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return '';
  }
}
