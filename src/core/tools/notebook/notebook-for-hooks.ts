// A changed notebook cell as hooks see it, and as they may replace what the model is told about it.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { diffTexts } from '../../edits/diff-hunks';
import { capHunks } from '../../edits/diff-view';
import { hookOutput, withName } from '../../tool/hook-output';
import { isSameJson } from '../../text/same-json';
import { MAX_PATCH_LINES } from '../edit/file-change';
import { type NotebookEditOutput } from './notebook-output';

const given = z.object({
  new_source: z.string(),
  notebook_path: z.string(),
  old_source: z.string().nullish(),
  cell_id: z.string().nullish(),
  cell_type: z.string().nullish(),
  original_file: z.string().nullish(),
  updated_file: z.string().nullish(),
  /** What no other agent has: the user's own changes and the problems that the editor reports. */
  userChanges: z.string().nullish(),
  newDiagnostics: z.array(z.string()).nullish(),
});

export const notebookForHooks = hookOutput<unknown, NotebookEditOutput, z.infer<typeof given>>({
  shape: given,
  show: ({ data, forHooks }) => ({
    ...forHooks?.(),
    cell_id: data.cellId,
    cell_type: data.cellType,
    edit_mode: data.editMode,
    notebook_path: data.filePath,
    ...defined({ userChanges: data.userChanges }),
    ...(data.newDiagnostics.length === 0 ? {} : { newDiagnostics: data.newDiagnostics }),
  }),
  read(changed, { data }, shown) {
    const { userChanges: _, ...own } = data;
    const { new_source, old_source, notebook_path, cell_id, cell_type, userChanges, newDiagnostics } = changed;
    const texts = ['new_source', 'old_source', 'original_file', 'updated_file'] as const;
    const isSame = texts.every((name) => isSameJson(changed[name] ?? undefined, shown[name] ?? undefined));
    return {
      data: {
        ...own,
        filePath: notebook_path,
        structuredPatch: isSame
          ? own.structuredPatch
          : capHunks(diffTexts(old_source ?? '', new_source).hunks, MAX_PATCH_LINES).hunks,
        notes: own.notes.map((note) => withName(note, own.filePath, notebook_path)),
        newDiagnostics: newDiagnostics ?? [],
        cellId: cell_id ?? own.cellId,
        cellType: cell_type ?? own.cellType,
        ...defined({ userChanges: userChanges ?? undefined }),
      },
    };
  },
});
