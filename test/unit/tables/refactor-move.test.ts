// Moves of files and folders, row by row, on real files: which imports follow, how they are written, and what is refused.
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { moveFile } from '../../../src/node/files/move-file';
import { fileErrorSentence } from '../../../src/node/files/file-error';
import { type FileMove, type MoveOutcome } from '../../../src/core/ports/files';
import { refactorTool } from '../../../src/core/tools/refactor/refactor';
import { searchPorts } from '../../support/search-ports';
import { type ToolRow, toolTable } from '../../support/tool-table';

const move = async ({ from, to }: FileMove): Promise<MoveOutcome> => {
  try {
    await moveFile(from, to, []);
    return { outcome: 'moved' };
  } catch (error) {
    return { outcome: 'refused', code: 'failed', message: fileErrorSentence(error, to, 'write') };
  }
};
const unused = (): never => assert.fail('No language server is needed.');
const refactorings = { rename: unused, organizeImports: unused, format: unused, fixes: unused, fix: unused };

interface Row extends Omit<ToolRow, 'input' | 'files' | 'text' | 'after'> {
  /** From and to, below /w. */
  go: [from: string, to: string];
  /** Folders that go. */
  gone?: string[];
  /** Below /w, before and after; `undefined` after is gone. One text is both. */
  files: Record<string, string | [before: string | undefined, after: string | undefined]>;
  text?: string | RegExp;
}

const A = 'export const a = 1;\n';
const imports = (specifier: string): string => `import { a } from '${specifier}';\n`;
/** A file that moves as it is. */
const goes = (from: string, to: string, text = A): Row['files'] => ({
  [from]: [text, undefined],
  [to]: [undefined, text],
});
/** An import before and after. */
const follows = (before: string, after: string): [string, string] => [imports(before), imports(after)];

const rows: Row[] = [
  {
    name: 'a file into a folder: importers beside, above and below it',
    go: ['src/a.ts', 'src/lib/a.ts'],
    files: {
      ...goes('src/a.ts', 'src/lib/a.ts'),
      'src/b.ts': follows('./a', './lib/a'),
      'c.ts': follows('./src/a', './src/lib/a'),
      'src/deep/d.ts': follows('../a', '../lib/a'),
      'src/lib/e.ts': follows('../a', './a'),
      'src/f.ts': imports('./ab'),
    },
    text: 'Done: move src/a.ts to src/lib/a.ts. 1 file moved, 4 lines in 4 files\nc.ts: line 1\nsrc/b.ts: line 1\nsrc/deep/d.ts: line 1\nsrc/lib/e.ts: line 1',
    detail: '1 file moved, 4 files, +4 −4',
    check: ({ view }) => {
      assert.ok(view?.kind === 'changes');
      assert.deepEqual([view.total, view.files.at(-1)?.movedFrom?.endsWith('/src/a.ts')], [5, true]);
    },
  },
  {
    name: 'its own imports, also those of what moves not',
    go: ['src/a.ts', 'src/deep/er/a.ts'],
    files: {
      'src/a.ts': [`import './b';\nimport fs from 'fs';\nexport * from '../c';\nimport('./deep/d');\n`, undefined],
      'src/deep/er/a.ts': [
        undefined,
        `import '../../b';\nimport fs from 'fs';\nexport * from '../../../c';\nimport('../d');\n`,
      ],
      'src/b.ts': '',
      'c.ts': '',
      'src/deep/d.ts': '',
    },
  },
  {
    name: 'a new name in the same folder, with line endings kept',
    go: ['a.ts', 'z.ts'],
    files: {
      ...goes('a.ts', 'z.ts'),
      'b.ts': [`import './a';\r\nimport('./a')\r\n`, `import './z';\r\nimport('./z')\r\n`],
    },
  },
  {
    name: 'extensions as they were written',
    go: ['a.ts', 'lib/a.ts'],
    files: {
      ...goes('a.ts', 'lib/a.ts'),
      'bare.ts': follows('./a', './lib/a'),
      'script.ts': follows('./a.js', './lib/a.js'),
      'exact.ts': follows('./a.ts', './lib/a.ts'),
      'raw.ts': follows('./a.ts?raw', './lib/a.ts?raw'),
    },
  },
  {
    name: 'another extension',
    go: ['a.js', 'a.ts'],
    files: {
      ...goes('a.js', 'a.ts'),
      'bare.ts': imports('./a'),
      'script.js': imports('./a.js'),
    },
    text: /^Done: move a\.js to a\.ts\. 1 file moved, 0 lines in 0 files$/,
  },
  {
    name: 'an extension that has to be written',
    go: ['a.ts', 'a.mts'],
    files: { ...goes('a.ts', 'a.mts'), 'b.ts': follows('./a', './a.mjs') },
  },
  {
    name: 'an index, named by its folder and by dots',
    go: ['lib/index.ts', 'lib/all.ts'],
    files: {
      ...goes('lib/index.ts', 'lib/all.ts'),
      'b.ts': follows('./lib', './lib/all'),
      'c.ts': follows('./lib/', './lib/all'),
      'lib/d.ts': follows('.', './all'),
      'lib/deep/e.ts': follows('..', '../all'),
      'lib/f.ts': follows('./index', './all'),
    },
  },
  {
    name: 'a file that becomes an index: what led to it still does',
    go: ['lib.ts', 'lib/index.ts'],
    files: {
      ...goes('lib.ts', 'lib/index.ts'),
      'b.ts': imports('./lib'),
      'c.ts': follows('./lib.js', './lib/index.js'),
    },
  },
  {
    name: 'another file of that name beside the new place',
    go: ['a.js', 'lib/a.js'],
    files: { ...goes('a.js', 'lib/a.js'), 'lib/a.ts': '', 'b.ts': follows('./a', './lib/a.js') },
  },
  {
    name: 'a file that another one hides is not meant',
    go: ['a.js', 'lib/a.js'],
    files: { ...goes('a.js', 'lib/a.js'), 'a.ts': '', 'b.ts': imports('./a'), 'c.ts': follows('./a.js', './lib/a.js') },
  },
  {
    name: 'a folder: what it imports of itself stays, all else follows',
    go: ['src/ui', 'lib/ui'],
    gone: ['src/ui', 'src/ui/parts'],
    files: {
      'src/ui/a.ts': [`import './b';\nimport '../c';\nimport '../ui/b';\n`, undefined],
      'lib/ui/a.ts': [undefined, `import './b';\nimport '../../src/c';\nimport '../ui/b';\n`],
      ...goes('src/ui/b.ts', 'lib/ui/b.ts'),
      ...goes('src/ui/parts/index.ts', 'lib/ui/parts/index.ts', `export * from '../b';\n`),
      ...goes('src/ui/notes.md', 'lib/ui/notes.md', 'Notes\n'),
      'src/c.ts': [`import './ui/a';\nimport './ui/parts';\n`, `import '../lib/ui/a';\nimport '../lib/ui/parts';\n`],
    },
    text: /^Done: move src\/ui to lib\/ui\. 4 files moved, 3 lines in 2 files\n/,
  },
  {
    name: 'aliases of a tsconfig with comments, and one that it extends',
    go: ['src/a.ts', 'src/lib/a.ts'],
    files: {
      'tsconfig.json': `{ // own\n  "extends": "./base.json",\n  "compilerOptions": { "strict": true, },\n}\n`,
      'base.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "the-a": ["./src/a.ts"] } } }\n',
      ...goes('src/a.ts', 'src/lib/a.ts'),
      'b.ts': follows('@/a', '@/lib/a'),
      'c.ts': follows('the-a', '@/lib/a'),
      'd.ts': imports('@/ab'),
    },
    text: /^Done: move src\/a\.ts to src\/lib\/a\.ts\. 1 file moved, 2 lines in 2 files\nb\.ts: line 1\nc\.ts: line 1\n\nNote: These lines have the old path, and were left as they are:\nbase\.json:1 /,
  },
  {
    name: 'a place that has no alias',
    go: ['src/a.ts', 'lib/a.ts'],
    gone: ['src'],
    files: {
      'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }\n',
      ...goes('src/a.ts', 'lib/a.ts'),
      'deep/b.ts': follows('@/a', '../lib/a'),
      'deep/c.ts': follows('src/a', 'lib/a'),
    },
  },
  {
    name: 'a picture, whose empty folder goes',
    go: ['img/a.png', 'media/a.png'],
    gone: ['img'],
    files: { ...goes('img/a.png', 'media/a.png', 'png\0'), 'b.ts': follows('./img/a.png', './media/a.png') },
    text: /^Done: move img\/a\.png to media\/a\.png\. 1 file moved, /,
  },
  {
    name: 'components',
    go: ['A.vue', 'ui/A.vue'],
    files: {
      'A.vue': [`<script setup>\nimport './b';\n</script>\n`, undefined],
      'ui/A.vue': [undefined, `<script setup>\nimport '../b';\n</script>\n`],
      'b.ts': '',
      'C.vue': [`<script>\n${imports('./A.vue')}</script>\n`, `<script>\n${imports('./ui/A.vue')}</script>\n`],
    },
  },
  {
    name: 'strings of libraries and lines of other files are told, and stay',
    go: ['src/a.ts', 'src/b.ts'],
    files: {
      ...goes('src/a.ts', 'src/b.ts'),
      'src/a.test.ts': [
        `${imports('./a')}jest.mock('./a');\n// './a' in a comment\n`,
        `${imports('./b')}jest.mock('./a');\n// './a' in a comment\n`,
      ],
      'package.json': '{ "main": "src/a.ts" }\n',
      'README.md': 'See src/a.ts and src/abc.\n',
    },
    text: /\n\nNote: These strings may name what moved; they are no imports, and were left as they are:\nsrc\/a\.test\.ts:2 jest\.mock\('\.\/a'\);\nNote: These lines have the old path, and were left as they are:\n(?=[^]*package\.json:1 \{)(?=[^]*README\.md:1 See)/,
  },
  {
    name: 'files that git ignores are left alone',
    go: ['a.ts', 'z.ts'],
    files: {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': 'dist\n',
      ...goes('a.ts', 'z.ts'),
      'dist/b.js': imports('../a'),
    },
  },
];

const refused: (Omit<Row, 'text'> & { text: string | RegExp })[] = [
  {
    name: 'a place where something is',
    go: ['a.ts', 'b.ts'],
    files: { 'a.ts': A, 'b.ts': '' },
    code: 'exists',
    text: '/w/b.ts exists already. Nothing was moved; choose another name, or ask the user.',
  },
  {
    name: 'a folder that is there',
    go: ['a.ts', 'lib'],
    files: { 'a.ts': A, 'lib/b.ts': '' },
    code: 'exists',
    text: '/w/lib is a folder that exists. Give the whole new path, such as /w/lib/a.ts.',
  },
  {
    name: 'a place outside the workspace',
    go: ['a.ts', '../a.ts'],
    files: { 'a.ts': A },
    code: 'outside-workspace',
    text: /^Only what is inside the workspace's folders can be moved, and only to a place inside them; not .*\/a\.ts\.$/,
  },
  {
    name: 'the workspace',
    go: ['.', 'lib'],
    files: { 'a.ts': A },
    code: 'outside-workspace',
    text: /^Only what is inside/,
  },
  {
    name: 'a folder into itself',
    go: ['lib', 'lib/sub'],
    files: { 'lib/a.ts': A },
    code: 'inside-itself',
    text: 'A folder cannot be moved into itself: /w/lib/sub.',
  },
  { name: 'nothing', go: ['lib', 'lib'], files: { 'lib/a.ts': A }, code: 'same-name', text: /same path/ },
  {
    name: 'what is not there',
    go: ['z.ts', 'y.ts'],
    files: { 'a.ts': A },
    code: 'not-found',
    text: /^File does not exist: \/w\/z\.ts\./,
  },
];

const links: ToolRow[] = [
  {
    name: 'a link',
    files: { '/w/a.ts': A, '/w/link.ts': { link: '/w/a.ts' } },
    input: { action: 'move', from: 'link.ts', to: 'b.ts' },
    code: 'link',
    text: '/w/link.ts is a link. Links are not moved, so nothing was changed; ask the user.',
  },
  {
    name: 'a folder with a link in it',
    files: { '/w/lib/a.ts': A, '/w/lib/link': { link: '/w' } },
    input: { action: 'move', from: 'lib', to: 'src' },
    code: 'link',
    text: '/w/lib/link is a link. Links are not moved, so nothing was changed; ask the user.',
  },
  {
    name: 'a hidden file',
    files: { '/w/lib/a.ts': A, '/w/lib/secret': 'x' },
    prepare: ({ hidden, root }) => void hidden.add(`${root}/lib/secret`),
    input: { action: 'move', from: 'lib', to: 'src' },
    code: 'hidden',
    text: 'This would also move files that permission rules hide from you, so nothing was moved. Tell the user.',
  },
  {
    name: 'a hidden importer',
    files: { '/w/a.ts': A, '/w/secret.ts': imports('./a') },
    prepare: ({ hidden, root }) => void hidden.add(`${root}/secret.ts`),
    input: { action: 'move', from: 'a.ts', to: 'b.ts' },
    code: 'hidden',
    text: 'Permission rules hide 1 file whose imports would have to change, so nothing was moved. Tell the user.',
  },
  {
    name: 'a missing place',
    input: { action: 'move', from: 'a.ts' },
    code: 'missing-input',
    text: /move needs to\./,
  },
  {
    name: 'one proposal of the move and every import; what the user leaves out is told',
    files: {
      '/w/a.ts': A,
      '/w/b.ts': imports('./a'),
      '/w/c.ts': `${imports('./a')}\n\n\n\n\n\n\n\nexport * from './a';\n`,
    },
    input: { action: 'move', from: 'a.ts', to: 'lib/a.ts' },
    answer: { text: imports('./a') },
    text: /^Done: move a\.ts to lib\/a\.ts\. 1 file moved, 2 lines in 1 file\. The user modified[^]*\nc\.ts: line 1, line 10\n[^]*\n\nThese imports no longer resolve:\nb\.ts:1 import \{ a \} from '\.\/a';$/,
    after: {
      '/w/a.ts': undefined,
      '/w/lib/a.ts': A,
      '/w/c.ts': `${imports('./lib/a')}\n\n\n\n\n\n\n\nexport * from './lib/a';\n`,
    },
    detail: '1 file moved, 1 file, +2 −2, 1 import left behind',
    check: ({ asked }) => {
      const [request] = asked;
      assert.equal(asked.length, 1);
      assert.equal(request?.title, 'Move a.ts to lib/a.ts, with imports in 2 files');
      const { others = [], ...first } = request?.proposal ?? assert.fail();
      assert.deepEqual(
        [first, ...others].map(({ path, movedFrom, base, text }) => [
          path.slice(path.lastIndexOf('/') + 1),
          movedFrom !== undefined,
          base?.text === text,
        ]),
        [
          ['b.ts', false, false],
          ['c.ts', false, false],
          ['a.ts', true, true],
        ],
      );
    },
  },
  {
    name: 'a file that is gone when the user accepts stops all of it',
    files: { '/w/a.ts': A, '/w/b.ts': imports('./a') },
    input: { action: 'move', from: 'a.ts', to: 'lib/a.ts' },
    answer: {},
    between: ({ root }) => writeFileSync(`${root}/a.ts`, 'changed\n'),
    code: 'changed',
    text: /^\/w\/a\.ts was changed by another process while this change was waiting; nothing was written\./,
    after: { '/w/a.ts': 'changed\n' },
  },
  {
    name: 'a place that is taken meanwhile',
    files: { '/w/a.ts': A, '/w/b.ts': imports('./a') },
    input: { action: 'move', from: 'a.ts', to: 'z.ts' },
    answer: {},
    between: ({ root }) => writeFileSync(`${root}/z.ts`, 'other\n'),
    code: 'write-failed',
    text: /z\.ts exists already/,
    after: { '/w/z.ts': 'other\n' },
  },
  {
    name: 'an importer that cannot be written puts the file back',
    files: { '/w/lib/a.ts': A, '/w/b.ts': imports('./lib/a'), '/w/c.ts': imports('./lib/a') },
    input: { action: 'move', from: 'lib/a.ts', to: 'src/a.ts' },
    answer: {},
    between: ({ root }) => chmodSync(`${root}/c.ts`, 0o444),
    code: 'write-readonly',
    text: /c\.ts is read-only; nothing was written\..* 1 file that had been written before is as before again\.$/,
  },
];

describe('Refactor moves', () => {
  const tableRow = ({ go: [from, to], files, gone = [], ...row }: Row): ToolRow => {
    const entries = Object.entries(files).map(([name, texts]) => {
      const [before, after] = typeof texts === 'string' ? [texts, texts] : texts;
      return { name: `/w/${name}`, before, after };
    });
    return {
      text: /^Done: move /,
      ...row,
      input: { action: 'move', from, to },
      files: Object.fromEntries(entries.flatMap(({ name, before }) => (before === undefined ? [] : [[name, before]]))),
      after: Object.fromEntries([
        ...entries.flatMap(({ name, before, after }) => (before === after ? [] : [[name, after] as const])),
        ...gone.map((folder) => [`/w/${folder}`, undefined] as const),
      ]),
    };
  };
  toolTable(refactorTool, [...rows.map(tableRow), ...refused.map(tableRow), ...links], {
    on: 'folder',
    ports: () => ({ ...searchPorts(), refactorings, files: { move } }),
  });
});
