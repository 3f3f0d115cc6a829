// LSP, row by row: what the model reads of each answer, and what is refused.
import {
  type CodeLocation,
  type CodeSymbol,
  type LanguageAnswer,
  type Languages,
} from '../../../src/core/ports/languages';
import { lspTool } from '../../../src/core/tools/lsp/lsp';
import { type ToolRow, toolTable } from '../../support/tool-table';

const add: CodeLocation = { path: '/w/src/add.ts', line: 1, column: 17, text: 'export function add() {' };
const use: CodeLocation = { path: '/w/src/use.ts', line: 4, column: 9, text: 'return add();' };
const library: CodeLocation = { path: '/lib/lib.es5.d.ts', line: 9, column: 1, text: '' };
const symbol = (name: string, kind: string, location: CodeLocation, more: Partial<CodeSymbol> = {}): CodeSymbol => ({
  name,
  kind,
  location,
  depth: 0,
  ...more,
});
const answer = <Value>(value: Value): LanguageAnswer<Value> => ({ outcome: 'answer', value });
const found = <Item>(items: Item[], total = items.length, files = 1) => answer({ items, total, files });
const at = { filePath: 'src/add.ts', line: 1, character: 17 };
const files = { '/w/src/add.ts': 'export function add() {}\n', '/w/pipe': { type: 'other' } } as const;

const answers: [string, object, Partial<Languages>, string][] = [
  [
    'a definition',
    { operation: 'goToDefinition', ...at },
    { definition: async () => found([add]) },
    '1 definition in 1 file\nsrc/add.ts\n  1:17 export function add() {',
  ],
  [
    'references, grouped by file in the order of the answer',
    { operation: 'findReferences', ...at },
    { references: async () => found([add, use, { ...add, line: 3, text: 'add();' }], 3, 2) },
    '3 references in 2 files\nsrc/add.ts\n  1:17 export function add() {\n  3:17 add();\nsrc/use.ts\n  4:9 return add();',
  ],
  [
    'a place outside the workspace, without its line',
    { operation: 'goToDefinition', ...at },
    { definition: async () => found([library]) },
    '1 definition in 1 file\n/lib/lib.es5.d.ts\n  9:1',
  ],
  [
    'implementations',
    { operation: 'goToImplementation', ...at },
    { implementations: async () => found([use]) },
    '1 implementation in 1 file\nsrc/use.ts\n  4:9 return add();',
  ],
  [
    'a hover',
    { operation: 'hover', ...at },
    { hover: async () => answer('```ts\nfunction add(): void\n```') },
    '```ts\nfunction add(): void\n```',
  ],
  [
    'symbols of a file, nested',
    { operation: 'documentSymbol', filePath: '/w/src/add.ts' },
    {
      documentSymbols: async () =>
        found([symbol('Sum', 'class', add), symbol('run', 'method', { ...add, line: 2, column: 3 }, { depth: 1 })]),
    },
    '2 symbols in 1 file\nsrc/add.ts\n  1:17 class Sum\n    2:3 method run',
  ],
  [
    'symbols of the workspace',
    { operation: 'workspaceSymbol', query: 'add' },
    { workspaceSymbols: async () => found([symbol('add', 'function', add, { container: 'sums' })]) },
    '1 symbol in 1 file\nsrc/add.ts\n  1:17 function add in sums',
  ],
  [
    'who calls',
    { operation: 'incomingCalls', ...at },
    { calls: async (_at, direction) => found([{ ...symbol(direction, 'function', use), lines: [4, 7] }]) },
    '1 caller in 1 file\nsrc/use.ts\n  4:9 function incoming (calls it in lines 4, 7)',
  ],
  [
    'whom it calls',
    { operation: 'outgoingCalls', ...at },
    { calls: async (_at, direction) => found([{ ...symbol(direction, 'function', use), lines: [2] }]) },
    '1 called function in 1 file\nsrc/use.ts\n  4:9 function outgoing (called in line 2)',
  ],
  [
    'what a rename would change',
    { operation: 'renamePreview', ...at, newName: 'plus' },
    {
      renamePreview: async () =>
        found(
          [
            { path: use.path, line: 4, column: 9, before: '  return add();', after: '  return plus();' },
            { path: library.path, line: 9, column: 1, before: '', after: '' },
          ],
          2,
          2,
        ),
    },
    '2 changes in 2 files. Nothing was written.\nsrc/use.ts\n  4:9\n    - return add();\n    + return plus();\n/lib/lib.es5.d.ts\n  9:1 (outside the workspace, not shown)',
  ],
  [
    'the first of many, with the total',
    { operation: 'findReferences', ...at },
    { references: async () => found([add], 812, 90) },
    '812 references in 90 files\nsrc/add.ts\n  1:17 export function add() {\n(The first 100 of 812. Ask about a narrower name, or use Grep in one folder.)',
  ],
  [
    'nothing',
    { operation: 'findReferences', ...at },
    { references: async () => found([], 0, 0) },
    "No references found for src/add.ts:1:17. line and character must be on the symbol's name.",
  ],
  [
    'no symbol',
    { operation: 'workspaceSymbol', query: 'none' },
    { workspaceSymbols: async () => found([], 0, 0) },
    'No symbols found for none.',
  ],
  [
    'no hover',
    { operation: 'hover', ...at },
    { hover: async () => answer('') },
    "The language server knows nothing about src/add.ts:1:17. character must be on the symbol's name.",
  ],
];

const bad: [object, RegExp][] = [
  [{ operation: 'workspaceSymbol' }, /needs query/],
  [{ operation: 'workspaceSymbol', query: ' ' }, /needs query/],
  [{ operation: 'documentSymbol' }, /needs filePath/],
  [{ operation: 'hover', line: 1, character: 1 }, /needs filePath/],
  [{ operation: 'goToDefinition', filePath: 'a.ts' }, /needs line and character, both from 1/],
  [{ operation: 'outgoingCalls', filePath: 'a.ts', line: 1 }, /needs line and character/],
  [{ operation: 'renamePreview', filePath: 'a.ts', line: 1, character: 1 }, /needs newName/],
  [{ operation: 'documentSymbol', filePath: 'a\0.ts' }, /NUL/],
];

const rows: ToolRow[] = [
  ...answers.map(([name, input, languages, text]): ToolRow => ({ name, input, files, ports: { languages }, text })),
  ...bad.map(([input, text]): ToolRow => ({
    name: `refuses ${JSON.stringify(input)}`,
    input,
    files,
    code: String(text).includes('NUL') ? 'nul-character' : 'missing-input',
    text,
  })),
  {
    name: 'a file that is not there',
    input: { operation: 'hover', ...at, filePath: 'gone.ts' },
    files,
    ports: { languages: {} },
    code: 'not-found',
    text: /^\/w\/gone\.ts does not exist/,
  },
  {
    name: 'a folder',
    input: { operation: 'documentSymbol', filePath: 'src' },
    files,
    ports: { languages: {} },
    code: 'not-a-file',
    text: /is not a file/,
  },
  {
    name: 'a pipe',
    input: { operation: 'documentSymbol', filePath: 'pipe' },
    files,
    ports: { languages: {} },
    code: 'not-a-file',
    text: /is not a file/,
  },
  {
    name: 'no server for this file',
    input: { operation: 'hover', ...at },
    files,
    ports: { languages: { hover: async () => ({ outcome: 'none', message: 'No language server answers for it.' }) } },
    code: 'no-language-server',
    text: /^No language server answers for it\. Use Grep and Read instead\.$/,
  },
  {
    name: 'a server that refuses',
    input: { operation: 'hover', ...at },
    files,
    ports: { languages: { hover: async () => ({ outcome: 'refused', message: 'It has 3 lines.' }) } },
    code: 'refused',
    text: 'It has 3 lines.',
  },
  {
    name: 'no language servers on this host',
    input: { operation: 'hover', ...at },
    files,
    code: 'no-language-server',
    text: /Use Grep instead/,
  },
  { name: 'no operation', input: at, code: 'InputValidationError', text: /`operation`: Required/ },
  {
    name: 'another operation',
    input: { operation: 'rename', ...at },
    code: 'InputValidationError',
    text: /`operation`/,
  },
  { name: 'line 0', input: { operation: 'hover', ...at, line: 0 }, code: 'InputValidationError', text: /`line`/ },
  {
    name: 'half a column',
    input: { operation: 'hover', ...at, character: 1.5 },
    code: 'InputValidationError',
    text: /`character`/,
  },
  {
    name: 'a path that is a number',
    input: { operation: 'documentSymbol', filePath: 1 },
    code: 'InputValidationError',
    text: /`filePath`: Expected string, received number/,
  },
];

describe('LSP, row by row', () => toolTable(lspTool, rows));
