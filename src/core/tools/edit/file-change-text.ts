// What the model reads after Edit and Write: the fixed sentences, the lines as they are now, and what else matters.
import { inlineReminder } from '../../text/system-reminder';
import { type ChangeOutput } from './file-change';

export const USER_MODIFIED = 'The user modified your proposed changes before accepting them.';

/** The result block's text. `body` follows the sentence that the file has been updated. */
export function changeText(output: ChangeOutput, body: string): string {
  return notesText(
    output,
    output.created
      ? createdSentence(output)
      : [`The file ${output.filePath} has been updated${modifiedSentence(output)}`, body].join(' ').trimEnd(),
  );
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

/** Introduces numbered lines. */
export function snippetBody(snippet: string): string {
  const lines = snippet === '' ? inlineReminder('Warning: the file is empty now.') : snippet;
  return `Here's the result of running \`cat -n\` on a snippet of the edited file:\n${lines}`;
}

function createdSentence({ filePath, userModified }: ChangeOutput): string {
  const created = `File created successfully at: ${filePath}`;
  return userModified ? `${created}\n${USER_MODIFIED}` : created;
}

function modifiedSentence({ userModified }: ChangeOutput): string {
  return userModified ? `.  ${USER_MODIFIED}` : '.';
}
