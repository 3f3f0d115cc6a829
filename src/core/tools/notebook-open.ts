// Opens a notebook for Read and NotebookEdit: as an editor has it where it is unsaved there, else from the disk.
import { type Path, type ReadFailure, type TextFile } from '../ports';
import { type ToolContext } from '../tool/tool';

/** Bytes; outputs make notebooks long. */
const MAX_NOTEBOOK_BYTES = 100 * 1024 * 1024;

export async function openNotebookText(
  path: Path,
  { ports }: Pick<ToolContext, 'ports'>,
): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure> {
  const held = await ports.notebooks?.unsaved(path);
  if (held === undefined) return ports.files.readText(path, MAX_NOTEBOOK_BYTES);
  return held;
}
