// What Edit and Write do alike around their proposals: show it first, write what was accepted, and remember that the model knows it.
import { editedSnippet, snippetLines } from '../../edits/diff-view';
import { countLines } from '../../edits/text-lines';
import { type FileProposal } from '../../ports/approver';
import {
  type AppliedChange,
  applyChange,
  type ChangeOutput,
  changeDetail,
  changeView,
  MAX_SNIPPET_LINES,
  previewOf,
  unknownHunks,
} from './file-change';
import { type LineRange, type ReadState } from '../../sessions/read-state';
import { isFailure, type Tool, type ToolContext, type ToolFailure } from '../../tool/tool';
import { allBut, movedUnseen, noLines } from '../../sessions/unseen-lines';

type Steps<Input, Output> = Pick<Tool<Input, Output>, 'access' | 'preview' | 'call' | 'view' | 'detail'>;

/** `own` is what a tool's result says in addition to the change. */
export function changeSteps<Input, Own extends object>(
  propose: (input: Input, context: ToolContext) => Promise<FileProposal | ToolFailure>,
  own: (applied: AppliedChange, input: Input) => Own,
  /** What was accepted still counts where the file has changed elsewhere. */
  moves = false,
): Steps<Input, ChangeOutput & { snippet?: string | undefined } & Own> {
  return {
    access: 'WorkspaceWrite',
    preview: async (input, context) => {
      const proposal = await propose(input, context);
      return isFailure(proposal) ? proposal : previewOf(proposal);
    },
    call: async (input, context) => {
      const applied = await applyChange(context, () => propose(input, context), moves);
      if (isFailure(applied)) return applied;
      const unknown = unknownHunks(applied);
      const snippet = editedSnippet(unknown, MAX_SNIPPET_LINES);
      const seen = snippetLines(unknown, MAX_SNIPPET_LINES);
      if (applied.stale) applied.output.unseen = allBut(seen, countLines(applied.file.text));
      rememberChange(applied, seen, context.session.readState);
      return {
        data: { ...applied.output, ...(snippet === '' ? {} : { snippet }), ...own(applied, input) },
        forHooks: () => ({ originalFile: applied.before, content: applied.file.text }),
      };
    },
    view: changeView,
    detail: changeDetail,
  };
}

/**
 * The new hash, with the lines that the result shows as those seen: the file counts as read, yet a Read of all of it
 * still answers with its text. Lines that it had not seen before an edit stay unseen; all others are so where the file
 * had changed since it was read.
 */
function rememberChange(
  { output, file, diff }: AppliedChange,
  shown: readonly LineRange[],
  readState: ReadState,
): void {
  const before = output.created ? [] : (readState.get(output.filePath)?.unseen ?? []);
  const unseen = output.unseen ?? movedUnseen(before, diff.hunks);
  const [range = noLines, ...more] = shown;
  readState.set(output.filePath, {
    hash: file.hash,
    range: more.length === 0 ? range : noLines,
    ...(unseen.length > 0 ? { unseen } : {}),
  });
  readState.keep(file);
}
