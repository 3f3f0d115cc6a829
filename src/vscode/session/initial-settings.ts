// The model and the mode that a new session begins with.
import { type ProviderId } from '../../core/wire/model-capabilities';
import { allowedModel, refusedModel } from '../../core/model/available-models';
import { resolveModelName } from '../../core/model/model-name';
import { defaultModel } from '../../core/model/models';
import { usualVscodeModel } from '../../core/model/vscode-models';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { readConfiguration } from '../host/configuration';
import { type RuleSource } from './rule-source';
import { variablesNow } from './variables-now';

/** The newest Opus that the account lists, kept for the next window. */
export const listedModelKey = 'deft.listedModel';

/** What users get who have named no model; undefined: the default. */
export function listedModel(
  provider: ProviderId,
  kept: { get<Value>(key: string): Value | undefined },
): string | undefined {
  return provider === 'vscode' ? usualVscodeModel : kept.get<string>(listedModelKey);
}

/** For a session whose model its provider does not have. */
export function usualModel(listed: string | undefined): string {
  return listed || defaultModel;
}

/** The mode that the user picked last, by workspace: who trusts one project to be edited at once may not trust another. */
export const lastModeKey = 'deft.lastMode';

/** Manual, Edit and Auto are kept; plan and bypass are chosen anew each time. */
export function isKeptMode(mode: PermissionMode): boolean {
  return mode === 'default' || mode === 'acceptEdits' || mode === 'auto';
}

/** The setting, the settings files, the environment, the newest Opus that the account was last seen to list, the default. */
export function initialModel(rules: RuleSource, listed?: string): string {
  const environment = variablesNow(rules);
  const named = namedModel(rules, environment);
  const wanted = named ? resolveModelName(named, environment) : usualModel(listed);
  return allowedModel(wanted, rules.values().availableModels, [listed, defaultModel], environment);
}

/** Why the model that is named in settings or environment is not used; undefined where it is. */
export function refusedInitialModel(rules: Pick<RuleSource, 'values' | 'environment'>): string | undefined {
  const environment = variablesNow(rules);
  const named = namedModel(rules, environment);
  return named
    ? refusedModel(resolveModelName(named, environment), rules.values().availableModels, environment)
    : undefined;
}

function namedModel(
  rules: Pick<RuleSource, 'values'>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return readConfiguration().model || rules.values().model || environment['ANTHROPIC_MODEL'];
}

/**
 * Deft's own setting, then what was picked last, then the user's settings files; never the project's. No session begins
 * in the mode that asks for nothing, whatever a file says: that one is offered by a setting and confirmed each time.
 */
export function initialMode(rules: RuleSource, lastMode: PermissionMode | undefined): PermissionMode {
  const wanted = readConfiguration().initialPermissionMode ?? lastMode ?? rules.defaultMode();
  return (
    offeredMode(
      permissionModes.find((mode) => mode === wanted && mode !== 'bypassPermissions'),
      rules,
    ) ?? 'default'
  );
}

/** Undefined where a settings file switches the mode off. */
export function offeredMode(mode: PermissionMode | undefined, rules: RuleSource): PermissionMode | undefined {
  return mode === 'auto' && rules.current().autoDisabled === true ? undefined : mode;
}
