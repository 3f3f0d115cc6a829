// Reads the source lines that answers of language servers point at; files outside the workspace are left alone.
import { type FileSystem } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { type CodeLocation, type CodePosition } from '../../core/ports/languages';
import { shortened } from '../../shared/cut-text';
import { folderOf } from '../host/uri-path';

/** Bytes; of larger files no lines are shown. */
const maxBytes = 5 * 1024 * 1024;
/** Minified code has lines without end. */
const maxLineChars = 200;

export interface LineReader {
  located(place: CodePosition): Promise<CodeLocation>;
  /** Unsaved text where an editor holds the file; undefined where it may not or cannot be read. */
  text(path: Path): Promise<string | undefined>;
}

/** For one answer. `allowed` is the file that the question was about, wherever it lies. */
export function createLineReader(
  files: Pick<FileSystem, 'readText' | 'realPath'>,
  allowed: Path | undefined,
  hidden: (path: Path) => boolean,
): LineReader {
  const texts = new Map<Path, Promise<string | undefined>>();
  const read = async (path: Path): Promise<string | undefined> => {
    if (hidden(path) || (path !== allowed && folderOf(path) === undefined)) return undefined;
    // A link of the workspace may lead out of it.
    const place = await files.realPath(path);
    if (place !== path && path !== allowed && (hidden(place) || folderOf(place) === undefined)) return undefined;
    const outcome = await files.readText(path, maxBytes);
    return outcome.outcome === 'read' ? outcome.file.text : undefined;
  };
  const text = (path: Path): Promise<string | undefined> => {
    const known = texts.get(path) ?? read(path);
    texts.set(path, known);
    return known;
  };
  const rows = new Map<Path, string[]>();
  return {
    text,
    async located(place) {
      const whole = await text(place.path);
      if (whole === undefined) return { ...place, text: '' };
      const own = rows.get(place.path) ?? whole.split(/\r\n|\r|\n/);
      rows.set(place.path, own);
      const line = (own[place.line - 1] ?? '').trim();
      return { ...place, text: shortened(line, maxLineChars) };
    },
  };
}
