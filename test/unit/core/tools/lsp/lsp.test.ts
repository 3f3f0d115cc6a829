// LSP beyond its table: what it asks of the language server, servers that do not answer, and its view.
import assert from 'node:assert/strict';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import {
  type CodeLocation,
  type LanguageAnswer,
  type Languages,
  type LookLimits,
} from '../../../../../src/core/ports/languages';
import { lspTool } from '../../../../../src/core/tools/lsp/lsp';
import { isFailure, type ToolContext } from '../../../../../src/core/tool/tool';
import { createManualClock } from '../../../../support/manual-clock';
import { unusedPorts } from '../../../../support/unused-ports';
import { searchContext } from '../grep/grep-context';
import { said } from '../../../../../src/core/text/words';

type Input = Parameters<typeof lspTool.call>[0];

const limit = 100;
const use: CodeLocation = { path: '/work/src/use.ts', line: 4, column: 9, text: 'return add();' };
const answer = <Value>(value: Value): LanguageAnswer<Value> => ({ outcome: 'answer', value });
const found = <Item>(items: Item[], total = items.length, files = 1) => answer({ items, total, files });

/** A context whose language server gives these answers; the rest of the port throws. Time passes only where a test says so. */
function contextWith(
  languages: Partial<Languages>,
  more: { hidden?: string[]; late?: boolean; signal?: AbortSignal } = {},
): ToolContext {
  const { context } = searchContext({
    paths: { '/work/src/add.ts': 'file', '/work/src': 'directory', '/work/pipe': 'other' },
    ...(more.hidden && { hidden: more.hidden }),
  });
  const clock = createManualClock(more.late === true ? 'auto' : 'manual');
  return {
    ...context,
    ...(more.signal && { signal: more.signal }),
    ports: unusedPorts({ files: context.ports.files, clock, languages }),
  };
}

async function textOf(input: Input, context: ToolContext): Promise<string> {
  const result = await lspTool.call(input, context);
  if (isFailure(result)) return `${result.failure.code}: ${said(result.failure.message)}`;
  assert.equal(lspTool.outputSchema?.safeParse(result.data).success, true);
  return lspTool.mapToolResultToToolResultBlockParam(result.data, 'toolu_1').content as string;
}

const at = { filePath: 'src/add.ts', line: 1, character: 17 };

describe('LSP', () => {
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
    assert.deepEqual(asked, [
      { path: '/work/src/add.ts', line: 1, column: 17 },
      'plus',
      'add',
      '/work/src/add.ts',
      'add',
      undefined,
    ]);
    assert.deepEqual([limits?.limit, limits?.hidden('/work/.env'), limits?.hidden('/work/a')], [limit, true, false]);
  });

  const failures: [string, Input, ToolContext, RegExp][] = [
    [
      'a server that never answers',
      { operation: 'hover', ...at },
      contextWith({ hover: () => new Promise(() => undefined) }, { late: true }),
      /^timeout: .* within 10 seconds\..* use Grep\.$/,
    ],
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

  it('ends when the user stops, whatever the server does', async () => {
    const stop = new AbortController();
    const hover: Languages['hover'] = () => {
      stop.abort(new DOMException('Stopped.', 'AbortError'));
      return new Promise(() => undefined);
    };
    await assert.rejects(textOf({ operation: 'hover', ...at }, contextWith({ hover }, { signal: stop.signal })), {
      name: 'AbortError',
    });
  });

  it('is a read-only, concurrent tool that is there where the host has language servers', () => {
    const input: Input = { operation: 'hover', ...at };
    assert.deepEqual(lspTool.targets(input, '/work'), [{ kind: 'file', access: 'read', path: '/work/src/add.ts' }]);
    assert.deepEqual(lspTool.targets({ operation: 'workspaceSymbol', query: 'a' }, '/work'), []);
    assert.deepEqual(
      [lspTool.isReadOnly(input), lspTool.isConcurrencySafe(input), lspTool.access],
      [true, true, 'ReadOnly'],
    );
    const host = { interactive: true, platform: 'linux' };
    assert.deepEqual(
      [
        lspTool.isEnabled(availabilityOf({}, host)),
        lspTool.isEnabled(availabilityOf({ languages: {} as Languages }, host)),
      ],
      [false, true],
    );
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
    assert.deepEqual(
      await shown({ operation: 'findReferences', ...at }, { references: async () => found([use], 200, 5) }),
      [
        {
          kind: 'matches',
          pattern: 'src/add.ts:1:17',
          matches: 200,
          files: 5,
          items: [{ path: '/work/src/use.ts', line: 4, text: 'return add();' }],
          truncated: true,
        },
        '200 references',
      ],
    );
    assert.deepEqual(await shown({ operation: 'hover', ...at }, { hover: async () => answer('`add`') }), [
      { kind: 'markdown', about: 'code', text: '`add`' },
      '',
    ]);
  });
});
