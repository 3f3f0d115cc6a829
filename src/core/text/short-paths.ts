// Paths of the workspace as users see them: without the path to its folders.

export interface NamedFolder {
  name: string;
  path: string;
}

/** "src/a.ts" instead of "/home/me/project/src/a.ts"; with several folders, the folder's name stays. */
export function shortPaths(text: string, folders: readonly NamedFolder[]): string {
  return folders.reduce(
    (short, { name, path }) => short.replaceAll(`${path}/`, folders.length > 1 ? `${name}/` : ''),
    text,
  );
}

export function namedFolders(paths: readonly string[]): NamedFolder[] {
  return paths.map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1), path }));
}
