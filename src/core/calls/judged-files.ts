// The files and open notebooks as a call may use them once it is allowed: a path that led elsewhere when it was judged is not opened.
import { type PermissionTarget } from '../permissions/rules/verdict';
import { type FileSystem, type ReadFailure } from '../ports/files';
import { type Notebooks } from '../ports/notebooks';
import { type Path } from '../ports/path';

/** A folder on the way may have become a link since: reads check once more, and writes pass the host what to compare with. */
export function judgedFiles(files: FileSystem, targets: readonly PermissionTarget[]): FileSystem {
  const places = placesOf(targets);
  const { move } = files;
  const moved = async (path: Path): Promise<ReadFailure | undefined> => {
    const place = places.get(path);
    if (place === undefined) return undefined;
    const now = await files.realPath(path);
    if (now === place) return undefined;
    const message = `${path} now points to ${now}, which is not what was approved. It was not opened; tell the user.`;
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
    ...(move && {
      move: (change) => {
        const [from, to] = [places.get(change.from), places.get(change.to)];
        return move(from === undefined || to === undefined ? change : { ...change, realPaths: { from, to } });
      },
    }),
  };
}

/** An editor has the notebook by its name, and saves it to wherever that leads. */
export function judgedNotebooks(notebooks: Notebooks, targets: readonly PermissionTarget[]): Notebooks {
  const places = placesOf(targets);
  return {
    ...notebooks,
    write: (change) => {
      const place = places.get(change.path);
      return notebooks.write(place === undefined ? change : { ...change, realPath: place });
    },
  };
}

function placesOf(targets: readonly PermissionTarget[]): Map<Path, Path> {
  return new Map(
    targets.flatMap((target) => (target.kind === 'file' ? [[target.path, target.realPath] as const] : [])),
  );
}
