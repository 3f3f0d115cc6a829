// All files below a folder, as one name by which the host is asked for them: what a search of the line may print.

/** No absolute path, as the globs are that the host is asked for in the same way. */
export function listingKey(names: string, folder: string): string {
  return `${names} below ${folder}`;
}

export function isListing(pattern: string): boolean {
  return readListing(pattern) !== undefined;
}

export function readListing(pattern: string): { ending: string; folder: string } | undefined {
  const [, ending, folder] = /^\*([\w.]*) below (\/.*)$/s.exec(pattern) ?? [];
  return ending === undefined || folder === undefined ? undefined : { ending, folder };
}
