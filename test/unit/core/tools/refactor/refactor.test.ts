// How a symbol is found by a line and a name, and what all the files of a change are judged by.
import assert from 'node:assert/strict';
import { type Refactorings } from '../../../../../src/core/ports/refactorings';
import { findSymbol } from '../../../../../src/core/tools/refactor/find-symbol';
import { problemsTool } from '../../../../../src/core/tools/problems/problems';
import { refactorTool } from '../../../../../src/core/tools/refactor/refactor';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createMemoryFiles } from '../../../../support/memory-files';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';

interface EditRule {
  behavior: 'deny' | 'allow';
  path: string;
}

function sessionIn(mode: 'default' | 'acceptEdits' | 'plan', rules: readonly EditRule[]) {
  return {
    permission: () => ({
      rules: rules.map(({ behavior, path }) => ({
        behavior,
        value: { toolName: 'Edit', ruleContent: path },
        source: 'userSettings' as const,
        root: '/w',
      })),
      folders: ['/w'],
      ownFolders: [],
      home: '/home/ann',
      ignoreCase: false,
      trusted: true,
    }),
    mode,
    environment: { cwd: '/w', folders: ['/w'], platform: 'linux' as const, shell: 'bash' as const, date: '2026-11-21' },
  };
}

describe('a symbol by its line and name', () => {
  const text = 'const a = b.a;\n\tlet aa = a;\r\nuse(a, aa);\nuse(a, aa);\nconst größe$ = größe;\n';
  const cases: [line: string, symbol: string, place: [line: number, character: number] | RegExp][] = [
    ['let aa = a;', 'aa', [1, 5]],
    ['  let aa = a;  ', 'a', [1, 10]],
    ['b.a', 'a', [0, 12]],
    ['const a', 'a', [0, 6]],
    ['const größe$ = größe;', 'größe', [4, 15]],
    ['const größe$ = größe;', 'größe$', [4, 6]],
    ['const a = b.a;', 'a', /occurs 2 times in lineContent \(line 1\)/],
    ['use(a, aa);', 'aa', /fits lines 3, 4\./],
    ['use(b);', 'b', /was not found in the file/],
    ['let aa = a;', 'b', /"b" is not a name in it/],
    ['let aa = a;\nuse', 'aa', /several lines/],
  ];
  for (const [line, symbol, expected] of cases)
    it(`${symbol} in ${line}`, () => {
      const found = findSymbol(text, line, symbol);
      if (expected instanceof RegExp) assert.match('problem' in found ? found.problem : '', expected);
      else assert.deepEqual(found, { place: { line: expected[0], character: expected[1] } });
    });
});

describe('what Problems and Refactor cost before they are loaded', () => {
  it('is two lines, of less than 200 bytes together', () => {
    const lines = [problemsTool, refactorTool].map(({ name, seldom = '' }) => `- ${name}: ${seldom}\n`);
    assert.ok(lines.every((line) => !line.endsWith(': \n')));
    assert.ok(Buffer.byteLength(lines.join('')) < 200);
  });
});

describe('the files of a refactoring and permissions', () => {
  const edit = { range: { start: { line: 0, character: 6 }, end: { line: 0, character: 7 } }, newText: 'b' };
  const paths = ['/w/a.ts', '/w/sub/c.ts', '/w/.git/config'];
  let asked: number;
  const refactorings = (changed: readonly string[]): Refactorings => ({
    rename: async () => {
      asked++;
      return { outcome: 'answer', value: { files: changed.map((path) => ({ path, edits: [edit] })) } };
    },
    organizeImports: () => assert.fail(),
    format: () => assert.fail(),
    fixes: () => assert.fail(),
    fix: () => assert.fail(),
  });

  async function run(
    changed: readonly string[],
    mode: 'default' | 'acceptEdits' | 'plan',
    rules: readonly EditRule[] = [],
  ) {
    asked = 0;
    const files = createMemoryFiles(Object.fromEntries(paths.map((path) => [path, 'const a = 1;\n'])));
    const call = { action: 'rename', filePath: '/w/a.ts', lineContent: 'const a = 1;', symbol: 'a', newName: 'b' };
    const model = createScriptedModel([reply(toolUse('Refactor', call, 'toolu_1')), reply('Done.')]);
    const harness = createHarness({
      model,
      tools: [refactorTool],
      ports: { files, refactorings: refactorings(changed) },
      session: sessionIn(mode, rules),
    });
    await harness.run('Go');
    const written = paths.filter((path) => files.text(path) !== 'const a = 1;\n');
    return { written, approvals: harness.approvals.length, text: JSON.stringify(model.requests[1]?.messages.at(-1)) };
  }

  it('all are asked about together, and the server is asked once', async () => {
    const { written, approvals } = await run(paths.slice(0, 2), 'default');
    assert.deepEqual([written, approvals, asked], [paths.slice(0, 2), 1, 1]);
  });

  it('accept edits covers all of them', async () => {
    const { written, approvals } = await run(paths.slice(0, 2), 'acceptEdits');
    assert.deepEqual([written, approvals], [paths.slice(0, 2), 0]);
  });

  it('one that is always asked about asks, also where edits are accepted', async () => {
    const { approvals } = await run(paths, 'acceptEdits');
    assert.equal(approvals, 1);
  });

  it('nothing is written while the agent plans', async () => {
    const { written, text } = await run(paths.slice(0, 2), 'plan');
    assert.deepEqual(written, []);
    assert.match(text, /plan mode/i);
  });

  it('one that a rule denies denies all of it', async () => {
    const { written, approvals, text } = await run(paths.slice(0, 2), 'acceptEdits', [
      { behavior: 'deny', path: '/sub/**' },
    ]);
    assert.deepEqual([written, approvals], [[], 0]);
    assert.match(text, /Permission denied/);
  });

  it('an allow rule for one of them does not cover the other', async () => {
    const one = await run(paths.slice(0, 2), 'default', [{ behavior: 'allow', path: '/a.ts' }]);
    assert.equal(one.approvals, 1);
    const all = await run(paths.slice(0, 2), 'default', [{ behavior: 'allow', path: '/**' }]);
    assert.deepEqual([all.approvals, all.written], [0, paths.slice(0, 2)]);
  });
});

describe('the files of a move and permissions', () => {
  const none = async () => ({ outcome: 'none', message: '' }) as const;
  const refactorings: Refactorings = {
    rename: none,
    organizeImports: none,
    format: none,
    fix: none,
    fixes: async () => ({ fixes: [], notes: [] }),
  };
  const before = {
    '/w/src/a.ts': 'export const a = 1;\n',
    '/w/sub/c.ts': "import { a } from '../src/a';\n",
    '/w/package.json': '{ "scripts": { "test": "x" } }\n',
  };

  async function run(
    [from, to]: [string, string],
    mode: 'default' | 'acceptEdits' | 'plan',
    rules: readonly EditRule[] = [],
  ) {
    const files = createMemoryFiles(before);
    const model = createScriptedModel([
      reply(toolUse('Refactor', { action: 'move', from, to }, 'toolu_1')),
      reply('Done.'),
    ]);
    const harness = createHarness({
      model,
      tools: [refactorTool],
      ports: {
        files,
        refactorings,
        search: {
          glob: async () => ({ outcome: 'failed', message: '' }),
          grep: async ({ mode: kind }) =>
            kind === 'content'
              ? { outcome: 'content', lines: [], total: 0, truncated: false }
              : { outcome: 'files', paths: ['/w/sub/c.ts'], total: 1, truncated: false },
        },
      },
      session: sessionIn(mode, rules),
    });
    await harness.run('Go');
    return { moved: files.text(`/w/${from}`) === undefined, approvals: harness.approvals.length, files };
  }
  const move: [string, string] = ['src/a.ts', 'lib/a.ts'];

  it('asks once, and not where edits are accepted', async () => {
    const asked = await run(move, 'default');
    assert.deepEqual([asked.moved, asked.approvals], [true, 1]);
    const { moved, approvals, files } = await run(move, 'acceptEdits');
    assert.deepEqual([moved, approvals], [true, 0]);
    assert.equal(files.text('/w/sub/c.ts'), "import { a } from '../lib/a';\n");
    assert.equal((await run(move, 'plan')).moved, false);
  });

  for (const [what, path] of [
    ['the place that it leaves', '/src/**'],
    ['its new place', '/lib/**'],
    ['a file that imports it', '/sub/**'],
  ] as const)
    it(`a rule that denies ${what} denies all of it`, async () => {
      const { moved, approvals, files } = await run(move, 'acceptEdits', [{ behavior: 'deny', path }]);
      assert.deepEqual([moved, approvals, files.text('/w/sub/c.ts')], [false, 0, before['/w/sub/c.ts']]);
    });

  it('an allow rule has to cover all of them', async () => {
    const some = [{ behavior: 'allow', path: '/src/**' } as const, { behavior: 'allow', path: '/lib/**' } as const];
    assert.equal((await run(move, 'default', some)).approvals, 1);
    assert.equal((await run(move, 'default', [...some, { behavior: 'allow', path: '/sub/**' }])).approvals, 0);
  });

  it('a place with files that others obey is asked about, also where edits are accepted', async () => {
    assert.equal((await run(['src/a.ts', '.git/hooks/pre-commit'], 'acceptEdits')).approvals, 1);
    assert.equal((await run(['package.json', 'sub/package.json'], 'acceptEdits')).approvals, 1);
  });
});
