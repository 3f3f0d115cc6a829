// What names a module in a text, and what only looks like it.
import assert from 'node:assert/strict';
import { specifiersOf } from '../../../../../src/core/tools/refactor/specifiers';

describe('the specifiers of a text', () => {
  const cases: [name: string, text: string, imports: string[], strings?: string[]][] = [
    ['imports', `import a, { b } from './a';\nimport * as c from "./c";\nimport './d';\n`, ['./a', './c', './d']],
    [
      'types',
      `import type { A } from './a';\ntype B = typeof import('./b');\nlet c: import("./c").C;\n`,
      ['./a', './b', './c'],
    ],
    [
      'exports',
      `export { a } from './a';\nexport * from './b';\nexport * as c from './c';\nexport type { D } from './d';\n`,
      ['./a', './b', './c', './d'],
    ],
    ['over lines', `import {\n  a, // from './no'\n  b,\n}\nfrom\n'./a';\n`, ['./a']],
    [
      'dynamic ones',
      "await import('./a'); import(/* webpackChunkName: 'x' */ './b'); import(`./c`); import(`./${d}`);\n",
      ['./a', './b', './c'],
    ],
    [
      'CommonJS',
      `const a = require('./a');\nimport b = require('./b');\nrequire.resolve('./c');\nmodule.exports = require('./d').e;\n`,
      ['./a', './b', './c', './d'],
    ],
    [
      'packages too',
      `import fs from 'node:fs';\nimport x from '@/x';\nrequire('lodash');\n`,
      ['node:fs', '@/x', 'lodash'],
    ],
    ['new URL()', `new URL('./a.wasm', import.meta.url); new URL('./b', base);\n`, ['./a.wasm'], ['./b']],
    ['augmentations', `declare module './a' {}\ndeclare module "vue" {}\n`, ['./a', 'vue']],
    [
      'references',
      `/// <reference path="a.d.ts" />\n/// <reference types="node" />\n// <reference path="b" />\n`,
      ['a.d.ts'],
    ],
    [
      'JSDoc',
      `/** @type {import('./a').A} */\n/**\n * @import { B } from './b'\n * @param {import("./c")} x\n */\n/* import('./no') */\n`,
      ['./a', './b', './c'],
    ],
    [
      'strings of libraries',
      `jest.mock('./a', () => ({}));\nvi.mock("../b");\nconst c = './c';\nfoo('d');\n`,
      [],
      ['./a', '../b', './c'],
    ],
    ['comments', `// import './a';\n/* import './b'; */\nimport './c'; // './d'\n`, ['./c']],
    [
      'texts',
      `const a = "import './a'";\nconst b = 'import "./b"';\nconst c = \`import './c' \${import('./d')} from './e'\`;\nimport './f';\n`,
      ['./d', './f'],
    ],
    [
      'nested templates',
      'const a = `${b ? `x ${{ c: import("./c") }}` : `}`} from "./no"`; import "./d";\n',
      ['./c', './d'],
    ],
    [
      'regular expressions',
      `const a = /'import "'/;\nconst b = x / 2; import './b';\nif (/["'/]/.test(c)) import('./c');\nreturn /'/;\n`,
      ['./b', './c'],
    ],
    ['divisions', `const a = (b + c) / 2; const d = e[0] / f; import('./a'); g / h;\n`, ['./a']],
    [
      'JSX',
      `import A from './a';\nconst b = <p title='x'>It's a "test" / of // it</p>;\nconst c = <A b={import('./b')} />;\nimport('./c');\n`,
      ['./a', './b', './c'],
    ],
    ['methods', `foo.import('./a'); foo.require('./b'); Array.from('./c'); x.from;\n`, [], ['./a', './b', './c']],
    ['properties', `const a = { import: './a', from: './b', require: './c' };\n`, [], ['./a', './b', './c']],
    ['what is escaped', `import './a\\x2f';\nimport './b';\n`, ['./b']],
    ['what never ends', `import './a';\nconst b = 'x\nimport './c';\n/* x\n`, ['./a', './c']],
  ];
  for (const [name, text, imports, strings = []] of cases)
    it(name, () => {
      const found = specifiersOf(text, 'a.tsx');
      for (const { start, end, text: own } of found) assert.equal(text.slice(start, end), own);
      assert.deepEqual(
        found.filter(({ kind }) => kind !== 'string').map((one) => one.text),
        imports,
      );
      assert.deepEqual(
        found.filter(({ kind }) => kind === 'string').map((one) => one.text),
        strings,
      );
    });

  it('of the scripts of a component alone', () => {
    const text = `<template>import './no'</template>\n<script setup lang="ts">\nimport a from './a';\n</script>\n<script>\nimport './b';\n</script>\n`;
    const found = specifiersOf(text, 'A.vue');
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      ['./a', './b'],
    );
  });

  it('of no other file', () => {
    assert.deepEqual(specifiersOf(`import './a';`, 'a.md'), []);
  });
});
