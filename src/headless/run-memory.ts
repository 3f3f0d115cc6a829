// The memory files of a run: nobody can be asked, so what lies outside the folder stays out, with a warning.
import { createMemory } from '../core/memory/memory';
import { type MemoryType } from '../core/memory/memory-entry';
import { createMemorySource } from '../core/memory/memory-source';
import { type ContextSource } from '../core/context/context-source';
import { hiddenNow } from '../core/permissions/files/hidden-paths';
import { type PermissionContext } from '../core/permissions/rules/verdict';
import { type FileSystem } from '../core/ports/files';
import { managedFolderOf } from '../core/settings/settings-places';
import { portPath } from '../node/files/port-path';
import { personalFolder } from '../node/settings-files';
import { type SettingSource } from './command-line/run-options';
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
      autoMemory: settings.values.autoMemoryEnabled === true && (sources === undefined || sources.includes('user')),
    }),
    ...(sources === undefined ? {} : { reads: (type) => isReadMemory(type, sources) }),
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

function isReadMemory(type: MemoryType, sources: readonly SettingSource[]): boolean {
  const source = { Managed: undefined, User: 'user', Auto: 'user', Project: 'project', Local: 'local' } as const;
  const named = source[type];
  return named === undefined || sources.includes(named);
}
