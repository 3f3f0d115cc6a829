// A model that an agent, a skill or a hook names, as far as settings let it be used.
import { type SessionAccess } from './session-feature';

/** Undefined where none is named, or where it may not be used: then the session's own takes its place. `who` is for the log. */
export function usableModel(
  named: string | undefined,
  { settings, ports }: Pick<SessionAccess, 'settings' | 'ports'>,
  who: string,
): string | undefined {
  if (named === undefined || settings.choices.mayUse?.(named) !== false) return named;
  ports.log.warn(`${who} does not run on ${named}: \`availableModels\` does not allow it.`);
  return undefined;
}
