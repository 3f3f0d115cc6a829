// A project's `statusLine` or `fileSuggestion` as a hook: Deft runs it by itself, so what its scripts hold is agreed to as that of hooks is.
import { type HookEntry, isProjectHook } from '../hooks/hook-entry';
import { type SettingsFile } from './settings-file';

/** `files` from the highest to the lowest, without what does not count. Undefined where the one that counts is no project's. */
export function projectCommand(
  key: 'statusLine' | 'fileSuggestion',
  files: readonly Pick<SettingsFile, 'source' | 'file' | 'root' | 'values'>[],
): HookEntry | undefined {
  const found = files.find(({ values }) => values[key] !== undefined);
  const command = found?.values[key]?.command;
  if (found === undefined || command === undefined || !isProjectHook(found)) return undefined;
  const { source, file, root } = found;
  return {
    event: 'SessionStart',
    label: key,
    matcher: '',
    handler: { type: 'command', command },
    source,
    file,
    root,
    owner: file,
  };
}
