// A changed file as hooks see it, and as they may replace what the model is told about it. The file stays as it is.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { type HookedResult, hookOutput, textForHooks, withName } from '../../tool/hook-output';
import { isSameJson } from '../../text/same-json';
import { type EditOutput } from './edit-output';
import { type ChangeOutput, hunkSchema, MAX_ORIGINAL } from './file-change';
import { gitDiffSchema } from './git-diff';
import { type WriteOutput } from './write-output';

const changeGiven = {
  filePath: z.string(),
  originalFile: z.string().nullish(),
  structuredPatch: z.array(hunkSchema).nullish(),
  userModified: z.boolean().nullish(),
  gitDiff: gitDiffSchema.nullish(),
  /** What no other agent has: the user's own changes and the problems that the editor reports. */
  userChanges: z.string().nullish(),
  newDiagnostics: z.array(z.string()).nullish(),
};
type ChangeGiven = z.infer<z.ZodObject<typeof changeGiven>>;

const editGiven = z.object({
  ...changeGiven,
  oldString: z.string(),
  newString: z.string(),
  replaceAll: z.boolean().nullish(),
});
const writeGiven = z.object({ ...changeGiven, content: z.string() });

export const editForHooks = hookOutput<unknown, EditOutput, z.infer<typeof editGiven>>({
  shape: editGiven,
  show(result) {
    const { filePath, oldString, newString, replaceAll } = result.data;
    return { filePath, oldString, newString, ...shownChange(result), replaceAll };
  },
  read(given, { data }, shown) {
    const { snippet, ...own } = withoutTexts(data);
    const { oldString, newString, replaceAll } = given;
    return {
      data: {
        ...own,
        ...givenChange(given, own),
        oldString,
        newString,
        replaceAll: replaceAll ?? own.replaceAll,
        ...defined({ snippet: givenSnippet(given, shown, snippet) }),
      },
    };
  },
});

/** The lines of the file stay where no text of them was changed: they may hold what was taken out. */
function givenSnippet(given: object, shown: object, own: string | undefined): string | undefined {
  const texts = ({ structuredPatch, originalFile, gitDiff, ...more }: ShownTexts): unknown[] =>
    [structuredPatch, originalFile, gitDiff, more.oldString, more.newString, more.content].map(
      (text) => text ?? undefined,
    );
  return isSameJson(texts(given), texts(shown)) ? own : undefined;
}
type ShownTexts = Partial<z.infer<typeof editGiven> & z.infer<typeof writeGiven>>;

export const writeForHooks = hookOutput<unknown, WriteOutput, z.infer<typeof writeGiven>>({
  shape: writeGiven,
  show(result) {
    const { type, filePath, content } = result.data;
    return { type, filePath, content: textForHooks(result, 'content') ?? content ?? '', ...shownChange(result) };
  },
  read(given, { data }, shown) {
    const { content: _, snippet, ...own } = withoutTexts(data);
    const { content } = given;
    return {
      data: {
        ...own,
        ...givenChange(given, own),
        ...(content.length <= MAX_ORIGINAL ? { content } : {}),
        ...defined({ snippet: givenSnippet(given, shown, snippet) }),
      },
    };
  },
});

function shownChange(result: HookedResult<ChangeOutput>): Record<string, unknown> {
  const { data } = result;
  const { structuredPatch, userModified, gitDiff, userChanges, newDiagnostics } = data;
  return {
    originalFile: textForHooks(result, 'originalFile') ?? data.originalFile ?? null,
    structuredPatch,
    userModified,
    ...defined({ gitDiff, userChanges }),
    ...(newDiagnostics.length === 0 ? {} : { newDiagnostics }),
  };
}

function withoutTexts<Output extends ChangeOutput>(
  output: Output,
): Omit<Output, 'originalFile' | 'gitDiff' | 'userChanges'> {
  const { originalFile: _, gitDiff: __, userChanges: ___, ...own } = output;
  return own;
}

function givenChange(
  given: ChangeGiven,
  own: Pick<ChangeOutput, 'filePath' | 'userModified' | 'notes'>,
): Pick<ChangeOutput, keyof ChangeGiven & keyof ChangeOutput> & Pick<ChangeOutput, 'notes'> {
  const { filePath, originalFile, structuredPatch, userModified, gitDiff, userChanges, newDiagnostics } = given;
  return {
    filePath,
    ...(typeof originalFile === 'string' && originalFile.length <= MAX_ORIGINAL ? { originalFile } : {}),
    structuredPatch: structuredPatch ?? [],
    userModified: userModified ?? own.userModified,
    ...defined({ gitDiff: gitDiff ?? undefined, userChanges: userChanges ?? undefined }),
    notes: own.notes.map((note) => withName(note, own.filePath, filePath)),
    newDiagnostics: newDiagnostics ?? [],
  };
}
