// Where a plan is kept: a file of Deft's own, never one that is there already.
import { isAbsolute, join, normalize } from 'pathe';
import { isInside, isInsideAny } from '../permissions/rules/workspace-path';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';

export interface PlansPlace {
  /** The setting plansDirectory: absolute, below `~`, or below the workspace folder. */
  setting: string | undefined;
  home: Path;
  folders: readonly Path[];
}

/** Where nobody has set another one. The agent may read there unasked. */
export function ownPlans(home: Path): Path {
  return join(home, '.deft/plans');
}

/** A folder that is neither in the workspace nor in the user's home is not written to. */
export function plansDirectory({ setting, home, folders }: PlansPlace): Path {
  const own = ownPlans(home);
  if (setting === undefined || setting.trim() === '') return own;
  const wanted =
    setting === '~' || setting.startsWith('~/')
      ? join(home, setting.slice(1))
      : isAbsolute(setting)
        ? normalize(setting)
        : join(folders[0] ?? home, setting);
  return isInside(wanted, home, false) || isInsideAny(wanted, folders, false) ? wanted : own;
}

/** Named by the plan's first line. */
export async function newPlanFile(directory: Path, plan: string, files: Pick<FileSystem, 'stat'>): Promise<Path> {
  const title = plan.split('\n').find((line) => line.trim() !== '') ?? '';
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  const name = words === '' ? 'plan' : words;
  for (let count = 1; ; count++) {
    const file = join(directory, `${name}${count === 1 ? '' : `-${count}`}.md`);
    if ((await files.stat(file)) === undefined) return file;
  }
}
