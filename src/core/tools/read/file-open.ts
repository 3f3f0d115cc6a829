// Opens texts that Edit and Write are about to change, and notebooks for Read and NotebookEdit.
import { type Path } from '../../ports/path';
import { type TextFile, type ReadFailure } from '../../ports/files';
import { directoryFailure, fail, notAFileFailure, readFailure } from '../../tool/file-failure';
import { hasNotebookExtension } from './notebook';
import { parseNotebookInSlices } from './notebook-slices';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { words } from '../../text/words';

/** Bytes; larger files are refused before they are read. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** The file as it is now; `file` is undefined if there is none. Pipes and devices are never opened. */
export async function openForChange(
  path: Path,
  does: 'edited' | 'written',
  context: ToolContext,
): Promise<{ file: TextFile | undefined } | ToolFailure> {
  const { ports } = context;
  const stat = await ports.files.stat(path);
  if (stat === undefined && path.endsWith('/'))
    return fail('directory', `${path} names a folder: give the path of a file.`);
  if (stat?.type === 'directory') return directoryFailure(path, does);
  if (stat?.type === 'other') return notAFileFailure(path, does);
  // What is to be made finds out by itself. What is to be edited may be a circular link, or be in a folder that may not be entered.
  if (stat === undefined && does === 'written') return { file: undefined };
  const read = await ports.files.readText(path, MAX_TEXT_BYTES);
  if (read.outcome === 'read') return (await notebookFailure(path, read.file, context)) ?? { file: read.file };
  if (read.code === 'not_found') return { file: undefined };
  if (read.code === 'directory') return directoryFailure(path, does);
  return read.code === 'not_a_file' ? notAFileFailure(path, does) : readFailure(read);
}

/** The model has seen its cells, not its JSON, in which a text change would also lose outputs. A broken one is a text. */
async function notebookFailure(path: Path, { text }: TextFile, context: ToolContext): Promise<ToolFailure | undefined> {
  if (!hasNotebookExtension(path) || (await parseNotebookInSlices(text, context)) === undefined) return undefined;
  return fail(
    'notebook',
    words`${path} is a notebook{{NotebookEdit: : change its cells with NotebookEdit}}{{!NotebookEdit: , which is not changed as text}}.`,
  );
}

/** Bytes; outputs make notebooks long. */
const MAX_NOTEBOOK_BYTES = 100 * 1024 * 1024;

/** As an editor has it where it is unsaved there, else from the disk. */
export async function openNotebookText(
  path: Path,
  { ports }: Pick<ToolContext, 'ports'>,
): Promise<{ outcome: 'read'; file: TextFile } | ReadFailure> {
  const held = await ports.notebooks?.unsaved(path);
  if (held === undefined) return ports.files.readText(path, MAX_NOTEBOOK_BYTES);
  return held;
}
