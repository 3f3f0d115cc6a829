// What the model reads after Edit and Write: the fixed sentences, the lines as they are now, and what else matters.
import { inlineReminder } from '../../text/system-reminder';
import { type ChangeOutput } from './file-change';

export const USER_MODIFIED = 'The user modified your proposed changes before accepting them.';

/** Ranges of changed lines that a result names. */
const MAX_RANGES = 5;

/**
 * The result block's text. The model knows what it has asked for: it is told where that is now. `snippet` has the lines
 * that are not as it asked, or are around a change of a file that it did not know as it was.
 */
export function changeText(output: ChangeOutput & { snippet?: string | undefined }): string {
  const { snippet = '' } = output;
  const first = output.created ? createdSentence(output) : updatedSentence(output);
  return notesText(output, snippet === '' ? first : `${first}\nThe file now, where you do not know it:\n${snippet}`);
}

/** The first sentences, and what else matters after them. */
export function notesText({ userChanges, notes, newDiagnostics }: ChangeOutput, first: string): string {
  const problems = newDiagnostics.join('\n');
  return [
    first,
    userChanges === undefined ? '' : `What the user changed in your proposal:\n${userChanges}`,
    notes.map((note) => `Note: ${note}`).join('\n'),
    problems === '' ? '' : `<new-diagnostics>\n${problems}\n</new-diagnostics>`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function createdSentence({ filePath, userModified }: ChangeOutput): string {
  const created = `File created successfully at: ${filePath}`;
  return userModified ? `${created}\n${USER_MODIFIED}` : created;
}

function updatedSentence({ filePath, structuredPatch, added, removed, userModified }: ChangeOutput): string {
  const [only, ...others] = structuredPatch;
  if (only?.newLines === 0 && others.length === 0)
    return `The file ${filePath} has been updated. ${inlineReminder('Warning: the file is empty now.')}`;
  const places = placesText(structuredPatch);
  const where = places === '' ? '' : `: ${places} (+${added} −${removed})`;
  return `The file ${filePath} has been updated${where}.${userModified ? ` ${USER_MODIFIED}` : ''}`;
}

/** Where the changed lines of a file are now: the first few places. */
export function placesText(patch: ChangeOutput['structuredPatch']): string {
  const places = patch.slice(0, MAX_RANGES).map(placeOf).join(', ');
  return patch.length > MAX_RANGES ? `${places}, …` : places;
}

/** Where the changed lines of a hunk are now. */
function placeOf({ newStart, lines }: ChangeOutput['structuredPatch'][number]): string {
  let line = newStart;
  let start: number | undefined;
  let end = 0;
  let cut = newStart;
  for (const each of lines) {
    if (each.startsWith('+')) {
      start ??= line;
      end = line;
    }
    if (each.startsWith('-')) cut = line;
    // The remark that the last line has no ending is no line.
    else if (!each.startsWith('\\')) line++;
  }
  if (start === undefined) return cut === 1 ? 'before line 1' : `after line ${cut - 1}`;
  return start === end ? `line ${start}` : `lines ${start}–${end}`;
}
