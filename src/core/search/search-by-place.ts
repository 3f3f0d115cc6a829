// One Search of two: some folders of a window are on the disk, others are not.
import { type Path } from '../ports/path';
import { type Search } from '../ports/search';

export function searchByPlace(isOnDisk: (path: Path) => boolean, disk: Search, other: Search): Search {
  const of = (path: Path): Search => (isOnDisk(path) ? disk : other);
  return {
    grep: (query, signal) => of(query.path).grep(query, signal),
    glob: (query, signal) => of(query.path).glob(query, signal),
  };
}
