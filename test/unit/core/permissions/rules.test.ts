// Rule texts, tools as a whole, links of commands, and what "Always allow" offers.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandPattern, escapeCommand, firstWordOf } from '../../../../src/core/permissions/rules/command-pattern';
import { knowsPathsOf } from '../../../../src/core/permissions/bash/command-paths';
import { commandFiles } from '../../../../src/core/permissions/bash/command-scope';
import { hiddenPaths } from '../../../../src/core/permissions/files/hidden-paths';
import { decide } from '../../../../src/core/permissions/decide';
import { documentationHosts, isDocumentation } from '../../../../src/core/permissions/rules/documentation-hosts';
import { hiddenNow } from '../../../../src/core/permissions/files/hidden-paths';
import { readOnlyChecks } from '../../../../src/core/permissions/bash/programs/read-only-commands';
import { formatRule, parseRule } from '../../../../src/core/permissions/rules/rule-syntax';
import { isReadOnlyCommand, readBash } from '../../../../src/core/permissions/bash/bash-line';
import { isToolDenied } from '../../../../src/core/permissions/rules/tool-rules';
import { type PermissionCall, type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { bash, callOf, context, file, rule } from './permission-table';

describe('rule texts', () => {
  const table: [string, ReturnType<typeof parseRule>][] = [
    ['Bash', { toolName: 'Bash' }],
    [' Bash(npm test) ', { toolName: 'Bash', ruleContent: 'npm test' }],
    ['Bash(*)', { toolName: 'Bash' }],
    ['Bash()', { toolName: 'Bash' }],
    ['Bash(echo \\(a\\))', { toolName: 'Bash', ruleContent: 'echo (a)' }],
    ['Bash(a (b) c)', { toolName: 'Bash', ruleContent: 'a (b) c' }],
    ['Bash(a\\\\b)', { toolName: 'Bash', ruleContent: 'a\\b' }],
    ['Read(C:\\x)', { toolName: 'Read', ruleContent: 'C:\\x' }],
    ['mcp__a-b__c', { toolName: 'mcp__a-b__c' }],
    ['mcp__*', { toolName: 'mcp__*' }],
    ['Task(Explore)', { toolName: 'Agent', ruleContent: 'Explore' }],
    ['Bash(rm', undefined],
    ['Bash(rm\\)', undefined],
    ['', undefined],
    ['(x)', undefined],
    ['Ba sh', undefined],
  ];
  for (const [text, expected] of table) it(JSON.stringify(text), () => assert.deepEqual(parseRule(text), expected));

  it('come back the same', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (ruleContent) => {
        fc.pre(ruleContent !== '*');
        assert.deepEqual(parseRule(formatRule({ toolName: 'Bash', ruleContent })), { toolName: 'Bash', ruleContent });
      }),
    );
  });

  it('a saved command matches itself and nothing else', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '*', '\\', ':', '(', 'b'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (saved, other) => {
        const pattern = commandPattern(escapeCommand(saved));
        assert.ok(pattern.exact);
        assert.equal(pattern.matches(other), saved === other);
        assert.ok(pattern.matches(saved));
      }),
      { numRuns: 2000 },
    );
  });

  it('a pattern that names its first word matches no text with another one', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '*', '\\', ':', 'b'), maxLength: 8 });
    let named = 0;
    fc.assert(
      fc.property(text, text, (content, other) => {
        const { firstWord, matches } = commandPattern(content);
        if (firstWord === undefined || !matches(other)) return;
        assert.equal(firstWordOf(other), firstWord);
        named++;
      }),
      { numRuns: 20_000 },
    );
    assert.ok(named > 100, `${named}`);
  });
});

describe('a bare deny', () => {
  it('removes the tool, those it governs, and what a glob names', () => {
    const rules = ['deny Edit', 'deny mcp__github', 'deny Web*', 'deny Bash(rm:*)', 'allow Read'].map(rule);
    const names = [
      'Edit',
      'Write',
      'NotebookEdit',
      'Read',
      'Bash',
      'WebFetch',
      'WebSearch',
      'mcp__github__x',
      'mcp__gitlab__x',
    ];
    assert.deepEqual(
      names.filter((name) => isToolDenied(rules, name)),
      ['Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch', 'mcp__github__x'],
    );
  });
});

describe('other tools', () => {
  const call = (tool: string, changes: Partial<PermissionCall> = {}): PermissionCall => ({
    tool,
    access: 'DangerFullAccess',
    readOnly: false,
    targets: [],
    ...changes,
  });
  const url = (address: string): PermissionCall =>
    call('WebFetch', { readOnly: true, targets: [{ kind: 'url', url: address }] });
  const table: [string, PermissionCall, PermissionContext, string][] = [
    ['a list of tasks', call('TodoWrite', { access: 'ReadOnly' }), context('plan'), 'allow read-only'],
    ['an unknown tool', call('mcp__a__b'), context('acceptEdits'), 'ask no-rule'],
    ['a tool in plan mode', call('mcp__a__b'), context('plan', ['allow mcp__a__b']), 'deny mode'],
    ['a tool in bypass', call('mcp__a__b'), context('bypassPermissions'), 'allow mode'],
    ['a server rule', call('mcp__a__b'), context('default', ['allow mcp__a']), 'allow rule'],
    ['a server glob', call('mcp__a__b'), context('default', ['allow mcp__a__*']), 'allow rule'],
    ['a wide allow glob', call('mcp__a__b'), context('default', ['allow mcp__*']), 'ask no-rule'],
    ['a wide deny glob', call('mcp__a__b'), context('bypassPermissions', ['deny mcp__*']), 'deny rule'],
    [
      'a condition nobody checks',
      call('Agent', { access: 'ReadOnly' }),
      context('default', ['deny Agent(Explore)']),
      'ask rule',
    ],
    ['an allow condition nobody checks', call('Skill'), context('default', ['allow Skill(x)']), 'ask no-rule'],
    ['an address', url('https://a.example/x'), context('default'), 'ask no-rule'],
    [
      'an allowed domain',
      url('https://A.example./x'),
      context('default', ['allow WebFetch(domain:a.example)']),
      'allow rule',
    ],
    [
      'a domain below',
      url('https://b.a.example'),
      context('default', ['allow WebFetch(domain:*.a.example)']),
      'allow rule',
    ],
    [
      'not the apex',
      url('https://a.example'),
      context('default', ['allow WebFetch(domain:*.a.example)']),
      'ask no-rule',
    ],
    [
      'a look-alike',
      url('https://a.example@evil.test/'),
      context('default', ['allow WebFetch(domain:a.example)']),
      'ask no-rule',
    ],
    [
      'a look-alike tail',
      url('https://nota.example/'),
      context('default', ['allow WebFetch(domain:a.example)', 'allow WebFetch(domain:*.a.example)']),
      'ask no-rule',
    ],
    [
      'a backslash',
      url('https://evil.test\\@a.example/'),
      context('default', ['allow WebFetch(domain:a.example)']),
      'ask no-rule',
    ],
    [
      'a denied domain',
      url('https://x.b.test:8443/'),
      context('bypassPermissions', ['deny WebFetch(domain:*.b.test)']),
      'deny rule',
    ],
    [
      'an address that is none',
      url('what'),
      context('default', ['deny WebFetch(domain:b.test)', 'allow WebFetch']),
      'deny rule',
    ],
    [
      'a denied domain in another spelling',
      url('https://B.%74est/'),
      context('default', ['deny WebFetch(domain:b.test)', 'allow WebFetch']),
      'deny rule',
    ],
    [
      'a denied domain in wide letters',
      url('https://ｂ.test/'),
      context('default', ['deny WebFetch(domain:b.test)', 'allow WebFetch']),
      'deny rule',
    ],
    [
      'a denied domain with a tab in it',
      url('https://b.te\tst/'),
      context('default', ['deny WebFetch(domain:b.test)', 'allow WebFetch']),
      'deny rule',
    ],
    [
      'a denied domain that a browser would still find',
      url('https:b.test'),
      context('default', ['deny WebFetch(domain:b.test)', 'allow WebFetch']),
      'deny rule',
    ],
    [
      'a domain that is not in ASCII',
      url('https://xn--bcher-kva.example/'),
      context('default', ['allow WebFetch(domain:BÜCHER.example)']),
      'allow rule',
    ],
    [
      'below one that is not in ASCII',
      url('https://a.bücher.example/'),
      context('bypassPermissions', ['deny WebFetch(domain:*.bücher.example)']),
      'deny rule',
    ],
    [
      'an odd spelling of an IPv4 address',
      url('https://0x7f.1/'),
      context('bypassPermissions', ['deny WebFetch(domain:127.0.0.1)']),
      'deny rule',
    ],
    ['well-known documentation', url('https://docs.python.org/3/'), context('default'), 'allow documentation'],
    [
      'well-known documentation in plan mode',
      url('https://docs.python.org/3/'),
      context('plan'),
      'allow documentation',
    ],
    [
      'documentation that a rule denies',
      url('https://docs.python.org/3/'),
      context('default', ['deny WebFetch(domain:*.python.org)']),
      'deny rule',
    ],
    [
      'documentation that a rule asks about',
      url('https://docs.python.org/3/'),
      context('default', ['ask WebFetch']),
      'ask rule',
    ],
    [
      'documentation where settings cannot be read',
      url('https://docs.python.org/3/'),
      context('default', [], { brokenSettings: ['x'] }),
      'ask rule',
    ],
    ['documentation without encryption', url('http://docs.python.org/3/'), context('default'), 'ask no-rule'],
    ['documentation on another port', url('https://docs.python.org:8443/'), context('default'), 'ask no-rule'],
    ['a name below documentation', url('https://x.docs.python.org/'), context('default'), 'ask no-rule'],
    ['a name behind documentation', url('https://docs.python.org.evil.test/'), context('default'), 'ask no-rule'],
    ['documentation as a user name', url('https://docs.python.org@evil.test/'), context('default'), 'ask no-rule'],
    ['documentation with a user name', url('https://me@docs.python.org/'), context('default'), 'ask no-rule'],
    [
      'documentation for another tool',
      { ...url('https://docs.python.org/3/'), tool: 'mcp__a__b' },
      context('default'),
      'ask no-rule',
    ],
    ['a search', call('WebSearch', { readOnly: true }), context('default'), 'ask no-rule'],
    [
      'a search that a rule allows',
      call('WebSearch', { readOnly: true }),
      context('default', ['allow WebSearch']),
      'allow rule',
    ],
    ['a search in plan mode', call('WebSearch', { readOnly: true }), context('plan'), 'ask no-rule'],
    [
      'another condition',
      url('https://a.example'),
      context('default', ['deny WebFetch(x)', 'allow WebFetch']),
      'ask rule',
    ],
    [
      'a shell that is not parsed',
      { ...bash('Get-ChildItem'), tool: 'OtherShell' },
      context('default', ['allow OtherShell']),
      'ask unparsed-command',
    ],
    [
      'untrusted',
      url('https://a.example'),
      context('default', ['allow WebFetch'], { trusted: false }),
      'deny untrusted',
    ],
  ];
  for (const [title, asked, where, expected] of table) {
    it(title, () => {
      const verdict = decide(asked, where);
      assert.equal(`${verdict.behavior} ${verdict.code}`, expected, verdict.reason);
    });
  }
});

describe("links behind a command's paths", () => {
  const linked = (command: string, realPath: string): PermissionCall => {
    const call = bash(command);
    const files = commandFiles(readBash(command), '/ws', '/home/u');
    return {
      ...call,
      targets: [...call.targets, ...files.map((one) => ({ kind: 'file' as const, ...one, realPath }))],
    };
  };
  const table: [string, PermissionCall, PermissionContext, string][] = [
    ['that stay inside change nothing', linked('cat a', '/ws/b'), context('default'), 'allow read-only'],
    ['that lead out ask', linked('cat a', '/home/u/.ssh/id_rsa'), context('default'), 'ask outside-workspace'],
    [
      'that a rule denies are denied',
      linked('cat a', '/ws/.env'),
      context('default', ['deny Read(.env)', 'allow Bash']),
      'deny rule',
    ],
    ['to protected files ask', linked('echo x > a', '/ws/.git/config'), context('acceptEdits'), 'ask protected-path'],
    ['that lead out ask for writing', linked('touch a', '/opt/a'), context('acceptEdits'), 'ask outside-workspace'],
    ['do not loosen', linked('npm test > a', '/ws/b'), context('acceptEdits'), 'ask unknown-command'],
    ['do not matter in bypass', linked('cat a', '/etc/x'), context('bypassPermissions'), 'allow mode'],
  ];
  for (const [title, call, where, expected] of table) {
    it(title, () => {
      const verdict = decide(call, where);
      assert.equal(`${verdict.behavior} ${verdict.code}`, expected, verdict.reason);
    });
  }

  it('are found in every command', () => {
    assert.deepEqual(
      commandFiles(readBash('cd sub && cat a > b; grep x /etc/c; rm -f d/e'), '/ws', '/home/u').map(
        ({ access, path }) => `${access} ${path}`,
      ),
      ['read /ws/sub', 'read /ws/sub/a', 'write /ws/sub/b', 'read /etc/c', 'write /ws/d/e', 'write /ws/sub/d/e'],
    );
  });
});

describe('hidden paths', () => {
  it('are what a rule denies, and the memory of processes with and without rules', () => {
    for (const rules of [[], ['deny Read(.env)']]) {
      const isHidden = hiddenPaths(context('bypassPermissions', rules));
      const paths = ['/proc/self/environ', '/proc/1/task/1/mem', '/proc/cpuinfo', '/ws/proc/self/environ', '/ws/.env'];
      assert.deepEqual(paths.map(isHidden), [true, true, false, false, rules.length > 0]);
    }
  });
});

describe('Always allow', () => {
  const labels = (call: PermissionCall, where: PermissionContext): string[] =>
    decide(call, where).suggestions.map(({ label }) => label);

  it('offers the command and, where it makes sense, its first words', () => {
    assert.deepEqual(labels(bash('npm run build'), context('default')), [
      'Always allow `npm run build *` in this session',
      'Always allow `npm run build` in this session',
    ]);
    assert.deepEqual(
      labels(bash('cd sub && npm test | tail -5'), context('default'))[0],
      'Always allow `npm test *` in this session',
    );
  });

  it('offers no prefix for what runs anything', () => {
    for (const command of [
      'bash -c "ls"',
      'python -c 1',
      'node --test',
      'npm run',
      'rm a',
      'env ls',
      'xargs ls',
      'ssh host ls',
      'git push',
      'npx some-tool',
      'npm exec x',
      'docker run x',
    ]) {
      assert.deepEqual(
        labels(bash(command), context('default')),
        [`Always allow \`${command}\` in this session`],
        command,
      );
    }
  });

  it('offers nothing lasting for what deletes, forces or runs as somebody else', () => {
    for (const command of ['rm -rf dist', 'git push --force', 'npm run build && git reset --hard', 'sudo ls'])
      assert.deepEqual(labels(bash(command), context('default')), [], command);
  });

  it('offers a prefix for the commands of a line that have one, and the others word for word', () => {
    assert.deepEqual(labels(bash('npm run build -- --mode production 2>&1; touch done'), context('default')), [
      'Always allow `npm run build *` and `touch done` in this session',
      'Always allow `npm run build -- --mode production` and `touch done` in this session',
    ]);
  });

  it('offers a script, but never its interpreter alone', () => {
    for (const [command, prefix] of [
      ['node scripts/build.js --watch', 'node scripts/build.js'],
      ['python3 manage.py migrate', 'python3 manage.py'],
      ['PYTHONPATH=src python3 -m pytest -q', 'PYTHONPATH=src python3 -m pytest'],
      ['CI=1 bash scripts/x.sh a', 'bash scripts/x.sh'],
    ] as const)
      assert.deepEqual(
        labels(bash(command), context('default')).slice(0, -1),
        [`Always allow \`${prefix} *\` in this session`],
        command,
      );
  });

  it('offers each command of a line by itself, without redirections', () => {
    const offered = (command: string): string | undefined => labels(bash(command), context('default'))[0];
    assert.equal(offered('npm run build 2>&1 | tail -5'), 'Always allow `npm run build *` in this session');
    assert.equal(offered('npm test\nls'), 'Always allow `npm test *` in this session');
    assert.equal(offered('cd src && make > /dev/null; ls'), 'Always allow `make` in this session');
    assert.equal(
      offered('make > out.txt && cp a /opt/x'),
      'Always allow `make` and `cp a /opt/x` and editing `out.txt` in this session',
    );
  });

  it('offers nothing where saving would not change the answer', () => {
    for (const command of ['rm -rf /', 'echo a > .git/config', 'ls "', 'echo a(b)', `npm run ${'x'.repeat(200)}`]) {
      assert.deepEqual(labels(bash(command), context('default')), [], command);
    }
    assert.deepEqual(labels(file('Edit /ws/.vscode/settings.json'), context('default')), []);
    assert.deepEqual(labels(bash('npm test'), context('default', ['ask Bash(npm:*)'])), []);
    assert.deepEqual(labels(file('Edit /ws/a'), context('default', [], { brokenSettings: ['x'] })), []);
  });

  it('offers edits as a mode, and reading elsewhere as a file or a folder', () => {
    assert.deepEqual(labels(file('Edit /ws/a'), context('default')), [
      'Always allow edits in this session',
      'Always allow editing `/ws/a` in this session',
    ]);
    assert.deepEqual(labels(file('Edit /opt/x/a'), context('default')), [
      'Always allow editing `/opt/x/a` in this session',
    ]);
    assert.deepEqual(labels(file('Read /opt/x/a'), context('default')), [
      'Always allow reading `/opt/x/a` in this session',
      'Add `/opt/x` to the folders of this session',
    ]);
    assert.deepEqual(labels(file('Read /etc/hosts'), context('default')), [
      'Always allow reading `/etc/hosts` in this session',
    ]);
  });

  it('offers an address by its host', () => {
    const fetch = (url: string): PermissionCall => ({
      tool: 'WebFetch',
      access: 'DangerFullAccess',
      readOnly: true,
      targets: [{ kind: 'url', url }],
    });
    const [only, ...others] = decide(fetch('https://A.example:8443/x?y'), context('default')).suggestions;
    assert.deepEqual([only?.label, others], ['Always allow WebFetch for `a.example` in this session', []]);
    const update = only?.updates[0];
    assert.ok(update?.type === 'addRules');
    assert.deepEqual(update.rules.map(formatRule), ['WebFetch(domain:a.example)']);
  });

  describe('in this project', () => {
    const savesTo = '/ws/.claude/settings.local.json';
    const saved = (call: PermissionCall) =>
      decide(call, context('default', [], { savesTo })).suggestions.flatMap(({ label, saves, updates }) => {
        assert.deepEqual(
          updates.map(({ destination }) => destination),
          [saves?.file === undefined ? 'session' : 'localSettings'],
        );
        return saves?.file === undefined ? [] : [[label, ...saves.rules, saves.file]];
      });

    it('is offered first, with the rules word for word and their file', () => {
      assert.deepEqual(saved(bash('npm run build')), [
        ['Always allow `npm run build *` in this project', 'Bash(npm run build *)', savesTo],
        ['Always allow `npm run build` in this project', 'Bash(npm run build)', savesTo],
      ]);
      assert.match(
        labels(bash('npm run build'), context('default', [], { savesTo }))[2] ?? '',
        /`npm run build \*` in this session$/,
      );
    });

    it('saves a rule for each command of a line, five at most', () => {
      assert.deepEqual(saved(bash('node a.js && ls && node b.js'))[0], [
        'Always allow `node a.js *` and `node b.js *` in this project',
        'Bash(node a.js *)',
        'Bash(node b.js *)',
        savesTo,
      ]);
      const five = ['a', 'b', 'c', 'd', 'e'].map((one) => `node ${one}.js`);
      assert.equal(saved(bash(five.join('; ')))[0]?.length, 7);
      const [six] = saved(bash([...five, 'node f.js'].join('; ')));
      assert.deepEqual(six?.slice(1, -1), [`Bash(${[...five, 'node f.js'].join('; ')})`], 'the line as a whole');
    });

    it('saves a rule for the file too where the output of a command goes into one', () => {
      assert.deepEqual(saved(bash('make > out.txt'))[0]?.slice(1, -1), ['Bash(make)', 'Edit(//ws/out.txt)']);
      assert.deepEqual(saved(bash('make && make b > out.txt'))[0]?.slice(1, -1), [
        'Bash(make)',
        'Bash(make b)',
        'Edit(//ws/out.txt)',
      ]);
    });

    it('saves the whole line where nobody can tell which file it writes', () => {
      assert.deepEqual(saved(bash('make > $OUT'))[0]?.slice(1, -1), ['Bash(make > $OUT)']);
    });

    it('shows the rules below the button where words for them would be long', () => {
      const [first] = decide(
        bash('node packages/server/scripts/prepare.js && node packages/server/scripts/build.js'),
        context('default'),
      ).suggestions;
      assert.deepEqual(
        [first?.label, first?.saves],
        [
          'Always allow commands like these in this session',
          {
            rules: ['Bash(node packages/server/scripts/prepare.js *)', 'Bash(node packages/server/scripts/build.js *)'],
          },
        ],
      );
    });

    it('holds from the file for the same line and its parts', () => {
      for (const command of ['node a.js && node b.js', 'echo "*" > a', 'node a.js "(x)"', 'git commit -m "a * b"']) {
        const [first] = saved(bash(command));
        const rules = (first ?? []).slice(1, -1).map((text) => `allow ${text}`);
        assert.equal(decide(bash(command), context('default', rules)).behavior, 'allow', command);
        assert.equal(decide(bash(`${command}; rm x`), context('default', rules)).behavior, 'ask', command);
      }
    });

    it('is for commands and pages, not for files', () => {
      assert.deepEqual(
        saved({
          tool: 'WebFetch',
          access: 'DangerFullAccess',
          readOnly: true,
          targets: [{ kind: 'url', url: 'https://a.example/x' }],
        }),
        [['Always allow WebFetch for `a.example` in this project', 'WebFetch(domain:a.example)', savesTo]],
      );
      assert.deepEqual([saved(file('Edit /ws/a')), saved(file('Read /opt/x/a'))], [[], []]);
    });
  });

  it('holds for the same call afterwards and for no other', () => {
    const commands = [
      'npm test',
      'ls *.ts > a',
      'git commit -m "a * b"',
      'echo \\* > x',
      'cat /etc/hosts',
      'make a:*',
      "touch '*.ts'",
    ];
    for (const command of commands) {
      const [first] = decide(bash(command), context('default')).suggestions;
      const update = first?.updates[0];
      assert.ok(update?.type === 'addRules', command);
      const saved = context(
        'default',
        update.rules.map((value) => `allow ${formatRule(value)}`),
      );
      assert.equal(decide(bash(command), saved).behavior, 'allow', command);
      assert.equal(decide(bash(`${command} y; rm x`), saved).behavior, 'ask', command);
      assert.equal(decide(bash('npm publish'), saved).behavior, 'ask', command);
    }
    for (const call of ['Read /opt/a[b]*!c#.txt', 'Edit /ws/a b ', 'Edit /opt/{x}']) {
      const exact = decide(callOf(call), context('default')).suggestions.find(
        ({ updates }) => updates[0]?.type === 'addRules',
      )?.updates[0];
      assert.ok(exact?.type === 'addRules', call);
      const saved = context(
        'default',
        exact.rules.map((value) => `allow ${formatRule(value)}`),
      );
      assert.equal(decide(callOf(call), saved).behavior, 'allow', call);
      assert.equal(decide(file('Read /opt/abbc.txt'), saved).behavior, 'ask');
    }
  });
});

describe('commands that only read', () => {
  it('are known by the files that they read, unless they read none', () => {
    const noFiles = new Set(
      'tr which type whereis whoami id groups uname uptime nproc arch tty locale printenv free seq cal numfmt env history printf test [ command sleep hostname date ps'.split(
        ' ',
      ),
    );
    const unknown = [...readOnlyChecks.keys()].filter((name) => !knowsPathsOf(name) && !noFiles.has(name));
    assert.deepEqual(unknown, []);
  });
});

describe('isReadOnlyCommand', () => {
  it("leaves out what moves the session's folder", () => {
    assert.ok(isReadOnlyCommand('git status | head -n 3'));
    assert.ok(!isReadOnlyCommand('cd src'));
    assert.ok(!isReadOnlyCommand('cd src && ls'));
    assert.ok(!isReadOnlyCommand('ls > a'));
    assert.ok(!isReadOnlyCommand('ls "'));
  });
});

describe('hiddenNow', () => {
  it('asks for the rules once in one go, and heeds what they are afterwards', async () => {
    let rules = ['deny Read(/secret/**)'];
    let asked = 0;
    const isHidden = hiddenNow(() => (asked++, context('default', rules)));
    assert.deepEqual(['/ws/secret/a', '/ws/a', '/ws/secret/b'].map(isHidden), [true, false, true]);
    assert.equal(asked, 1);
    rules = ['deny Read(/a)'];
    await Promise.resolve();
    assert.deepEqual(['/ws/secret/a', '/ws/a'].map(isHidden), [false, true]);
  });
});

describe('decide with many rules', () => {
  it('gives the same answer with five hundred of them', () => {
    const rules = Array.from(
      { length: 500 },
      (_, index) => `allow ${index % 2 === 0 ? `Bash(tool${index}:*)` : `Edit(/dir${index}/**)`}`,
    );
    assert.equal(decide(bash('tool498 x'), context('default', rules)).behavior, 'allow');
    assert.equal(decide(file('Edit /ws/dir499/a'), context('default', rules)).behavior, 'allow');
    assert.equal(decide(bash('tool499 x'), context('default', rules)).behavior, 'ask');
  });

  it('says the same when asked again, and heeds a rule that another list has', () => {
    const rules = Array.from({ length: 500 }, (_, index) => `ask Bash(tool${index} *)`);
    const allowed = context('default', ['allow Bash(npm:*)', 'allow Edit(/src/**)', ...rules]);
    for (const call of [
      bash('npm test && npm run build'),
      bash('tool7 x; npm test'),
      file('Edit /ws/src/a'),
      bash('make'),
    ]) {
      assert.deepEqual(decide(call, allowed), decide(call, allowed));
    }
    assert.equal(decide(bash('npm test && npm run build'), allowed).behavior, 'allow');
    assert.equal(decide(bash('tool7 x; npm test'), allowed).rule?.value.ruleContent, 'tool7 *');
    const denied = { ...allowed, rules: [...allowed.rules, rule('deny Bash(npm run *)'), rule('deny Edit(/src/a)')] };
    assert.equal(decide(bash('npm test && npm run build'), denied).behavior, 'deny');
    assert.equal(decide(file('Edit /ws/src/a'), denied).behavior, 'deny');
  });
});

describe('documentation hosts', () => {
  it('are exact, in lower case, and none that serves what visitors write', () => {
    assert.ok(documentationHosts.size >= 40);
    for (const host of documentationHosts) {
      assert.equal(new URL(`https://${host}/`).hostname, host);
      assert.ok(isDocumentation(`https://${host}/a?b#c`), host);
      assert.doesNotMatch(
        host,
        /[*]|wiki|forum|community|discuss|answers|stackoverflow|^(?:github|gitlab|npmjs|pypi|crates)\.|docs\.rs|readthedocs/,
      );
    }
  });
});
