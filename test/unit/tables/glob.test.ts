// Glob, row by row, on real files: what is found, in which order, what is refused.
import { globTool } from '../../../src/core/tools/grep/glob';
import { type MemoryEntry } from '../../support/memory-files';
import { searchPorts } from '../../support/search-ports';
import { type ToolRow, toolTable } from '../../support/tool-table';

/** Later ones are newer. */
const tree: Record<string, MemoryEntry> = {
  '/w/a.ts': 'a',
  '/w/src/b.ts': 'b',
  '/w/src/deep/c.ts': 'c',
  '/w/src/deep/d.js': 'd',
  '/w/.hidden/e.ts': 'e',
  '/w/name with space é.md': 'f',
};

const rows: ToolRow[] = [
  ...['src/[id]/*.tsx', './src/[id]/*', '/w/src/[id]/*.tsx', 'src/[id]/**/*.tsx', '[id]/*.tsx', '**/[id]/*.tsx'].map(
    (pattern): ToolRow => ({
      name: `a folder with brackets by ${pattern}`,
      files: { '/w/src/[id]/page.tsx': '', '/w/src/[id]/x.md': '' },
      input: { pattern, ...(pattern.startsWith('[') ? { path: 'src' } : {}) },
      text: pattern.endsWith('/*') ? /^src\/\[id\]\/\S+\nsrc\/\[id\]\/\S+$/ : 'src/[id]/page.tsx',
    }),
  ),
  {
    name: 'brackets that are no class',
    files: { '/w/src/[...post-id]/[[...z-a]].tsx': '' },
    input: { pattern: 'src/[...post-id]/[[...z-a]].tsx' },
    text: 'src/[...post-id]/[[...z-a]].tsx',
  },
  {
    name: 'brackets that are a class',
    files: { '/w/src/a/x.ts': '', '/w/src/c/x.ts': '' },
    input: { pattern: 'src/[ab]/*.ts' },
    text: 'src/a/x.ts',
  },
  {
    name: 'newest first, one a line',
    files: tree,
    input: { pattern: '**/*.ts' },
    text: '.hidden/e.ts\nsrc/deep/c.ts\nsrc/b.ts\na.ts',
    detail: '4 files',
  },
  {
    name: 'a pattern without a folder finds names anywhere',
    files: tree,
    input: { pattern: 'c.ts' },
    text: 'src/deep/c.ts',
  },
  { name: 'one folder', files: tree, input: { pattern: 'src/*.ts' }, text: 'src/b.ts' },
  {
    name: 'alternatives',
    files: tree,
    input: { pattern: 'src/**/*.{js,ts}' },
    text: 'src/deep/d.js\nsrc/deep/c.ts\nsrc/b.ts',
  },
  { name: 'a class of characters', files: tree, input: { pattern: '**/[bc].ts' }, text: 'src/deep/c.ts\nsrc/b.ts' },
  { name: 'one character', files: tree, input: { pattern: '**/?.js' }, text: 'src/deep/d.js' },
  { name: 'spaces and other scripts', files: tree, input: { pattern: '*é.md' }, text: 'name with space é.md' },
  { name: 'a folder to search', files: tree, input: { pattern: '*.ts', path: '/w/src/deep' }, text: 'src/deep/c.ts' },
  { name: 'a relative folder', files: tree, input: { pattern: '*.js', path: 'src' }, text: 'src/deep/d.js' },
  { name: 'an absolute pattern', files: tree, input: { pattern: '/w/src/*.ts' }, text: 'src/b.ts' },
  { name: 'nothing', files: tree, input: { pattern: '*.py' }, text: 'No files found', detail: '0 files' },
  { name: 'nothing in an empty folder', input: { pattern: '**' }, text: 'No files found' },
  {
    name: 'nothing where the pattern’s folder is not there',
    files: tree,
    input: { pattern: 'gone/*.ts' },
    text: 'No files found\n\n(/w/gone is not a folder. The pattern is relative to /w.)',
  },
  {
    name: 'the name of a folder',
    files: tree,
    input: { pattern: 'src' },
    text: 'No files found\n\n(src is a folder: list its files with "src/**".)',
  },
  {
    name: 'a folder from the home folder',
    files: tree,
    input: { pattern: '*.ts', path: '~/src' },
    code: 'not-found',
    text: /"~" is not expanded: did you mean \/home\/ann\/src\?/,
  },
  {
    name: 'a folder as a file address',
    files: tree,
    input: { pattern: '*.js', path: 'file:///w/src' },
    text: 'src/deep/d.js',
  },
  {
    name: 'what git ignores is found too',
    files: { ...tree, '/w/.git/HEAD': '', '/w/.gitignore': 'deep/\n' },
    input: { pattern: '**/c.ts' },
    text: 'src/deep/c.ts',
  },
  {
    name: 'what rules hide is left out',
    files: tree,
    prepare: ({ hidden, root }) => hidden.add(`${root}/a.ts`),
    input: { pattern: '*.ts', path: '/w' },
    text: '.hidden/e.ts\nsrc/deep/c.ts\nsrc/b.ts',
  },
  {
    name: 'a link in a circle does no harm',
    files: { '/w/a.ts': '', '/w/loop': { link: '/w' } },
    input: { pattern: '**/a.ts' },
    text: 'a.ts',
  },
  {
    name: 'a pipe does no harm',
    files: { '/w/a.ts': '', '/w/pipe': { type: 'other' } },
    input: { pattern: '**' },
    text: 'a.ts',
  },
  {
    name: 'more than fit',
    files: Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`/w/f${index}.txt`, ''])),
    input: { pattern: '*.txt' },
    text: /^f129\.txt\n(?:f\d+\.txt\n){99}\n\(The 100 newest of 130 files\./,
    detail: '130 files',
  },
  {
    name: 'a folder that is not there',
    input: { pattern: '*', path: 'nowhere' },
    code: 'not-found',
    text: /^\/w\/nowhere does not exist\./,
  },
  {
    name: 'a file in the place of a folder',
    files: tree,
    input: { pattern: '*', path: 'a.ts' },
    code: 'not-a-folder',
    text: /use Read/,
  },
  {
    name: 'a pipe in the place of a folder',
    files: { '/w/pipe': { type: 'other' } },
    input: { pattern: '*', path: '/w/pipe' },
    code: 'not-a-folder',
    text: /./,
  },
  { name: 'an empty pattern', input: { pattern: '' }, code: 'empty-pattern', text: /pattern/ },
  { name: 'a NUL in the pattern', input: { pattern: 'a\0' }, code: 'nul-character', text: /NUL/ },
  { name: 'a NUL in the path', input: { pattern: 'a', path: '\0' }, code: 'nul-character', text: /NUL/ },
  { name: 'a class that never closes', files: tree, input: { pattern: '[a' }, code: 'search-failed', text: /./ },
  { name: 'braces that never close', files: tree, input: { pattern: '{a,b' }, code: 'search-failed', text: /./ },
  { name: 'the separators of Windows', files: tree, input: { pattern: 'src\\**\\*.js' }, text: 'src/deep/d.js' },
  {
    name: 'another case',
    files: tree,
    input: { pattern: 'src/B.*' },
    text: 'No files found\n\n(Matching is case-sensitive. With different case there is /w/src/b.ts.)',
  },
  {
    name: 'another case that rules hide',
    files: tree,
    prepare: ({ hidden, root }) => hidden.add(`${root}/src/b.ts`),
    input: { pattern: 'src/B.*' },
    text: 'No files found',
  },
  {
    name: 'a folder that rules hide is not named',
    files: tree,
    prepare: ({ hidden, root }) => hidden.add(`${root}/src`),
    input: { pattern: 'src' },
    text: 'No files found',
  },
  ...['**/*.py,**/*.md', '**/*.py | **/*.rs', '*.py *.rs'].map((pattern): ToolRow => ({
    name: `several globs: ${pattern}`,
    files: tree,
    input: { pattern },
    text: /^No files found\n\n\(A pattern is a single glob: write alternatives as \{a,b\}/,
  })),
  ...['.*\\.ts', '**/*.(ts|js)', '^a'].map((pattern): ToolRow => ({
    name: `a regular expression: ${pattern}`,
    files: tree,
    input: { pattern },
    text: /^No files found\n\n\(This is a glob, not a regular expression/,
  })),
  {
    name: 'folders',
    files: tree,
    input: { pattern: '**/' },
    text: /^No files found\n\n\(Glob finds files, not folders/,
  },
  {
    name: 'a pattern in quotes',
    files: tree,
    input: { pattern: '"*.ts"' },
    text: 'No files found\n\n(The quotes around it are part of the pattern.)',
  },
  {
    name: 'a home folder in the pattern',
    files: tree,
    input: { pattern: '~/src/*.ts' },
    text: 'No files found\n\n("~" is not expanded: did you mean /home/ann/src/*.ts?)',
  },
  {
    name: 'a pattern in the place of a folder',
    files: tree,
    input: { pattern: '*.ts', path: 'src/**/d*' },
    code: 'not-found',
    text: '/w/src/**/d* does not exist. path is not a pattern: give path "src" and pattern "**/d*".',
  },
  {
    name: 'a folder in quotes',
    files: tree,
    input: { pattern: '*.js', path: '"src"' },
    code: 'not-found',
    text: '/w/"src" does not exist. Give src without the characters around it.',
  },
  { name: 'not a pattern', input: {}, code: 'InputValidationError', text: /`pattern`: Required/ },
  {
    name: 'a pattern that is a list',
    input: { pattern: ['*.ts'] },
    code: 'InputValidationError',
    text: /Expected string, received array/,
  },
  { name: 'a huge pattern', files: tree, input: { pattern: 'x'.repeat(10_000) }, text: 'No files found' },
];

describe('Glob, row by row', () => toolTable(globTool, rows, { on: 'folder', ports: searchPorts }));
