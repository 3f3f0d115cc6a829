// The permission modes that a window offers, and the question before one that asks for nothing.
import * as vscode from 'vscode';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { readConfiguration } from '../host/configuration';
import { type RuleSource } from '../session/rule-source';

/** Bypass only where the user's settings offer it; neither it nor auto where a settings file forbids it. */
export function modesOf(rules: Pick<RuleSource, 'bypassDisabled' | 'current'>): PermissionMode[] {
  const bypass = readConfiguration().allowBypass && !rules.bypassDisabled();
  const auto = rules.current().autoDisabled !== true;
  return permissionModes.filter((mode) => (mode === 'bypassPermissions' ? bypass : mode !== 'auto' || auto));
}

/** Bypass is confirmed each time. */
export async function confirmModeOf(
  rules: Pick<RuleSource, 'bypassDisabled' | 'current'>,
  mode: PermissionMode,
): Promise<boolean> {
  if (mode !== 'bypassPermissions' && modesOf(rules).includes(mode)) return true;
  if (mode === 'auto') {
    void vscode.window.showWarningMessage('Deft: a settings file switches auto mode off.');
    return false;
  }
  if (!modesOf(rules).includes(mode)) {
    void vscode.window.showWarningMessage(
      'Deft: this mode is off. The setting deft.allowBypassPermissions offers it, where no settings file forbids it.',
    );
    return false;
  }
  const answer = await vscode.window.showWarningMessage(
    'Let Deft edit and run anything without asking?',
    { modal: true, detail: 'Deny and ask rules still hold.' },
    'Yes',
  );
  return answer === 'Yes';
}
