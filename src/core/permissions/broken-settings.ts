// What a settings file that does not parse means: its deny rules are unknown, so nothing that changes things is free.
import { type PermissionContext } from './rules/verdict';

/** The reason to ask, or undefined where every settings file was read. */
export function brokenSettingsReason({ brokenSettings = [] }: PermissionContext): string | undefined {
  if (brokenSettings.length === 0) return undefined;
  const files = brokenSettings.map((file) => `\`${file}\``).join(', ');
  return `${files} cannot be read, so its deny rules are unknown: until it is mended, Deft asks for everything that is not just reading.`;
}
