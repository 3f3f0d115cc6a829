// What is sent to the model where its text is not found.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { explainNotFound } from '../../../../src/core/edits/nearest-text';

const source = [
  'import a from "a";',
  '',
  'function parseDate(text) {',
  '\treturn new Date(text);',
  '}',
  '',
  'export { parseDate };',
  '',
].join('\n');

const explained: [name: string, text: string, wanted: string, expected: RegExp][] = [
  [
    'indentation',
    source,
    'function parseDate(text) {\n    return new Date(text);\n}',
    /^The nearest text is at lines 3–5 and differs only in whitespace: line 4 of the file is indented by 1 tab, old_string by 4 spaces\.$/,
  ],
  [
    'trailing blanks',
    'const a = 1;  \nconst b = 2;\n',
    'const a = 1;\nconst b = 2;',
    /differs only in whitespace: line 1 of the file ends with 2 spaces, old_string with nothing\.$/,
  ],
  [
    'blanks inside',
    source,
    'function  parseDate( text ) {',
    /at line 3 and differs only in whitespace: line 3 of the file is "function parseDate\(text\) \{"\.$/,
  ],
  [
    'upper and lower case',
    source,
    'return new date(text);',
    /at line 4 and differs only in upper and lower case: line 4 of the file is "\\treturn new Date\(text\);"/,
  ],
  [
    'a typographic quote',
    'say("it’s late");\n',
    'say("it\'s late");',
    /characters that look alike: line 1 of the file has `’` \(U\+2019\) where old_string has `'` \(U\+0027\)/,
  ],
  [
    'a composed letter',
    'const name = "Caf\u0065\u0301 de Paris";\n',
    'const name = "Caf\u00e9 de Paris";',
    /characters that look alike: line 1 of the file has `e` \(U\+0065\)/,
  ],
  [
    'another word',
    source,
    'function parseDate(input) {',
    /at line 3\. Line 3 of the file is "function parseDate\(text\) \{", old_string has "function parseDate\(input\) \{"\.$/,
  ],
  [
    'one line of three',
    source,
    'function parseDate(text) {\n\treturn Date.parse(text);\n}',
    /lines 3–5 and differs in one line\. Line 4 of the file is/,
  ],
  [
    'line numbers of Read',
    source,
    '3\tfunction parseDate(text) {\n4\t\treturn new Date(text);',
    /^Without the line numbers it is at lines 3–4:/,
  ],
  [
    'escapes that are no line breaks',
    source,
    'function parseDate(text) {\\n\\treturn new Date(text);',
    /^With its backslash escapes resolved it is at lines 3–4:/,
  ],
  [
    'typographic double quotes',
    'say("late");\n',
    'say(“late”);',
    /^The nearest text is at line 1 and differs only in characters that look alike: line 1 of the file has `"` \(U\+0022\) where old_string has `“`/,
  ],
  [
    'lines that were left out',
    source,
    'function parseDate(text) {\n\t// ... existing code ...\n}',
    /^Line 2 of old_string is a placeholder for omitted text, which is not in the file/,
  ],
  ['dots that the file has', 'call(\n...args\n);\n', 'call(\n...args\n) ;', /^The nearest text is at lines 1–3/],
  [
    'dots with nothing behind them',
    source,
    'function parseDate(text) {\n...\n}',
    /^Line 2 of old_string is a placeholder for omitted text/,
  ],
  [
    'a comment that begins with dots',
    source,
    'function parseDate(text) {\n\t// ...rest\n}',
    /^Line 2 of old_string is a placeholder for omitted text/,
  ],
  [
    'a spread of something else',
    'const a = {\n  ...state.foo,\n  b: 1,\n};\n',
    'const a = {\n  ...state.bar,\n  b: 1,\n};',
    /^The nearest text is at lines 1–4 and differs in one line\. Line 2 of the file is " {2}...state\.foo,"/,
  ],
  ['the dots of a stub', 'def f():\n\t...\nx = 1\n', 'def f():\n    ...\nx = 1', /differs only in whitespace/],
  [
    'entities of HTML',
    'a < b && c;\n',
    'a &lt; b &amp;&amp; c',
    /^With &lt; and the like as plain characters it is at line 1: write <, >, & and quotes themselves\.$/,
  ],
  [
    'the end of the file',
    'first line here\nsecond line here\n',
    'first line here\nsecond line here\nthird line here',
    /lines 1–3, but the file ends after line 2\.$/,
  ],
  [
    'a blank line too many',
    source,
    'function parseDate(text) {\n\n\treturn new Date(text);\n}',
    /^Its lines are at lines 3–5, but with different blank lines between them: after line 3 the file has no blank lines, old_string 1\.$/,
  ],
  [
    'a blank line that is missing',
    'a = 1;\n}\n' + source.replace(/\n/g, '\r\n'),
    '}\nexport { parse',
    /^Its lines are at lines 7–9, but with different blank lines between them: after line 7 the file has 1 blank line, old_string 0\.$/,
  ],
  [
    'CRLF in the file',
    source.replace(/\n/g, '\r\n'),
    'function parseDate(text) {\n  return new Date(text);\n}',
    /line 4 of the file is indented by 1 tab, old_string by 2 spaces/,
  ],
];

describe('explainNotFound', () => {
  for (const [name, text, wanted, expected] of explained) {
    it(name, () => assert.match(explainNotFound(text, wanted) ?? 'nothing', expected));
  }

  it('says nothing where nothing is alike', () => {
    assert.equal(explainNotFound(source, 'class Zebra extends Quagga {}'), undefined);
    assert.equal(explainNotFound('', 'anything at all'), undefined);
    assert.equal(explainNotFound(source, '}}'), undefined);
  });

  it('quotes only the start of long lines', () => {
    const message =
      explainNotFound(`let data = "${'x'.repeat(50_000)}";\n`, `let data = "${'x'.repeat(40_000)}y";`) ?? '';
    assert.ok(message.length > 0 && message.length < 800, message.slice(0, 200));
  });

  it('answers for every pair of texts', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(fc.property(text, text, (left, right) => void explainNotFound(left, right)));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('ab', '(', '[a-', '\\', ' ', '\n', '\r\n', '1\t', '\\n', '$'), { maxLength: 40 }),
        (parts) => {
          const wanted = parts.join('');
          const message = explainNotFound(`x ${wanted} y`.toUpperCase(), wanted);
          assert.ok(message === undefined || message.length < 900);
        },
      ),
    );
  });
});
