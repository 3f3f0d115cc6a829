// What lies under the editor: the machine's own file system, or a virtual one behind VS Code's API.
import { type FileStat, type ReadFailure } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { type WriteRefusal } from '../../node/files/write-refusal';

/** `state` is opaque: it identifies for replace() which file was read. */
export type DiskRead = { outcome: 'read'; bytes: Uint8Array; state: unknown; stat?: FileStat } | ReadFailure;

export interface Disk {
  stat(path: Path): Promise<FileStat | undefined>;
  realPath(path: Path): Promise<Path>;
  /** Throws a DeftError for the model. */
  list(path: Path): Promise<{ name: string; type: FileStat['type'] }[]>;
  /** Opens regular files only. */
  read(path: Path, maxBytes: number): Promise<DiskRead>;
  /** Why a file of `size` bytes cannot be written there, as far as that can be determined without writing. */
  obstacle(path: Path, size: number): Promise<WriteRefusal | undefined>;
  /** Makes a file with its parents; `exists` where there is one already. */
  create(path: Path, bytes: Uint8Array): Promise<{ outcome: 'done' } | { outcome: 'exists' } | WriteRefusal>;
  /** `moved` where the file is no longer the one that was read; nothing is written then. */
  replace(
    path: Path,
    bytes: Uint8Array,
    before: DiskRead & { outcome: 'read' },
  ): Promise<{ outcome: 'done' } | { outcome: 'moved' } | WriteRefusal>;
  /** Makes the folders of `to`, and removes those that `from` leaves empty, but for `kept`; `exists` where something is there. */
  move(
    from: Path,
    to: Path,
    kept: readonly Path[],
  ): Promise<{ outcome: 'done' } | { outcome: 'exists' } | WriteRefusal>;
}

/** Larger files are refused before a change is compared with them. */
export const maxWritableBytes = 256 * 1024 * 1024;
