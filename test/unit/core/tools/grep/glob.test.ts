// Glob beyond its table: where it searches, and its place among the tools.
import assert from 'node:assert/strict';
import { type GlobOutcome } from '../../../../../src/core/ports/search';
import { globTool } from '../../../../../src/core/tools/grep/glob';
import { globRoot, shownPath } from '../../../../../src/core/tools/grep/glob-root';
import { isFailure } from '../../../../../src/core/tool/tool';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { searchContext } from './grep-context';
import { said } from '../../../../../src/core/text/words';

type Input = Parameters<typeof globTool.call>[0];

describe('Glob', () => {
  const text = async (input: Input, setup: Parameters<typeof searchContext>[0]): Promise<string> => {
    const result = await globTool.call(input, searchContext(setup).context);
    if (isFailure(result)) return `${result.failure.code}: ${said(result.failure.message)}`;
    return globTool.mapToolResultToToolResultBlockParam(result.data, 'toolu_1').content as string;
  };
  const files = (...paths: string[]): GlobOutcome => ({
    outcome: 'files',
    paths,
    total: paths.length,
    truncated: false,
  });

  const roots: [string, string, string, string][] = [
    ['*.ts', '/work', '/work', '*.ts'],
    ['**/*.ts', '/work', '/work', '/**/*.ts'],
    ['src/**/*.ts', '/work', '/work/src', '/**/*.ts'],
    ['src/*.ts', '/work', '/work/src', '/*.ts'],
    ['src/a/b.ts', '/work', '/work/src/a', '/b.ts'],
    ['src/**', '/work', '/work/src', '**'],
    ['{src,test}/*.ts', '/work', '/work', '/{src,test}/*.ts'],
    ['./src/*.ts', '/work', '/work/src', '/*.ts'],
    ['../other/*.ts', '/work', '/other', '/*.ts'],
    ['/abs/x/*.ts', '/work', '/abs/x', '/*.ts'],
    ['/*.ts', '/work', '/', '/*.ts'],
    ['C:\\code\\*.ts', '/work', 'C:/code', '/*.ts'],
    ['!src/*.ts', '/work', '/work', '!src/*.ts'],
    ['src/', '/work', '/work/src', '**'],
  ];
  for (const [pattern, folder, root, rest] of roots) {
    it(`${pattern} in ${folder} starts in ${root}`, () =>
      assert.deepEqual(globRoot(pattern, folder), { root, pattern: rest }));
  }

  it('shows paths relative to the current folder where that is shorter', () => {
    assert.deepEqual(
      [
        shownPath('/work/a/b.ts', '/work'),
        shownPath('/workshop/a.ts', '/work'),
        shownPath('/work', '/work'),
        shownPath('/x', '/'),
        shownPath('/work/a/../.b', '/work'),
      ],
      ['a/b.ts', '/workshop/a.ts', '.', 'x', '.b'],
    );
  });

  it('walks at most once more for a pattern that finds nothing, and not at all after a walk that was stopped', async () => {
    const walks = async (pattern: string, glob?: GlobOutcome): Promise<number> => {
      const { context, asked } = searchContext({ ...(glob === undefined ? {} : { glob }) });
      await globTool.call({ pattern }, context);
      return asked.glob.length;
    };
    for (const pattern of ['**/B.ts', '**/[id]/B.ts', 'src\\**\\B.ts', '*[A]\\B.ts'])
      assert.equal(await walks(pattern), 2, pattern);
    assert.equal(await walks('**/[id]/B.ts', { ...files(), truncated: true } as GlobOutcome), 1);
    assert.equal(await walks('**/*.ts', files('/work/a.ts')), 1);
  });

  it('lists paths, newest first, one a line', async () => {
    assert.equal(await text({ pattern: '*.ts' }, { glob: files('/work/b.ts', '/other/a.ts') }), 'b.ts\n/other/a.ts');
  });

  it('asks the port with the limit and what rules hide', async () => {
    const { context, asked } = searchContext({ paths: { '/work/src': 'directory' }, hidden: ['/work/.env'] });
    await globTool.call({ pattern: 'src/*.ts' }, context);
    const [query] = asked.glob;
    assert.deepEqual(
      [query?.path, query?.pattern, query?.limit, query?.hidden('/work/.env'), query?.hidden('/work/a')],
      ['/work/src', '/*.ts', 100, true, false],
    );
  });

  it('fails with what the search says', async () => {
    assert.equal(
      await text({ pattern: '*' }, { glob: { outcome: 'failed', message: 'rg says no' } }),
      'search-failed: rg says no',
    );
  });

  it('is a read-only, concurrent tool whose target is the folder that it lists', async () => {
    const input = { pattern: '../secret/*' };
    assert.deepEqual(globTool.targets(input, '/work'), [{ kind: 'file', access: 'read', path: '/secret' }]);
    assert.deepEqual(
      [globTool.isReadOnly(input), globTool.isConcurrencySafe(input), globTool.access],
      [true, true, 'ReadOnly'],
    );
    assert.deepEqual(Object.keys(jsonSchemaOf(globTool.inputSchema).properties ?? {}), ['pattern', 'path']);
    assert.match(await globTool.prompt({ toolNames: [], platform: 'linux', shell: 'bash' }), /newest first/);
  });

  it('shows files with whole paths', async () => {
    const result = await globTool.call({ pattern: '*' }, searchContext({ glob: files('/work/a.ts') }).context);
    assert.ok(!isFailure(result));
    assert.deepEqual(globTool.view(result.data, { pattern: '*' }), {
      kind: 'files',
      items: [{ path: '/work/a.ts' }],
      total: 1,
      truncated: false,
    });
    assert.equal(globTool.detail(result.data), '1 file');
    assert.equal(globTool.outputSchema?.safeParse(result.data).success, true);
  });
});
