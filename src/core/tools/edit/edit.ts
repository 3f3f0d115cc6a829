// Edit: replaces one exact text in a file that the model has read.
import { z } from 'zod/v3';
import { withoutLineNumbers } from '../../edits/line-numbers';
import { findText } from '../../edits/find-text';
import { explainNotFound } from '../../edits/nearest-text';
import { COUNT_LIMIT, replaceText } from '../../edits/replace-text';
import { type FileProposal } from '../../ports/approver';
import { type Path } from '../../ports/path';
import { type TextFile } from '../../ports/files';
import { buildTool, promptOf } from '../../tool/build-tool';
import { editForHooks } from './change-for-hooks';
import { changeSteps } from './change-steps';
import prompt from './edit.md';
import { editOutputSchema, type EditOutput } from './edit-output';
import { changeText } from './file-change-text';
import { renameHint } from './rename-hint';
import { fail } from '../../tool/file-failure';
import { missingFile } from '../files/file-missing';
import { openForChange } from '../read/file-open';
import { checkFilePath, filePath, noSuchDrive } from '../files/file-path';
import { originalText, withTagsOf } from '../../text/system-reminder';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { type Words, words } from '../../text/words';

const ONLY_ENDINGS = 'old_string and new_string differ only in line endings, and the file keeps its own.';

const inputSchema = z.strictObject({
  file_path: z.string().describe('The absolute path of the file to change'),
  old_string: z.string().describe('The exact text to replace; empty to create a file'),
  new_string: z.string().describe('The replacement text'),
  replace_all: z.boolean().optional().describe('Replace every occurrence of old_string (default false)'),
});
export type EditInput = z.infer<typeof inputSchema>;

const steps = changeSteps(
  propose,
  (_applied, { old_string, new_string, replace_all = false }: EditInput) => ({
    oldString: old_string,
    newString: new_string,
    replaceAll: replace_all,
  }),
  true,
);

export const editTool = buildTool<EditInput, EditOutput>({
  name: 'Edit',
  aliases: ['edit_file', 'FileEditTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: editOutputSchema,
  strict: true,
  hookOutput: editForHooks,
  liveInput: { path: 'file_path', removed: 'old_string', added: 'new_string' },
  targets: (input, cwd) => [{ kind: 'file', access: 'write', path: filePath(input.file_path, cwd) }],
  describe: ({ file_path }) => ({ now: `Editing ${file_path}`, past: `Edited ${file_path}` }),
  validateInput: async ({ file_path, old_string, new_string }, { session }) => {
    if (old_string === new_string) {
      const message = 'old_string and new_string are the same: there is nothing to change.';
      return { ok: false, code: 'same-text', message };
    }
    return checkFilePath(file_path, session);
  },
  ...steps,
  call: async (input, context) => {
    const result = await steps.call(input, context);
    const hint = isFailure(result) ? undefined : await renameHint(input, context);
    if (!isFailure(result) && hint !== undefined) result.data.notes.push(hint);
    return result;
  },
  content: changeText,
});

async function propose(input: EditInput, context: ToolContext): Promise<FileProposal | ToolFailure> {
  const path = filePath(input.file_path, context.session.cwd);
  const opened = await openForChange(path, 'edited', context);
  if (isFailure(opened)) return opened;
  const base = opened.file;
  if (input.old_string === '')
    return (
      (base === undefined ? noSuchDrive(path, context.session) : undefined) ??
      proposeCreation(path, base, input.new_string)
    );
  if (base === undefined) return missingFile(path, context.ports.files, context.session);
  const seen = context.session.readState.get(path);
  if (seen === undefined) {
    const advice = 'Read it first (the part that you want to change is enough), then edit it.';
    return fail('not-read', `${path} has not been read yet. ${advice}`);
  }
  const meant = asInFile(base, input);
  return isFailure(meant) ? meant : proposeReplacement(base, meant, seen.hash !== base.hash);
}

/** The model is shown tags of reminders with a backslash: where it gives them so, those of the file are meant. */
function asInFile(base: TextFile, input: EditInput): EditInput | ToolFailure {
  const { old_string, new_string } = input;
  const holds = (text: string): boolean => findText(base.text, text, 1).length > 0;
  const original = originalText(old_string);
  if (original === old_string || (holds(old_string) && !holds(original)))
    return { ...input, new_string: withTagsOf(base.text, new_string) };
  if (!holds(old_string)) return { ...input, old_string: original, new_string: originalText(new_string) };
  const both = 'with and without the backslash, which you are shown alike';
  const advice = 'Add surrounding lines until it matches one place.';
  return fail('not-unique', `old_string occurs in ${base.path} ${both}; nothing was changed. ${advice}`);
}

function proposeCreation(path: Path, base: TextFile | undefined, text: string): FileProposal | ToolFailure {
  if (base === undefined || base.text === '') return { path, base, text };
  const advice = 'Read it and give the exact text to replace.';
  return fail('exists', `${path} exists and is not empty, so an empty old_string cannot create it. ${advice}`);
}

function proposeReplacement(base: TextFile, input: EditInput, changed: boolean): FileProposal | ToolFailure {
  const result = replaceText(base.text, input.old_string, input.new_string, input.replace_all ?? false);
  const since = changed ? ' The file has changed since you read it: read it again.' : '';
  switch (result.outcome) {
    case 'replaced':
      if (changed && result.count > 1) {
        const now = `old_string now occurs ${result.count} times`;
        const advice = 'Read it again before you replace them all.';
        return fail('changed', `${base.path} has changed since you read it, and ${now}. ${advice}`);
      }
      return { path: base.path, base, text: result.text };
    case 'same':
      return fail('same-text', `The edit would leave ${base.path} unchanged: ${ONLY_ENDINGS}`);
    case 'not_unique':
      return fail('not-unique', `${notUnique(base.path, result.count, result.lines)}${since}`);
    case 'not_found': {
      const bare =
        input.replace_all === true ? undefined : withoutLineNumbers(base.text, input.old_string, input.new_string);
      if (bare !== undefined)
        return proposeReplacement(base, { ...input, old_string: bare.oldText, new_string: bare.newText }, changed);
      const missing = `old_string was not found in ${base.path}; nothing was changed.`;
      return fail('not-found-in-file', words`${missing} ${whyNotFound(base.text, input, changed)}`);
    }
  }
}

function notUnique(path: Path, count: number, lines: number[]): string {
  const places = `${[...new Set(lines)].join(', ')}${count > lines.length ? ', …' : ''}`;
  const times = count >= COUNT_LIMIT ? `${count} times or more` : `${count} times`;
  const found = `old_string is not unique: it occurs ${times} in ${path} (lines ${places}); nothing was changed.`;
  return `${found} Add surrounding lines until it matches one place, or set replace_all.`;
}

function whyNotFound(text: string, input: EditInput, changed: boolean): Words {
  if (text === '') return 'The file is empty: use an empty old_string to fill it.';
  const nearest = explainNotFound(text, input.old_string);
  const applied =
    input.new_string.length >= 8 && replaceText(text, input.new_string, '', false).outcome === 'replaced'
      ? ' new_string is already in the file: the edit may have been made before.'
      : '';
  const since = changed ? ' The file has changed since you read it: read it again.' : '';
  const nothing = words`Nothing in the file is similar: read it again{{Grep: , or find the text with Grep}}.`;
  return words`${nearest ?? nothing}${applied}${since}`;
}
