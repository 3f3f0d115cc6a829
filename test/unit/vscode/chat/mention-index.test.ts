// Which files and folders are suggested behind "@", best first.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMentionIndex, maxSuggestions } from '../../../../src/vscode/chat/completion/mention-index';

const paths = [
  'README.md',
  'src/core/agent/loop.ts',
  'src/core/tools/read.ts',
  'src/read/index.ts',
  'test/read.test.ts',
  'docs/reading.md',
];
const index = createMentionIndex(paths);
const found = (query: string): string[] => index.find(query).map(({ path }) => path);

describe('the index of mentions', () => {
  it('puts names before paths and short before long', () => {
    assert.deepEqual(found('read').slice(0, 3), ['src/read/', 'README.md', 'docs/reading.md']);
    assert.equal(found('loop')[0], 'src/core/agent/loop.ts');
    assert.equal(found('README')[0], 'README.md');
    assert.equal(found('src/core')[0], 'src/core/');
  });

  it('finds letters in order', () => {
    assert.deepEqual(found('scal'), ['src/core/agent/loop.ts']);
    assert.deepEqual(found('zzz'), []);
  });

  it('shows the top of the tree for nothing typed', () => {
    assert.equal(found('')[0], 'README.md');
    assert.ok(found('').includes('src/'));
  });

  it('marks folders, each once', () => {
    const all = index.find('src');
    assert.equal(new Set(all.map(({ path }) => path)).size, all.length);
    for (const { path, kind } of all) assert.equal(kind === 'folder', path.endsWith('/'));
  });

  it('never gives more than fit, and only what matches', () => {
    const path = fc.stringMatching(/^[a-c]{1,3}(\/[a-c]{1,3}){0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 60 }), fc.stringMatching(/^[a-c/]{0,4}$/), (given, query) => {
        const suggestions = createMentionIndex(given).find(query);
        assert.ok(suggestions.length <= maxSuggestions);
        for (const { path: one, kind } of suggestions) {
          assert.ok(kind === 'file' ? given.includes(one) : given.some((file) => file.startsWith(one)));
          let at = 0;
          for (const letter of query) at = one.indexOf(letter, at) + 1 || assert.fail(`${one} does not match ${query}`);
        }
      }),
    );
  });
});

describe('the index of mentions in a large workspace', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `d${Math.floor(at / 100)}/f${at % 100}.ts`);
  const index = createMentionIndex(many);
  const first = (query: string): string | undefined => index.find(query)[0]?.path;

  it('finds every file by any part of its path, the nearest first', () => {
    assert.equal(first('d500/f7.ts'), 'd500/f7.ts');
    assert.equal(first('d3/f1.ts'), 'd3/f1.ts');
    assert.equal(first('3/f1.ts'), 'd3/f1.ts');
    assert.equal(first('f99.ts'), 'd0/f99.ts');
    assert.equal(first('D999'), 'd999/');
    assert.equal(first('d999f99'), 'd999/f99.ts');
  });

  it('finds the same whether a query is typed letter by letter or at once, and after it was taken back', () => {
    const query = 'd87/f5';
    for (let end = 1; end <= query.length; end++) index.find(query.slice(0, end));
    const typed = index.find(query);
    assert.deepEqual(typed, createMentionIndex(many).find(query));
    assert.equal(typed[0]?.path, 'd87/f5.ts');
    assert.equal(first('d8'), 'd8/');
    assert.equal(first('none of it'), undefined);
    assert.equal(first('d8'), 'd8/');
  });

  it('prefers words to letters in between, and the name to the path', () => {
    const words = createMentionIndex(['src/chat/workspace-files.ts', 'src/wolf/sets.ts', 'a/awf-x/b.md']);
    assert.deepEqual(
      words.find('wf').map(({ path }) => path),
      ['a/awf-x/', 'a/awf-x/b.md', 'src/chat/workspace-files.ts', 'src/wolf/', 'src/wolf/sets.ts'],
    );
    const named = createMentionIndex(['src/wolf/sets.ts', 'lib/reWorkFit.ts', 'lib/wofi/readme.md']);
    assert.equal(named.find('workf')[0]?.path, 'lib/reWorkFit.ts');
    assert.equal(named.find('fit')[0]?.path, 'lib/reWorkFit.ts');
    assert.equal(named.find('wofi')[0]?.path, 'lib/wofi/');
  });
});
