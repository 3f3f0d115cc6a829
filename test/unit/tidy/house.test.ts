// The measures of the house: each finds what it is for, and exceptions stay few and have reasons.
import assert from 'node:assert/strict';
import { capFindings } from '../../house/cap-findings';
import { processorSeconds } from '../../house/check-cost';
import { exceptions, mostExceptions } from '../../house/exceptions';
import { tooLong } from '../../house/file-caps';
import { folderCycles } from '../../house/folder-cycles';
import { interfaceMembers } from '../../house/interface-members';
import { examples, filesNaming } from '../../house/spread';
import { tableText } from '../../house/table';
import { layers } from './import-rules';
import { parseSource, sourceFiles } from './source-files';

const files = [...Object.keys(layers), 'test'].flatMap(sourceFiles);

describe('exceptions to lint rules', () => {
  it(`give a reason, and are at most ${mostExceptions} of a kind`, () => {
    const found = exceptions(files);
    assert.deepEqual(
      found.filter(({ reason }) => reason.length < 15),
      [],
      'write "-- reason" behind the rule',
    );
    for (const rule of new Set(found.map((one) => one.rule))) {
      const all = found.filter((one) => one.rule === rule);
      assert.ok(all.length <= mostExceptions, `${rule}: ${all.map(({ path, line }) => `${path}:${line}`).join(', ')}`);
    }
  });

  it('are found in every form', () => {
    const text = [
      '// eslint-disable-next-line complexity, max-params -- a table in disguise',
      'const a = 1; // eslint-disable-line no-console',
      '/* eslint-disable max-lines -- one list -- and long */',
      '// eslint-disable-next-line',
      "const b = 'eslint-disable-next-line complexity';",
      "  '// eslint-disable-next-line complexity',",
    ].join('\n');
    assert.deepEqual(
      exceptions([{ path: 'a.ts', text }]).map(({ rule, line, reason }) => [rule, line, reason]),
      [
        ['complexity', 1, 'a table in disguise'],
        ['max-params', 1, 'a table in disguise'],
        ['no-console', 2, ''],
        ['max-lines', 3, 'one list -- and long'],
        ['every rule', 4, ''],
      ],
    );
  });
});

describe('the measures of the house', () => {
  it('find functions and interfaces over a cap, and leave out chapters of tests', () => {
    const body = (lines: number): string => '\n'.repeat(lines - 2);
    const cases = Array.from({ length: 20 }, (_, index) => `case ${index}: return;`).join(' ');
    const members = Array.from({ length: 21 }, (_, index) => `m${index}: string;`).join(' ');
    const found = (text: string): (string | number)[][] =>
      capFindings([{ path: 'a.ts', text }]).map(({ cap, what, value }) => [cap, what, value]);
    assert.deepEqual(found(`function long() {${body(102)}}`), [['functionLines', 'long', 101]]);
    assert.deepEqual(found(`function fits() {${body(101)}}`), []);
    assert.deepEqual(
      found(`describe('a', () => {${body(200)}});\ndescribe.only('b', function () {${body(200)}});`),
      [],
    );
    assert.deepEqual(found(`it('a', () => {${body(102)}});`), [['functionLines', 'Arrow function', 101]]);
    assert.deepEqual(found(`function all(x: number) { switch (x) { ${cases} } }`), [['complexity', 'all', 21]]);
    assert.deepEqual(found('const f = (a, b, c, d, e, g) => 1;'), [['parameters', 'Arrow function', 6]]);
    assert.deepEqual(found(`interface A { ${members} }`), [['members', 'A', 21]]);
    assert.deepEqual(found(`type B = { ${members} } & C;`), [['members', 'B', 21]]);
    assert.throws(() => found('const = ;'), /a\.ts:1/, 'what does not parse is not measured');
    const excused = capFindings([
      {
        path: 'a.ts',
        text: '// eslint-disable-next-line max-params -- six columns\nconst f = (a, b, c, d, e, g) => 1;',
      },
    ]);
    assert.deepEqual(
      excused.map((finding) => finding.excused),
      [true],
    );
  });

  it('find folders that import each other', () => {
    const file = (path: string, imported: string): Parameters<typeof folderCycles>[0][number] => ({
      path,
      imports: [{ specifier: imported, file: imported, typeOnly: true, reexport: false, line: 1 }],
    });
    const ring = [file('a/x.ts', 'b/x.ts'), file('b/x.ts', 'c/x.ts'), file('c/y.ts', 'a/y.ts')];
    assert.deepEqual(folderCycles([...ring, file('d/x.ts', 'a/x.ts')]), [['a', 'b', 'c']]);
    assert.deepEqual(folderCycles(ring.slice(0, 2)), []);
  });

  it('find long files, and those with a limit of their own', () => {
    const source = (path: string, lines: number) => parseSource(path, '\n'.repeat(lines));
    const all = [
      source('src/core/loop/loop.ts', 151),
      source('src/core/loop/turn.ts', 400),
      source('src/core/loop/request.ts', 401),
    ];
    assert.deepEqual(
      tooLong(all).map(({ path }) => path),
      ['src/core/loop/request.ts', 'src/core/loop/loop.ts'],
    );
  });

  it('count the members of an interface with those that it extends', () => {
    const sources = [
      parseSource('a.ts', 'export interface A extends B { one: string; two(): void }'),
      parseSource('b.ts', 'interface B { three: string }'),
    ];
    assert.deepEqual(interfaceMembers(sources, 'A'), ['three', 'one', 'two']);
    assert.equal(interfaceMembers(sources, 'C'), undefined);
  });

  it('find examples that are there', () => {
    for (const example of examples) assert.ok(filesNaming(example).length >= 2, example.change);
  });

  it('read what time tells', () => {
    assert.equal(processorSeconds('processor 1.5 0.25\n'), 1.75);
    assert.equal(processorSeconds('bash: time: not found'), undefined);
  });

  it('print a figure beside its goal', () => {
    const text = tableText('A', [
      { what: 'met', figure: 1, goal: 1, details: ['x'] },
      { what: 'missed', figure: 2, goal: 1, details: ['y'] },
      { what: 'unknown', figure: undefined, goal: 1 },
      { what: 'told', figure: 7 },
    ]);
    assert.equal(
      text,
      '\nA\n  ✓ met          1  (goal 1)\n  ✗ missed       2  (goal 1)\n      y\n  ✗ unknown      ?  (goal 1)\n    told         7',
    );
  });
});
