// What a language server answered as LSP's output, as the text that the model reads, and as what the chat shows.
import { z } from 'zod/v3';
import { type ToolView } from '../../../shared/tool-view';
import { type CodeCall, type CodeLocation, type CodeSymbol, type Found, type LineChange } from '../../ports/languages';
import { counted } from '../../../shared/counted';
import { resolvePath, shownPath } from '../grep/glob-root';
import { type Offers, said, words } from '../../text/words';

const itemSchema = z.object({
  /** Relative to the current folder where inside it. */
  path: z.string(),
  line: z.number(),
  column: z.number(),
  /** The source line; empty outside the workspace. With a rename: the lines before it. */
  text: z.string(),
  /** With a rename: the lines after it. */
  after: z.string().optional(),
  /** The kind and name of a symbol: "function add", "method run in Server". */
  symbol: z.string().optional(),
  depth: z.number().optional(),
  /** For calls: the lines in the file that calls. */
  callLines: z.array(z.number()).optional(),
});

export const lspOutputSchema = z.object({
  operation: z.string(),
  /** The place, file or name that was asked about. */
  subject: z.string(),
  /** What relative paths count from. */
  cwd: z.string(),
  items: z.array(itemSchema),
  /** The number of everything found, shown or not. */
  total: z.number(),
  files: z.number(),
  /** Types and documentation as markdown. */
  hover: z.string().optional(),
});

type Item = z.infer<typeof itemSchema>;
export type LspOutput = z.infer<typeof lspOutputSchema>;
type Items = Pick<LspOutput, 'items' | 'total' | 'files'>;

export function locationItems(found: Found<CodeLocation>, cwd: string): Items {
  return { ...found, items: found.items.map((location) => locationItem(location, cwd)) };
}

export function symbolItems(found: Found<CodeSymbol>, cwd: string): Items {
  return { ...found, items: found.items.map((symbol) => symbolItem(symbol, cwd)) };
}

export function callItems(found: Found<CodeCall>, cwd: string): Items {
  return { ...found, items: found.items.map((call) => ({ ...symbolItem(call, cwd), callLines: call.lines })) };
}

export function changeItems(found: Found<LineChange>, cwd: string): Items {
  return {
    ...found,
    items: found.items.map(({ path, line, column, before, after }) => ({
      path: shownPath(path, cwd),
      line,
      column,
      text: before,
      after,
    })),
  };
}

function locationItem({ path, line, column, text }: CodeLocation, cwd: string): Item {
  return { path: shownPath(path, cwd), line, column, text };
}

function symbolItem({ name, kind, container, location, depth }: CodeSymbol, cwd: string): Item {
  return {
    ...locationItem(location, cwd),
    symbol: `${kind} ${name}${container === undefined ? '' : ` in ${container}`}`,
    depth,
  };
}

/** Grouped by file, in the order of the answer. */
export function lspResultText(output: LspOutput, limit: number, offers?: Offers): string {
  if (output.operation === 'hover') return output.hover || nothing(output);
  if (output.items.length === 0) return nothing(output);
  const groups = new Map<string, Item[]>();
  for (const item of output.items) groups.set(item.path, [...(groups.get(item.path) ?? []), item]);
  const lines = [...groups].flatMap(([path, items]) => [
    path,
    ...items.flatMap((item) => itemLines(item, output.operation)),
  ]);
  const head = `${summary(output)}${output.operation === 'renamePreview' ? '. Nothing was written.' : ''}`;
  const more =
    output.total > output.items.length
      ? [
          said(
            words`(The first ${limit} of ${output.total}. Ask about a narrower name{{Grep: , or use Grep in one folder}}.)`,
            offers,
          ),
        ]
      : [];
  return [head, ...lines, ...more].join('\n');
}

function itemLines({ line, column, text, after, symbol, depth = 0, callLines }: Item, operation: string): string[] {
  const at = `  ${'  '.repeat(depth)}${line}:${column}`;
  if (after !== undefined) {
    const marked = (mark: string, part: string): string[] => part.split('\n').map((row) => `    ${mark} ${row.trim()}`);
    return text === '' && after === ''
      ? [`${at} (outside the workspace, not shown)`]
      : [at, ...marked('-', text), ...marked('+', after)];
  }
  if (symbol === undefined) return [`${at} ${text}`.trimEnd()];
  if (callLines === undefined) return [`${at} ${symbol}`];
  const where = `line${callLines.length === 1 ? '' : 's'} ${callLines.join(', ')}`;
  return [`${at} ${symbol} (${operation === 'incomingCalls' ? 'calls it in' : 'called in'} ${where})`];
}

const nouns: Record<string, [one: string, many: string]> = {
  goToDefinition: ['definition', 'definitions'],
  findReferences: ['reference', 'references'],
  goToImplementation: ['implementation', 'implementations'],
  documentSymbol: ['symbol', 'symbols'],
  workspaceSymbol: ['symbol', 'symbols'],
  incomingCalls: ['caller', 'callers'],
  outgoingCalls: ['called function', 'called functions'],
  renamePreview: ['change', 'changes'],
};

function summary({ operation, total, files }: LspOutput): string {
  const [one, many] = nouns[operation] ?? ['result', 'results'];
  return `${counted(total, one, many)} in ${counted(files, 'file')}`;
}

function nothing({ operation, subject }: LspOutput): string {
  if (operation === 'hover')
    return `The language server knows nothing about ${subject}. character must be on the symbol's name.`;
  const none = `No ${nouns[operation]?.[1] ?? 'results'} found for ${subject}.`;
  return operation === 'documentSymbol' || operation === 'workspaceSymbol'
    ? none
    : `${none} line and character must be on the symbol's name.`;
}

/** A few words after the sentence. */
export function detailOf(output: LspOutput): string {
  return output.operation === 'hover'
    ? ''
    : counted(output.total, nouns[output.operation]?.[0] ?? 'result', nouns[output.operation]?.[1]);
}

export function lspView(output: LspOutput): ToolView {
  if (output.operation === 'hover') return { kind: 'markdown', about: 'code', text: output.hover ?? '' };
  return {
    kind: 'matches',
    pattern: output.subject,
    matches: output.total,
    files: output.files,
    items: output.items.map(({ path, line, text, after, symbol }) => ({
      path: resolvePath(path, output.cwd),
      line,
      text: after === undefined ? (symbol ?? text) : `${text.trim()} → ${after.trim()}`,
    })),
    truncated: output.total > output.items.length,
  };
}
