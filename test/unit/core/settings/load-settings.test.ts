// Settings files: what they say, where they are wrong, and what an untrusted folder may not set.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decide } from '../../../../src/core/permissions/decide';
import { formatRule } from '../../../../src/core/permissions/rules/rule-syntax';
import { questionTimeoutMs } from '../../../../src/core/settings/question-timeout';
import { loadSettings, type LoadOptions } from '../../../../src/core/settings/load-settings';
import { readSettingsFile, type SettingsText } from '../../../../src/core/settings/settings-file';
import { bash, context, file } from '../permissions/permission-table';

const extension: LoadOptions = { trusted: true, projectSetsMode: false };

function text(source: SettingsText['source'], content: string): SettingsText {
  return {
    file: `${source}.json`,
    source,
    root: source === 'userSettings' ? '/home/u/.claude' : '/ws',
    home: '/home/u',
    text: content,
  };
}

describe('a settings file', () => {
  it('gives rules, folders, mode and variables', () => {
    const read = readSettingsFile(
      text(
        'userSettings',
        `\ufeff{ // comment
          "permissions": { "allow": ["Bash(npm test)", "Read(~/x)",], "ask": ["Bash(git push:*)"], "deny": ["Read(.env)"],
            "additionalDirectories": ["~/data", "../shared", "/opt/x"], "defaultMode": "manual" },
          "env": { "A": "1", "B": 2, "C": true }, "unknown": [1],
        }`,
      ),
    );
    assert.deepEqual(read.problems, []);
    assert.deepEqual(
      read.rules.map((rule) => `${rule.behavior} ${formatRule(rule.value)}`),
      ['allow Bash(npm test)', 'allow Read(~/x)', 'ask Bash(git push:*)', 'deny Read(.env)'],
    );
    assert.deepEqual(read.additionalDirectories, ['/home/u/data', '/home/u/shared', '/opt/x']);
    assert.equal(read.defaultMode, 'default');
    assert.deepEqual(read.env, { A: '1', B: '2', C: 'true' });
    assert.equal(read.broken, false);
  });

  const problems: [string, string, string, boolean][] = [
    [
      'a missing comma',
      '{\n  "permissions": {\n    "deny": ["Bash(rm:*)"]\n    "allow": []\n  }\n}',
      '4:5 The file is not valid JSON: a comma is missing.',
      true,
    ],
    [
      'a cut file',
      '{"permissions": {"deny": ["Read(.env)"',
      '1:39 The file is not valid JSON: a closing bracket is missing.',
      true,
    ],
    ['no object', '[]', '1:1 The file must contain a JSON object.', true],
    ['text', 'hello', '1:1 The file is not valid JSON: unknown word.', true],
    ['a deny list that is none', '{"permissions":{"deny":"Bash"}}', '1:24 `permissions.deny` must be a list.', true],
    [
      'a deny rule that is none',
      '{"permissions":{"deny":[\n"Bash(rm"]}}',
      '2:1 "Bash(rm" is not a permission rule: expected `Tool` or `Tool(…)`.',
      true,
    ],
    [
      'an allow rule that is none',
      '{"permissions":{"allow":[3]}}',
      '1:26 3 is not a permission rule: expected `Tool` or `Tool(…)`.',
      false,
    ],
    ['permissions that are none', '{"permissions":[]}', '1:16 `permissions` must be an object.', true],
    [
      'an unknown time to wait',
      '{"askUserQuestionTimeout":"1h"}',
      "1:27 `askUserQuestionTimeout` has the wrong shape: invalid enum value. Expected 'never' | '60s' | '5m' | '10m', received '1h'.",
      false,
    ],
    [
      'an unknown mode',
      '{"permissions":{"defaultMode":"yolo"}}',
      '1:31 `permissions.defaultMode` must be one of default, acceptEdits, plan, auto, dontAsk, bypassPermissions.',
      false,
    ],
    [
      'a folder that is none',
      '{"permissions":{"additionalDirectories":[""]}}',
      '1:42 A folder must be a non-empty string.',
      false,
    ],
    ['a variable that is none', '{"env":{"A":[]}}', '1:13 `env.A` must be a string.', false],
    [
      'a rule that never matches',
      '{"permissions":{"deny":["Write(/x/**)"]}}',
      '1:25 `Write(/x/**)` never matches: write `Edit(/x/**)`, which also applies to Write.',
      false,
    ],
    ['an unknown tool', '{"permissions":{"deny":["Bsh"]}}', '1:25 `Bsh` names a tool that Deft does not have.', false],
    [
      'a wide allow glob',
      '{"permissions":{"allow":["*"]}}',
      '1:26 `*` is ignored: an allow rule must name the tool, or an MCP server followed by `*`.',
      false,
    ],
  ];
  for (const [title, content, expected, broken] of problems) {
    it(`names the place of ${title}`, () => {
      const read = readSettingsFile(text('projectSettings', content));
      assert.equal(read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)[0], expected);
      assert.equal(read.broken, broken);
    });
  }

  it("warns of no name that may be a server's or a pattern", () => {
    const rules = ['mcp__s', 'my_tool', 'mcp__*', 'B*', '*', 'Cd(/x)', 'Task(Explore)', 'read_file(a)'];
    assert.deepEqual(
      readSettingsFile(
        text('projectSettings', JSON.stringify({ permissions: { deny: rules, allow: ['mcp__s__*', 'my_tool'] } })),
      ).problems,
      [],
    );
    for (const wide of ['B*', 'mcp__*', 'mcp__s*__t'])
      assert.match(
        readSettingsFile(text('userSettings', JSON.stringify({ permissions: { allow: [wide] } }))).problems[0]
          ?.message ?? '',
        /is ignored/,
      );
  });

  it("anchors `/` in rules: a project's at the project, the user's own at the folder of settings", () => {
    const anchored = (['projectSettings', 'userSettings'] as const).map(
      (source) => readSettingsFile(text(source, '{"permissions":{"deny":["Read(/a)"]}}')).rules,
    );
    const verdicts = ['/ws/a', '/home/u/.claude/a'].map((path) =>
      anchored.map((rules) => decide(file(`Read ${path}`), { ...context('default'), rules }).behavior),
    );
    assert.deepEqual(verdicts, [
      ['deny', 'allow'],
      ['ask', 'deny'],
    ]);
  });

  it('keeps the deny rules that stand in a broken file, and those of a key that stands twice', () => {
    const cut = readSettingsFile(text('projectSettings', '{"permissions": {"deny": ["Read(.env)", "Bash(rm:*)"'));
    assert.deepEqual(
      cut.rules.map(({ value }) => formatRule(value)),
      ['Read(.env)', 'Bash(rm:*)'],
    );
    const twice = readSettingsFile(
      text(
        'projectSettings',
        '{"permissions": {"deny": ["Read(a)"], "deny": []}, "permissions": {"deny": ["Read(b)"]}}',
      ),
    );
    assert.deepEqual(
      twice.rules.map(({ value }) => formatRule(value)),
      ['Read(a)', 'Read(b)'],
    );
  });

  it('takes an empty file for no settings, and refuses a huge one', () => {
    assert.deepEqual(readSettingsFile(text('userSettings', ' \n')).problems, []);
    assert.equal(readSettingsFile(text('userSettings', ' '.repeat(2 * 1024 * 1024) + '{}')).broken, true);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (content) => {
        for (const problem of readSettingsFile(text('projectSettings', content)).problems)
          assert.ok(problem.line > 0 && problem.column > 0);
      }),
    );
  });
});

describe('all settings files', () => {
  const project =
    '{"permissions":{"allow":["Bash(make:*)"],"deny":["Read(.env)"],"ask":["Bash(npm:*)"],"additionalDirectories":["/opt"],"defaultMode":"bypassPermissions"},"env":{"A":"project","B":"project"}}';
  const user = '{"permissions":{"allow":["Bash(ls)"],"defaultMode":"plan"},"env":{"A":"user","C":"user"}}';

  it('are merged: lists of all, values of the highest', () => {
    const loaded = loadSettings([text('userSettings', user), text('projectSettings', project)], extension);
    assert.deepEqual(
      loaded.rules.map(({ source, value }) => `${source} ${formatRule(value)}`),
      [
        'projectSettings Bash(make:*)',
        'projectSettings Read(.env)',
        'projectSettings Bash(npm:*)',
        'userSettings Bash(ls)',
      ],
    );
    assert.deepEqual(loaded.env, { A: 'project', B: 'project', C: 'user' });
    assert.deepEqual(loaded.additionalDirectories, ['/opt']);
  });

  it('name no more than a hundred problems, and one that nobody can go through counts as broken', () => {
    const many = loadSettings(
      [text('projectSettings', `{"permissions":{"allow":[${'1,\n'.repeat(50_000)}1]}}`)],
      extension,
    );
    assert.equal(many.problems.length, 100);
    assert.deepEqual([many.problems[2]?.line, many.problems[2]?.column], [3, 1]);
    for (const deep of ['['.repeat(200_000), `{"sandbox":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`]) {
      assert.equal(loadSettings([text('projectSettings', deep)], extension).broken.length, 1);
    }
  });

  it('say how long questions wait: the highest one, for ever unless one says otherwise', () => {
    const wait = (...files: [Parameters<typeof text>[0], string][]) =>
      questionTimeoutMs(
        loadSettings(
          files.map(([source, value]) => text(source, JSON.stringify({ askUserQuestionTimeout: value }))),
          extension,
        ).values,
      );
    assert.equal(wait(), undefined);
    assert.equal(wait(['userSettings', '5m']), 300_000);
    assert.equal(wait(['userSettings', '5m'], ['localSettings', 'never']), undefined);
    assert.equal(wait(['userSettings', '10m'], ['projectSettings', '60s']), 60_000);
  });

  it('a project never sets the start mode of the extension, and never bypass', () => {
    const files = [text('userSettings', user), text('projectSettings', project)];
    assert.equal(loadSettings(files, extension).defaultMode, 'plan');
    assert.equal(loadSettings(files, { trusted: true, projectSetsMode: true }).defaultMode, 'plan');
    const plan = [text('projectSettings', '{"permissions":{"defaultMode":"acceptEdits"}}')];
    assert.equal(loadSettings(plan, { trusted: true, projectSetsMode: true }).defaultMode, 'acceptEdits');
    assert.equal(loadSettings(plan, extension).defaultMode, undefined);
    assert.equal(
      loadSettings([text('commandLine', '{"permissions":{"defaultMode":"acceptEdits"}}'), ...files], extension)
        .defaultMode,
      'acceptEdits',
    );
  });

  it('an untrusted project only forbids and asks', () => {
    const files = [
      text('userSettings', user),
      text('projectSettings', project),
      text('localSettings', '{"permissions":{"allow":["Bash"]},"env":{"D":"local"}}'),
    ];
    const loaded = loadSettings(files, { trusted: false, projectSetsMode: true });
    assert.deepEqual(
      loaded.rules.map(({ behavior, value }) => `${behavior} ${formatRule(value)}`),
      ['deny Read(.env)', 'ask Bash(npm:*)', 'allow Bash(ls)'],
    );
    assert.deepEqual(loaded.env, { A: 'user', C: 'user' });
    assert.deepEqual(loaded.additionalDirectories, []);
  });

  it('a broken file makes everything ask that is not just reading', () => {
    const loaded = loadSettings(
      [
        text('projectSettings', '{"permissions": {"deny": ["Bash(rm:*)"] '),
        text('userSettings', '{"permissions":{"allow":["Bash"]}}'),
      ],
      extension,
    );
    assert.deepEqual(loaded.broken, ['projectSettings.json']);
    const where = { ...context('bypassPermissions'), rules: loaded.rules, brokenSettings: loaded.broken };
    assert.equal(decide(bash('npm test'), where).behavior, 'ask');
    assert.equal(decide(bash('rm a'), where).behavior, 'deny');
    assert.equal(decide(bash('ls'), { ...where, mode: 'default' }).behavior, 'allow');
  });

  it('any file may forbid bypass', () => {
    assert.equal(
      loadSettings([text('projectSettings', '{"permissions":{"disableBypassPermissionsMode":"disable"}}')], {
        trusted: false,
        projectSetsMode: false,
      }).bypassDisabled,
      true,
    );
    assert.equal(loadSettings([text('userSettings', user)], extension).bypassDisabled, false);
  });
});
