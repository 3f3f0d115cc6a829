// Hooks of a settings file: what is read, and what is wrong with its place.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { loadSettings } from '../../../../src/core/settings/load-settings';
import { readSettingsFile, type SettingsFile } from '../../../../src/core/settings/settings-file';

const read = (value: unknown, text = JSON.stringify(value)): SettingsFile =>
  readSettingsFile({
    file: '/w/.claude/settings.json',
    source: 'projectSettings',
    root: '/w',
    home: '/home/ann',
    text,
  });
const hooks = (event: string, hook: unknown, matcher?: string): unknown => ({
  hooks: { [event]: [{ ...defined({ matcher }), hooks: [hook] }] },
});
const place = { source: 'projectSettings', file: '/w/.claude/settings.json', root: '/w' } as const;

describe('hooks in a settings file', () => {
  it('are read by their kind', () => {
    const handlers = [
      { type: 'command', command: './check.sh', args: ['a b'], shell: 'bash', async: true, asyncRewake: false },
      {
        type: 'http',
        url: 'https://hooks.test/x',
        headers: { Authorization: 'Bearer $TOKEN' },
        allowedEnvVars: ['TOKEN'],
      },
      { type: 'mcp_tool', server: 's', tool: 't', input: { a: [1] } },
      { type: 'prompt', prompt: 'Is it safe?', model: 'm', continueOnBlock: true },
      { type: 'agent', prompt: 'Look.' },
    ];
    for (const handler of handlers) {
      const { hooks: found, problems } = read(
        hooks('PreToolUse', { ...handler, if: 'Bash(git *)', timeout: 1.5, statusMessage: 'Checking' }, 'Bash|Edit'),
      );
      assert.deepEqual(problems, []);
      // Objects of the parser have no prototype.
      assert.deepEqual(JSON.parse(JSON.stringify(found.entries)), [
        {
          event: 'PreToolUse',
          matcher: 'Bash|Edit',
          handler,
          condition: { toolName: 'Bash', ruleContent: 'git *' },
          timeoutSeconds: 1.5,
          statusMessage: 'Checking',
          ...place,
        },
      ]);
    }
  });

  const closing: [what: string, event: string, keys: object, closes: boolean, problem?: RegExp][] = [
    ['failClosed', 'PreToolUse', { failClosed: true }, true],
    ['failClosed: false', 'PreToolUse', { failClosed: false }, false],
    ['onFailure', 'PermissionRequest', { onFailure: 'block' }, true],
    ['onFailure: continue', 'UserPromptSubmit', { onFailure: 'continue' }, false],
    [
      'a word that is no flag',
      'PreToolUse',
      { failClosed: 'yes' },
      true,
      /must be true or false\. The hook fails closed/,
    ],
    [
      'an unknown onFailure',
      'PreToolUse',
      { onFailure: 'warn' },
      true,
      /"block" or "continue"\. The hook fails closed/,
    ],
    ['the end of a turn', 'Stop', { failClosed: true }, false, /`failClosed` has no effect on Stop/],
    ['an event without a no', 'SessionEnd', { onFailure: 'block' }, false, /`onFailure` has no effect on SessionEnd/],
    [
      'the background',
      'PreToolUse',
      { failClosed: true, async: true },
      false,
      /no effect on a hook that runs in the background/,
    ],
  ];
  for (const [what, event, keys, closes, problem] of closing) {
    it(`fail closed where they say so: ${what}`, () => {
      const { hooks: found, problems } = read(hooks(event, { type: 'command', command: 'x', ...keys }));
      assert.equal(found.entries[0]?.failClosed === true, closes);
      assert.equal(problems.length, problem === undefined ? 0 : 1);
      if (problem !== undefined) assert.match(problems[0]?.message ?? '', problem);
    });
  }

  const wrong: [what: string, settings: unknown, problem: RegExp][] = [
    ['an unknown event', hooks('BeforeLunch', { type: 'command', command: 'x' }), /`BeforeLunch` is not a hook event/],
    ['an unknown type', hooks('Stop', { type: 'carrier', command: 'x' }), /`carrier` is not a hook type/],
    ['no type', hooks('Stop', { command: 'x' }), /needs a `type`/],
    ['no command', hooks('Stop', { type: 'command' }), /needs `command`/],
    ['an empty command', hooks('Stop', { type: 'command', command: ' ' }), /`command` of a hook must be/],
    [
      'an address that is none',
      hooks('Stop', { type: 'http', url: 'file:///etc/passwd' }),
      /`url` of a hook must be an http or https address/,
    ],
    ['args that are no list', hooks('Stop', { type: 'command', command: 'x', args: 'y' }), /`args`/],
    [
      'a matcher that is no expression',
      hooks('PreToolUse', { type: 'command', command: 'x' }, '(Bash'),
      /neither a list of names nor a regular expression/,
    ],
    ['a matcher that is no text', { hooks: { Stop: [{ matcher: 3, hooks: [] }] } }, /`matcher` must be a string/],
    [
      'a rule that is none',
      hooks('PreToolUse', { type: 'command', command: 'x', if: '(((' }),
      /is not a permission rule/,
    ],
    ['an `if` without a call', hooks('Stop', { type: 'command', command: 'x', if: 'Bash' }), /`Stop` has none/],
    ['hooks that are no object', { hooks: [] }, /`hooks` must be an object/],
    ['an event that is no list', { hooks: { Stop: {} } }, /`hooks.Stop` must be a list/],
    ['a group without hooks', { hooks: { Stop: [{ matcher: '' }] } }, /has no list `hooks`/],
    ['a hook that is a text', hooks('Stop', 'echo'), /must be an object/],
    ['disableAllHooks that is a word', { disableAllHooks: 'yes' }, /must be true or false/],
  ];
  for (const [what, settings, problem] of wrong) {
    it(`name the place of ${what}, and the rest counts`, () => {
      const {
        hooks: found,
        problems,
        broken,
      } = read(undefined, `{"permissions": {"deny": ["Read(.env)"]},\n ${JSON.stringify(settings).slice(1)}`);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.match(problems[0]?.message ?? '', problem);
      assert.equal(problems[0]?.line, 2);
      assert.deepEqual(found.entries, []);
      assert.equal(broken, false, 'no rule is missing');
    });
  }

  it('count with the default time where their own is wrong, and the notice says so', () => {
    for (const timeout of [0, -1, 'soon', '0', '5s', null, [5]]) {
      const { hooks: found, problems } = read(hooks('PreToolUse', { type: 'command', command: './guard.sh', timeout }));
      assert.deepEqual(
        found.entries.map((entry) => [entry.handler.type, entry.timeoutSeconds]),
        [['command', undefined]],
      );
      assert.deepEqual(
        problems.map(({ message }) => message),
        ['`timeout` of a hook must be a number of seconds above 0. The hook runs with its default time limit.'],
      );
    }
  });

  it('may give their time as a string of digits', () => {
    const { hooks: found, problems } = read(
      hooks('PreToolUse', { type: 'command', command: './guard.sh', timeout: '5' }),
    );
    assert.deepEqual([found.entries[0]?.timeoutSeconds, problems], [5, []]);
  });

  it('run without a field that only adds to them', () => {
    const { hooks: found, problems } = read(
      hooks('Stop', { type: 'command', command: 'x', once: 1, statusMessage: 2 }),
    );
    assert.equal(found.entries.length, 1);
    assert.deepEqual(
      problems.map(({ message }) => /The hook runs (without it|every time)\./.exec(message)?.[1]),
      ['without it', 'every time'],
    );
  });

  it('say that they do not run where they are dropped', () => {
    const dropped: unknown[] = [
      ...[
        'echo',
        { command: 'x' },
        { type: 'command' },
        { type: 'command', command: 'x', args: 'y' },
        { type: 'command', command: 'x', if: '(((' },
        { type: 'command', command: 'x', if: 3 },
      ].map((hook) => hooks('PreToolUse', hook)),
      hooks('Stop', { type: 'command', command: 'x', if: 'Bash' }),
      hooks('PreToolUse', { type: 'command', command: 'x' }, '(Bash'),
      hooks('BeforeLunch', { type: 'command', command: 'x' }),
      { hooks: { Stop: {} } },
      { hooks: { Stop: [{ matcher: '' }] } },
    ];
    for (const settings of dropped) {
      const { hooks: found, problems } = read(settings);
      assert.equal(found.entries.length, 0);
      assert.match(problems[0]?.message ?? '', / (does not run|hooks do not run)\.$/, JSON.stringify(settings));
    }
  });

  it('stand where they are wrong', () => {
    const { problems } = read(
      undefined,
      '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "x", "timeout": -1 }] }]\n  }\n}',
    );
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [[3, 74]],
    );
  });
});

describe('hooks of several files', () => {
  const text = (source: 'userSettings' | 'projectSettings' | 'managedSettings', value: object) => ({
    source,
    file: `/${source}.json`,
    root: `/${source}`,
    home: '/home/ann',
    text: JSON.stringify(value),
  });
  const command = (name: string): object => hooks('Stop', { type: 'command', command: name }) as object;
  const load = (trusted: boolean, ...texts: ReturnType<typeof text>[]) =>
    loadSettings(texts, { trusted, projectSetsMode: false }).hooks;

  it('are all there, of the higher files first', () => {
    const { entries } = load(
      true,
      text('userSettings', command('mine')),
      text('managedSettings', command('firm')),
      text('projectSettings', command('project')),
    );
    assert.deepEqual(
      entries.map(({ source }) => source),
      ['managedSettings', 'projectSettings', 'userSettings'],
    );
  });

  it('are switched off by the user, not by a folder that is not trusted, and managed ones only by their own file', () => {
    const off = { disableAllHooks: true };
    assert.equal(load(true, text('userSettings', off)).disabled, 'unmanaged');
    assert.equal(load(false, text('projectSettings', off)).disabled, 'none');
    assert.equal(load(true, text('projectSettings', off)).disabled, 'project', 'its own: the guards of the user stay');
    assert.equal(
      load(true, text('projectSettings', { disableAllHooks: false }), text('userSettings', off)).disabled,
      'unmanaged',
    );
    assert.equal(load(true, text('managedSettings', off)).disabled, 'all');
  });

  it('may post where the lists of trusted files say', () => {
    const lists = (...urls: string[]) => ({
      allowedHttpHookUrls: urls,
      httpHookAllowedEnvVars: urls.map((_, index) => `V${index}`),
    });
    assert.deepEqual(
      load(true, text('userSettings', lists('a')), text('projectSettings', lists('b', 'a'))).allowedUrls,
      ['a'],
      'no project widens the list of the user',
    );
    assert.deepEqual(load(true, text('projectSettings', lists('b', 'a'))).allowedUrls, ['b', 'a']);
    assert.deepEqual(load(false, text('userSettings', lists('a')), text('projectSettings', lists('b'))).allowedUrls, [
      'a',
    ]);
    assert.deepEqual(
      load(true, text('userSettings', { allowedHttpHookUrls: 'all' })).allowedUrls,
      [],
      'a list that cannot be read allows nothing',
    );
    assert.equal(load(true, text('userSettings', {})).allowedUrls, undefined);
  });
});
