// The name of the output style that holds in this window: VS Code's setting first, else what settings files say.
import * as vscode from 'vscode';
import { type RuleSource } from '../session/rule-source';

export function chosenStyle(rules: Pick<RuleSource, 'values'>): string | undefined {
  const own = vscode.workspace.getConfiguration('deft').get<string>('outputStyle', '').trim();
  return own === '' ? rules.values().outputStyle : own;
}
