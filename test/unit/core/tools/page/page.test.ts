// What of a page's tree is shown, and what Page costs before it is loaded.
import assert from 'node:assert/strict';
import { openedAddress } from '../../../../../src/core/tools/page/opened-address';
import { pageTool } from '../../../../../src/core/tools/page/page';
import { cutLines, linesWith, partOfTree, treeChange } from '../../../../../src/core/tools/page/tree-text';

describe('the tree of a page', () => {
  const tree =
    '- main [ref=e1]:\n  - list [ref=f1e2]:\n    - listitem [ref=e3]: größe\n    - listitem [ref=e30]: B\n  - button "B" [ref=e4]';

  it('is cut at whole lines, by bytes', () => {
    assert.deepEqual(cutLines('ab\nß\nc', 6), { text: 'ab\nß', left: 1 });
    assert.deepEqual(cutLines('ab\nß\nc', 5), { text: 'ab', left: 2 });
    assert.deepEqual(cutLines('', 5), { text: '', left: 0 });
    assert.deepEqual(cutLines('a long line', 5), { text: '', left: 1 });
  });

  it('has parts by ref, and ends with them', () => {
    assert.equal(
      partOfTree(tree, 'f1e2'),
      '- list [ref=f1e2]:\n  - listitem [ref=e3]: größe\n  - listitem [ref=e30]: B',
    );
    assert.equal(partOfTree(tree, 'e3'), '- listitem [ref=e3]: größe');
    assert.equal(partOfTree(tree, 'e4'), '- button "B" [ref=e4]');
    assert.equal(partOfTree(tree, 'e1'), tree);
    assert.equal(partOfTree(tree, 'e'), undefined);
  });

  it('has lines by text, with what they are in', () => {
    assert.equal(linesWith(tree, 'GRÖSSE'), '');
    assert.equal(linesWith(tree, 'GRÖẞE'), '- main [ref=e1]:\n  - list [ref=f1e2]:\n    - listitem [ref=e3]: größe');
    assert.equal(linesWith(tree, '"b"'), '- main [ref=e1]:\n  - button "B" [ref=e4]');
  });

  it('is compared by lines, wherever they stand and as often as they are there', () => {
    assert.equal(treeChange('- a\n- b', '- x:\n  - b\n  - a'), '+ x:');
    assert.equal(treeChange('- a\n- a', '- a'), '- a');
    assert.equal(treeChange('- a', '- a\n- a\n- b'), '+ a\n+ b');
    assert.equal(treeChange('- button "B" [ref=e4]', '- button "B" [active] [ref=e4]'), '');
  });
});

describe('an address that is opened', () => {
  const cases: [string, string | undefined][] = [
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1:8080/a?b=c', 'http://127.0.0.1:8080/a?b=c'],
    ['[::1]:80/x', 'http://[::1]/x'],
    ['<http://localhost/>', 'http://localhost/'],
    ['example.com/a', 'https://example.com/a'],
    ['http://example.com', 'http://example.com/'],
    ['app', undefined],
    ['/index.html', undefined],
    ['./index.html', undefined],
    ['', undefined],
    ['chrome://settings', undefined],
    ['view-source:http://localhost/', undefined],
    ['data:text/html,x', undefined],
    [`http://localhost/${'a'.repeat(2_000)}`, undefined],
  ];
  for (const [text, href] of cases)
    it(text.slice(0, 40), () => {
      const address = openedAddress(text);
      assert.equal(address.ok ? address.url.href : undefined, href);
    });
});

describe('what Page costs before it is loaded', () => {
  it('is one line of less than 100 bytes', () => {
    assert.ok(Buffer.byteLength(`- ${pageTool.name}: ${pageTool.seldom}\n`) < 100);
  });
});
