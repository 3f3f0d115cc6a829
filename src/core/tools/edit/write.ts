// Write: makes a file, or gives a file that the model has read a whole new text.
import { z } from 'zod/v3';
import { keepLineEndings } from '../../edits/line-endings';
import { isShownWhole, MAX_LINE_LENGTH } from '../../edits/number-lines';
import { splitLines } from '../../edits/text-lines';
import { type FileProposal } from '../../ports/approver';
import { type Path } from '../../ports/path';
import { type TextFile } from '../../ports/files';
import { buildTool, promptOf } from '../../tool/build-tool';
import { writeForHooks } from './change-for-hooks';
import { changeSteps } from './change-steps';
import { MAX_ORIGINAL } from './file-change';
import { changeText } from './file-change-text';
import { fail } from '../../tool/file-failure';
import { openForChange } from '../read/file-open';
import { checkFilePath, filePath, noSuchDrive } from '../files/file-path';
import { isShownAlone } from '../read/read-page';
import { type LineRange } from '../../sessions/read-state';
import { marksSecret } from '../../tool/secret-places';
import { withTagsOf } from '../../text/system-reminder';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import prompt from './write.md';
import { type WriteOutput, writeOutputSchema } from './write-output';
import { words } from '../../text/words';

const inputSchema = z.strictObject({
  file_path: z.string().describe('The absolute path of the file to write'),
  content: z.string().describe('The whole new content of the file'),
});
export type WriteInput = z.infer<typeof inputSchema>;

export const writeTool = buildTool<WriteInput, WriteOutput>({
  name: 'Write',
  aliases: ['write_file', 'FileWriteTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: writeOutputSchema,
  strict: true,
  hookOutput: writeForHooks,
  liveInput: { path: 'file_path', added: 'content' },
  targets: (input, cwd) => [{ kind: 'file', access: 'write', path: filePath(input.file_path, cwd) }],
  describe: ({ file_path }) => ({ now: `Writing ${file_path}`, past: `Wrote ${file_path}` }),
  validateInput: async ({ file_path }, { session }) => checkFilePath(file_path, session),
  ...changeSteps(propose, ({ output: { created }, file: { text } }) => ({
    type: created ? ('create' as const) : ('update' as const),
    ...(text.length <= MAX_ORIGINAL ? { content: text } : {}),
  })),
  content: changeText,
});

async function propose(input: WriteInput, context: ToolContext): Promise<FileProposal | ToolFailure> {
  const path = filePath(input.file_path, context.session.cwd);
  const opened = await openForChange(path, 'written', context);
  if (isFailure(opened)) return opened;
  const base = opened.file;
  if (base === undefined) return noSuchDrive(path, context.session) ?? { path, base, text: input.content };
  const seen = context.session.readState.get(path);
  if (seen === undefined && context.session.writesUnread?.() === true)
    return proposeUpdate(path, base, input.content, context);
  if (seen === undefined) {
    const advice = 'Read it first so that nothing in it is lost unseen, then write it.';
    return fail('not-read', `${path} exists and has not been read yet. ${advice}`);
  }
  if (seen.hash !== base.hash) {
    const advice = 'Read it again before you replace it.';
    return fail('changed', `${path} has changed since you read it; nothing was written. ${advice}`);
  }
  return partlyRead(path, base.text, seen.unseen ?? []) ?? proposeUpdate(path, base, input.content, context);
}

function partlyRead(path: Path, text: string, unseen: readonly LineRange[]): ToolFailure | undefined {
  const lines = unseen.length === 0 ? [] : splitLines(text);
  const [first] = unseen.filter(({ start }) => start <= lines.length);
  if (first === undefined) return undefined;
  const firstOf = (is: (line: string) => boolean): number | undefined =>
    unseen.flatMap(({ start, end }) => {
      const index = lines.slice(start - 1, end).findIndex(is);
      return index === -1 ? [] : [start + index];
    })[0];
  const next = firstOf(isShownWhole);
  const lost = 'so that nothing is lost unseen';
  if (next === undefined) {
    const never = firstOf((line) => !isShownAlone(line));
    const line = never ?? first.start;
    const how = (lines[line - 1] ?? '').length > MAX_LINE_LENGTH ? 'cut' : 'with its control characters escaped';
    const advice =
      never === undefined
        ? `Read line ${line} alone first (offset ${line}, limit 1)`
        : words`{{Edit: Change parts of it with Edit}}{{!Edit: Do not write it}}`;
    return fail(
      'partly-read',
      words`You were shown line ${line} of ${path} ${how}, so you have not seen all of the file: nothing was written. ${advice}, ${lost}.`,
    );
  }
  return fail(
    'partly-read',
    words`You have read only part of ${path}: nothing was written. Read the rest first (from offset ${next}), ${lost}{{Edit: , or change a part with Edit}}.`,
  );
}

function proposeUpdate(path: Path, base: TextFile, content: string, context: ToolContext): FileProposal | ToolFailure {
  // The byte order mark is part of the encoding, which the file keeps.
  const text = base.encoding !== 'utf8' && content.startsWith('\uFEFF') ? content.slice(1) : content;
  const mark = marksSecret(text, base.text, context.redacted?.(base.text) ?? base.text);
  if (mark !== undefined)
    return fail(
      'redacted',
      words`content has ${mark}, a placeholder for a secret in ${path} that you have not been shown: nothing was written.{{Edit:  Change the other parts with Edit to keep the secret.}}`,
    );
  // Line feeds alone are what models write by habit; carriage returns are meant.
  const written = withTagsOf(base.text, text);
  const kept = written.includes('\r') ? written : keepLineEndings(base.text, written);
  if (kept === base.text) return fail('same-text', `${path} already has exactly this text; nothing was written.`);
  return { path, base, text: kept };
}
