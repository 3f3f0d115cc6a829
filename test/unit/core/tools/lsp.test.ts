// LSP: what each operation asks of the language server, what the model reads, and what is refused.
import assert from 'node:assert/strict';
import { availabilityOf } from '../../../../src/core/tools/availability';
import { type CodeLocation, type CodeSymbol, type LanguageAnswer, type Languages, type LookLimits } from '../../../../src/core/ports/languages';
import { lspTool } from '../../../../src/core/tools/lsp';
import { isFailure, type ToolContext } from '../../../../src/core/tools/tool';
import { createManualClock } from '../../../support/manual-clock';
import { unusedPorts } from '../../../support/unused-ports';
import { searchContext } from './grep-context';

type Input = Parameters<typeof lspTool.call>[0];

const limit = 100;
const add: CodeLocation = { path: '/work/src/add.ts', line: 1, column: 17, text: 'export function add() {' };
const use: CodeLocation = { path: '/work/src/use.ts', line: 4, column: 9, text: 'return add();' };
const library: CodeLocation = { path: '/lib/lib.es5.d.ts', line: 9, column: 1, text: '' };
const symbol = (name: string, kind: string, location: CodeLocation, more: Partial<CodeSymbol> = {}): CodeSymbol => ({ name, kind, location, depth: 0, ...more });
const answer = <Value>(value: Value): LanguageAnswer<Value> => ({ outcome: 'answer', value });
const found = <Item>(items: Item[], total = items.length, files = 1) => answer({ items, total, files });

/** A context whose language server gives these answers; the rest of the port throws. Time passes only where a test says so. */
function contextWith(languages: Partial<Languages>, more: { hidden?: string[]; late?: boolean; signal?: AbortSignal } = {}): ToolContext {
  const { context } = searchContext({ paths: { '/work/src/add.ts': 'file', '/work/src': 'directory', '/work/pipe': 'other' }, ...(more.hidden && { hidden: more.hidden }) });
  const clock = createManualClock(more.late === true ? 'auto' : 'manual');
  return { ...context, ...(more.signal && { signal: more.signal }), ports: unusedPorts({ files: context.ports.files, clock, languages }) };
}

async function textOf(input: Input, context: ToolContext): Promise<string> {
  const result = await lspTool.call(input, context);
  if (isFailure(result)) return `${result.failure.code}: ${result.failure.message}`;
  assert.equal(lspTool.outputSchema?.safeParse(result.data).success, true);
  return lspTool.mapToolResultToToolResultBlockParam(result.data, 'toolu_1').content as string;
}

const at = { filePath: 'src/add.ts', line: 1, character: 17 };

describe('LSP', () => {
  const answers: [string, Input, Partial<Languages>, string][] = [
    ['a definition', { operation: 'goToDefinition', ...at }, { definition: async () => found([add]) }, '1 definition in 1 file\nsrc/add.ts\n  1:17 export function add() {'],
    [
      'references, grouped by file in the order of the answer',
      { operation: 'findReferences', ...at },
      { references: async () => found([add, use, { ...add, line: 3, text: 'add();' }], 3, 2) },
      '3 references in 2 files\nsrc/add.ts\n  1:17 export function add() {\n  3:17 add();\nsrc/use.ts\n  4:9 return add();',
    ],
    ['a place outside the workspace, without its line', { operation: 'goToDefinition', ...at }, { definition: async () => found([library]) }, '1 definition in 1 file\n/lib/lib.es5.d.ts\n  9:1'],
    ['implementations', { operation: 'goToImplementation', ...at }, { implementations: async () => found([use]) }, '1 implementation in 1 file\nsrc/use.ts\n  4:9 return add();'],
    ['a hover', { operation: 'hover', ...at }, { hover: async () => answer('```ts\nfunction add(): void\n```') }, '```ts\nfunction add(): void\n```'],
    [
      'symbols of a file, nested',
      { operation: 'documentSymbol', filePath: '/work/src/add.ts' },
      { documentSymbols: async () => found([symbol('Sum', 'class', add), symbol('run', 'method', { ...add, line: 2, column: 3 }, { depth: 1 })]) },
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
    ['nothing', { operation: 'findReferences', ...at }, { references: async () => found([], 0, 0) }, "No references found for src/add.ts:1:17. line and character must lie on the symbol's name."],
    ['no symbol', { operation: 'workspaceSymbol', query: 'none' }, { workspaceSymbols: async () => found([], 0, 0) }, 'No symbols found for none.'],
    ['no hover', { operation: 'hover', ...at }, { hover: async () => answer('') }, "The language server has nothing to say about src/add.ts:1:17. character must lie on the symbol's name."],
  ];
  for (const [name, input, languages, expected] of answers) {
    it(`tells ${name}`, async () => assert.equal(await textOf(input, contextWith(languages)), expected));
  }

  it('asks with whole paths, 1-based places, the limit and what rules hide', async () => {
    const asked: unknown[] = [];
    let limits: LookLimits | undefined;
    const languages: Partial<Languages> = {
      renamePreview: async (place, name, given) => {
        asked.push(place, name);
        limits = given;
        return found([]);
      },
      workspaceSymbols: async (query, path) => {
        asked.push(query, path);
        return found([]);
      },
    };
    const context = contextWith(languages, { hidden: ['/work/.env'] });
    await textOf({ operation: 'renamePreview', ...at, newName: 'plus' }, context);
    await textOf({ operation: 'workspaceSymbol', query: 'add', filePath: 'src/add.ts' }, context);
    await textOf({ operation: 'workspaceSymbol', query: 'add' }, context);
    assert.deepEqual(asked, [{ path: '/work/src/add.ts', line: 1, column: 17 }, 'plus', 'add', '/work/src/add.ts', 'add', undefined]);
    assert.deepEqual([limits?.limit, limits?.hidden('/work/.env'), limits?.hidden('/work/a')], [limit, true, false]);
  });

  const none: LanguageAnswer<never> = { outcome: 'none', message: 'No language server answers for /work/src/add.ts.' };
  const failures: [string, Input, ToolContext, RegExp][] = [
    ['no server', { operation: 'hover', ...at }, contextWith({ hover: async () => none }), /^no-language-server: No language server answers for \/work\/src\/add\.ts\. Use Grep and Read instead\.$/],
    ['a refusal', { operation: 'hover', ...at }, contextWith({ hover: async () => ({ outcome: 'refused', message: 'It has 3 lines.' }) }), /^refused: It has 3 lines\.$/],
    ['a server that never answers', { operation: 'hover', ...at }, contextWith({ hover: () => new Promise(() => undefined) }, { late: true }), /^timeout: .* within 10 seconds\..* use Grep\.$/],
    ['a file that is not there', { operation: 'hover', ...at, filePath: 'gone.ts' }, contextWith({}), /^not-found: \/work\/gone\.ts does not exist/],
    ['a folder', { operation: 'documentSymbol', filePath: 'src' }, contextWith({}), /^not-a-file: /],
    ['a pipe', { operation: 'documentSymbol', filePath: 'pipe' }, contextWith({}), /^not-a-file: /],
  ];
  for (const [name, input, context, expected] of failures) {
    it(`fails with a sentence for ${name}`, async () => assert.match(await textOf(input, context), expected));
  }

  it('tells the server that nobody waits any more', async () => {
    let waited: AbortSignal | undefined;
    const hover: Languages['hover'] = (_at, signal) => {
      waited = signal;
      return new Promise(() => undefined);
    };
    await textOf({ operation: 'hover', ...at }, contextWith({ hover }, { late: true }));
    assert.equal(waited?.aborted, true);
  });

  it('ends when the person stops, whatever the server does', async () => {
    const stop = new AbortController();
    const hover: Languages['hover'] = () => {
      stop.abort(new DOMException('Stopped.', 'AbortError'));
      return new Promise(() => undefined);
    };
    await assert.rejects(textOf({ operation: 'hover', ...at }, contextWith({ hover }, { signal: stop.signal })), { name: 'AbortError' });
  });

  const bad: [Input, RegExp][] = [
    [{ operation: 'workspaceSymbol' }, /needs query/],
    [{ operation: 'workspaceSymbol', query: ' ' }, /needs query/],
    [{ operation: 'documentSymbol' }, /needs filePath/],
    [{ operation: 'hover', line: 1, character: 1 }, /needs filePath/],
    [{ operation: 'goToDefinition', filePath: 'a.ts' }, /needs line and character, both from 1/],
    [{ operation: 'outgoingCalls', filePath: 'a.ts', line: 1 }, /needs line and character/],
    [{ operation: 'renamePreview', filePath: 'a.ts', line: 1, character: 1 }, /needs newName/],
    [{ operation: 'documentSymbol', filePath: 'a\0.ts' }, /NUL/],
  ];
  for (const [input, expected] of bad) {
    it(`refuses ${JSON.stringify(input)}`, async () => {
      const valid = await lspTool.validateInput(input, contextWith({}));
      assert.match(valid.ok ? '' : valid.message, expected);
    });
  }

  it('counts lines and columns from 1, and knows no other operation', () => {
    for (const wrong of [{ operation: 'hover', ...at, line: 0 }, { operation: 'hover', ...at, character: 1.5 }, { operation: 'rename', ...at }]) {
      assert.equal(lspTool.inputSchema.safeParse(wrong).success, false);
    }
    assert.equal(lspTool.inputSchema.safeParse({ operation: 'hover', ...at }).success, true);
  });

  it('is a read-only, concurrent tool that is there where the host has language servers', () => {
    const input: Input = { operation: 'hover', ...at };
    assert.deepEqual(lspTool.targets(input, '/work'), [{ kind: 'file', access: 'read', path: '/work/src/add.ts' }]);
    assert.deepEqual(lspTool.targets({ operation: 'workspaceSymbol', query: 'a' }, '/work'), []);
    assert.deepEqual([lspTool.isReadOnly(input), lspTool.isConcurrencySafe(input), lspTool.access], [true, true, 'ReadOnly']);
    const host = { interactive: true, platform: 'linux' };
    assert.deepEqual([lspTool.isEnabled(availabilityOf({}, host)), lspTool.isEnabled(availabilityOf({ languages: {} as Languages }, host))], [false, true]);
  });

  const sentences: [Input, string][] = [
    [{ operation: 'hover', ...at }, 'Asking for the type of add.ts:1:17'],
    [{ operation: 'documentSymbol', filePath: '/work/src/add.ts' }, 'Listing symbols of add.ts'],
    [{ operation: 'workspaceSymbol', query: 'add' }, 'Finding symbol "add"'],
    [{ operation: 'renamePreview', ...at, newName: 'plus' }, 'Previewing the rename of add.ts:1:17 to plus'],
  ];
  for (const [input, now] of sentences) it(`says "${now}"`, () => assert.equal(lspTool.describe(input).now, now));

  it('shows matches with whole paths, and a hover as markdown', async () => {
    const shown = async (input: Input, languages: Partial<Languages>) => {
      const result = await lspTool.call(input, contextWith(languages));
      assert.ok(!isFailure(result));
      return [lspTool.view(result.data, input), lspTool.detail(result.data)];
    };
    assert.deepEqual(await shown({ operation: 'findReferences', ...at }, { references: async () => found([use], 200, 5) }), [
      { kind: 'matches', pattern: 'src/add.ts:1:17', matches: 200, files: 5, items: [{ path: '/work/src/use.ts', line: 4, text: 'return add();' }], truncated: true },
      '200 references',
    ]);
    assert.deepEqual(await shown({ operation: 'hover', ...at }, { hover: async () => answer('`add`') }), [{ kind: 'markdown', about: 'code', text: '`add`' }, '']);
  });
});
