// Where code of an answer goes: the whole file, one block, or nowhere beyond doubt.
import assert from 'node:assert/strict';
import { placeCode } from '../../../../src/core/edits/place-code';

const file = `import { a } from './a';

export function one(x: number) {
  if (x > 0) {
    return a(x);
  }
  return 0;
}

class Two {
  value = 1;

  get() {
    return this.value;
  }

  set(value: number) {
    this.value = value;
  }
}
`;

const cases: readonly {
  name: string;
  current?: string;
  code: string;
  expected: string | { whole?: boolean; has: string[]; lacks?: string[] };
}[] = [
  { name: 'an empty file', current: '\n', code: 'const a = 1;', expected: { whole: true, has: ['const a = 1;\n'] } },
  {
    name: 'a function',
    code: 'export function one(x: number) {\n  return a(-x);\n}',
    expected: {
      whole: false,
      has: ["import { a } from './a';\n\nexport function one(x: number) {\n  return a(-x);\n}\n\nclass Two {"],
    },
  },
  {
    name: 'a method that is written without its indent',
    code: 'get() {\n  return 2 * this.value;\n}',
    expected: { whole: false, has: ['  get() {\n    return 2 * this.value;\n  }\n\n  set(value'] },
  },
  {
    name: 'a whole file',
    code: file.replace('value = 1', 'value = 2').trimEnd(),
    expected: { whole: true, has: ['value = 2', '  }\n}\n'] },
  },
  {
    name: 'the same',
    code: 'get() {\n  return this.value;\n}',
    expected: 'same',
  },
  {
    name: 'pieces around what is left out',
    code: 'class Two {\n  // ... existing code ...\n\n  set(value: number) {\n    this.value = value + 1;\n  }\n}',
    expected: { whole: false, has: ['  get() {', 'this.value = value + 1;\n  }\n}\n'] },
  },
  { name: 'something new', code: 'export function three() {\n  return 3;\n}', expected: 'its first line is not there' },
  { name: 'a line of its own', code: '  value = 1;', expected: 'where it ends there cannot be told' },
  { name: 'nothing', code: ' \n', expected: 'it is empty' },
  {
    name: 'one of two that look alike',
    current: 'if (a) {\n  b();\n}\nif (a) {\n  b();\n}\nc();\nd();\n',
    code: 'if (a) {\n  e();\n}',
    expected: 'its first line is there 2 times',
  },
  {
    name: 'a block that is cut without its end',
    code: 'class Two {\n  value = 2;\n  // ...\n}',
    expected: 'where it ends there cannot be told',
  },
  {
    name: 'a Python function whose end is another',
    current: 'import os\n\ndef f(x):\n    y = x\n    return y\n\ndef g():\n    return 1\n',
    code: 'def f(x):\n    return x + 1',
    expected: { whole: false, has: ['import os\n\ndef f(x):\n    return x + 1\n\ndef g():'], lacks: ['y = x'] },
  },
  {
    name: 'a block that is much longer in the file',
    current: `start();\nfunction f() {\n${'  a();\n'.repeat(30)}}\nend();\n`,
    code: 'function f() {\n  b();\n}',
    expected: 'the block that begins like it is much longer, so something seems to be left out',
  },
];

describe('the place of code', () => {
  for (const { name, current = file, code, expected } of cases)
    it(name, () => {
      const made = placeCode(current, code);
      if (expected === 'same') return assert.equal(made.outcome, 'same');
      if (typeof expected === 'string') return assert.deepEqual(made, { outcome: 'nowhere', why: expected });
      assert.ok(made.outcome === 'placed', JSON.stringify(made));
      assert.equal(made.whole, expected.whole);
      for (const part of expected.has) assert.ok(made.text.includes(part), made.text);
      for (const part of expected.lacks ?? []) assert.ok(!made.text.includes(part), made.text);
    });

  it('keeps the line endings of the file', () => {
    const made = placeCode(file.replaceAll('\n', '\r\n'), 'get() {\n  return 2;\n}');
    assert.ok(made.outcome === 'placed' && !/[^\r]\n/.test(made.text), JSON.stringify(made));
  });
});
