// Nothing on the chat's page moves for who has asked for less motion, in the system or in VS Code.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';

/** Declarations with all that stands around them, from the outermost at-rule to the selector. */
function declarations(css: string): { around: string[]; block: string; text: string }[] {
  const found: { around: string[]; block: string; text: string }[] = [];
  const open: { head: string; start: number; texts: string[] }[] = [];
  let start = 0;
  const plain = css.replace(/\/\*[^]*?\*\//g, '');
  const declare = (end: number): void => {
    const text = plain.slice(start, end).trim();
    if (text !== '') open.at(-1)?.texts.push(text);
    start = end + 1;
  };
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at];
    if (sign === '{') {
      open.push({ head: plain.slice(start, at).trim(), start: at, texts: [] });
      start = at + 1;
    } else if (sign === ';') declare(at);
    else if (sign === '}') {
      declare(at);
      const block = open.pop();
      const around = [...open.map(({ head }) => head), block?.head ?? ''];
      for (const text of block?.texts ?? []) found.push({ around, block: block?.texts.join('; ') ?? '', text });
    }
  }
  return found;
}

/** What moves although neither was asked whether it may. What scrolling itself drives moves with the reader's hand. */
function unguarded(css: string): string[] {
  return declarations(css)
    .filter(({ text }) => /^(?:-webkit-)?(?:animation|transition|scroll-behavior|view-transition-name)\b/.test(text))
    .filter(({ text }) => !/:\s*(?:none|auto|instant)\b/.test(text))
    .filter(({ block }) => !/animation-timeline:\s*scroll\(/.test(block))
    .filter(
      ({ around }) =>
        !around.some((head) => /prefers-reduced-motion:\s*no-preference/.test(head)) ||
        !around.at(-1)?.includes(':not(.vscode-reduce-motion)'),
    )
    .map(({ around, text }) => `${around.join(' ')}: ${text}`);
}

const sheets = ['webview-ui/style.css', ...readdirSync('webview-ui/styles').map((name) => `webview-ui/styles/${name}`)];

describe('motion', () => {
  it('is guarded in every style sheet by the setting of the system and that of VS Code', () => {
    assert.deepEqual(
      sheets.flatMap((file) => unguarded(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`)),
      [],
    );
  });

  it('is found where it is not', () => {
    assert.deepEqual(unguarded('.a { transition: opacity 1s; } @media (min-width: 1px) { .b { animation: x 1s } }'), [
      '.a: transition: opacity 1s',
      '@media (min-width: 1px) .b: animation: x 1s',
    ]);
    const half = '@media (prefers-reduced-motion: no-preference) { .a { transition: opacity 1s } }';
    assert.equal(unguarded(half).length, 1);
    assert.deepEqual(unguarded(half.replace('.a', 'body:not(.vscode-reduce-motion) .a')), []);
    assert.deepEqual(unguarded('html { scroll-behavior: smooth }'), ['html: scroll-behavior: smooth']);
  });

  it('is begun by no script', () => {
    const scripts = readdirSync('webview-ui', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    assert.deepEqual(
      scripts.filter((name) =>
        /behavior:\s*'smooth'|\.animate\(|startViewTransition/.test(readFileSync(`webview-ui/${name}`, 'utf8')),
      ),
      [],
    );
  });
});
