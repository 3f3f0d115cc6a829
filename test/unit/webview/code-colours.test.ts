// The style sheet colours what the highlighter can name, and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { hljs } from '../../../webview-ui/markdown/languages';
import { highlightLines } from '../../../webview-ui/markdown/colours';

const css = readFileSync('webview-ui/styles/code.css', 'utf8');
const structure = ['code-block', 'code-head', 'code-chunk', 'code-path'];

describe('colours of code', () => {
  it('has no rule for a token that no language knows', () => {
    const known = scopes();
    const selectors = [...css.matchAll(/^(\.code-[\w.-]+)(?= \{|,)/gm)].map(([, selector = '']) =>
      selector.slice(1).split('.'),
    );
    const tokens = selectors.filter(([first = '']) => !structure.includes(first));
    assert.ok(tokens.length > 20);
    const dead = tokens.filter((classes) => !known.some((scope) => classes.every((each) => scope.includes(each))));
    assert.deepEqual(dead, []);
  });

  it('names each token in one rule', () => {
    const names = [...css.matchAll(/^(\.code-[\w.-]+)(?= \{|,)/gm)].map(([, name]) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('tells the name of a class from that of a function', () => {
    const pieces = highlightLines('class Cart extends Base {}', 'ts').flat();
    const name = pieces.find(({ text }) => text === 'Cart')?.className;
    assert.equal(name, 'code-title code-class');
    assert.match(css, /\.code-title\.code-class,[^}]*--token-type/);
  });
});

/** The classes of every token that a registered language can give. */
function scopes(): string[][] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const note = (value: unknown): void => {
    if (typeof value === 'string') names.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(note);
  };
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, inner] of Object.entries(value)) {
      if (['scope', 'className', 'beginScope', 'endScope'].includes(key)) note(inner);
      if (key === 'keywords' && typeof inner === 'object' && inner !== null) Object.keys(inner).forEach(note);
      walk(inner);
    }
  };
  for (const language of hljs.listLanguages()) walk(hljs.getLanguage(language));
  return [...names].map((name) => name.split('.').map((part) => `code-${part}`));
}
