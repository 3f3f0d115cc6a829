// Compares the scripts that a project's commands name with what the user allowed, right before they run.
import { defined } from '../../shared/defined';
import { agreedWith, type HookEntry } from '../../core/hooks/hook-entry';
import { type HookConsent } from '../../core/hooks/hook-settings';
import { visible } from '../../core/settings/grant-text';
import { readHookScripts, tooLongToHash } from '../../node/hooks/hook-script-files';

export interface ScriptCheck {
  scriptsOf(entries: readonly HookEntry[], cwd?: string): Promise<Record<string, string>>;
  /** The sentence that keeps it from running, and whether that is something to ask about. */
  refuses(entry: HookEntry, cwd: string): Promise<{ message: string; changed: boolean } | undefined>;
}

export function createScriptCheck(
  consent: Pick<HookConsent, 'scripts'>,
  workspace: () => readonly string[],
): ScriptCheck {
  const scriptsOf = (entries: readonly HookEntry[], cwd?: string): Promise<Record<string, string>> => {
    const folders = workspace();
    return readHookScripts(entries, {
      project: folders[0] ?? entries[0]?.root ?? '',
      workspace: folders,
      ...defined({ cwd }),
    });
  };
  return {
    scriptsOf,
    async refuses(entry, cwd) {
      const scripts = await scriptsOf([entry], cwd);
      const tooLong = Object.keys(scripts).find((path) => scripts[path] === tooLongToHash);
      if (tooLong !== undefined)
        return {
          message: `It did not run: ${visible(tooLong)} is larger than 1 MB, too large to check before each run.`,
          changed: false,
        };
      const changed = changedSince(consent.scripts(agreedWith(entry)), scripts);
      return changed.length === 0
        ? undefined
        : { message: `It did not run: ${changed.map(visible).join(', ')} is not what you allowed.`, changed: true };
    },
  };
}

/** Paths whose file is new or has other content. */
export function changedSince(
  allowed: Readonly<Record<string, string>>,
  scripts: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(scripts).filter((path) => scripts[path] !== allowed[path] && scripts[path] !== tooLongToHash);
}
