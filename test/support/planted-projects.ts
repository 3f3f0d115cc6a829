// Five small projects, one for each runner, with four planted failures each: a wrong value, an error in the code below the test, an object, a rejection.
export interface PlantedProject {
  files: Record<string, string>;
  /** Name of the test, and the line of its file that fails; the line of the code below where that is another. */
  failures: { name: RegExp; path: string; line: number; frame?: string }[];
}

const cart = (exports: string): string => `const total = (prices) => prices.reduce((sum, price) => sum + price, 1);

function coupon(code) {
  return code.trim();
}

const describeItem = (name) => ({ name, tags: ['new'], stock: 3 });

async function fetchPrice(id) {
  await Promise.resolve();
  throw new Error(\`no price for \${id}\`);
}

const double = (n) => 2 * n;
${exports}
`;

const body = (equal: (a: string, b: string) => string, deep: (a: string, b: string) => string): string => `
describe('cart', () => {
  it('adds prices', () => {
    ${equal('total([1, 2])', '3')}
  });

  it('reads a coupon', () => {
    ${equal('coupon(undefined)', "'x'")}
  });

  describe('items', () => {
    it('describes an item', () => {
      ${deep("describeItem('pen')", "{ name: 'pen', tags: ['old'], stock: 3 }")}
    });

    it('fetches a price', async () => {
      ${equal("await fetchPrice('pen')", '2')}
    });
  });

${[1, 2, 3, 4, 5, 6].map((n) => `  it('doubles ${n}', () => {\n    ${equal(`double(${n})`, String(2 * n))}\n  });\n`).join('\n')}
  it.${'skip'}('is left out', () => {});
});
`;

const names = 'total, coupon, describeItem, fetchPrice, double';
const equal = (a: string, b: string) => `assert.equal(${a}, ${b});`;
const deep = (a: string, b: string) => `assert.deepEqual(${a}, ${b});`;
const toBe = (a: string, b: string) => `expect(${a}).toBe(${b});`;
const toEqual = (a: string, b: string) => `expect(${a}).toEqual(${b});`;

function project(
  head: string,
  test: string,
  manifest: object,
  [source, code]: [string, string],
  file: string,
): PlantedProject {
  const text = `${head}${test}`;
  const lines = text.split('\n');
  const at = (part: string): number => lines.findIndex((line) => line.includes(part)) + 1;
  const below = (part: string): string => `${source}:${code.split('\n').findIndex((line) => line.includes(part)) + 1}`;
  return {
    files: { 'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`, [source]: code, [file]: text },
    failures: [
      { name: /cart.*adds prices$/, path: file, line: at('total([1') },
      { name: /cart.*reads a coupon$/, path: file, line: at('coupon(undefined)'), frame: below('code.trim()') },
      { name: /cart.*items.*describes an item$/, path: file, line: at("describeItem('pen')") },
      {
        name: /cart.*items.*fetches a price$/,
        path: file,
        line: at("fetchPrice('pen')"),
        frame: below('throw new Error'),
      },
    ],
  };
}

const commonJs = cart(`module.exports = { ${names} };`);
const modules = cart(`export { ${names} };`);

const pythonCart = `def total(prices):
    return sum(prices) + 1


def coupon(code):
    return code.strip()


def describe_item(name):
    return {"name": name, "tags": ["new"], "stock": 3}


def fetch_price(item):
    raise LookupError(f"no price for {item}")


def double(n):
    return 2 * n
`;
const pythonTest = `import pytest

from cart import coupon, describe_item, double, fetch_price, total


def test_adds_prices():
    assert total([1, 2]) == 3


def test_reads_a_coupon():
    assert coupon(None) == "x"


class TestItems:
    def test_describes_an_item(self):
        assert describe_item("pen") == {"name": "pen", "tags": ["old"], "stock": 3}

    def test_fetches_a_price(self):
        assert fetch_price("pen") == 2


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_doubles(n):
    assert double(n) == 2 * n


@pytest.mark.skip
def test_is_left_out():
    pass
`;

export const plantedProjects: Readonly<Record<'node' | 'mocha' | 'jest' | 'vitest' | 'pytest', PlantedProject>> = {
  node: project(
    `import assert from 'node:assert/strict';\nimport { describe, it } from 'node:test';\nimport { ${names} } from '../src/cart.mjs';\n`,
    body(equal, deep),
    { name: 'planted', scripts: { test: 'node --test' } },
    ['src/cart.mjs', modules],
    'test/cart.test.mjs',
  ),
  mocha: project(
    `const assert = require('node:assert/strict');\nconst { ${names} } = require('../src/cart.js');\n`,
    body(equal, deep),
    { name: 'planted', scripts: { test: 'mocha' } },
    ['src/cart.js', commonJs],
    'test/cart.test.js',
  ),
  jest: project(
    `const { ${names} } = require('../src/cart.js');\n`,
    body(toBe, toEqual),
    { name: 'planted', scripts: { test: 'jest' } },
    ['src/cart.js', commonJs],
    'test/cart.test.js',
  ),
  vitest: project(
    `import { describe, expect, it } from 'vitest';\nimport { ${names} } from '../src/cart.js';\n`,
    body(toBe, toEqual),
    { name: 'planted', type: 'module', scripts: { test: 'vitest' } },
    ['src/cart.js', modules],
    'test/cart.test.js',
  ),
  pytest: {
    files: { 'pyproject.toml': '[project]\nname = "planted"\n', 'cart.py': pythonCart, 'test_cart.py': pythonTest },
    failures: [
      { name: /test_adds_prices$/, path: 'test_cart.py', line: 7 },
      { name: /test_reads_a_coupon$/, path: 'test_cart.py', line: 11, frame: 'cart.py:6' },
      { name: /TestItems.*test_describes_an_item$/, path: 'test_cart.py', line: 16 },
      { name: /TestItems.*test_fetches_a_price$/, path: 'test_cart.py', line: 19, frame: 'cart.py:14' },
    ],
  },
};
