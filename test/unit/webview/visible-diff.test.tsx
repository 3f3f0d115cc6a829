// Hidden characters in the diff of a card: named where they are, as in approvals, also inside coloured code.
import assert from 'node:assert/strict';
import { type ComponentChildren, type VNode } from 'preact';
import { Pieces } from '../../../webview-ui/tools/diff-view';
import { plainLines } from '../../../webview-ui/markdown/code-lines';
import { highlightLines } from '../../../webview-ui/markdown/colours';

/** What a component draws, as text, with the classes of its elements. */
function drawn(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(drawn).join('');
  if (typeof node !== 'object' || node === null) return typeof node === 'string' ? node : '';
  const { type, props } = node as VNode<{ children?: ComponentChildren; class?: string }>;
  if (typeof type === 'function') return drawn((type as (own: object) => ComponentChildren)(props));
  const inside = drawn(props.children);
  return props.class === undefined ? inside : `[${props.class}:${inside}]`;
}

describe('a line of a diff', () => {
  const line = (code: string, language?: string): string =>
    drawn(<Pieces pieces={highlightLines(code, language)[0] ?? []} />);

  it('names what is hidden in plain text', () => {
    assert.equal(
      drawn(<Pieces pieces={plainLines('a\u202eb\u200b')[0] ?? []} />),
      'a[hidden-character:U+202E]b[hidden-character:U+200B]',
    );
  });

  it('names what is hidden in coloured code', () => {
    assert.equal(line('"\u2066x"', 'ts'), '[code-string:"[hidden-character:U+2066]x"]');
  });

  it('leaves all else as it is: tabs, other scripts, emoji', () => {
    const text = '\tgrößé 漢字 👩‍💻';
    assert.equal(line(text), text);
  });
});
