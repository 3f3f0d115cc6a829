// Which files and folders are suggested behind "@", best first.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxSuggestions, rankMentions } from '../../../../src/vscode/chat/completion/mention-index';

const paths = [
  'README.md',
  'src/core/agent/loop.ts',
  'src/core/tools/read.ts',
  'src/read/index.ts',
  'test/read.test.ts',
  'docs/reading.md',
];
const found = (query: string): string[] => rankMentions(paths, query).map(({ path }) => path);

describe('rankMentions', () => {
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
    const all = rankMentions(paths, 'src');
    assert.equal(new Set(all.map(({ path }) => path)).size, all.length);
    for (const { path, kind } of all) assert.equal(kind === 'folder', path.endsWith('/'));
  });

  it('never gives more than fit, and only what matches', () => {
    const path = fc.stringMatching(/^[a-c]{1,3}(\/[a-c]{1,3}){0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 60 }), fc.stringMatching(/^[a-c/]{0,4}$/), (given, query) => {
        const suggestions = rankMentions(given, query);
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
