// File refusals as failures that say what the model should do next.
import { type ChangedBy, type ReadFailure, type TextFile, type WriteOutcome } from '../ports/files';
import { type Words, words } from '../text/words';
import { type ToolFailure } from './tool';

export function fail(code: string, message: Words): ToolFailure {
  return { failure: { code, message } };
}

const AFTER_READ_FAILURE: Partial<Record<ReadFailure['code'], Words>> = {
  too_large: words`{{Grep: Search it with Grep. }}{{Bash: Read parts of it with Bash (head, tail, sed -n).}}`,
  binary: words`Only text can be read and edited.{{Bash:  Use Bash for other files (file, strings, xxd).}}`,
  encoding: words`{{Bash: View its text with \`iconv -f WINDOWS-1252 -t UTF-8\` in Bash. }}Ask the user before you convert the file.`,
  permission: 'Ask the user for access; do not work around it.',
};

/** `not_found`, `directory` and `not_a_file` have callers with better words; here they keep the host's. */
export function readFailure({ code, message }: ReadFailure): ToolFailure {
  return fail(kebab(code), sentences(message, AFTER_READ_FAILURE[code]));
}

export function directoryFailure(path: string, does: 'read' | 'edited' | 'written'): ToolFailure {
  const list = words`{{Glob: List it with Glob.}}{{!Glob, Bash: List it with \`ls\` in Bash.}}`;
  return fail(
    'directory',
    words`${path} is a folder, so it cannot be ${does}. ${does === 'read' ? list : 'Give the path of a file.'}`,
  );
}

export function notAFileFailure(path: string, does: 'read' | 'edited' | 'written'): ToolFailure {
  return fail('not-a-file', `${path} is a device, pipe or socket, so it cannot be ${does}. It was not opened.`);
}

type WriteRefusal = Extract<WriteOutcome, { outcome: 'refused' }>;

const AFTER_WRITE_REFUSAL: Record<WriteRefusal['code'], string> = {
  readonly: 'The file is unchanged. Do not work around it; tell the user that it is read-only.',
  no_space: 'The file is unchanged. Tell the user that the disk is full.',
  permission: 'The file is unchanged. Do not work around it; ask the user for access.',
  encoding: 'The file is unchanged. Use only characters that its encoding supports, or ask the user to convert it.',
  not_a_file: 'Nothing was written. Give the path of a regular file.',
  moved: 'Nothing was written. Tell the user that a link was replaced during the change.',
  unsaved: 'The file is unchanged. Ask the user to save or revert it in the editor, then read it again.',
  untrusted: 'Nothing was written. The user has to trust the workspace first.',
  failed: 'Read the file again before you continue.',
};

export function writeFailure({ code, message }: WriteRefusal): ToolFailure {
  return fail(`write-${kebab(code)}`, sentences(message, AFTER_WRITE_REFUSAL[code]));
}

/** Somebody changed, made or removed the file between the proposal and the write. */
export function changedFailure(
  path: string,
  base: TextFile | undefined,
  { current, by }: Omit<Extract<WriteOutcome, { outcome: 'changed' }>, 'outcome'>,
): ToolFailure {
  const written = `was ${base === undefined ? 'created' : 'changed'} by ${whose(by)}`;
  const what = current === undefined ? 'was removed' : written;
  const advice =
    current === undefined
      ? words`Check{{Glob:  with Glob}} before you continue.`
      : 'Read it again and redo the change.';
  return fail('changed', words`${path} ${what} while this change was waiting; nothing was written. ${advice}`);
}

function whose(by: ChangedBy | undefined): string {
  if (by === undefined) return 'another process';
  return by === 'this session' ? 'another call of this session' : `another chat of this window, “${by.chat}”,`;
}

function sentences(message: string, next: Words | undefined): Words {
  const first = /[.!?]$/.test(message) ? message : `${message}.`;
  return next === undefined ? first : words`${first} ${next}`;
}

function kebab(code: string): string {
  return code.replaceAll('_', '-');
}
