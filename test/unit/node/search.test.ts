// Both Search ports against one table: real ripgrep, and the walk over the FileSystem port.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type GlobQuery, type GrepOutcome, type GrepQuery, type Search } from '../../../src/core/ports/search';
import { createWalkSearch } from '../../../src/core/search/walk-search';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { ripgrepCandidates } from '../../../src/node/search/ripgrep-path';
import { createRipgrepSearch } from '../../../src/node/search/ripgrep-search';
import { patternThread } from '../../support/pattern-thread';
import { makeTree, type Tree } from './search-tree';

const never = new AbortController().signal;

/** Later files are newer. */
const tree = {
  'a.ts': 'const alpha = 1;\nconst beta = alpha + 1;\n\nexport { beta };\n',
  'src/b.ts': 'import { beta } from "../a";\nfunction run(x: number) {\n  return beta * x;\n}\n',
  'src/deep/c.tsx': '<Alpha beta={1} />\n',
  'src/deep/d.js': 'const alpha = "ALPHA";\n',
  'readme.md': '# Title\n\nalpha beta\ngamma\ndelta\nalpha again\nend\n',
  'crlf.txt': 'first\r\nneedle\r\nlast\r\n',
  'utf16.txt': Buffer.from('\uFEFFwide needle\n', 'utf16le'),
  'no-newline.txt': 'the needle',
  'with space/file one.txt': 'spaced\n',
  'ünï/çode.txt': 'grüße needle\n',
  '.hidden/config.txt': 'secret needle\n',
  '.env': 'KEY=needle\n',
  'binary.dat': Buffer.from('needle\0\0\x01\x02', 'latin1'),
  '.gitignore': 'ignored/\n*.log\n!keep.log\n',
  'ignored/x.ts': 'alpha\n',
  'out.log': 'alpha\n',
  'keep.log': 'alpha\n',
  'src/.gitignore': 'generated.ts\n',
  'src/generated.ts': 'alpha\n',
  '.git/config': 'alpha needle\n',
  'long.txt': `${'x'.repeat(5_000)}\nlongneedle ${'y'.repeat(5_000)}\n`,
  'dash.txt': '--\n-- two\nplain\n--\n',
  'count/one.txt': 'k\nk\nk k\n',
  'count/two.txt': 'k\n',
  '-odd/--name.txt': 'oddity\n',
  '[a,b]/r.txt': 'route\n',
  'new\nline.txt': 'splitname\n',
};

interface GrepRow {
  name: string;
  query: Partial<GrepQuery> & { pattern: string; path?: string };
  /** Rendered by `render`, relative to the root. */
  expected: string[] | RegExp;
  only?: 'ripgrep';
  /** Not every ripgrep is built with it. */
  engine?: 'pcre2';
  total?: number;
  truncated?: boolean;
}

const rows: GrepRow[] = [
  {
    name: 'files, newest first',
    query: { pattern: 'alpha' },
    expected: ['keep.log', 'readme.md', 'src/deep/d.js', 'a.ts'],
  },
  { name: 'case matters', query: { pattern: 'ALPHA' }, expected: ['src/deep/d.js'] },
  { name: '-i', query: { pattern: 'title', ignoreCase: true }, expected: ['readme.md'] },
  { name: 'inline flags', query: { pattern: '(?i)TITLE' }, expected: ['readme.md'] },
  { name: 'nothing', query: { pattern: 'absent-word' }, expected: [] },
  { name: 'a regular expression', query: { pattern: 'be.a\\s\\*' }, expected: ['src/b.ts'] },
  { name: 'hidden files are searched', query: { pattern: 'secret|KEY=' }, expected: ['.env', '.hidden/config.txt'] },
  { name: 'ignored files are not', query: { pattern: 'alpha', path: 'src' }, expected: ['src/deep/d.js'] },
  {
    name: 'an ignored file is searched when named',
    query: { pattern: 'alpha', path: 'out.log' },
    expected: ['out.log'],
  },
  {
    name: 'an ignored folder is searched when named',
    query: { pattern: 'alpha', path: 'ignored' },
    expected: ['ignored/x.ts'],
  },
  { name: '.git is searched only when named', query: { pattern: 'alpha', path: '.git' }, expected: ['.git/config'] },
  { name: 'glob', query: { pattern: 'alpha', glob: '*.ts' }, expected: ['a.ts'] },
  {
    name: 'glob with braces',
    query: { pattern: 'beta', glob: '*.{ts,tsx}' },
    expected: ['src/deep/c.tsx', 'src/b.ts', 'a.ts'],
  },
  { name: 'two globs', query: { pattern: 'alpha', glob: '*.md, *.js' }, expected: ['readme.md', 'src/deep/d.js'] },
  { name: 'glob with a folder', query: { pattern: 'beta', glob: 'src/**/*.tsx' }, expected: ['src/deep/c.tsx'] },
  {
    name: 'excluding glob',
    query: { pattern: 'alpha', glob: '!*.md' },
    expected: ['keep.log', 'src/deep/d.js', 'a.ts'],
  },
  {
    name: 'glob does not bring .git back',
    query: { pattern: 'needle', glob: 'config*' },
    expected: ['.hidden/config.txt'],
  },
  {
    name: 'a folder is left out with what is in it',
    query: { pattern: 'alpha', glob: '!src' },
    expected: ['keep.log', 'readme.md', 'a.ts'],
  },
  {
    name: 'a slash behind means a folder',
    query: { pattern: 'alpha', glob: '!src/,!a.ts/' },
    expected: ['keep.log', 'readme.md', 'a.ts'],
  },
  { name: 'escaped brackets', query: { pattern: 'route', glob: '/\\[a\\,b\\]/*.txt' }, expected: ['[a,b]/r.txt'] },
  { name: 'type', query: { pattern: 'alpha', type: 'js' }, expected: ['src/deep/d.js'] },
  { name: 'type and glob', query: { pattern: 'beta', type: 'ts', glob: '*.tsx' }, expected: ['src/deep/c.tsx'] },
  {
    name: 'type and a glob of folders',
    query: { pattern: 'beta', type: 'ts', glob: 'src/**/*' },
    expected: ['src/deep/c.tsx', 'src/b.ts'],
  },
  { name: 'type and a glob of other names', query: { pattern: 'alpha', type: 'js', glob: '*.ts' }, expected: [] },
  { name: 'name pattern and exclusion', query: { pattern: 'alpha|beta', glob: '*.ts,!b*' }, expected: ['a.ts'] },
  { name: 'unknown type', query: { pattern: 'alpha', type: 'nonsense' }, expected: /unrecognized file type: nonsense/ },
  {
    name: 'limit',
    query: { pattern: 'alpha', limit: 2 },
    expected: ['keep.log', 'readme.md'],
    total: 4,
    truncated: true,
  },
  {
    name: 'limit and offset',
    query: { pattern: 'alpha', limit: 2, offset: 1 },
    expected: ['readme.md', 'src/deep/d.js'],
    total: 4,
    truncated: true,
  },
  {
    name: 'the last page',
    query: { pattern: 'alpha', limit: 2, offset: 2 },
    expected: ['src/deep/d.js', 'a.ts'],
    total: 4,
    truncated: false,
  },
  { name: 'offset past the end', query: { pattern: 'alpha', offset: 9 }, expected: [], total: 4 },
  { name: 'UTF-16 with a mark', query: { pattern: 'wide needle' }, expected: ['utf16.txt'] },
  { name: 'binary files are passed over', query: { pattern: 'needle', glob: '*.dat' }, expected: [] },
  {
    name: 'content',
    query: { pattern: 'beta', mode: 'content', glob: '*.ts' },
    expected: [
      'a.ts:2:const beta = alpha + 1;',
      'a.ts:4:export { beta };',
      'src/b.ts:1:import { beta } from "../a";',
      'src/b.ts:3:  return beta * x;',
    ],
    total: 4,
    truncated: false,
  },
  {
    name: 'content of one file',
    query: { pattern: 'alpha', mode: 'content', path: 'readme.md' },
    expected: ['readme.md:3:alpha beta', 'readme.md:6:alpha again'],
  },
  {
    name: 'content limit',
    query: { pattern: 'beta', mode: 'content', glob: '*.ts', limit: 2, offset: 1 },
    expected: ['a.ts:4:export { beta };', 'src/b.ts:1:import { beta } from "../a";'],
    total: 4,
    truncated: true,
  },
  {
    name: 'context',
    query: { pattern: 'gamma', mode: 'content', before: 1, after: 1 },
    expected: ['readme.md-3-alpha beta', 'readme.md:4:gamma', 'readme.md-5-delta'],
  },
  {
    name: 'groups of context',
    query: { pattern: 'Title|end', mode: 'content', after: 1, before: 1, path: 'readme.md' },
    expected: ['readme.md:1:# Title', 'readme.md-2-', '--', 'readme.md-6-alpha again', 'readme.md:7:end'],
  },
  {
    name: 'groups that touch are one',
    query: { pattern: 'Title|gamma', mode: 'content', after: 1, before: 1, path: 'readme.md' },
    expected: [
      'readme.md:1:# Title',
      'readme.md-2-',
      'readme.md-3-alpha beta',
      'readme.md:4:gamma',
      'readme.md-5-delta',
    ],
  },
  {
    name: 'context of several files',
    query: { pattern: 'needle$', mode: 'content', before: 1, glob: '*.txt', path: '.' },
    expected: [
      '.hidden/config.txt:1:secret needle',
      '--',
      'crlf.txt-1-first',
      'crlf.txt:2:needle',
      '--',
      'no-newline.txt:1:the needle',
      '--',
      'utf16.txt:1:wide needle',
      '--',
      'ünï/çode.txt:1:grüße needle',
    ],
  },
  {
    name: 'dashes are text',
    query: { pattern: '^--', mode: 'content', glob: 'dash.txt' },
    expected: ['dash.txt:1:--', 'dash.txt:2:-- two', 'dash.txt:4:--'],
  },
  {
    name: 'dashes as context',
    query: { pattern: 'plain', mode: 'content', before: 1, after: 1 },
    expected: ['dash.txt-2--- two', 'dash.txt:3:plain', 'dash.txt-4---'],
  },
  { name: 'a pattern that starts with a dash', query: { pattern: '-- two' }, expected: ['dash.txt'] },
  {
    name: 'only matching',
    query: { pattern: '[a-z]+a\\b', mode: 'content', onlyMatching: true, path: 'readme.md' },
    expected: ['readme.md:3:alpha', 'readme.md:3:beta', 'readme.md:4:gamma', 'readme.md:5:delta', 'readme.md:6:alpha'],
  },
  {
    name: 'CRLF: $ matches, the ending is not shown',
    query: { pattern: '^needle$', mode: 'content' },
    expected: ['crlf.txt:2:needle'],
  },
  {
    name: 'counts',
    query: { pattern: 'k', mode: 'count', path: 'count' },
    expected: ['count/one.txt=3', 'count/two.txt=1'],
    total: 2,
  },
  {
    name: 'counts limited',
    query: { pattern: 'k', mode: 'count', path: 'count', limit: 1 },
    expected: ['count/one.txt=3'],
    total: 2,
    truncated: true,
  },
  {
    name: 'multiline',
    query: { pattern: 'gamma.*again', mode: 'content', multiline: true },
    expected: ['readme.md:4:gamma', 'readme.md:5:delta', 'readme.md:6:alpha again'],
  },
  { name: 'multiline files', query: { pattern: 'number\\) \\{\\n  return', multiline: true }, expected: ['src/b.ts'] },
  {
    name: 'multiline only matching',
    query: { pattern: 'ma\\nde', mode: 'content', multiline: true, onlyMatching: true },
    expected: ['readme.md:4:ma', 'readme.md:5:de'],
  },
  { name: 'not across lines by itself', query: { pattern: 'gamma.*again' }, expected: [] },
  {
    name: 'a newline without multiline',
    query: { pattern: 'gamma\\ndelta' },
    expected: /--multiline/,
    only: 'ripgrep',
  },
  {
    name: 'a pattern that does not parse',
    query: { pattern: 'run(' },
    expected: /unclosed group|not a regular expression/,
  },
  {
    name: 'a glob that does not parse',
    query: { pattern: 'a', glob: '{a' },
    expected: /error parsing glob/,
    only: 'ripgrep',
  },
  {
    name: 'look-around',
    query: { pattern: '(?<=const )alpha' },
    expected: ['src/deep/d.js', 'a.ts'],
    engine: 'pcre2',
  },
  {
    name: 'back-references',
    query: { pattern: '(\\w)\\1again|(ü)ß(e) n\\3\\3dl\\3' },
    expected: ['ünï/çode.txt'],
    engine: 'pcre2',
  },
  {
    name: 'names with spaces',
    query: { pattern: 'spaced', mode: 'content' },
    expected: ['with space/file one.txt:1:spaced'],
  },
  {
    name: 'names outside ASCII',
    query: { pattern: 'grüße', mode: 'content' },
    expected: ['ünï/çode.txt:1:grüße needle'],
  },
  {
    name: 'names with dashes',
    query: { pattern: 'oddity', path: '-odd/--name.txt', mode: 'content' },
    expected: ['-odd/--name.txt:1:oddity'],
  },
  {
    name: 'names with a newline',
    query: { pattern: 'splitname', mode: 'content' },
    expected: ['new\nline.txt:1:splitname'],
  },
  {
    name: 'long lines are cut',
    query: { pattern: 'longneedle', mode: 'content' },
    expected: /^long\.txt:2:longneedle y{900,1000} \[/,
    only: 'ripgrep',
  },
  {
    name: 'a binary file by name',
    query: { pattern: 'needle', mode: 'content', path: 'binary.dat' },
    expected: ['binary.dat:0:binary file matches'],
    only: 'ripgrep',
  },
  { name: 'a path that is not there', query: { pattern: 'a', path: 'nowhere' }, expected: /nowhere does not exist/ },
  {
    name: 'hidden by rules',
    query: { pattern: 'alpha', hidden: (file) => file.includes('/src/') || file.endsWith('.log') },
    expected: ['readme.md', 'a.ts'],
    total: 2,
  },
  {
    name: 'content hidden by rules',
    query: { pattern: 'alpha', mode: 'content', hidden: (file) => !file.endsWith('.js') },
    expected: ['src/deep/d.js:1:const alpha = "ALPHA";'],
    total: 1,
    only: 'ripgrep',
  },
];

const globs: { pattern: string; path?: string; expected: string[] }[] = [
  { pattern: '*.md', expected: ['readme.md'] },
  { pattern: '**/*.ts', expected: ['src/generated.ts', 'ignored/x.ts', 'src/b.ts', 'a.ts'] },
  { pattern: '*.ts', expected: ['src/generated.ts', 'ignored/x.ts', 'src/b.ts', 'a.ts'] },
  { pattern: '/*.ts', expected: ['a.ts'] },
  { pattern: 'src/*.ts', expected: ['src/generated.ts', 'src/b.ts'] },
  { pattern: '/**/*.tsx', expected: ['src/deep/c.tsx'] },
  {
    pattern: 'src/**',
    expected: ['src/generated.ts', 'src/.gitignore', 'src/deep/d.js', 'src/deep/c.tsx', 'src/b.ts'],
  },
  { pattern: '*.{js,tsx}', expected: ['src/deep/d.js', 'src/deep/c.tsx'] },
  { pattern: '[ab].ts', expected: ['src/b.ts', 'a.ts'] },
  { pattern: '?.ts', path: 'src', expected: ['src/b.ts'] },
  { pattern: '.env', expected: ['.env'] },
  { pattern: 'config*', expected: ['.hidden/config.txt'] },
  { pattern: '*', path: '.git', expected: ['.git/config'] },
  { pattern: 'file one.*', expected: ['with space/file one.txt'] },
  { pattern: '*ode.txt', expected: ['ünï/çode.txt'] },
  { pattern: 'new*', expected: ['new\nline.txt'] },
  { pattern: 'nothing*', expected: [] },
];

/** Every ripgrep of this machine: people have the one of their system. */
const ripgreps = ripgrepCandidates({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] })
  .filter((file) => existsSync(file))
  .map((executable) => {
    const [version = ''] = spawnSync(executable, ['--version'], { encoding: 'utf8' }).stdout.split('\n');
    return { executable, version, lookAround: spawnSync(executable, ['--pcre2-version']).status === 0 };
  });
const searches = [
  ...ripgreps.map((one) => ({ kind: 'ripgrep' as const, name: `${one.version}, ${one.executable}`, ...one })),
  { kind: 'walk' as const, name: 'walk', executable: undefined, lookAround: true },
];

it('there is a ripgrep to test', () => assert.notEqual(ripgreps.length, 0));

for (const { kind, name, executable, lookAround } of searches) {
  describe(`search by ${name}`, () => {
    let place: Tree;
    let search: Search;
    before(async () => {
      place = await makeTree(tree);
      search =
        kind === 'walk'
          ? createWalkSearch(createNodeFileSystem(), { openPattern: await patternThread() })
          : createRipgrepSearch(async () => executable);
    });
    after(() => place.remove());

    const grep = (query: GrepRow['query']): Promise<GrepOutcome> =>
      search.grep(
        {
          mode: 'files_with_matches',
          ignoreCase: false,
          multiline: false,
          onlyMatching: false,
          before: 0,
          after: 0,
          limit: 250,
          offset: 0,
          hidden: () => false,
          ...query,
          path: path.resolve(place.root, query.path ?? '.'),
        },
        never,
      );
    const glob = (query: Partial<GlobQuery> & { pattern: string }) =>
      search.glob(
        { limit: 100, hidden: () => false, ...query, path: path.resolve(place.root, query.path ?? '.') },
        never,
      );

    for (const row of rows) {
      if (row.only !== undefined && row.only !== kind) continue;
      const expected = row.engine === 'pcre2' && !lookAround ? /not supported/ : row.expected;
      it(row.name, async () => {
        const outcome = await grep(row.query);
        const rendered = render(outcome, place.root);
        if (expected instanceof RegExp) assert.match(rendered.join('\n'), expected);
        else assert.deepEqual(rendered, expected);
        if (row.total !== undefined) assert.equal('total' in outcome && outcome.total, row.total);
        if (row.truncated !== undefined) assert.equal('truncated' in outcome && outcome.truncated, row.truncated);
      });
    }

    for (const row of globs) {
      it(`glob ${JSON.stringify(row.pattern)}${row.path ? ` in ${row.path}` : ''}`, async () => {
        assert.deepEqual(render(await glob(row), place.root), row.expected);
      });
    }

    it('glob is capped and says how many there are', async () => {
      const outcome = await glob({ pattern: '**/*.ts', limit: 2 });
      assert.deepEqual(render(outcome, place.root), ['src/generated.ts', 'ignored/x.ts']);
      assert.deepEqual(outcome.outcome === 'files' && [outcome.total, outcome.truncated], [4, true]);
    });

    it('glob leaves out what rules hide', async () => {
      const outcome = await glob({ pattern: '*.ts', hidden: (file) => file.startsWith(`${place.root}/src/`) });
      assert.deepEqual(render(outcome, place.root), ['ignored/x.ts', 'a.ts']);
    });

    it('glob refuses a file as folder', async () => {
      assert.equal((await glob({ pattern: '*', path: 'a.ts' })).outcome, 'failed');
    });

    it('a search that finds far too much is stopped, and says so', async () => {
      const large = await makeTree(
        Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}.txt`, 'hit\n'.repeat(2_000)])),
      );
      try {
        const query: GrepQuery = {
          pattern: 'hit',
          path: large.root,
          mode: 'content',
          ignoreCase: false,
          multiline: false,
          onlyMatching: false,
          before: 0,
          after: 0,
          limit: 5,
          offset: 0,
          hidden: () => false,
        };
        const outcome = await search.grep(query, never);
        assert.ok(outcome.outcome === 'content');
        assert.deepEqual(
          [outcome.lines.length, outcome.truncated, outcome.total >= 5, outcome.total < 80_000, outcome.stopped],
          [5, true, true, true, kind === 'ripgrep' ? 'unordered' : 'in_order'],
        );
        const file = `${large.root}/one.txt`;
        await writeFile(file, 'hit\n'.repeat(60_000));
        const one = await search.grep({ ...query, path: file }, never);
        assert.ok(one.outcome === 'content');
        assert.equal(one.stopped, kind === 'ripgrep' ? 'in_order' : undefined);
        assert.equal(
          ((await search.grep({ ...query, path: file, offset: 59_999 }, never)) as { stopped?: unknown }).stopped,
          undefined,
          'all of it was seen',
        );
      } finally {
        await large.remove();
      }
    });

    it('an aborted search rejects with the reason', async () => {
      const reason = new Error('stop');
      const query: GlobQuery = { pattern: '*', path: place.root, limit: 10, hidden: () => false };
      await assert.rejects(search.glob(query, AbortSignal.abort(reason)), reason);
    });

    it('a folder that links to itself ends', async () => {
      const looped = await makeTree({ 'a/x.txt': 'needle\n' });
      try {
        await mkdir(path.join(looped.root, 'b'));
        await symlink(looped.root, path.join(looped.root, 'b', 'up'));
        const outcome = await search.glob(
          { pattern: '*.txt', path: looped.root, limit: 10, hidden: () => false },
          never,
        );
        assert.deepEqual(render(outcome, looped.root), ['a/x.txt']);
      } finally {
        await looped.remove();
      }
    });

    it('in a repository the ignore files of the folders above count', async () => {
      const repository = await makeTree({
        '.git/HEAD': '',
        '.gitignore': '*.gen\n',
        'sub/a.gen': 'x\n',
        'sub/a.txt': 'x\n',
      });
      const plain = await makeTree({ '.gitignore': '*\n', 'sub/a.txt': 'x\n' });
      try {
        const query = {
          pattern: 'x',
          mode: 'files_with_matches' as const,
          ignoreCase: false,
          multiline: false,
          onlyMatching: false,
          before: 0,
          after: 0,
          limit: 9,
          offset: 0,
          hidden: () => false,
        };
        const inside = await search.grep({ ...query, path: `${repository.root}/sub` }, never);
        assert.deepEqual(render(inside, repository.root), ['sub/a.txt']);
        const outside = await search.grep({ ...query, path: `${plain.root}/sub` }, never);
        assert.deepEqual(render(outside, plain.root), ['sub/a.txt']);
      } finally {
        await repository.remove();
        await plain.remove();
      }
    });
  });
}

function render(outcome: GrepOutcome, root: string): string[] {
  const shown = (file: string): string => path.relative(root, file);
  switch (outcome.outcome) {
    case 'failed':
      return [outcome.message];
    case 'files':
      return outcome.paths.map(shown);
    case 'counts':
      return outcome.counts.map(({ path: file, count }) => `${shown(file)}=${count}`);
    case 'content':
      return outcome.lines.map((line) => {
        if (line === 'separator') return '--';
        const mark = line.match ? ':' : '-';
        return `${shown(line.path)}${mark}${line.line}${mark}${line.text}`;
      });
  }
}
