// What only plugins and an organization may supply: `strictPluginOnlyCustomization`.
import { type SettingsValues } from './settings-keys';

/** `values`: those that count. Only plugins and the organization supply these kinds of things. */
export function pluginOnly(
  { strictPluginOnlyCustomization: locked }: Pick<SettingsValues, 'strictPluginOnlyCustomization'>,
  kind: 'skills' | 'agents' | 'hooks' | 'mcp',
): boolean {
  return locked === true || (Array.isArray(locked) && locked.includes(kind));
}
