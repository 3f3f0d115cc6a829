// The files of one plugin's folder, and nothing outside of it: neither by "..", nor by an absolute path, nor through a link.
import { isAbsolute, join } from 'pathe';
import { isInside, normalPath } from '../permissions/rules/workspace-path';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';

export type PluginDisk = Pick<FileSystem, 'stat' | 'list' | 'readText' | 'realPath'>;

/** `refused`: a sentence. */
export type Placed = { path: Path; type: 'file' | 'directory' } | { refused: string };

export interface PluginFiles extends SkillFiles {
  /** Why a path is not read; undefined where it may be. */
  outside(path: Path): Promise<string | undefined>;
  /** A path as a manifest writes it. */
  place(written: string): Promise<Placed>;
}

/** A sentence for a path that leads out of the folder; undefined for any other. */
export function leadsOut(root: Path, files: Pick<FileSystem, 'realPath'>): (path: Path) => Promise<string | undefined> {
  const real = files.realPath(root).catch(() => root);
  return async (path) => {
    const realPath = await files.realPath(path).catch(() => undefined);
    if (realPath !== undefined && isInside(realPath, await real, false)) return undefined;
    return `It is not read: it points outside the plugin's folder${realPath === undefined ? '' : `, to ${realPath}`}.`;
  };
}

export function pluginFiles(root: Path, files: PluginDisk): PluginFiles {
  const outside = leadsOut(root, files);
  const inside = async (path: Path): Promise<boolean> => (await outside(path)) === undefined;
  return {
    outside,
    async place(written) {
      const path = normalPath(join(root, written));
      if (
        written.trim() === '' ||
        isAbsolute(written) ||
        /^[A-Za-z]:|^[~\\]/.test(written) ||
        !isInside(path, root, false)
      ) {
        return {
          refused: `${JSON.stringify(written)} is not a path within the plugin: it must be relative to its folder, such as "./skills".`,
        };
      }
      const stat = await files.stat(path).catch(() => undefined);
      if (stat?.type !== 'file' && stat?.type !== 'directory')
        return { refused: `${JSON.stringify(written)} does not exist.` };
      const left = await outside(path);
      return left === undefined ? { path, type: stat.type } : { refused: `${JSON.stringify(written)}: ${left}` };
    },
    // What cannot be listed counts as missing, and so does what a link would pull in from elsewhere.
    stat: async (path) => ((await inside(path)) ? files.stat(path) : undefined),
    list: async (path) => ((await inside(path)) ? files.list(path) : []),
    async readText(path, maxBytes) {
      const left = await outside(path);
      return left === undefined
        ? files.readText(path, maxBytes)
        : { outcome: 'refused', code: 'permission', message: left };
    },
  };
}

export type SkillFiles = Pick<FileSystem, 'stat' | 'list' | 'readText'>;
