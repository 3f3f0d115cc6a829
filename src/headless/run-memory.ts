// The memory files of a run: nobody can be asked, so what lies outside the folder stays out, with a warning.
import { createMemory } from '../core/memory/memory';
import { createMemorySource } from '../core/memory/memory-source';
import { type ContextSource } from '../core/context/context-source';
import { hiddenNow } from '../core/permissions/files/hidden-paths';
import { type PermissionContext } from '../core/permissions/rules/verdict';
import { type FileSystem } from '../core/ports/files';
import { managedFolderOf } from '../core/settings/settings-places';
import { portPath } from '../node/files/port-path';
import { personalFolder } from '../node/settings-files';
import { type SettingSource } from './command-line/run-options';
import { isRead } from './read-sources';
import { type RunSettings } from './run-settings';
import { type Secrets } from '../core/text/redact';

export interface RunMemoryOptions {
  files: FileSystem;
  settings: Pick<RunSettings, 'values'>;
  cwd: string;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  permission: () => Omit<PermissionContext, 'mode' | 'cwd'>;
  secrets: () => Secrets;
  /** Whose files are read; undefined: everybody's. */
  sources: readonly SettingSource[] | undefined;
  warn: (message: string) => void;
}

export function createRunMemory({
  files,
  settings,
  cwd,
  home,
  environment,
  permission,
  secrets,
  sources,
  warn,
}: RunMemoryOptions): ContextSource {
  const warned = new Set<string>();
  const memory = createMemory({
    files,
    home: portPath(home),
    ignoreCase: process.platform === 'darwin' || process.platform === 'win32',
    managedFolder: managedFolderOf(process.platform),
    personalFolder: portPath(personalFolder(environment, home)),
    folders: () => [portPath(cwd)],
    settings: () => ({
      agentsMd: 'whenNoClaudeMd',
      excludes: settings.values.claudeMdExcludes ?? [],
      autoMemory: settings.values.autoMemoryEnabled === true && isRead('memory', 'Auto', sources),
    }),
    reads: (type) => isRead('memory', type, sources),
    // The user started the run here.
    trusted: () => true,
    agreed: () => false,
    waiting: (outside) => {
      for (const { file, path } of outside) {
        if (warned.has(path)) continue;
        warned.add(path);
        warn(`${file} imports ${path}, which lies outside the folder of this run: it was not read.`);
      }
    },
  });
  return createMemorySource({
    memory,
    isHidden: hiddenNow(() => ({ ...permission(), mode: 'default', cwd: portPath(cwd) })),
    trusted: () => true,
    secrets,
  });
}
