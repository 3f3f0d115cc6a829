// The model and the mode that a new session begins with.
import { defaultModel } from '../../core/model/models';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { readConfiguration } from '../configuration';
import { type RuleSource } from './rule-source';

/** The newest Opus that the account lists, kept for the next window. */
export const listedModelKey = 'deft.listedModel';

/** The setting, the environment, the newest Opus that the account was last seen to list, the default. */
export function initialModel(listed?: string): string {
  return readConfiguration().model || process.env['ANTHROPIC_MODEL'] || listed || defaultModel;
}

/**
 * Deft's own setting, then the person's settings files; never the project's. No session begins in the mode that asks for
 * nothing, whatever a file says: that one is offered by a setting and confirmed each time.
 */
export function initialMode(rules: RuleSource): PermissionMode {
  const { initialPermissionMode } = readConfiguration();
  const wanted = initialPermissionMode === 'default' ? rules.defaultMode() : initialPermissionMode;
  return offeredMode(permissionModes.find((mode) => mode === wanted && mode !== 'bypassPermissions'), rules) ?? 'default';
}

/** Undefined where a settings file switches the mode off. */
export function offeredMode(mode: PermissionMode | undefined, rules: RuleSource): PermissionMode | undefined {
  return mode === 'auto' && rules.current().autoDisabled === true ? undefined : mode;
}
