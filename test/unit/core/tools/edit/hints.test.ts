// Where a search or an edit did by text what a language server does by meaning, the model is told so, once.
import assert from 'node:assert/strict';
import { type GrepFound, type Search } from '../../../../../src/core/ports/search';
import { editTool } from '../../../../../src/core/tools/edit/edit';
import { renamedName } from '../../../../../src/core/tools/edit/rename-hint';
import { grepTool } from '../../../../../src/core/tools/grep/grep';
import { withPlace } from '../../../../support/tool-table';

const files = { '/w/a.ts': 'export const oldName = 1;\nuse(oldName);\n', '/w/b.ts': 'oldName;\n' };
const found = (paths: string[]): GrepFound => ({ outcome: 'files', paths, total: paths.length, truncated: false });
const search: Search = {
  grep: async ({ pattern }) => found(pattern.includes('oldName') ? ['/w/a.ts', '/w/b.ts'] : ['/w/a.ts']),
  glob: () => assert.fail(),
};
const some = (...names: string[]) => ({ offers: (name: string) => names.includes(name) });

/** What the model reads of each call. */
function texts(calls: readonly ['Grep' | 'Edit', Record<string, unknown>][], offered: string[]): Promise<string[]> {
  return withPlace({ files, ports: { search, refactorings: {} }, session: some(...offered) }, {}, async (place) => {
    for (const path of Object.keys(files)) {
      const read = await place.files.readText(path, 1_000);
      if (read.outcome === 'read') place.readState.set(path, { hash: read.file.hash });
    }
    const results: string[] = [];
    for (const [name, input] of calls)
      results.push((await place.use(name === 'Grep' ? grepTool : editTool, input)).text);
    return results;
  });
}
const rename = { file_path: '/w/a.ts', old_string: 'const oldName', new_string: 'const newName' };
const grep = { pattern: '\\boldName\\b' };

describe('hints at Refactor', () => {
  it('a search for a symbol that several files have, once', async () => {
    const [first = '', second = ''] = await texts(
      [
        ['Grep', grep],
        ['Grep', grep],
      ],
      ['Refactor', 'LSP'],
    );
    assert.match(
      first,
      /To rename oldName everywhere, Refactor needs one call\. LSP lists its uses without those that only look like it\./,
    );
    assert.doesNotMatch(second, /Refactor/);
  });

  it('none for plain words, for one file, and where Refactor is not offered', async () => {
    const [word = '', one = ''] = await texts(
      [
        ['Grep', { pattern: 'error' }],
        ['Grep', { pattern: 'otherName' }],
      ],
      ['Refactor'],
    );
    assert.doesNotMatch(word + one, /Refactor/);
    const [none = ''] = await texts([['Grep', grep]], ['LSP']);
    assert.doesNotMatch(none, /Refactor/);
  });

  it('an edit that renames one of many uses, once', async () => {
    const again = { ...rename, old_string: 'use(oldName)', new_string: 'use(newName)' };
    const [first = '', second = ''] = await texts(
      [
        ['Edit', rename],
        ['Edit', again],
      ],
      ['Refactor'],
    );
    assert.match(
      first,
      /Note: oldName still occurs in 2 files\. If you are renaming it, Refactor changes all its uses in one call\./,
    );
    assert.doesNotMatch(second, /Refactor/);
    const [none = ''] = await texts([['Edit', rename]], []);
    assert.doesNotMatch(none, /Refactor/);
  });

  const pairs: [before: string, after: string, renamed: [string, string] | undefined][] = [
    ['const one = f(one);', 'const two = f(two);', ['one', 'two']],
    ['const one = 1;', 'const two = 2;', undefined],
    ['const one = f(x1);', 'const two = f(x2);', undefined],
    ['a b', 'a b c', undefined],
    ['const ab = 1;', 'const cd = 1;', undefined],
    ['one', 'one', undefined],
  ];
  for (const [before, after, renamed] of pairs)
    it(`${before} → ${after}: ${renamed === undefined ? 'no rename' : renamed.join(' to ')}`, () => {
      const is = renamedName(before, after);
      assert.deepEqual(is && [is.from, is.to], renamed);
    });
});
