// The exact replacement: tables of small cases, and the property that nothing outside an edit ever changes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { COUNT_LIMIT, replaceText } from '../../../../src/core/edits/replace-text';
import { corpusPath } from '../../../support/corpus';

interface Case {
  name: string;
  text: string;
  old: string;
  new: string;
  all?: boolean;
  /** The text afterwards, or the outcome. */
  expected: string | { outcome: string; count?: number; lines?: number[] };
}

const cases: Case[] = [
  { name: 'one place', text: 'a b c', old: 'b', new: 'x', expected: 'a x c' },
  { name: 'at the start', text: 'a b', old: 'a', new: 'x', expected: 'x b' },
  { name: 'at the end', text: 'a b', old: 'b', new: 'x', expected: 'a x' },
  { name: 'the whole text', text: 'a\n', old: 'a\n', new: 'b', expected: 'b' },
  { name: 'deletion', text: 'a\nb\nc\n', old: 'b\n', new: '', expected: 'a\nc\n' },
  { name: 'not there', text: 'a', old: 'b', new: 'x', expected: { outcome: 'not_found' } },
  { name: 'in an empty text', text: '', old: 'b', new: 'x', expected: { outcome: 'not_found' } },
  { name: 'an empty old text', text: 'a', old: '', new: 'x', expected: { outcome: 'not_found' } },
  { name: 'other case', text: 'A', old: 'a', new: 'x', expected: { outcome: 'not_found' } },
  { name: 'other whitespace', text: '\ta', old: '    a', new: 'x', expected: { outcome: 'not_found' } },
  {
    name: 'two places',
    text: 'a\nb\na',
    old: 'a',
    new: 'x',
    expected: { outcome: 'not_unique', count: 2, lines: [1, 3] },
  },
  {
    name: 'places that overlap',
    text: 'aaa',
    old: 'aa',
    new: 'x',
    expected: { outcome: 'not_unique', count: 2, lines: [1, 1] },
  },
  {
    name: 'blocks that overlap',
    text: '}\n}\n}\n',
    old: '}\n}\n',
    new: 'x',
    expected: { outcome: 'not_unique', count: 2, lines: [1, 2] },
  },
  {
    name: 'lines counted in CRLF',
    text: 'a\r\nb\r\na\r\n',
    old: 'a',
    new: 'x',
    expected: { outcome: 'not_unique', count: 2, lines: [1, 3] },
  },
  {
    name: 'lines counted in CR',
    text: 'a\rb\ra',
    old: 'a',
    new: 'x',
    expected: { outcome: 'not_unique', count: 2, lines: [1, 3] },
  },
  { name: 'all places', text: 'a b a', old: 'a', new: 'x', all: true, expected: 'x b x' },
  { name: 'all places, longer', text: 'aa', old: 'a', new: 'aa', all: true, expected: 'aaaa' },
  { name: 'all, not there', text: 'b', old: 'a', new: 'x', all: true, expected: { outcome: 'not_found' } },
  { name: 'all, overlapping from the left', text: 'aaaa', old: 'aa', new: 'x', all: true, expected: 'xx' },
  { name: '$& is text', text: 'a', old: 'a', new: '$&$&', expected: '$&$&' },
  { name: "$' and $` are text", text: 'abc', old: 'b', new: "$'$`$1$$", expected: "a$'$`$1$$c" },
  { name: '$ in all places', text: 'a a', old: 'a', new: '$&', all: true, expected: '$& $&' },
  { name: 'pattern characters in the old text', text: 'f(a|b)*[c]', old: '(a|b)*[c]', new: 'x', expected: 'fx' },
  { name: 'pattern characters across CRLF', text: 'a.*\r\n[b]\r\n', old: 'a.*\n[b]', new: 'x', expected: 'x\r\n' },
  {
    name: 'LF old text in a CRLF file',
    text: 'a\r\nb\r\nc\r\n',
    old: 'a\nb',
    new: 'x\ny',
    expected: 'x\r\ny\r\nc\r\n',
  },
  { name: 'CRLF old text in an LF file', text: 'a\nb\nc\n', old: 'a\r\nb', new: 'x\r\ny', expected: 'x\ny\nc\n' },
  { name: 'CRLF old text in a CRLF file', text: 'a\r\nb\r\n', old: 'a\r\nb', new: 'x\r\ny', expected: 'x\r\ny\r\n' },
  { name: 'LF old text in a CR file', text: 'a\rb\rc', old: 'a\nb', new: 'x\ny\nz', expected: 'x\ry\rz\rc' },
  { name: 'more lines in a CRLF file', text: 'a\r\nb\r\n', old: 'a', new: 'x\ny\nz', expected: 'x\r\ny\r\nz\r\nb\r\n' },
  { name: 'fewer lines in a CRLF file', text: 'a\r\nb\r\nc\r\n', old: 'a\nb\nc', new: 'x', expected: 'x\r\n' },
  { name: 'lines at the end of a CRLF file', text: 'a\r\nb', old: 'b', new: 'b\nc', expected: 'a\r\nb\r\nc' },
  { name: 'a single line without an ending', text: 'a', old: 'a', new: 'x\r\ny', expected: 'x\r\ny' },
  { name: 'never half a CRLF', text: 'a\r\nb', old: '\n\n', new: 'x', expected: { outcome: 'not_found' } },
  { name: 'a line break alone', text: 'a\r\nb', old: '\n', new: ' ', expected: 'a b' },
  {
    name: 'mixed: unchanged lines keep their own',
    text: 'a\r\nb\nc\r\nd\n',
    old: 'a\nb\nc\nd\n',
    new: 'a\nb\nX\nd\n',
    expected: 'a\r\nb\nX\r\nd\n',
  },
  {
    name: 'mixed: an inserted line follows its neighbour',
    text: 'a\r\nb\nc\r\n',
    old: 'a\nb',
    new: 'a\nX\nb',
    expected: 'a\r\nX\r\nb\nc\r\n',
  },
  {
    name: 'mixed: split inside an LF line',
    text: 'a\r\nb c\nd\r\n',
    old: 'b c',
    new: 'b\nc',
    expected: 'a\r\nb\nc\nd\r\n',
  },
  {
    name: 'mixed: split inside a CRLF line',
    text: 'a\nb c\r\nd\n',
    old: 'b c',
    new: 'b\nc',
    expected: 'a\nb\r\nc\r\nd\n',
  },
  {
    name: 'mixed: equal but for endings is not unique',
    text: 'a\nb\r\na\r\nb',
    old: 'a\nb',
    new: 'x',
    expected: { outcome: 'not_unique', count: 2, lines: [1, 3] },
  },
  {
    name: 'mixed: every place keeps its own ending',
    text: 'a\nb\r\nc\na\r\nb\n',
    old: 'a\nb',
    new: 'x\ny',
    all: true,
    expected: 'x\ny\r\nc\nx\r\ny\n',
  },
  { name: 'only line endings differ', text: 'a\r\nb\r\n', old: 'a\r\nb', new: 'a\nb', expected: { outcome: 'same' } },
  { name: 'a byte order mark stays', text: '\uFEFFa\n', old: 'a', new: 'b', expected: '\uFEFFb\n' },
  { name: 'no final newline is added', text: 'a\nb', old: 'b', new: 'c', expected: 'a\nc' },
  { name: 'a final newline may be removed', text: 'a\nb\n', old: 'b\n', new: 'b', expected: 'a\nb' },
  { name: 'astral characters', text: '😀a😀', old: 'a', new: '🎉', expected: '😀🎉😀' },
  {
    name: 'composed and decomposed differ',
    text: 'e\u0301',
    old: '\u00e9',
    new: 'x',
    expected: { outcome: 'not_found' },
  },
  {
    name: 'line separators of Unicode are no line endings',
    text: 'a\u2028b\u0085c',
    old: 'a\u2028b',
    new: 'x',
    expected: 'x\u0085c',
  },
  { name: 'a NUL', text: 'a\0b', old: '\0', new: '', expected: 'ab' },
];

describe('replaceText', () => {
  for (const one of cases) {
    it(one.name, () => {
      const result = replaceText(one.text, one.old, one.new, one.all ?? false);
      if (typeof one.expected === 'string') {
        assert.equal(result.outcome, 'replaced');
        assert.equal(result.outcome === 'replaced' && result.text, one.expected);
      } else assert.deepEqual(result, one.expected);
    });
  }

  it('stops counting places at its limit', () => {
    const result = replaceText('a'.repeat(COUNT_LIMIT + 5), 'a', 'b', false);
    assert.equal(result.outcome === 'not_unique' && result.count, COUNT_LIMIT);
    assert.equal(result.outcome === 'not_unique' && result.lines.length, 10);
  });

  it('agrees with the corpus of another agent, times line endings and a byte order mark', function () {
    const corpus = JSON.parse(readFileSync(corpusPath(this, 'edit-cases/gemini-cli/edit-cases.json'), 'utf8')) as {
      applyReplacement: { current: string; oldStr: string; newStr: string; expected: string }[];
    };
    let checked = 0;
    for (const { current, oldStr, newStr, expected } of corpus.applyReplacement) {
      for (const ending of ['\n', '\r\n', '\r']) {
        for (const mark of ['', '\uFEFF']) {
          const around = (text: string): string => `${mark}first${ending}${text}${ending}last`;
          const result = replaceText(around(current), oldStr, newStr, true);
          assert.equal(result.outcome === 'replaced' ? result.text : around(current), around(expected));
          checked++;
        }
      }
    }
    assert.ok(checked >= 60);
  });
});

describe('replaceText, for every text', () => {
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const word = fc.constantFrom('a', 'b', 'ab', '', ' ', '\t', '$&', "$'", '$1', '(', '.*', '😀', 'é', 'e\u0301', '\\');
  const lines = fc.array(fc.tuple(word, word, ending), { maxLength: 8 });
  const joined = lines.map((parts) => parts.map(([left, right, end]) => left + right + end).join(''));
  const piece = fc.tuple(joined, word).map(([text, tail]) => text + tail);
  const mark = fc.constantFrom('', '\uFEFF');
  const unified = (text: string): string => text.replace(/\r\n|\n|\r/g, '\n');
  /** A \r before and a \n behind would be one ending, in any text. */
  const meets = (left: string, right: string): boolean => left.endsWith('\r') && right.startsWith('\n');

  it('changes no byte outside the edit, and puts the new text in its place', () => {
    fc.assert(
      fc.property(
        fc.record({ bom: mark, before: piece, middle: piece, after: piece, inserted: piece, asked: ending }),
        ({ bom, before, middle, after, inserted, asked }) => {
          const head = bom + before;
          fc.pre(!meets(head, middle) && !meets(middle, after) && !meets(head, after));
          const text = head + middle + after;
          const result = replaceText(text, middle.replace(/\r\n|\n|\r/g, asked), inserted, false);
          if (result.outcome !== 'replaced') {
            // Then the text is not there, is there more than once, or would not change.
            const places = unified(text).split(unified(middle)).length - 1;
            if (result.outcome === 'not_found') assert.equal(middle, '');
            if (result.outcome === 'same') assert.equal(unified(middle), unified(inserted));
            if (result.outcome === 'not_unique') assert.ok(places > 1 || overlaps(unified(text), unified(middle)));
            return;
          }
          assert.ok(result.text.startsWith(head));
          assert.ok(result.text.endsWith(after));
          const put = result.text.slice(head.length, result.text.length - after.length);
          assert.equal(unified(put), unified(inserted));
          assert.equal(result.count, 1);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('inserts only line endings that the text around already has', () => {
    fc.assert(
      fc.property(piece, fc.constantFrom('\n', '\r\n', '\r'), piece, (text, kind, inserted) => {
        const uniform = `${text.replace(/\r\n|\n|\r/g, kind)}${kind}@@mark@@${kind}`;
        const result = replaceText(uniform, '@@mark@@', inserted, false);
        assert.equal(result.outcome, 'replaced');
        if (result.outcome !== 'replaced') return;
        const endings = new Set(result.text.match(/\r\n|\n|\r/g));
        assert.deepEqual([...endings], [kind]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('replaces everywhere what stands between, and nothing else', () => {
    fc.assert(
      // Whole lines that are replaced by nothing go with their line ending: that has a test of its own.
      fc.property(fc.array(piece, { minLength: 2, maxLength: 6 }), word.filter(Boolean), (parts, inserted) => {
        const text = parts.join('@@mark@@');
        const result = replaceText(text, '@@mark@@', inserted, true);
        assert.equal(result.outcome === 'replaced' && result.text, parts.join(inserted));
      }),
    );
  });

  function overlaps(text: string, wanted: string): boolean {
    const first = text.indexOf(wanted);
    return text.indexOf(wanted, first + 1) >= 0;
  }
});
