// Grep: searches file contents, as paths, lines or counts.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { type MatchesView, type ToolView } from '../../../shared/tool-view';
import { type GrepOutcome, type GrepQuery, type Search } from '../../ports/search';
import { buildTool, promptOf } from '../../tool/build-tool';
import { counted } from '../../../shared/counted';
import { missingPlace, resolvePath, searchedNote } from './glob-root';
import { grepPlace, type GrepPlace } from './grep-globs';
import prompt from './grep.md';
import { grepOutput, grepOutputSchema, grepResultText, type GrepOutput } from './grep-output';
import { withLiteralBrackets } from './literal-glob';
import { grepForHooks } from './search-for-hooks';
import { grepHint } from './search-hints';
import { symbolHint } from './symbol-hint';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../../tool/tool';
import { type Words, words } from '../../text/words';

const count = z.number().int().nonnegative();

const inputSchema = z.strictObject({
  pattern: z.string().describe('The regular expression to search for'),
  path: z.string().optional().describe('The file or folder to search (default: the current folder)'),
  glob: z
    .string()
    .optional()
    .describe('Search only files that match, e.g. "*.ts" or "*.{ts,tsx}"; a leading "!" excludes'),
  type: z.string().optional().describe('Search only files of this ripgrep type, e.g. "ts", "py", "rust", "md"'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('"files_with_matches" (default): paths; "content": matching lines; "count": matching lines per file'),
  '-i': z.boolean().optional().describe('Ignore case'),
  '-n': z.boolean().optional().describe('Show line numbers with content (default true)'),
  '-o': z.boolean().optional().describe('Show only the matching part of each line, with content'),
  '-A': count.optional().describe('Lines to show after each match, with content'),
  '-B': count.optional().describe('Lines to show before each match, with content'),
  '-C': count.optional().describe('Lines to show before and after each match, with content'),
  context: count.optional().describe('The same as -C'),
  head_limit: count.optional().describe('Maximum number of entries (lines, paths or counts); default 250, 0 for all'),
  offset: count.optional().describe('Number of entries to skip'),
  multiline: z.boolean().optional().describe('Let the pattern match across lines; "." matches newlines too'),
});

type Input = z.infer<typeof inputSchema>;

const defaultLimit = 250;

export const grepTool = buildTool<Input, GrepOutput>({
  name: 'Grep',
  aliases: ['grep_search', 'GrepTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: grepOutputSchema,
  hookOutput: grepForHooks,
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  targets: (input, cwd) => [{ kind: 'file', access: 'read', path: resolvePath(input.path, cwd) }],
  describe: (input) => ({ now: `Searching "${input.pattern}"`, past: `Searched "${input.pattern}"` }),
  validateInput: async (input) => validate(input),
  call,
  content: grepResultText,
  view,
  detail: (output) =>
    output.mode === 'files_with_matches'
      ? counted(output.total, 'file')
      : counted(output.numMatches, 'match', 'matches'),
});

function validate(input: Input): ValidationResult {
  if (input.pattern === '')
    return { ok: false, code: 'empty-pattern', message: 'pattern is empty: it would match every line.' };
  if ([input.pattern, input.path, input.glob, input.type].some((text) => text?.includes('\0'))) {
    return {
      ok: false,
      code: 'nul-character',
      message: 'pattern, path, glob and type must not contain a NUL character.',
    };
  }
  return { ok: true };
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<GrepOutput> | ToolFailure> {
  const { session, ports, signal } = context;
  const path = resolvePath(input.path, session.cwd);
  const found = await ports.files.stat(path);
  if (!found) {
    return { failure: { code: 'not-found', message: missingPlace(path, input.path, session, 'glob') } };
  }
  if (found.type === 'other') {
    return {
      failure: { code: 'not-a-file', message: `${path} is a FIFO, socket or device, which cannot be searched.` },
    };
  }
  const place: GrepPlace =
    found.type === 'file'
      ? { path, ...(input.glob ? { glob: input.glob } : {}) }
      : await grepPlace(input.glob, path, ports.files);
  const query: GrepQuery = { ...queryOf(input), ...place, hidden: (candidate) => session.isHidden(candidate) };
  const outcome = await search(query, ports.search, signal);
  if (outcome.outcome === 'failed')
    return { failure: { code: 'search-failed', message: words`${outcome.message}${hintOf(outcome.message)}` } };
  const hint =
    outcome.total === 0 && outcome.noFileFits !== true
      ? grepHint(input.pattern)
      : symbolHint(input.pattern, outcome, context);
  const notes = [...(outcome.notes ?? []), ...(hint === undefined ? [] : [hint]), ...searchedNote(input.path, session)];
  return {
    data: grepOutput(notes.length === 0 ? outcome : { ...outcome, notes }, query, {
      cwd: session.cwd,
      lineNumbers: input['-n'] ?? true,
      singleFile: found.type === 'file',
      asked: input,
    }),
  };
}

/** What to do about an error of the search. */
function hintOf(message: string): Words {
  if (message.includes('--multiline')) return '\nSet multiline to true.';
  if (/regex parse error|not a regular expression/.test(message))
    return words`\nEscape literal characters, as in \`\\(\`, \`\\{\` or \`\\[\`.{{Glob:  To find files by name use Glob.}}`;
  return message.includes(unknownType) ? '\nOmit type and give a glob such as "*.tsx".' : '';
}

/** As all searches say it. */
const unknownType = 'unrecognized file type';

/** The file extension, where it is not a type's name: `tsx` is one of `ts`. */
async function searchByEnding(query: GrepQuery, port: Search, signal: AbortSignal): Promise<GrepOutcome> {
  const outcome = await port.grep(query, signal);
  const { type, ...rest } = query;
  if (
    outcome.outcome !== 'failed' ||
    !outcome.message.includes(unknownType) ||
    type === undefined ||
    query.glob !== undefined ||
    !/^[\w.-]+$/.test(type)
  )
    return outcome;
  const again = await port.grep({ ...rest, glob: `*.${type.replace(/^\.+/, '')}` }, signal);
  return again.outcome === 'failed' || again.noFileFits === true ? outcome : again;
}

/** Brackets in a glob may be a class or part of a name: both are searched at once, since each walk may take long. */
async function search(query: GrepQuery, port: Search, signal: AbortSignal): Promise<GrepOutcome> {
  const plain = query.glob === undefined ? undefined : withLiteralBrackets(query.glob);
  if (plain === undefined) return searchByEnding(query, port, signal);
  const outcome = await searchByEnding({ ...query, glob: `${query.glob},${plain}` }, port, signal);
  if (outcome.outcome !== 'failed' || !outcome.message.includes('glob')) return outcome;
  // They are no class that could be read.
  const again = await port.grep({ ...query, glob: plain }, signal);
  return again.outcome === 'failed' || again.noFileFits === true ? outcome : again;
}

function queryOf(input: Input): Omit<GrepQuery, 'path' | 'glob' | 'hidden'> {
  const mode = input.output_mode ?? 'files_with_matches';
  const around = input['-C'] ?? input.context ?? 0;
  return {
    pattern: input.pattern,
    ...(input.type ? { type: input.type } : {}),
    mode,
    ignoreCase: input['-i'] ?? false,
    multiline: input.multiline ?? false,
    onlyMatching: mode === 'content' && (input['-o'] ?? false),
    before: mode === 'content' ? (input['-B'] ?? around) : 0,
    after: mode === 'content' ? (input['-A'] ?? around) : 0,
    limit: input.head_limit === 0 ? Number.MAX_SAFE_INTEGER : (input.head_limit ?? defaultLimit),
    offset: input.offset ?? 0,
  };
}

function view(output: GrepOutput, input: Input): ToolView {
  const items: MatchesView['items'] = output.entries.map(({ path, line, text, count: matches }) => ({
    path: resolvePath(path, output.cwd),
    ...defined({ line, text, count: matches }),
  }));
  return {
    kind: 'matches',
    pattern: input.pattern,
    matches: output.numMatches,
    files: output.numFiles,
    items,
    truncated: output.truncated || items.length < (output.mode === 'content' ? output.numMatches : output.numEntries),
  };
}
