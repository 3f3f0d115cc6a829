// Which memory files are sent, in which order, and what keeps one out.
import assert from 'node:assert/strict';
import { type MemoryEntry } from '../../../support/memory-files';
import { createMemoryRun, type MemoryRunOptions } from '../../../support/memory-session';

const w = '/home/ann/code/w';

interface Case {
  name: string;
  files: Record<string, MemoryEntry>;
  options?: MemoryRunOptions;
  atStart: string[];
}

const cases: Case[] = [
  {
    name: 'the organisation first, then the user, then each folder from the root, the local file behind the shared ones',
    files: {
      [`${w}/CLAUDE.local.md`]: 'local',
      [`${w}/.claude/CLAUDE.md`]: 'hidden folder',
      [`${w}/CLAUDE.md`]: 'project',
      [`${w}/.claude/rules/b.md`]: 'rule b',
      [`${w}/.claude/rules/a/z.md`]: 'rule a/z',
      '/home/ann/code/CLAUDE.md': 'code',
      '/home/ann/code/CLAUDE.local.md': 'code local',
      '/CLAUDE.md': 'root',
      '/home/ann/.claude/rules/own.md': 'own rule',
      '/home/ann/.claude/CLAUDE.md': 'user',
      '/etc/claude-code/CLAUDE.md': 'managed',
    },
    atStart: [
      'managed',
      'user',
      'own rule',
      'root',
      'code',
      'code local',
      'project',
      'hidden folder',
      'rule a/z',
      'rule b',
      'local',
    ],
  },
  {
    name: 'every workspace folder, what they share once',
    files: {
      '/home/ann/code/CLAUDE.md': 'shared',
      '/home/ann/code/a/CLAUDE.md': 'a',
      '/home/ann/code/b/CLAUDE.md': 'b',
    },
    options: { folders: () => ['/home/ann/code/a', '/home/ann/code/b'] },
    atStart: ['shared', 'a', 'b'],
  },
  { name: 'AGENTS.md where the folder has no CLAUDE.md', files: { [`${w}/AGENTS.md`]: 'agents' }, atStart: ['agents'] },
  {
    name: 'no AGENTS.md beside a CLAUDE.md',
    files: { [`${w}/AGENTS.md`]: 'agents', [`${w}/CLAUDE.md`]: 'claude', '/home/ann/code/AGENTS.md': 'above' },
    atStart: ['above', 'claude'],
  },
  {
    name: 'no AGENTS.md beside a .claude/CLAUDE.md',
    files: { [`${w}/AGENTS.md`]: 'agents', [`${w}/.claude/CLAUDE.md`]: 'claude' },
    atStart: ['claude'],
  },
  {
    name: 'both where the setting says so',
    files: { [`${w}/AGENTS.md`]: 'agents', [`${w}/CLAUDE.md`]: 'claude' },
    options: { settings: { agentsMd: 'both' } },
    atStart: ['claude', 'agents'],
  },
  {
    name: 'AGENTS.md never',
    files: { [`${w}/AGENTS.md`]: 'agents' },
    options: { settings: { agentsMd: 'never' } },
    atStart: [],
  },
  {
    name: 'a CLAUDE.md that is a link to AGENTS.md, once',
    files: { [`${w}/AGENTS.md`]: 'agents', [`${w}/CLAUDE.md`]: { link: `${w}/AGENTS.md` } },
    options: { settings: { agentsMd: 'both' } },
    atStart: ['agents'],
  },
  {
    name: "claudeMdExcludes, but never the organisation's",
    files: {
      [`${w}/CLAUDE.md`]: 'project',
      '/home/ann/code/CLAUDE.md': 'code',
      '/etc/claude-code/CLAUDE.md': 'managed',
    },
    options: { settings: { excludes: ['**/code/CLAUDE.md', '/etc/**'] } },
    atStart: ['managed', 'project'],
  },
  {
    name: 'nothing that a deny rule hides',
    files: { [`${w}/CLAUDE.md`]: 'project', [`${w}/CLAUDE.local.md`]: 'local' },
    options: { hidden: [`${w}/CLAUDE.md`] },
    atStart: ['local'],
  },
  {
    name: 'nor by another name',
    files: { [`${w}/CLAUDE.md`]: { link: `${w}/secret.md` }, [`${w}/secret.md`]: 'secret' },
    options: { hidden: [`${w}/secret.md`] },
    atStart: [],
  },
  {
    name: 'CLAUDE_CONFIG_DIR',
    files: { '/home/ann/other/CLAUDE.md': 'other', '/home/ann/.claude/CLAUDE.md': 'usual' },
    options: { personalFolder: '/home/ann/other' },
    // The home folder is above the workspace.
    atStart: ['other', 'usual'],
  },
  {
    name: 'imports behind the file that names them, to the fourth',
    files: {
      [`${w}/CLAUDE.md`]: 'start, see @docs/1.md.',
      [`${w}/docs/1.md`]: 'one @2.md',
      [`${w}/docs/2.md`]: 'two @3.md',
      [`${w}/docs/3.md`]: 'three @4.md',
      [`${w}/docs/4.md`]: 'four @5.md',
      [`${w}/docs/5.md`]: 'five',
    },
    atStart: ['start, see @docs/1.md.', 'one @2.md', 'two @3.md', 'three @4.md', 'four @5.md'],
  },
  {
    name: 'a circle of imports, each once',
    files: { [`${w}/CLAUDE.md`]: 'a @b.md', [`${w}/b.md`]: 'b @CLAUDE.md @b.md' },
    atStart: ['a @b.md', 'b @CLAUDE.md @b.md'],
  },
  {
    name: 'names without a file, addresses and code',
    files: { [`${w}/CLAUDE.md`]: '@nobody ann@b.md `@b.md`\n```\n@b.md\n```', [`${w}/b.md`]: 'b' },
    atStart: ['@nobody ann@b.md `@b.md`\n```\n@b.md\n```'],
  },
  {
    name: 'block comments and what they import',
    files: { [`${w}/CLAUDE.md`]: 'before\n<!-- note\n@b.md -->\nafter <!-- inside --> too', [`${w}/b.md`]: 'b' },
    atStart: ['before\nafter <!-- inside --> too'],
  },
  {
    name: "an import of the user's own instructions",
    files: { [`${w}/CLAUDE.md`]: 'a @~/.claude/mine.md', '/home/ann/.claude/mine.md': 'mine' },
    atStart: ['a @~/.claude/mine.md', 'mine'],
  },
  {
    name: "no import of what else lies in the user's folder",
    files: { [`${w}/CLAUDE.md`]: 'a @~/.claude/.credentials.json', '/home/ann/.claude/.credentials.json': 'secret' },
    atStart: ['a @~/.claude/.credentials.json'],
  },
  {
    name: 'no import from outside',
    files: {
      [`${w}/CLAUDE.md`]: 'a @/etc/hosts @../other.md',
      '/etc/hosts': 'hosts',
      '/home/ann/code/other.md': 'other',
    },
    atStart: ['a @/etc/hosts @../other.md'],
  },
  {
    name: 'no import that is a link to the outside',
    files: { [`${w}/CLAUDE.md`]: 'a @b.md', [`${w}/b.md`]: { link: '/home/ann/.ssh/id' }, '/home/ann/.ssh/id': 'key' },
    atStart: ['a @b.md'],
  },
  {
    name: 'no CLAUDE.md that is a link to the outside',
    files: { [`${w}/CLAUDE.md`]: { link: '/home/ann/.ssh/id' }, '/home/ann/.ssh/id': 'key' },
    atStart: [],
  },
  {
    name: 'an import from outside that the user agreed to',
    files: { [`${w}/CLAUDE.md`]: 'a @/srv/team.md', '/srv/team.md': 'team' },
    options: { agreed: ({ project, path }) => project === w && path === '/srv/team.md' },
    atStart: ['a @/srv/team.md', 'team'],
  },
  {
    name: 'not where the workspace is not trusted',
    files: { [`${w}/CLAUDE.md`]: 'a @/srv/team.md', '/srv/team.md': 'team' },
    options: { agreed: () => true, trusted: () => false },
    atStart: ['a @/srv/team.md'],
  },
  {
    name: "whatever the user's own file imports",
    files: { '/home/ann/.claude/CLAUDE.md': 'mine @~/notes.md', '/home/ann/notes.md': 'notes' },
    atStart: ['mine @~/notes.md', 'notes'],
  },
  {
    name: 'the beginning of what the agent noted',
    files: {
      '/home/ann/.claude/projects/-home-ann-code-w/memory/MEMORY.md': Array.from(
        { length: 300 },
        (_, line) => `${line}`,
      ).join('\n'),
    },
    options: { settings: { autoMemory: true } },
    atStart: [Array.from({ length: 200 }, (_, line) => `${line}`).join('\n')],
  },
  {
    name: 'nothing of that without the setting',
    files: { '/home/ann/.claude/projects/-home-ann-code-w/memory/MEMORY.md': 'note' },
    atStart: [],
  },
];

describe('memory files', () => {
  for (const { name, files, options, atStart } of cases) {
    it(name, async () => assert.deepEqual(await createMemoryRun(files, options).atStart(), atStart));
  }

  it('names what is left out and asks for what lies outside', async () => {
    const run = createMemoryRun({ [`${w}/CLAUDE.md`]: 'a @/srv/team.md', '/srv/team.md': 'team' });
    assert.match((await run.left())['/srv/team.md'] ?? '', /outside the workspace, and you have not agreed/);
    assert.deepEqual(run.waiting, [{ file: `${w}/CLAUDE.md`, project: w, path: '/srv/team.md' }]);
  });

  it('tells the beginning of a long file, and says so', async () => {
    const run = createMemoryRun({ [`${w}/CLAUDE.md`]: 'line\n'.repeat(10_000) });
    const [text = ''] = await run.atStart();
    assert.ok(text.length <= 40_000 && text.length > 39_000 && text.endsWith('line'));
    assert.match((await run.left())[`${w}/CLAUDE.md`] ?? '', /49,999 characters; these are the first 40,000/);
  });

  it('tells no more than fits, however many files there are', async () => {
    const run = createMemoryRun(
      Object.fromEntries(
        Array.from({ length: 6 }, (_, index) => [`${w}/.claude/rules/${index}.md`, 'x'.repeat(39_000)]),
      ),
    );
    assert.equal((await run.atStart()).length, 4);
    assert.match((await run.left())[`${w}/.claude/rules/5.md`] ?? '', /All memory files together/);
  });

  it('reads a file once as long as it stays as it is', async () => {
    const run = createMemoryRun({ [`${w}/CLAUDE.md`]: 'one' });
    await run.atStart();
    await run.atStart();
    const reads = (): number => run.files.calls.filter((call) => call === `readText ${w}/CLAUDE.md`).length;
    assert.equal(reads(), 1);
    run.files.put(`${w}/CLAUDE.md`, 'two');
    assert.deepEqual(await run.atStart(), ['two']);
    assert.equal(reads(), 2);
  });
});

describe('memory files of what is touched', () => {
  const nested = {
    [`${w}/CLAUDE.md`]: 'project',
    [`${w}/a/CLAUDE.md`]: 'a',
    [`${w}/a/b/AGENTS.md`]: 'b',
    [`${w}/c/CLAUDE.md`]: 'c',
  };

  it('come with a file below them, the outermost first', async () => {
    const run = createMemoryRun(nested);
    assert.deepEqual(await run.atStart(), ['project']);
    assert.deepEqual(await run.touched(`${w}/a/b/x.ts`), ['a', 'b']);
    assert.deepEqual(await run.touched(`${w}/x.ts`), []);
    assert.deepEqual(await run.touched('/srv/a/x.ts'), []);
  });

  it('are looked for once where a folder has none, until the next look', async () => {
    const run = createMemoryRun(nested);
    const look = await run.memory.look(() => false);
    const looks: string[] = [];
    const { stat } = run.files;
    run.files.stat = (path) => (looks.push(path), stat(path));
    assert.deepEqual(await look.of([`${w}/bare/x.ts`]), []);
    assert.ok(looks.includes(`${w}/bare/CLAUDE.md`));
    looks.length = 0;
    run.files.put(`${w}/bare/CLAUDE.md`, 'bare');
    assert.deepEqual(await look.of([`${w}/bare/y.ts`]), []);
    assert.deepEqual(looks, []);
    assert.deepEqual(await run.touched(`${w}/bare/y.ts`), ['bare']);
  });

  const rules: [globs: string, path: string, holds: boolean][] = [
    ['src/**/*.ts', 'src/a/b.ts', true],
    ['src/**/*.ts', 'src/b.ts', true],
    ['src/**/*.ts', 'lib/src/b.ts', false],
    ['"**/*.{ts,tsx}"', 'deep/er/b.tsx', true],
    ['**/*.ts', 'deep/er/b.ts', true],
    ['\n  - **/*.ts\n  - b', 'deep/er/b.ts', true],
    ['src/**/*.{ts,tsx}, docs/*.md', 'docs/a.md', true],
    ['src/**/*.{ts,tsx}, docs/*.md', 'src/x/a.tsx', true],
    ['src/**/*.{ts,tsx}, docs/*.md', 'src/x/a.md', false],
    ['./src/', 'src/deep/x', true],
    ['/src/*', 'src/x', true],
    ['"*.md"', 'README.md', true],
    ['"*.md"', 'docs/README.md', false],
    ['[a.ts, "b/*.ts"]', 'b/c.ts', true],
    ['{a,b}/{c,d}.ts', 'b/d.ts', true],
    ['{a{1,2},b}.ts', 'a2.ts', true],
    [`"${'{a,b}'.repeat(11)}"`, 'a'.repeat(11), false],
  ];
  for (const [globs, path, holds] of rules) {
    it(`a rule for ${globs.length > 40 ? 'too many paths' : globs} ${holds ? 'holds' : 'does not hold'} for ${path}`, async () => {
      const run = createMemoryRun({ [`${w}/.claude/rules/r.md`]: `---\npaths: ${globs}\n---\nrule` });
      assert.deepEqual(await run.atStart(), []);
      assert.deepEqual(await run.touched(`${w}/${path}`), holds ? ['rule'] : []);
    });
  }

  it("the user's own rules hold in every workspace folder", async () => {
    const run = createMemoryRun(
      { '/home/ann/.claude/rules/r.md': '---\npaths:\n  - "*.ts"\n---\nrule' },
      { folders: () => ['/home/ann/code/a', '/home/ann/code/b'] },
    );
    assert.deepEqual(await run.touched('/home/ann/code/b/x.ts'), ['rule']);
    assert.deepEqual(await run.touched('/home/ann/code/b/deep/x.ts'), []);
  });

  it('a rule whose head cannot be read is told for nothing, and named', async () => {
    const run = createMemoryRun({ [`${w}/.claude/rules/r.md`]: '---\npaths: [a\nrule' });
    assert.deepEqual(await run.atStart(), []);
    assert.match((await run.left())[`${w}/.claude/rules/r.md`] ?? '', /has no closing ---/);
  });
});
