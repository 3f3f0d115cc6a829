// Grep beyond its table: what it asks of the search, answers that only some searches give, and its view.
import assert from 'node:assert/strict';
import { type GrepOutcome } from '../../../../../src/core/ports/search';
import { grepTool } from '../../../../../src/core/tools/grep/grep';
import { isFailure } from '../../../../../src/core/tool/tool';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { searchContext } from './grep-context';
import { said } from '../../../../../src/core/text/words';

type Input = Parameters<typeof grepTool.call>[0];
type Setup = Parameters<typeof searchContext>[0];

const line = (path: string, number: number, text: string, match = true) => ({ path, line: number, text, match });

describe('Grep', () => {
  const run = async (input: Input, setup: Setup) => {
    const result = await grepTool.call(input, searchContext(setup).context);
    assert.ok(!isFailure(result), JSON.stringify(result));
    return result.data;
  };
  const text = async (input: Input, setup: Setup): Promise<string> => {
    const result = await grepTool.call(input, searchContext(setup).context);
    if (isFailure(result)) return `${result.failure.code}: ${said(result.failure.message)}`;
    return grepTool.mapToolResultToToolResultBlockParam(result.data, 'toolu_1').content as string;
  };
  const files = (...paths: string[]): GrepOutcome => ({
    outcome: 'files',
    paths,
    total: paths.length,
    truncated: false,
  });
  const content: GrepOutcome = {
    outcome: 'content',
    lines: [
      line('/work/a.ts', 1, 'before', false),
      line('/work/a.ts', 2, 'hit'),
      'separator',
      line('/else/b.ts', 9, 'hit'),
    ],
    total: 3,
    truncated: false,
  };

  const rows: { name: string; input: Omit<Input, 'pattern'>; setup: Setup; expected: string | RegExp }[] = [
    {
      name: 'files outside the folder, by their whole paths',
      input: {},
      setup: { grep: files('/work/a.ts', '/else/b.ts') },
      expected: 'Found 2 files\na.ts\n/else/b.ts',
    },
    {
      name: 'content of several places',
      input: { output_mode: 'content', '-B': 1 },
      setup: { grep: content },
      expected: 'a.ts\n1-before\n2:hit\n\n/else/b.ts\n9:hit',
    },
    {
      name: 'content that is a separator',
      input: { output_mode: 'content', head_limit: 1, offset: 4 },
      setup: { grep: { outcome: 'content', lines: [line('/work/a.ts', 2, '--')], total: 9, truncated: true } },
      expected: /^a\.ts\n2:--\n\n\(Entries 5 to 5 of 9\. Continue with offset 5,/,
    },
    {
      name: 'a search that was stopped',
      input: {},
      setup: { grep: { outcome: 'files', paths: ['/work/a.ts'], total: 1, truncated: true } },
      expected: /\(Entries 1 to 1 of 1\. The search stopped here/,
    },
    {
      name: 'an error of ripgrep',
      input: {},
      setup: { grep: { outcome: 'failed', message: 'regex parse error' } },
      expected:
        'search-failed: regex parse error\nEscape literal characters, as in `\\(`, `\\{` or `\\[`. To find files by name use Glob.',
    },
    {
      name: 'that there is more than was seen',
      input: { head_limit: 1 },
      setup: { grep: { outcome: 'files', paths: ['/work/a.ts'], total: 9, truncated: true, stopped: 'unordered' } },
      expected: /\(Entries 1 to 1 of more than 9\. The search stopped here: narrow it\.\)/,
    },
    {
      name: 'that there is more in one file',
      input: { path: '/work/a.ts', head_limit: 1 },
      setup: {
        paths: { '/work/a.ts': 'file' },
        grep: { outcome: 'files', paths: ['/work/a.ts'], total: 9, truncated: true, stopped: 'in_order' },
      },
      expected: /of more than 9\. Continue with offset 1,/,
    },
  ];
  for (const { name, input, setup, expected } of rows) {
    it(`says ${name}`, async () => {
      const said = await text({ pattern: 'hit', ...input }, setup);
      if (typeof expected === 'string') assert.equal(said, expected);
      else assert.match(said, expected);
    });
  }

  const queries: [Omit<Input, 'pattern'>, object][] = [
    [
      {},
      {
        mode: 'files_with_matches',
        limit: 250,
        offset: 0,
        before: 0,
        after: 0,
        ignoreCase: false,
        multiline: false,
        onlyMatching: false,
      },
    ],
    [
      { output_mode: 'content', '-C': 2 },
      { before: 2, after: 2 },
    ],
    [
      { output_mode: 'content', context: 3 },
      { before: 3, after: 3 },
    ],
    [
      { output_mode: 'content', '-C': 2, '-A': 5 },
      { before: 2, after: 5 },
    ],
    [
      { '-C': 2, '-o': true },
      { before: 0, after: 0, onlyMatching: false },
    ],
    [
      { output_mode: 'content', '-o': true, '-i': true, multiline: true },
      { onlyMatching: true, ignoreCase: true, multiline: true },
    ],
    [{ head_limit: 0 }, { limit: Number.MAX_SAFE_INTEGER }],
    [
      { head_limit: 3, offset: 6 },
      { limit: 3, offset: 6 },
    ],
    [
      { glob: '*.ts', type: 'ts' },
      { glob: '*.ts', type: 'ts' },
    ],
    [{ path: '' }, { path: '/work' }],
  ];
  for (const [input, expected] of queries) {
    it(`asks rightly for ${JSON.stringify(input)}`, async () => {
      const { context, asked } = searchContext({ hidden: ['/work/.env'] });
      await grepTool.call({ pattern: 'hit', ...input }, context);
      const [query] = asked.grep;
      assert.ok(query);
      assert.deepEqual({ ...query, ...expected }, query);
      assert.equal(query.hidden('/work/.env'), true);
    });
  }

  it('shows matches without their context, with whole paths', async () => {
    const input: Input = { pattern: 'hit', output_mode: 'content', '-B': 1 };
    const output = await run(input, { grep: content });
    assert.deepEqual(grepTool.view(output, input), {
      kind: 'matches',
      pattern: 'hit',
      matches: 2,
      files: 2,
      items: [
        { path: '/work/a.ts', line: 2, text: 'hit' },
        { path: '/else/b.ts', line: 9, text: 'hit' },
      ],
      truncated: false,
    });
    assert.equal(grepTool.detail(output), '2 matches');
    assert.equal(grepTool.outputSchema?.safeParse(output).success, true);
  });

  it('keeps the view to 100 items', async () => {
    const input: Input = { pattern: 'hit' };
    const output = await run(input, { grep: files(...Array.from({ length: 150 }, (_, index) => `/work/${index}.ts`)) });
    const view = grepTool.view(output, input);
    assert.deepEqual(view.kind === 'matches' && [view.items.length, view.truncated, view.files], [100, true, 150]);
    assert.equal(grepTool.detail(output), '150 files');
  });

  it('is a read-only, concurrent tool whose target is where it searches', async () => {
    const input: Input = { pattern: 'x', path: '../b' };
    assert.deepEqual(grepTool.targets(input, '/work'), [{ kind: 'file', access: 'read', path: '/b' }]);
    assert.deepEqual(
      [grepTool.isReadOnly(input), grepTool.isConcurrencySafe(input), grepTool.access],
      [true, true, 'ReadOnly'],
    );
    const names = [
      'pattern',
      'path',
      'glob',
      'type',
      'output_mode',
      '-i',
      '-n',
      '-o',
      '-A',
      '-B',
      '-C',
      'context',
      'head_limit',
      'offset',
      'multiline',
    ];
    assert.deepEqual(Object.keys(jsonSchemaOf(grepTool.inputSchema).properties ?? {}), names);
    assert.match(await grepTool.prompt({ toolNames: [], platform: 'linux', shell: 'bash' }), /ripgrep/);
  });
});
