// What the user has called no problem, in the state of the workspace: no file of the project says it.
import type * as vscode from 'vscode';
import { type DismissedFinding } from '../../core/tool/session-findings';
import { isObject } from '../../shared/plain-object';

const key = 'deft.dismissedFindings';

export function dismissedFindings(state: vscode.Memento): readonly DismissedFinding[] {
  const all: unknown = state.get(key);
  return Array.isArray(all) ? all.filter(isDismissed) : [];
}

export function keepDismissed(state: vscode.Memento, all: readonly DismissedFinding[]): void {
  void state.update(key, all);
}

/** Another version may have stored something else. */
function isDismissed(value: unknown): value is DismissedFinding {
  return isObject(value) && ['path', 'kind', 'quoted'].every((field) => typeof value[field] === 'string');
}
