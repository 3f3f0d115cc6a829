// Traces: what each check of a decision found, and that the trace and the decision never part.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decide } from '../../../../src/core/permissions/decide';
import { explain, maxTracedRules } from '../../../../src/core/permissions/explain';
import { type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type DecisionTrace } from '../../../../src/shared/decision-trace';
import { permissionModes, type PermissionMode } from '../../../../src/shared/permission';
import { callOf, context } from './permission-table';

const rules = [
  'deny Bash(rm:*)',
  'deny Read(secret/**)',
  'ask Bash(git push *)',
  'ask WebFetch(domain:*.intern)',
  'allow Bash(git status)',
  'allow Bash(npm run test:*)',
  'allow Bash(node:*)',
  'allow Edit(src/**)',
];

function traceOf(
  call: string,
  mode: PermissionMode = 'default',
  changes: Partial<PermissionContext> = {},
  used: readonly string[] = rules,
): DecisionTrace {
  return explain(callOf(call), context(mode, used, changes));
}

/** One line a step: `>` before the one that decided, then check, subject, outcome, and how many rules match of those listed. */
function outline({ steps }: DecisionTrace): string[] {
  return steps.map(({ check, subject, outcome, decided, rules: listed }) =>
    [
      decided ? '>' : '',
      check,
      subject === undefined ? '' : `[${subject}]`,
      outcome ?? '',
      listed.length === 0 ? '' : `${listed.filter(({ matches }) => matches).length}/${listed.length}`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
}

interface Row {
  call: string;
  mode?: PermissionMode;
  changes?: Partial<PermissionContext>;
  rules?: string[];
  steps: string[];
}

const rows: Row[] = [
  { call: 'Edit /ws/x', changes: { trusted: false }, steps: ['> trust deny'] },
  { call: 'Bash rm x; ls', steps: ['trust', '> deny [rm x; ls] deny 1/1'] },
  { call: 'Bash git push', steps: ['trust', 'deny [git push] 0/1', '> ask [git push] ask 1/1'] },
  { call: 'Bash cat secret/a', steps: ['trust', 'deny [cat secret/a] 0/1', '> deny [/ws/secret/a] deny 1/1'] },
  {
    call: 'Bash git status',
    steps: [
      'trust',
      'deny [git status] 0/1',
      'ask [git status] 0/1',
      'paths',
      'mode',
      '> allow [git status] allow 1/1',
    ],
  },
  {
    call: 'Bash ls',
    steps: ['trust', 'deny [ls] 0/1', 'ask [ls] 0/1', 'paths', 'mode', 'allow [ls] 0/3', '> free [ls] allow'],
  },
  {
    call: 'Bash npm run test a && mkdir x',
    steps: [
      'trust',
      'deny [npm run test a && mkdir x] 0/1',
      'deny [/ws/x] 0/1',
      'ask [npm run test a && mkdir x] 0/1',
      'paths',
      'mode',
      'allow [npm run test a] allow 1/2',
      'allow [mkdir x] 0/3',
      '> rest [mkdir x] ask',
    ],
  },
  { call: 'Bash npm test', mode: 'plan', steps: ['trust', 'deny [npm test] 0/1', '> mode [npm test] deny'] },
  {
    call: 'Bash npm test',
    mode: 'bypassPermissions',
    steps: ['trust', 'deny [npm test] 0/1', 'ask [npm test] 0/1', 'paths', '> mode [npm test] allow'],
  },
  {
    call: 'Edit /ws/src/a.ts',
    steps: ['trust', 'deny [/ws/src/a.ts] 0/1', 'ask', 'paths', 'mode', '> allow [/ws/src/a.ts] allow 1/1'],
  },
  {
    call: 'Edit /ws/.git/config',
    steps: ['trust', 'deny [/ws/.git/config] 0/1', 'ask', '> paths [/ws/.git/config] ask'],
  },
  {
    call: 'Read /ws/a',
    steps: ['trust', 'deny [/ws/a] 0/1', 'ask', 'paths', 'mode', 'allow [/ws/a] 0/1', '> free [/ws/a] allow'],
  },
  {
    call: 'Read /etc/passwd',
    rules: [],
    steps: ['trust', 'deny', 'ask', 'paths', 'mode', 'allow', '> rest [/etc/passwd] ask'],
  },
  {
    call: 'Edit /ws/a',
    changes: { brokenSettings: ['/s.json'] },
    rules: [],
    steps: ['trust', 'deny', 'ask', 'paths', '> settings [/ws/a] ask'],
  },
  {
    call: 'Bash rm -rf /',
    rules: [],
    mode: 'bypassPermissions',
    steps: ['trust', 'deny', 'ask', '> paths [rm -rf /] ask'],
  },
  {
    call: 'Bash npm test',
    rules: ['allow Bash', 'deny Bash(rm:*)'],
    steps: ['trust', 'deny [npm test] 0/1', 'ask', 'paths', 'mode', '> allow [Bash] allow 1/1'],
  },
];

describe('explain', () => {
  for (const { call, mode, changes, rules: used, steps } of rows) {
    it(`tells the steps of ${mode ?? 'default'}: ${call}`, () =>
      assert.deepEqual(outline(traceOf(call, mode, changes, used)), steps));
  }

  describe('says why a rule does not match', () => {
    const whys: [string, string, string][] = [
      ['Bash git push', 'allow Bash(git status:*)', 'the command begins with `git push`, not `git status`'],
      ['Bash git push', 'allow Bash(git status)', 'the command is not exactly `git status`'],
      ['Bash ls; pwd', 'deny Bash(rm *)', 'no command of the line begins with `rm`'],
      ['Bash node "$X"', 'allow Bash(node:*)', 'its code is not written out in the line'],
      [
        'Bash git push -f',
        'allow Bash(git:*)',
        '`git push` can lose work like this, so the rule must name the subcommand',
      ],
      ['Bash A=1 make', 'allow Bash(make:*)', 'it does not name `A=1`, which stands in front of the command'],
      ['Bash make', 'allow Bash(A=1 make)', 'it names variables that do not stand in front of the command'],
      ['Bash make all', 'allow Bash(* --version)', 'the command does not match `* --version`'],
      ['Edit /ws/docs/a', 'allow Edit(src/**)', '`/ws/docs/a` is not among `src/**`'],
    ];
    for (const [call, rule, why] of whys) {
      it(`${rule}: ${call}`, () => {
        const found = traceOf(call, 'default', {}, [rule]).steps.flatMap((step) => step.rules);
        assert.equal(found.find(({ matches }) => !matches)?.why, why);
      });
    }

    it('of an address', () => {
      const call = {
        tool: 'WebFetch',
        access: 'DangerFullAccess',
        readOnly: true,
        targets: [{ kind: 'url', url: 'https://b.example/x' }],
      } as const;
      const { steps } = explain(
        { ...call, targets: [...call.targets] },
        context('default', ['allow WebFetch(domain:a.example)']),
      );
      assert.equal(steps.flatMap((step) => step.rules)[0]?.why, 'the host is `b.example`, not `a.example`');
    });
  });

  it('names the file of a rule, and counts rules that are about something else', () => {
    const base = context('default', ['allow Bash(make:*)', 'allow Edit(src/**)', 'deny WebFetch']);
    const { steps, otherRules } = explain(callOf('Bash make'), {
      ...base,
      rules: base.rules.map((rule) => ({ ...rule, file: '/ws/.claude/settings.json' })),
    });
    assert.equal(steps.find(({ decided }) => decided)?.rules[0]?.file, '/ws/.claude/settings.json');
    assert.equal(otherRules, 2);
  });

  it('lists a bounded number of rules, those that match before all', () => {
    const many = Array.from({ length: 500 }, (_, index) => `allow Bash(tool${index}:*)`);
    const { steps, hiddenRules } = traceOf('Bash tool499 x', 'default', {}, many);
    const listed = steps.flatMap((step) => step.rules);
    assert.equal(listed.length, maxTracedRules);
    assert.deepEqual(
      listed.filter(({ matches }) => matches).map(({ rule }) => rule),
      ['Bash(tool499:*)'],
    );
    assert.equal(hiddenRules, 500 - maxTracedRules);
  });

  it('agrees with decide() whatever the rules and the call, and names one step as the one that decided', () => {
    const words = fc.constantFrom(
      'git',
      'status',
      'push',
      'rm',
      '-rf',
      'src',
      'src/a.ts',
      '.git/config',
      '/etc/passwd',
      'npm',
      'test',
      '*',
      '~',
      '$X',
      '"a b"',
      'node',
      '-e',
      'cat',
      'cd',
      '>',
      'secret/a',
    );
    const command = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
    const line = fc
      .tuple(fc.array(command, { minLength: 1, maxLength: 3 }), fc.constantFrom(' && ', '; ', ' | '))
      .map(([list, joint]) => list.join(joint));
    const path = fc.constantFrom(
      '/ws/a',
      '/ws/src/a.ts',
      '/ws/.git/config',
      '/etc/passwd',
      '/ws/secret/a',
      '/ws/src/link -> /etc/x',
      '/home/u/.ssh/id',
    );
    const call = fc.oneof(
      line.map((text) => `Bash ${text}`),
      fc.tuple(fc.constantFrom('Read', 'Edit', 'Write', 'Grep'), path).map((pair) => pair.join(' ')),
    );
    const pattern = fc.constantFrom(
      'Bash',
      'Bash(*)',
      'Bash(git *)',
      'Bash(git push:*)',
      'Bash(rm:*)',
      'Bash(npm test)',
      'Bash(node:*)',
      'Read',
      'Edit',
      'Read(secret/**)',
      'Edit(src/**)',
      'Edit(/**)',
      'Read(~/.ssh/**)',
      'WebFetch(domain:a.b)',
      'Agent(X)',
      '*',
    );
    const rule = fc.tuple(fc.constantFrom('allow', 'ask', 'deny'), pattern).map((pair) => pair.join(' '));
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        call,
        fc.constantFrom(...permissionModes),
        fc.boolean(),
        fc.boolean(),
        (used, text, mode, trusted, broken) => {
          const where = context(mode, used, { trusted, ...(broken ? { brokenSettings: ['/s.json'] } : {}) });
          const { suggestions: _suggestions, ...verdict } = decide(callOf(text), where);
          const { behavior, code, reason, steps } = explain(callOf(text), where);
          assert.deepEqual(
            { behavior, code, reason },
            { behavior: verdict.behavior, code: verdict.code, reason: verdict.reason },
          );
          const decisive = steps.filter(({ decided }) => decided);
          assert.equal(decisive.length, 1);
          assert.equal(decisive[0]?.outcome, behavior);
          assert.ok(decisive[0]?.sentence.startsWith(reason), decisive[0]?.sentence);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
