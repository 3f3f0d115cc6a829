// Where skills are found, which of two counts, what is reported of broken files, and that changes are followed.
import assert from 'node:assert/strict';
import { createSkillCatalogue, type SkillCatalogue } from '../../../../src/core/skills/skill-catalogue';
import { readSkill } from '../../../../src/core/skills/read-skill';
import { foldersBetween, skillFolders } from '../../../../src/core/skills/skill-folders';
import { maxPerFolder } from '../../../../src/core/skills/find-skills';
import { listText } from '../../../../src/core/skills/skill-list-text';
import { keptContents } from '../../../../src/core/skills/skill-text';
import { createSkillContext } from '../../../../src/core/skills/skill-context';
import { skillRules } from '../../../../src/core/skills/skill-rules';
import { findSkill, type Skill } from '../../../../src/core/skills/skill';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { createMemoryFiles, type MemoryEntry, type MemoryFiles } from '../../../support/memory-files';

function catalogueOf(
  entries: Record<string, MemoryEntry>,
  options: { trusted?: boolean; overrides?: Record<string, unknown>; isHidden?: (path: string) => boolean } = {},
): { catalogue: SkillCatalogue; files: MemoryFiles } {
  const files = createMemoryFiles(entries);
  const folders = skillFolders({
    managedFolder: '/etc/org',
    personalFolder: '/home/ann/.claude',
    projects: [{ folder: '/w/apps/shop', checkout: '/w' }],
  });
  const { trusted = true, overrides, isHidden = () => false } = options;
  return {
    files,
    catalogue: createSkillCatalogue({
      files,
      folders: () => folders,
      workspace: () => ['/w/apps/shop'],
      trusted: () => trusted,
      isHidden,
      overrides: () => overrides,
    }),
  };
}

const own = async (catalogue: SkillCatalogue): Promise<Skill[]> =>
  (await catalogue.list()).skills.filter(({ source }) => source !== 'bundled');
const skill = (description: string, more = ''): string =>
  `---\ndescription: ${description}\n${more}---\nDo it: ${description}\n`;
const read = (text: string): Skill =>
  readSkill(text, {
    name: 'x',
    kind: 'skill',
    source: 'project',
    file: '/w/.claude/skills/x/SKILL.md',
    folder: '/w/.claude/skills/x',
    root: '/w',
  }).skill ?? assert.fail('no skill');

describe('skills', () => {
  it('are found in the folder, those above it up to the repository, at the user and at the organisation', async () => {
    const { catalogue } = catalogueOf({
      '/w/apps/shop/.claude/skills/near/SKILL.md': skill('near'),
      '/w/.claude/skills/top/SKILL.md': skill('top'),
      '/w/.claude/commands/fix.md': 'Fix $ARGUMENTS',
      '/w/.claude/commands/front/page.md': 'Make a page',
      '/home/ann/.claude/skills/mine/SKILL.md': skill('mine'),
      '/etc/org/.claude/skills/policy/SKILL.md': skill('policy'),
      '/.claude/skills/above/SKILL.md': skill('above the repository'),
      '/w/.claude/skills/.hidden/SKILL.md': skill('hidden'),
      '/w/.claude/skills/empty/readme.md': 'no skill',
    });
    assert.deepEqual(
      (await own(catalogue)).map(({ name, source, kind }) => `${name} ${source} ${kind}`),
      [
        'fix project command',
        'front:page project command',
        'mine personal skill',
        'near project skill',
        'policy managed skill',
        'top project skill',
      ],
    );
    assert.deepEqual(
      (await catalogue.list()).skills.filter(({ source }) => source === 'bundled').map(({ name }) => name),
      ['code-review', 'review', 'security-review', 'simplify', 'statusline', 'verify'],
    );
  });

  it('of one name: enterprise, personal, project, Deft’s own; a skill before a command; what is hidden is told', async () => {
    const { catalogue } = catalogueOf({
      '/etc/org/.claude/skills/a/SKILL.md': skill('managed'),
      '/home/ann/.claude/skills/a/SKILL.md': skill('personal'),
      '/home/ann/.claude/skills/b/SKILL.md': skill('personal'),
      '/w/.claude/skills/b/SKILL.md': skill('project'),
      '/w/.claude/skills/c/SKILL.md': skill('skill'),
      '/w/.claude/commands/c.md': 'command',
      '/w/.claude/commands/front/c.md': 'deeper',
      '/w/.claude/skills/review/SKILL.md': skill('our review'),
    });
    assert.deepEqual(
      (await catalogue.list()).skills
        .filter(({ source }) => source !== 'bundled')
        .map(({ name, description }) => `${name}: ${description}`),
      ['a: managed', 'b: personal', 'c: skill', 'front:c: deeper', 'review: our review'],
    );
    assert.deepEqual(
      (await catalogue.list()).problems.map(({ file, broken }) => [file, broken]),
      [
        ['/home/ann/.claude/skills/a/SKILL.md', true],
        ['/w/.claude/skills/b/SKILL.md', true],
        ['/w/.claude/commands/c.md', true],
      ],
    );
  });

  it('of subfolders come once a file there is touched, with the folder in front where the name is taken', async () => {
    const { catalogue } = catalogueOf({
      '/w/.claude/skills/deploy/SKILL.md': skill('all'),
      '/w/apps/shop/api/.claude/skills/deploy/SKILL.md': skill('the api'),
      '/w/apps/shop/api/.claude/commands/seed.md': 'Seed',
      '/w/apps/shop/api/src/a.ts': '',
    });
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['deploy'],
    );
    const context = createSkillContext(catalogue);
    const presented = await context.present();
    assert.equal(presented.length, 1);
    const [more] = await context.touched(['/w/apps/shop/api/src/a.ts']);
    assert.match(more?.text ?? '', /- api:deploy: the api\n- seed: Seed/);
    assert.doesNotMatch(more?.text ?? '', /all/);
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['api:deploy', 'deploy', 'seed'],
    );
    assert.deepEqual(await context.touched(['/w/apps/shop/api/src/a.ts', '/elsewhere/b.ts']), []);
    assert.deepEqual(await context.present(), [...presented, more], 'what was told is told by the same keys');
    assert.deepEqual(
      foldersBetween('/w/apps/shop/api/src/a.ts', ['/w/apps/shop']).map(({ root }) => root),
      ['/w/apps/shop/api/src', '/w/apps/shop/api'],
    );
  });

  it('with paths are told once a file is touched that they cover', async () => {
    const { catalogue } = catalogueOf({
      '/w/.claude/skills/sql/SKILL.md': skill('queries', 'paths: ["**/*.sql", "db/**"]\n'),
    });
    const context = createSkillContext(catalogue);
    assert.deepEqual(await context.present(), []);
    assert.deepEqual(await context.touched(['/w/a.ts']), []);
    assert.match((await context.touched(['/w/apps/q.sql']))[0]?.text ?? '', /- sql: queries/);
    assert.match((await context.present())[0]?.text ?? '', /- sql: queries/);
  });

  it('are followed live, and read again only where the file has changed', async () => {
    const { catalogue, files } = catalogueOf({
      '/w/.claude/skills/a/SKILL.md': skill('one'),
      '/w/.claude/skills/b/SKILL.md': skill('two'),
    });
    await catalogue.list();
    const reads = (): number => files.calls.filter((call) => call.startsWith('readText')).length;
    const before = reads();
    await catalogue.list();
    assert.equal(reads(), before);
    files.put('/w/.claude/skills/a/SKILL.md', skill('changed'));
    files.put('/w/.claude/commands/new.md', 'New');
    files.remove('/w/.claude/skills/b/SKILL.md');
    assert.deepEqual(
      (await own(catalogue)).map(({ name, description }) => `${name} ${description}`),
      ['a changed', 'new New'],
    );
    assert.equal(reads(), before + 2);
  });

  it('one folder too deep are told, not passed over in silence', async () => {
    const { catalogue } = catalogueOf({
      '/w/.claude/skills/a/b/SKILL.md': skill('deep'),
      '/w/.claude/skills/c/SKILL.md': skill('one'),
      '/w/.claude/skills/c/examples/SKILL.md': skill('part of it'),
    });
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['c'],
    );
    assert.deepEqual((await catalogue.list()).problems, [
      {
        file: '/w/.claude/skills/a/b/SKILL.md',
        message: 'It is nested too deeply: move its folder directly into `skills`.',
        broken: true,
      },
    ]);
  });

  it('of a project are inert where it is not trusted, and listed with that reason', async () => {
    const { catalogue } = catalogueOf(
      { '/w/.claude/skills/a/SKILL.md': skill('one'), '/home/ann/.claude/skills/m/SKILL.md': skill('mine') },
      { trusted: false },
    );
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['m'],
    );
    assert.deepEqual((await catalogue.list()).problems, [
      { file: '/w/.claude/skills/a/SKILL.md', message: 'It is inert: this workspace is not trusted.', broken: true },
    ]);
  });

  it('of a project are not read where they lead out of it or a rule hides them, nested ones too, and are listed with the reason', async () => {
    const { catalogue, files } = catalogueOf(
      {
        '/home/ann/.aws/credentials': '[default]\naws_secret_access_key = hunter2',
        '/home/ann/notes/own.md': 'My notes',
        '/home/ann/.claude/commands/mine.md': { link: '/home/ann/notes/own.md' },
        '/elsewhere/bad/SKILL.md': skill('bad'),
        '/w/shared/fine.md': 'Fine',
        '/w/.claude/commands/helper.md': { link: '/home/ann/.aws/credentials' },
        '/w/.claude/commands/inside.md': { link: '/w/shared/fine.md' },
        '/w/.claude/commands/denied.md': 'Denied',
        '/w/.claude/commands/roundabout.md': { link: '/w/hidden.md' },
        '/w/hidden.md': 'Hidden',
        '/w/.claude/skills/bad': { link: '/elsewhere/bad' },
        '/w/apps/shop/api/.claude/commands/deep.md': { link: '/home/ann/.aws/credentials' },
      },
      { isHidden: (path) => path.endsWith('/denied.md') || path === '/w/hidden.md' },
    );
    await catalogue.touch(['/w/apps/shop/api/src/a.ts']);
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['inside', 'mine'],
    );
    const { problems } = await catalogue.list();
    const messages = Object.fromEntries(
      problems.filter(({ broken }) => broken).map(({ file, message }) => [file, message]),
    );
    assert.deepEqual(Object.keys(messages).sort(), [
      '/w/.claude/commands/denied.md',
      '/w/.claude/commands/helper.md',
      '/w/.claude/commands/roundabout.md',
      '/w/.claude/skills/bad/SKILL.md',
      '/w/apps/shop/api/.claude/commands/deep.md',
    ]);
    assert.match(
      messages['/w/.claude/commands/helper.md'] ?? '',
      /points outside the workspace, to \/home\/ann\/\.aws\/credentials\./,
    );
    assert.match(messages['/w/.claude/commands/denied.md'] ?? '', /a deny rule blocks it/);
    assert.deepEqual(
      files.calls.filter((call) => call.startsWith('readText') && /helper|deep|denied|roundabout|bad/.test(call)),
      [],
    );
  });

  it('are told without the credentials that are known', async () => {
    const { catalogue } = catalogueOf({ '/w/.claude/commands/a.md': 'Log in with sk-long-secret-value' });
    const [note] = await createSkillContext(catalogue, () => ['sk-long-secret-value']).present();
    assert.match(note?.text ?? '', /Log in with \[redacted\]/);
  });

  it('are told by the same key and text while they stay the same, and the user is told of shortened ones', async () => {
    const entries = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `/w/.claude/skills/s${index}/SKILL.md`,
        skill(`${index} ${'long words '.repeat(100)}`),
      ]),
    );
    const { catalogue } = catalogueOf(entries);
    let prompt = 'first';
    const context = createSkillContext(
      catalogue,
      () => [],
      () => ({ used: new Set(), prompt }),
    );
    const before = await context.present();
    prompt = 'long words';
    assert.deepEqual(await context.present(), before);
    const [told, ...others] = (await catalogue.list()).problems;
    assert.deepEqual(others, []);
    assert.match(told?.message ?? '', /the longest of \d+ that the model is sent shortened/);
  });

  it('are as many as there are, commands too, up to a limit that is told', async () => {
    const entries: Record<string, MemoryEntry> = {};
    for (let index = 0; index < 874; index++) entries[`/w/.claude/skills/s${index}/SKILL.md`] = 'Text';
    for (let index = 0; index < 344; index++) entries[`/w/.claude/commands/a/c${index}.md`] = 'Text';
    for (let index = 0; index <= maxPerFolder; index++) entries[`/home/ann/.claude/commands/p${index}.md`] = 'Text';
    const { catalogue } = catalogueOf(entries);
    const skills = await own(catalogue);
    assert.equal(skills.filter(({ kind }) => kind === 'skill').length, 874);
    assert.equal(skills.filter(({ name }) => name.startsWith('a:c')).length, 344);
    assert.equal(skills.filter(({ source }) => source === 'personal').length, maxPerFolder);
    const told = (await catalogue.list()).problems.find(({ file }) => file === '/home/ann/.claude/commands');
    assert.equal(told?.message, 'It has 5001 files: only the first 5000, by name, are used.');
  });

  it('commands of subfolders are called by folder and name, and by the name alone where only one has it', async () => {
    const { catalogue } = catalogueOf({
      '/w/.claude/commands/front/page.md': 'A page',
      '/w/.claude/commands/front/forms/page.md': 'A page of a form',
      '/w/.claude/commands/front/list.md': 'A list',
      '/w/.claude/commands/bad name/x.md': 'x',
    });
    const list = await catalogue.list();
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['front:forms:page', 'front:list', 'front:page'],
    );
    assert.equal(findSkill(list, '/front:page')?.description, 'A page');
    assert.equal(findSkill(list, 'list')?.name, 'front:list');
    assert.equal(findSkill(list, 'page'), undefined);
    assert.match(listText(list.skills, '') ?? '', /- front:list: A list/);
    assert.match(list.problems[0]?.message ?? '', /name would be "bad name:x"/);
  });

  it('are switched by skillOverrides', async () => {
    const entries = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [`/w/.claude/skills/${name}/SKILL.md`, skill(`about ${name}`)]),
    );
    const { catalogue } = catalogueOf(entries, {
      overrides: { a: 'off', b: 'name-only', c: 'user-invocable-only', d: 'on' },
    });
    const skills = await own(catalogue);
    assert.deepEqual(
      skills.map(({ name, forModel }) => [name, forModel]),
      [
        ['b', true],
        ['c', false],
        ['d', true],
      ],
    );
    assert.equal(listText(skills, 'Skills:'), 'Skills:\n- b\n- d: about d');
  });

  it('broken files are listed with the reason, and hold nothing else up', async () => {
    const { catalogue, files } = catalogueOf({
      '/w/.claude/skills/yaml/SKILL.md': '---\nhooks: [open\n---\nText',
      '/w/.claude/skills/open/SKILL.md': '---\ndescription: x\nText',
      '/w/.claude/skills/none/SKILL.md': '---\ndescription: x\n---\n  \n',
      '/w/.claude/skills/bad name/SKILL.md': skill('x'),
      '/w/.claude/skills/binary/SKILL.md': new Uint8Array([0, 1, 2, 0]),
      '/w/.claude/skills/big/SKILL.md': 'x'.repeat(1_000_001),
      '/w/.claude/skills/refused/SKILL.md': skill('x'),
      '/w/.claude/skills/good/SKILL.md': skill(
        'good',
        'allowed-tools: Read, not a rule!\neffort: huge\ncontext: spoon\ndisable-model-invocation: perhaps\n',
      ),
    });
    files.refuseReading('/w/.claude/skills/refused/SKILL.md', 'permission');
    const { problems } = await catalogue.list();
    assert.deepEqual(
      (await own(catalogue)).map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      problems.filter(({ broken }) => broken).map(({ file }) => file.split('/')[4]),
      ['bad name', 'big', 'binary', 'none', 'open', 'refused', 'yaml'],
    );
    assert.equal(problems.filter(({ broken }) => !broken).length >= 4, true);
    for (const { message } of problems) assert.match(message, /\.$/);
  });
});

describe('the fields of a skill', () => {
  it('are all read, as people write them', () => {
    const {
      body: _body,
      hooks,
      ...fields
    } = read(`---
name: x
description: |
  Deploys
  the app.
when_to_use: When it is to go out.
argument-hint: [env]
arguments: env, region
disable-model-invocation: no
user-invocable: "0"
allowed-tools: Read, Bash(git add *), Bash(git commit -m *) Grep
disallowed-tools: [WebFetch]
model: haiku
effort: low
context: fork
agent: Explore
background: on
paths: src/**, *.md
shell: powershell
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./check.sh
          once: true
author: somebody
---
Do it.`);
    assert.deepEqual(fields, {
      name: 'x',
      description: 'Deploys the app.',
      whenToUse: 'When it is to go out.',
      argumentHint: '[env]',
      arguments: ['env', 'region'],
      forModel: true,
      forUser: false,
      allowedTools: ['Read', 'Bash(git add *)', 'Bash(git commit -m *)', 'Grep'],
      disallowedTools: ['WebFetch'],
      model: 'haiku',
      effort: 'low',
      fork: { agent: 'Explore', background: true },
      paths: ['src/**', '*.md'],
      shell: 'powershell',
      source: 'project',
      kind: 'skill',
      file: '/w/.claude/skills/x/SKILL.md',
      folder: '/w/.claude/skills/x',
      root: '/w',
    });
    assert.deepEqual(
      hooks?.entries.map(({ event, matcher, once }) => [event, matcher, once]),
      [['PreToolUse', 'Bash', true]],
    );
  });

  it('a rule with a lost bracket grants nothing', () => {
    for (const written of ['Bash(git', 'Bash(git add', 'Bash git)', 'Bash(rm (x)'])
      assert.deepEqual(
        read(skill('x', `allowed-tools: "${written}"\n`)).allowedTools.filter((rule) => rule === 'Bash'),
        [],
        written,
      );
  });

  it('description and when_to_use are cut at 1,536 characters together', () => {
    const long = read(skill('d'.repeat(1_000), `when_to_use: ${'w'.repeat(1_000)}\n`));
    assert.equal(long.description.length + (long.whenToUse?.length ?? 0), 1_536);
  });

  it('every name is listed; what fits the prompt or was used keeps its description, the others share the room', () => {
    const many = Array.from({ length: 286 }, (_, index) => ({
      ...read(skill(`Handles ${index === 250 ? 'database migrations' : 'something'}. ${'More words. '.repeat(40)}`)),
      name: `skill-${String(index).padStart(3, '0')}`,
    }));
    const interest = { used: new Set(['skill-280']), prompt: 'Write a migration for the database' };
    const text = listText(many, 'Skills:', interest) ?? '';
    for (const { name } of many) assert.ok(text.includes(`\n- ${name}`), name);
    const line = (name: string): string => new RegExp(`^- ${name}.*$`, 'm').exec(text)?.[0] ?? '';
    for (const name of ['skill-250', 'skill-280']) assert.match(line(name), /More words\.$/);
    assert.match(line('skill-000'), /^- skill-000: Handles something\. .*…$/);
    assert.match(text, /did not fit/);
    assert.ok(text.length < 16_000, `${text.length}`);
    const few = many.slice(0, 20);
    assert.ok(!(listText(few, 'Skills:') ?? '').includes('…'), 'what fits is whole');
    const all =
      listText(
        Array.from({ length: 2_000 }, (_, index) => ({ ...many[0]!, name: `skill-${index}` })),
        '',
      ) ?? '';
    assert.ok(all.includes('\n- skill-1999'));
  });

  it('leave of a project counts once it was agreed to, line by line; denials always', () => {
    const own = read(skill('x', 'allowed-tools: Bash(npm test), Bash(*)\ndisallowed-tools: Write\n'));
    const formatted = (skillOf: Skill, agreed: string[]) => {
      const { rules, pending } = skillRules(skillOf, ({ text }) => agreed.includes(text));
      return {
        rules: rules.map(({ behavior, value }) => `${behavior} ${value.toolName} ${value.ruleContent ?? ''}`.trim()),
        pending: pending.map(({ text }) => text),
      };
    };
    assert.deepEqual(formatted(own, []), { rules: ['deny Write'], pending: ['allow Bash(npm test)', 'allow Bash'] });
    assert.deepEqual(formatted(own, ['allow Bash(npm test)']), {
      rules: ['deny Write', 'allow Bash npm test'],
      pending: ['allow Bash'],
    });
    assert.deepEqual(formatted({ ...own, source: 'personal' }, []).rules, [
      'deny Write',
      'allow Bash npm test',
      'allow Bash',
    ]);
  });
});

describe('what is kept of skills behind a compaction', () => {
  it('is the newest of each, cut at 5,000 tokens, 25,000 together', () => {
    const record = (name: string, text: string): SessionRecord =>
      ({
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text: `<skill name="${name}">\n${text}\n</skill>` }] },
      }) as unknown as SessionRecord;
    const big = Array.from({ length: 8 }, (_, index) => record(`s${index}`, 'x'.repeat(40_000)));
    const kept = keptContents([record('s7', 'old'), ...big]);
    assert.deepEqual(
      kept.map(({ name }) => name),
      ['s7', 's6', 's5', 's4', 's3'],
    );
    for (const { text } of kept) assert.ok(text.length <= 17_500, `${text.length}`);
    assert.match(kept[0]?.text ?? '', /call the skill again for the rest\]\n<\/skill>$/);
  });
});
