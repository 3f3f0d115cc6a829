// LSP: asks the editor's language servers where code is defined, used, called, and what a rename would change.
import { fail } from '../../tool/file-failure';
import { z } from 'zod/v3';
import { type CodePosition, type LanguageAnswer, type Languages, type LookLimits } from '../../ports/languages';
import { answerWithin, noAnswer } from '../../tool/answer-within';
import { buildTool, promptOf } from '../../tool/build-tool';
import { filePath } from '../files/file-path';
import { shownPath } from '../grep/glob-root';
import prompt from './lsp.md';
import {
  callItems,
  changeItems,
  detailOf,
  locationItems,
  type LspOutput,
  lspOutputSchema,
  lspResultText,
  lspView,
  symbolItems,
} from './lsp-output';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../../tool/tool';
import { words } from '../../text/words';

const operations = [
  'goToDefinition',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'goToImplementation',
  'incomingCalls',
  'outgoingCalls',
  'renamePreview',
] as const;

const place = z.number().int().positive();

const inputSchema = z.strictObject({
  operation: z.enum(operations).describe('The operation'),
  filePath: z
    .string()
    .optional()
    .describe('The file, absolute or relative to the current folder; required except for workspaceSymbol'),
  line: place.optional().describe('Line of the symbol, from 1'),
  character: place.optional().describe("Column of the symbol's name in that line, from 1"),
  query: z.string().optional().describe('Name or part of a name, for workspaceSymbol'),
  newName: z.string().optional().describe('The new name, for renamePreview'),
});

type Input = z.infer<typeof inputSchema>;
type Operation = Input['operation'];

/** Milliseconds. */
const languageTimeoutMs = 10_000;
const maxItems = 100;

export const lspTool = buildTool<Input, LspOutput>({
  name: 'LSP',
  aliases: ['LSPTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: lspOutputSchema,
  strict: true,
  access: 'ReadOnly',
  isEnabled: (availability) => availability.has('languages'),
  isReadOnly: () => true,
  isConcurrencySafe: true,
  targets: (input, cwd) =>
    isGiven(input.filePath) ? [{ kind: 'file', access: 'read', path: filePath(input.filePath, cwd) }] : [],
  describe: (input) => {
    const [now, past] = sentences[input.operation];
    return { now: `${now} ${subjectOf(input)}`, past: `${past} ${subjectOf(input)}` };
  },
  validateInput: async (input) => validate(input),
  call,
  content: (output, offers) => lspResultText(output, maxItems, offers),
  view: lspView,
  detail: detailOf,
});

const sentences: Record<Operation, [now: string, past: string]> = {
  goToDefinition: ['Finding the definition of', 'Found the definition of'],
  findReferences: ['Finding references to', 'Found references to'],
  hover: ['Asking for the type of', 'Asked for the type of'],
  documentSymbol: ['Listing symbols of', 'Listed symbols of'],
  workspaceSymbol: ['Finding symbol', 'Found symbol'],
  goToImplementation: ['Finding implementations of', 'Found implementations of'],
  incomingCalls: ['Finding calls of', 'Found calls of'],
  outgoingCalls: ['Finding calls in', 'Found calls in'],
  renamePreview: ['Previewing the rename of', 'Previewed the rename of'],
};

function subjectOf({ operation, filePath: path = '', line, character, query, newName }: Input): string {
  if (operation === 'workspaceSymbol') return `"${query ?? ''}"`;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (operation === 'documentSymbol') return name;
  return `${name}:${line ?? ''}:${character ?? ''}${newName === undefined ? '' : ` to ${newName}`}`;
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function validate({ operation, filePath: path, line, character, query, newName }: Input): ValidationResult {
  const missing = (what: string): ValidationResult => ({
    ok: false,
    code: 'missing-input',
    message: `${operation} needs ${what}.`,
  });
  if ([path, query, newName].some((text) => text?.includes('\0'))) {
    return {
      ok: false,
      code: 'nul-character',
      message: 'filePath, query and newName must not contain a NUL character.',
    };
  }
  if (operation === 'workspaceSymbol')
    return isGiven(query) ? { ok: true } : missing('query, the name or part of a name to look for');
  if (!isGiven(path)) return missing('filePath');
  if (operation === 'documentSymbol') return { ok: true };
  if (line === undefined || character === undefined)
    return missing("line and character, both from 1, of the symbol's name");
  if (operation === 'renamePreview' && !isGiven(newName)) return missing('newName');
  return { ok: true };
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<LspOutput> | ToolFailure> {
  const { session, ports, signal } = context;
  const { languages } = ports;
  if (languages === undefined)
    return fail('no-language-server', words`This host has no language servers.{{Grep:  Use Grep instead.}}`);
  const path = isGiven(input.filePath) ? filePath(input.filePath, session.cwd) : undefined;
  if (path !== undefined) {
    const found = await ports.files.stat(path);
    if (found === undefined)
      return fail('not-found', words`${path} does not exist. Check the path{{Glob: ; Glob finds files by name}}.`);
    if (found.type !== 'file') return fail('not-a-file', `${path} is not a file. Give LSP a source file.`);
  }
  const answer = await answerWithin(
    languageTimeoutMs,
    (within) => ask(languages, input, path, context, within),
    signal,
    ports.clock,
  );
  if (answer === noAnswer) {
    return fail(
      'timeout',
      words`The language server did not answer within ${languageTimeoutMs / 1_000} seconds. It may still be starting: try once more later{{Grep: , or use Grep}}.`,
    );
  }
  if (answer.outcome === 'answer') return { data: answer.value };
  const advice = answer.outcome === 'none' ? words`{{Grep, Read:  Use Grep and Read instead.}}` : '';
  return fail(answer.outcome === 'none' ? 'no-language-server' : 'refused', words`${answer.message}${advice}`);
}

/** validate() has seen to what each operation needs. */
async function ask(
  languages: Languages,
  input: Input,
  path: string | undefined,
  { session }: ToolContext,
  signal: AbortSignal,
): Promise<LanguageAnswer<LspOutput>> {
  const { operation, query = '', newName = '' } = input;
  const { cwd } = session;
  const limits: LookLimits = { limit: maxItems, hidden: (candidate) => session.isHidden(candidate) };
  const file = path ?? '';
  const at: CodePosition = { path: file, line: input.line ?? 1, column: input.character ?? 1 };
  const shown = path === undefined ? '' : shownPath(path, cwd);
  const subject =
    operation === 'workspaceSymbol'
      ? query
      : operation === 'documentSymbol'
        ? shown
        : `${shown}:${at.line}:${at.column}`;
  const made = <Value>(
    answer: LanguageAnswer<Value>,
    output: (value: Value) => Pick<LspOutput, 'items'> & Partial<LspOutput>,
  ): LanguageAnswer<LspOutput> =>
    answer.outcome === 'answer'
      ? { outcome: 'answer', value: { operation, subject, cwd, total: 0, files: 0, ...output(answer.value) } }
      : answer;
  switch (operation) {
    case 'goToDefinition':
      return made(await languages.definition(at, limits, signal), (found) => locationItems(found, cwd));
    case 'findReferences':
      return made(await languages.references(at, limits, signal), (found) => locationItems(found, cwd));
    case 'goToImplementation':
      return made(await languages.implementations(at, limits, signal), (found) => locationItems(found, cwd));
    case 'hover':
      return made(await languages.hover(at, signal), (hover) => ({ items: [], hover }));
    case 'documentSymbol':
      return made(await languages.documentSymbols(file, limits, signal), (found) => symbolItems(found, cwd));
    case 'workspaceSymbol':
      return made(await languages.workspaceSymbols(query, path, limits, signal), (found) => symbolItems(found, cwd));
    case 'incomingCalls':
      return made(await languages.calls(at, 'incoming', limits, signal), (found) => callItems(found, cwd));
    case 'outgoingCalls':
      return made(await languages.calls(at, 'outgoing', limits, signal), (found) => callItems(found, cwd));
    case 'renamePreview':
      return made(await languages.renamePreview(at, newName, limits, signal), (found) => changeItems(found, cwd));
  }
}
