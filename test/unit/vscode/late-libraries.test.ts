// The libraries that stay apart from the extension: read at the first call, and then as if they had been imported.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type BuildResult } from 'esbuild';
// @ts-expect-error: the build script is plain JavaScript.
import { bundles, namesToBuild, writeAsCommonJs } from '../../../esbuild.mjs';
import { temporaryFolder } from '../../rig/cleanup';

const source = `
  export { parse } from 'unbash';
  export { parseTree } from 'jsonc-parser';
  export { diffArrays } from 'diff';
  import ignore from 'ignore';
  import picomatch from 'picomatch';
  export { ignore, picomatch };
`;

interface Libraries {
  parse(script: string): { commands: unknown[] };
  parseTree(text: string): { children?: unknown[] };
  diffArrays(before: string[], after: string[]): unknown[];
  ignore(): { add(rule: string): { ignores(file: string): boolean } };
  picomatch: ((glob: string) => (file: string) => boolean) & { isMatch(file: string, glob: string): boolean };
}

describe('late libraries', () => {
  it('are cleared with the files of the SDKs only where those are built again', () => {
    const cases: [string[], string[]][] = [
      [
        ['extension', 'late'],
        ['extension', 'late', 'sdks', 'browser'],
      ],
      [
        ['late', 'sdks', 'extension'],
        ['late', 'sdks', 'extension', 'browser'],
      ],
      [['extension'], ['extension']],
      [
        ['late', 'webview'],
        ['late', 'webview'],
      ],
    ];
    for (const [names, built] of cases) assert.deepEqual((namesToBuild as (names: string[]) => string[])(names), built);
  });

  it('are read at the first call and work as imported ones', async () => {
    const folder = temporaryFolder('late');
    const { extension, late } = bundles as Record<string, BuildOptions>;
    const stdin = { contents: source, resolveDir: process.cwd() };
    const { entryPoints: _entry, ...options } = extension ?? {};
    const [parts] = await Promise.all([
      build({ ...options, stdin, outdir: folder }),
      build({ ...late, outdir: folder }),
    ]);
    await (writeAsCommonJs as (parts: BuildResult) => Promise<void>)(parts);
    const require = createRequire(path.join(folder, 'stdin.js'));
    const libraries = require('./stdin.js') as Libraries;
    const read = (): string[] =>
      Object.keys(require.cache)
        .filter((file) => file.startsWith(path.join(folder, 'late')))
        .map((file) => path.basename(file));
    assert.deepEqual(read(), []);
    assert.equal(libraries.parse('ls; pwd').commands.length, 2);
    assert.deepEqual(read(), ['unbash.js']);
    assert.equal(libraries.parseTree('[1, 2]').children?.length, 2);
    assert.equal(libraries.diffArrays(['a'], ['b']).length, 2);
    assert.equal(libraries.ignore().add('*.log').ignores('a.log'), true);
    assert.equal(libraries.picomatch('*.ts')('a.ts'), true);
    assert.equal(libraries.picomatch.isMatch('a.js', '*.ts'), false);
    assert.equal(read().length, 5);
  });
});
