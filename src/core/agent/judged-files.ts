// The files as a call may use them once it is allowed: a path that led elsewhere when it was judged is not opened.
import { type PermissionTarget } from '../permissions/verdict';
import { type FileSystem, type Path, type ReadFailure } from '../ports';

/** A folder on the way may have become a link since: reads look once more, and writes tell the host what to compare with. */
export function judgedFiles(files: FileSystem, targets: readonly PermissionTarget[]): FileSystem {
  const places = new Map<Path, Path>();
  for (const target of targets) if (target.kind === 'file') places.set(target.path, target.realPath);
  const moved = async (path: Path): Promise<ReadFailure | undefined> => {
    const place = places.get(path);
    if (place === undefined) return undefined;
    const now = await files.realPath(path);
    if (now === place) return undefined;
    const message = `${path} now leads to ${now}, which is not where it led when this call was allowed. It was not opened; tell the user.`;
    return { outcome: 'refused', code: 'failed', message };
  };
  return {
    ...files,
    readBytes: async (path, maxBytes) => (await moved(path)) ?? files.readBytes(path, maxBytes),
    readText: async (path, maxBytes) => (await moved(path)) ?? files.readText(path, maxBytes),
    writeText: (change) => {
      const place = places.get(change.path);
      return files.writeText(place === undefined ? change : { ...change, realPath: place });
    },
  };
}
