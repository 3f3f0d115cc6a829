// Front matter that is read without the library: the same as the library reads, or nothing.
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { plainFields } from '../../../../src/core/text/plain-yaml';
import { inThousands } from '../../../../src/core/text/size-text';

const pieces = [
  ...['a', 'Read', 'true', 'null', 'No', 'on', 'NaN', 'x1', '7', '1e3', '0x1F', '~', '.inf', '2026-01-01', ''],
  ...[
    ' ',
    '  ',
    ':',
    ': ',
    ' :',
    '#',
    ' #',
    '-',
    '- ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    ', ',
    '&',
    '*',
    '!',
    '|',
    '>',
  ],
  ...['%', '@', '`', '\\', '\\n', '?', '=', '<<', '\t', 'é', '—'],
];

/** As YAML reads it; undefined where it is none. */
function library(text: string): unknown {
  try {
    return { ...(parse(text, { logLevel: 'silent' }) as object) };
  } catch {
    return undefined;
  }
}

describe('plain front matter', () => {
  it('is read as the library reads it, or left to it: each pair and triple of what YAML has a meaning for', () => {
    let read = 0;
    for (const first of pieces)
      for (const second of pieces)
        for (const third of ['', 'b', ...pieces.slice(0, 24)])
          for (const value of [`${first}${second}${third}`, `"${first}${second}${third}"`]) {
            const line = `name: ${value}`;
            const plain = plainFields([line, 'next: x']);
            if (plain === undefined) continue;
            read++;
            assert.deepEqual(plain, library(`${line}\nnext: x`), line);
          }
    assert.ok(read > 5_000, String(read));
  });

  it('is what most files have', () => {
    assert.deepEqual(
      plainFields(['description: Reviews (all) of it, quickly', 'argument-hint: "[file]"', 'on: true']),
      {
        description: 'Reviews (all) of it, quickly',
        'argument-hint': '[file]',
        on: true,
      },
    );
    for (const line of ['a: b: c', 'a:', 'a: [b]', 'a: "b\\n"', ' a: b', 'a: b #c', 'a: b ', 'a: Null', 'a: 1'])
      assert.equal(plainFields([line]), undefined, line);
    assert.equal(plainFields(['a: b', 'a: c']), undefined);
  });

  it('numbers have a comma between thousands', () => {
    assert.deepEqual([0, 999, 1_000, 30_000, 1_234_567].map(inThousands), ['0', '999', '1,000', '30,000', '1,234,567']);
  });
});
