// Glob: finds files by name pattern, newest first.
import { isAbsolute } from 'pathe';
import { z } from 'zod/v3';
import { type GlobOutcome } from '../../ports/search';
import { type ToolView } from '../../../shared/tool-view';
import { buildTool, promptOf } from '../../tool/build-tool';
import { counted } from '../../../shared/counted';
import { globRoot, homeHint, missingPlace, resolvePath, searchedNote, shownPath } from './glob-root';
import { type GlobOutput, globOutputSchema } from './glob-output';
import prompt from './glob.md';
import { globForHooks } from './search-for-hooks';
import { globHint, inAnyCase } from './search-hints';
import { withLiteralBrackets, withLiteralNames } from './literal-glob';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../../tool/tool';
import { words } from '../../text/words';

const inputSchema = z.strictObject({
  pattern: z.string().describe('The glob pattern that file paths must match'),
  path: z.string().optional().describe('The folder to search (default: the current folder)'),
});

type Input = z.infer<typeof inputSchema>;

const maxFiles = 100;

export const globTool = buildTool<Input, GlobOutput>({
  name: 'Glob',
  aliases: ['glob_search', 'GlobTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: globOutputSchema,
  strict: true,
  hookOutput: globForHooks,
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  targets: (input, cwd) => [
    { kind: 'file', access: 'read', path: globRoot(input.pattern, resolvePath(input.path, cwd)).root },
  ],
  describe: (input) => ({ now: `Finding ${input.pattern}`, past: `Found ${input.pattern}` }),
  validateInput: async (input) => validate(input),
  call,
  content: resultText,
  view,
  detail: (output) => counted(output.total, 'file'),
});

function validate(input: Input): ValidationResult {
  if (input.pattern === '')
    return { ok: false, code: 'empty-pattern', message: 'pattern is empty. Use `**` to list every file.' };
  if (`${input.pattern}${input.path ?? ''}`.includes('\0')) {
    return { ok: false, code: 'nul-character', message: 'pattern and path must not contain a NUL character.' };
  }
  return { ok: true };
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<GlobOutput> | ToolFailure> {
  const { session, ports, signal } = context;
  const startedAt = ports.clock.now();
  const folder = resolvePath(input.path, session.cwd);
  const found = await ports.files.stat(folder);
  if (!found) {
    return { failure: { code: 'not-found', message: missingPlace(folder, input.path, session, 'pattern') } };
  }
  if (found.type !== 'directory') {
    return {
      failure: {
        code: 'not-a-folder',
        message: words`${folder} is not a folder. Give Glob a folder as path{{Read: , or use Read for the file}}.`,
      },
    };
  }
  const { root, pattern } = globRoot(input.pattern, folder);
  const where = isAbsolute(input.pattern) ? [] : searchedNote(input.path, session);
  const done = (paths: string[], total: number, truncated: boolean, more: string[] = []): ToolResult<GlobOutput> => ({
    data: {
      filenames: paths.map((path) => shownPath(path, session.cwd)),
      cwd: session.cwd,
      numFiles: paths.length,
      total,
      truncated,
      durationMs: ports.clock.now() - startedAt,
      ...([...more, ...where].length === 0 ? {} : { notes: [...more, ...where] }),
    },
  });
  // The folders that the pattern names may be missing: then nothing matches it.
  if (root !== folder && (await ports.files.stat(root))?.type !== 'directory')
    return done([], 0, false, [
      /^~(?:\/|$)/.test(input.pattern)
        ? homeHint(input.pattern, session.home)
        : `${root} is not a folder. The pattern is relative to ${folder}.`,
    ]);
  const find = (wanted: string) =>
    ports.search.glob(
      { pattern: wanted, path: root, limit: maxFiles, hidden: (path) => session.isHidden(path) },
      signal,
    );
  const { outcome, walks } = await findAny(
    await withLiteralNames(pattern, root, ports.files),
    otherReading(pattern),
    find,
  );
  if (outcome.outcome === 'failed') return { failure: { code: 'search-failed', message: outcome.message } };
  const named = resolvePath(input.pattern, folder);
  if (outcome.total === 0 && !session.isHidden(named) && (await ports.files.stat(named))?.type === 'directory') {
    return done([], 0, false, [
      ...(outcome.notes ?? []),
      `${shownPath(named, session.cwd)} is a folder: list its files with "${input.pattern.replace(/\/+$/, '')}/**".`,
    ]);
  }
  if (outcome.total > 0) return done(outcome.paths, outcome.total, outcome.truncated, outcome.notes);
  const hint = globHint(input.pattern) ?? (walks > 1 || outcome.truncated ? undefined : await otherCase(pattern, find));
  return done([], 0, outcome.truncated, [...(outcome.notes ?? []), ...(hint === undefined ? [] : [hint])]);
}

type Find = (wanted: string) => Promise<GlobOutcome>;

/**
 * What the pattern finds; if that is nothing, what its other reading finds. A tree may be large: no more than one walk
 * follows the first, and none follows one that was stopped.
 */
async function findAny(
  pattern: string,
  other: string | undefined,
  find: Find,
): Promise<{ outcome: GlobOutcome; walks: number }> {
  const outcome = await find(pattern);
  const walks = outcome.outcome === 'failed' ? 0 : 1;
  if (other === undefined || (outcome.outcome === 'files' && (outcome.total > 0 || outcome.truncated)))
    return { outcome, walks };
  const again = await find(other);
  const found = again.outcome === 'files' && again.total > 0;
  return { outcome: found ? again : outcome, walks: walks + 1 };
}

/** Brackets that are part of a name, or the separators of Windows, where there is no other. */
function otherReading(pattern: string): string | undefined {
  const slashed = /\\(?![[\]{}])/.test(pattern) ? `/${pattern.replaceAll('\\', '/').replace(/^\/+/, '')}` : undefined;
  return withLiteralBrackets(pattern) ?? slashed;
}

const maxNamed = 5;

async function otherCase(pattern: string, find: Find): Promise<string | undefined> {
  const found = await find(inAnyCase(pattern));
  if (found.outcome === 'failed' || found.total === 0) return undefined;
  return `Matching is case-sensitive. With different case there ${found.total === 1 ? 'is' : 'are'} ${found.paths.slice(0, maxNamed).join(', ')}${found.total > maxNamed ? ` and ${found.total - maxNamed} more` : ''}.`;
}

function resultText(output: GlobOutput): string {
  const notes = (output.notes ?? []).map((sentence) => `\n\n(${sentence})`).join('');
  if (output.numFiles === 0) return `No files found${notes}`;
  const note = `\n\n(The ${output.numFiles} newest of ${output.total} files. Narrow the pattern or the path to see others.)`;
  return output.filenames.join('\n') + (output.truncated && output.total > output.numFiles ? note : '') + notes;
}

function view(output: GlobOutput): ToolView {
  const items = output.filenames.map((name) => ({ path: resolvePath(name, output.cwd) }));
  return { kind: 'files', items, total: output.total, truncated: output.truncated };
}
