// Grep, row by row, on real files: matches, counts, context, and what is refused.
import { grepTool } from '../../../src/core/tools/grep';
import { type MemoryEntry } from '../../support/memory-files';
import { searchPorts } from '../../support/search-ports';
import { type ToolRow, toolTable } from '../../support/tool-table';

const tree: Record<string, MemoryEntry> = {
  '/w/a.ts': 'before\nhit one\nafter\n',
  '/w/src/b.ts': 'HIT\nhit hit\n',
  '/w/src/c.py': 'hit\r\nend\r\n',
};
const one: Record<string, MemoryEntry> = { '/w/a.ts': 'before\nhit one\nafter\n' };
const content = { pattern: 'hit', output_mode: 'content' };

const routes: Record<string, MemoryEntry> = { '/w/src/[id]/page.tsx': 'hit\n', '/w/src/[id]/[post-id]/page.tsx': 'hit\n', '/w/src/i/page.tsx': 'hit\n', '/w/lib/[slug].tsx': 'hit\n' };
const ignored: Record<string, MemoryEntry> = { '/w/.git/HEAD': '', '/w/.gitignore': 'node_modules\n', '/w/src/b.ts': 'hit\n', '/w/src/node_modules/c.ts': 'hit\n' };
const noneFits = (glob: string) => `No files found\n\n(No file fits the glob ${JSON.stringify(glob)}, whatever it holds: check it. It counts from the searched folder, and files that .gitignore names are left out.)`;

const rows: ToolRow[] = [
  ...['./src/*.ts', '/w/src/*.ts', '/src/*.ts', 'src/b.*', './src/b.ts', '*.ts !A.TS !a.ts', '*.js src/*.ts', '/w/src/**/*.ts', './src/{b,d}.ts ./lib', '{src, lib}/*.ts, ./src/*.ts'].map(
    (glob): ToolRow => ({ name: `the glob ${glob}`, files: { ...tree, '/w/lib/x.ts': '' }, input: { pattern: 'hit', glob }, text: 'Found 1 file\nsrc/b.ts' }),
  ),
  ...['src', 'src/', './src', '/w/src', '/w/src/', 'src/**', 'src !*.md', '.', './', '/w', '/w/**'].map(
    (glob): ToolRow => ({ name: `the folder ${glob} as a glob, without what git ignores`, files: ignored, input: { pattern: 'hit', glob }, text: 'Found 1 file\nsrc/b.ts' }),
  ),
  { name: 'two folders as a glob', files: tree, input: { pattern: 'hit', glob: 'src lib/' }, text: 'Found 2 files\nsrc/c.py\nsrc/b.ts' },
  { name: 'a folder without a part of it', files: tree, input: { pattern: 'hit', glob: 'src, !./src/c.py' }, text: 'Found 1 file\nsrc/b.ts' },
  { name: 'a folder somewhere below', files: { '/w/a/deep/b.ts': 'hit\n', '/w/a/b.ts': 'hit\n' }, input: { pattern: 'hit', glob: 'deep/' }, text: 'Found 1 file\na/deep/b.ts' },
  { name: 'a glob from a folder above', files: tree, input: { pattern: 'hit', path: 'src', glob: '/w/**/*.py' }, text: 'Found 1 file\nsrc/c.py' },
  { name: 'a name with a blank in the glob', files: { '/w/my notes/a b.txt': 'hit\n', '/w/b.txt': 'hit\n' }, input: { pattern: 'hit', glob: 'my notes/*.txt' }, text: 'Found 1 file\nmy notes/a b.txt' },
  { name: 'a glob that no file fits', files: tree, input: { pattern: 'hit', glob: 'source/*.ts' }, text: noneFits('source/*.ts') },
  { name: 'a glob that ignored files alone fit', files: ignored, input: { pattern: 'hit', glob: 'c.ts' }, text: noneFits('c.ts') },
  { name: 'a glob that files fit which hold nothing of it', files: tree, input: { pattern: 'nothing', glob: '*.ts' }, text: 'No files found' },
  { name: 'a type that no file has', files: one, input: { pattern: 'hit', type: 'py' }, text: /^No files found\n\n\(No file fits the type py, / },
  { name: 'brackets that are a folder\'s name', files: routes, input: { pattern: 'hit', glob: 'src/[id]/*.tsx' }, text: 'Found 1 file\nsrc/[id]/page.tsx' },
  { name: 'brackets of a folder alone', files: routes, input: { pattern: 'hit', glob: './src/[id]/[post-id]' }, text: 'Found 1 file\nsrc/[id]/[post-id]/page.tsx' },
  { name: 'brackets in a name at any depth', files: routes, input: { pattern: 'hit', glob: '[slug].tsx' }, text: 'Found 1 file\nlib/[slug].tsx' },
  { name: 'brackets that are no class', files: routes, input: { pattern: 'hit', glob: '**/[post-id]/*.tsx' }, text: 'Found 1 file\nsrc/[id]/[post-id]/page.tsx' },
  { name: 'brackets that are a class', files: tree, input: { pattern: 'hit', glob: 'src/[a-b].ts' }, text: 'Found 1 file\nsrc/b.ts' },
  { name: 'files, newest first', files: tree, input: { pattern: 'hit' }, text: 'Found 3 files\nsrc/c.py\nsrc/b.ts\na.ts', detail: '3 files' },
  { name: 'one file', files: one, input: { pattern: 'hit' }, text: 'Found 1 file\na.ts' },
  { name: 'no files', files: one, input: { pattern: 'nothing' }, text: 'No files found' },
  { name: 'nothing in an empty folder', input: { pattern: 'hit' }, text: 'No files found' },
  { name: 'files cut off', files: tree, input: { pattern: 'hit', head_limit: 1 }, text: /^Found 3 files\nsrc\/c\.py\n\n\(Entries 1 to 1 of 3\. Go on with offset 1,/ },
  { name: 'the rest of them', files: tree, input: { pattern: 'hit', offset: 1 }, text: /^Found 3 files\nsrc\/b\.ts\na\.ts/ },
  { name: 'past the end', files: tree, input: { pattern: 'hit', offset: 9 }, text: 'No entries at this offset. There are 3 in all.' },
  { name: 'nothing, with an offset', files: one, input: { pattern: 'nothing', offset: 9 }, text: 'No files found' },
  { name: 'content', files: one, input: { ...content, '-B': 1 }, text: 'a.ts-1-before\na.ts:2:hit one', detail: '1 match' },
  { name: 'content with lines around', files: one, input: { ...content, '-C': 1 }, text: 'a.ts-1-before\na.ts:2:hit one\na.ts-3-after' },
  { name: 'content without numbers', files: one, input: { ...content, '-n': false }, text: 'a.ts:hit one' },
  { name: 'content of one file', files: tree, input: { ...content, path: 'a.ts' }, text: '2:hit one' },
  { name: 'only what matched', files: { '/w/a.ts': 'x hit hat\n' }, input: { ...content, pattern: 'h[ia]t', '-o': true }, text: 'a.ts:1:hit\na.ts:1:hat' },
  { name: 'CRLF shows no carriage return', files: tree, input: { ...content, path: 'src/c.py' }, text: '1:hit' },
  { name: 'no content', files: one, input: { ...content, pattern: 'nothing' }, text: 'No matches found' },
  { name: 'content cut off', files: tree, input: { ...content, head_limit: 1, path: 'src' }, text: /\n\n\(Entries 1 to 1 of \d\. Go on with offset 1,/ },
  { name: 'counts', files: one, input: { pattern: 'e', output_mode: 'count' }, text: 'a.ts:3\n\nFound 3 matching lines in 1 file.' },
  { name: 'no counts', files: one, input: { pattern: 'nothing', output_mode: 'count' }, text: 'No matches found' },
  { name: 'any case', files: tree, input: { ...content, pattern: '^hit$', '-i': true, path: 'src/b.ts' }, text: '1:HIT' },
  { name: 'a glob', files: tree, input: { pattern: 'hit', glob: '*.py' }, text: 'Found 1 file\nsrc/c.py' },
  { name: 'a type', files: tree, input: { pattern: 'hit', type: 'py' }, text: 'Found 1 file\nsrc/c.py' },
  { name: 'across lines', files: one, input: { ...content, pattern: 'before\\nhit', multiline: true }, text: 'a.ts:1:before\na.ts:2:hit one' },
  { name: 'a newline without multiline', files: one, input: { pattern: 'before\\nhit' }, code: 'search-failed', text: /Set multiline to true\.$/ },
  { name: 'a pattern that is none', files: one, input: { pattern: '(' }, code: 'search-failed', text: /regex parse error/ },
  { name: 'a pattern that begins with a dash', files: { '/w/a.ts': '--help\n' }, input: { pattern: '--help' }, text: 'Found 1 file\na.ts' },
  { name: 'other scripts', files: { '/w/é.ts': 'größe 漢字 😀\n' }, input: { ...content, pattern: '漢. 😀' }, text: 'é.ts:1:größe 漢字 😀' },
  { name: 'UTF-16', files: { '/w/a.txt': Buffer.from('\uFEFFhit\n', 'utf16le') }, input: content, text: 'a.txt:1:hit' },
  { name: 'a binary file', files: { '/w/a.bin': Buffer.from('hit\0\x01hit\n') }, input: { ...content, path: '/w/a.bin' }, text: 'a.bin: binary file matches' },
  { name: 'what git ignores is left out', files: { ...tree, '/w/.git/HEAD': '', '/w/.gitignore': 'src\n' }, input: { pattern: 'hit' }, text: 'Found 1 file\na.ts' },
  { name: 'what rules hide is left out', files: tree, prepare: ({ hidden, root }) => hidden.add(`${root}/a.ts`), input: { pattern: 'hit one' }, text: 'No files found' },
  { name: 'a pipe in the folder does no harm', files: { ...one, '/w/pipe': { type: 'other' } }, input: { pattern: 'hit' }, text: 'Found 1 file\na.ts' },
  { name: 'a long line is cut', files: { '/w/a.txt': `hit${'x'.repeat(100_000)}\n` }, input: content, text: /^a\.txt:1:hitx{100,5000}.{0,100}$/ },
  { name: 'a path that is not there', input: { pattern: 'hit', path: 'gone' }, code: 'not-found', text: /^\/w\/gone does not exist\. .*\/w\.$/ },
  { name: 'a pipe', files: { '/w/pipe': { type: 'other' } }, input: { pattern: 'hit', path: 'pipe' }, code: 'not-a-file', text: /cannot be searched/ },
  { name: 'a device', input: { pattern: 'hit', path: '/dev/null' }, code: 'not-a-file', text: /cannot be searched/ },
  { name: 'an empty pattern', input: { pattern: '' }, code: 'empty-pattern', text: /would match every line/ },
  { name: 'a NUL in the pattern', input: { pattern: 'a\0' }, code: 'nul-character', text: /NUL/ },
  { name: 'a NUL in the glob', input: { pattern: 'a', glob: '\0' }, code: 'nul-character', text: /NUL/ },
  { name: 'a NUL in the path', input: { pattern: 'a', path: '\0' }, code: 'nul-character', text: /NUL/ },
  { name: 'alternatives as grep has them', files: one, input: { pattern: 'hit\\|x' }, text: 'No files found\n\n(`\\|` is the character | here: alternatives are written a|b.)' },
  { name: 'a backslash before alternatives', files: one, input: { pattern: 'q\\\\|x' }, text: 'No files found' },
  { name: 'brackets that were not escaped', files: { '/w/a.ts': 'go();\n' }, input: { pattern: 'go();', output_mode: 'content' }, text: 'No matches found\n\n(`()` is an empty group here: brackets themselves are written \\(\\).)' },
  { name: 'slashes around the pattern', files: one, input: { pattern: '/HIT/i', output_mode: 'count' }, text: 'No matches found\n\n(The slashes around it are part of the pattern: leave them out; -i ignores case.)' },
  { name: 'quotes around the pattern', files: one, input: { pattern: '"hit"' }, text: 'No files found\n\n(The quotes around it are part of the pattern.)' },
  { name: 'a glob in the place of a folder', files: tree, input: { pattern: 'hit', path: 'src/*.py' }, code: 'not-found', text: '/w/src/*.py does not exist. path takes no pattern: give path "src" and glob "*.py".' },
  { name: 'a type that is an ending, beside a glob', files: { '/w/a.tsx': 'hit\n' }, input: { pattern: 'hit', type: 'tsx', glob: '*.md' }, code: 'search-failed', text: /tsx/ },
  { name: 'an offset behind all that was found', files: one, input: { pattern: 'hit', offset: 1 }, text: 'No entries at this offset. There are 1 in all.' },
  { name: 'counts of what rules hide', files: tree, prepare: ({ hidden, root }) => hidden.add(`${root}/src/b.ts`), input: { pattern: 'hit', output_mode: 'count' }, text: 'a.ts:1\nsrc/c.py:1\n\nFound 2 matching lines in 2 files.' },
  { name: 'no pattern', input: {}, code: 'InputValidationError', text: /`pattern`: Required/ },
  { name: 'an unknown mode', input: { pattern: 'a', output_mode: 'lines' }, code: 'InputValidationError', text: /output_mode/ },
  { name: 'fewer lines than none', input: { pattern: 'a', '-C': -1 }, code: 'InputValidationError', text: /-C/ },
  { name: 'a limit in words', input: { pattern: 'a', head_limit: 'ten' }, code: 'InputValidationError', text: /head_limit/ },
  { name: 'an unknown type', files: one, input: { pattern: 'hit', type: 'klingon' }, code: 'search-failed', text: /klingon\nLeave type out, and give a glob such as/ },
  { name: 'a type that is the ending of files', files: { '/w/a.tsx': 'hit\n', '/w/b.ts': 'hit\n' }, input: { pattern: 'hit', type: 'tsx' }, text: 'Found 1 file\na.tsx' },
  { name: 'a type and a folder as a glob', files: tree, input: { pattern: 'hit', type: 'py', glob: 'src/*' }, text: 'Found 1 file\nsrc/c.py' },
  { name: 'a type and a glob that no file fits together', files: tree, input: { pattern: 'hit', type: 'py', glob: 'src/*.ts' }, text: /^No files found\n\n\(No file fits the glob "src\/\*\.ts" and the type py/ },
];

describe('Grep, row by row', () => toolTable(grepTool, rows, { on: 'folder', ports: searchPorts }));
