// Warnings about rules: none of a tool that Deft has, by whichever of its names.
import assert from 'node:assert/strict';
import { olderToolNames, parseRule } from '../../../../src/core/permissions/rules/rule-syntax';
import { ruleNote, ruleWarning } from '../../../../src/core/settings/rule-warnings';
import { decide } from '../../../../src/core/permissions/decide';
import { type PermissionCall } from '../../../../src/core/permissions/rules/verdict';
import { getAllBaseTools } from '../../../../src/core/tools/registry';

import { bash, context, file, rule } from '../permissions/permission-table';

describe('warnings about rules', () => {
  const warningOf = (name: string): string | undefined =>
    ruleWarning({
      behavior: 'deny',
      source: 'userSettings',
      root: '/',
      value: parseRule(name) ?? assert.fail(`${name} is no rule`),
    });

  it('know every tool, and the names that it had before', () => {
    const names = [
      ...getAllBaseTools().flatMap(({ name, aliases }) => [name, ...aliases]),
      ...Object.entries(olderToolNames).flatMap(([name, older]) => [name, ...older]),
    ];
    for (const name of ['SendMessage', 'Sleep', 'ListMcpResourcesTool']) assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.map(warningOf).filter((warning) => warning !== undefined),
      [],
    );
  });

  it('name a tool that there is not', () =>
    assert.match(warningOf('SendMail') ?? '', /`SendMail` names a tool that Deft does not have/));

  const never: [rule: string, why: RegExp][] = [
    ['allow Bash(make; npm:*)', /each command of a line by itself.*Write a rule for each/],
    ['allow Bash(cd a && npm test *)', /each command of a line by itself/],
    ['allow Bash(npm test > out *)', /without redirections/],
    ['allow Bash(npm  run:*)', /one blank/],
    ['allow Bash( npm test)', /begins or ends with a blank/],
    ['deny Bash(rm )', /begins or ends with a blank/],
    ['allow Bash(timeout:*)', /Deft looks behind `timeout`/],
    ['allow Bash(xargs *)', /Deft looks behind `xargs`/],
    ['allow Bash(watch ls:*)', /only a rule without `\*`/],
    ['allow Bash(find . -delete:*)', /only be allowed by a rule without `\*`/],
    ['allow Bash(run_in_background:true)', /only deny and ask rules/],
    ['allow WebFetch(https://a.example/*)', /`WebFetch\(domain:…\)`/],
    ['deny WebFetch(https://a.example)', /`WebFetch\(domain:…\)`/],
    ['allow Read(!a)', /cannot be negated/],
    ['allow Write(src/**)', /write `Edit\(src\/\*\*\)`, which also applies to Write/],
    ['allow Grep(src/**)', /write `Read\(src\/\*\*\)`, which also applies to Grep/],
    ['allow WebSearch(cats)', /takes no condition: write `WebSearch`/],
    ['allow mcp__s__t(a:b)', /takes no condition/],
  ];
  const calls: PermissionCall[] = [
    ...[
      'make; npm ci',
      'cd a && npm test x',
      'npm test > out x',
      'npm run a',
      'npm test',
      'rm',
      'git push',
      'git: push',
      'timeout 5 x',
      'timeout 5',
      'ls | xargs rm',
      'xargs -n1 rm',
      'watch ls',
      'find . -delete -name x',
    ].map((command) => ({ ...bash(command), input: { command, run_in_background: true } })),
    ...['Read /ws/a', 'Read /ws/b', 'Write /ws/src/a', 'Grep /opt/src/a', 'Glob /opt'].map(file),
    {
      ...file('Read /x'),
      tool: 'WebFetch',
      targets: [{ kind: 'url', url: 'https://a.example/x' }],
      access: 'DangerFullAccess',
      input: {},
    },
    { tool: 'WebSearch', access: 'DangerFullAccess', readOnly: true, targets: [], input: { query: 'cats' } },
    { tool: 'mcp__s__t', access: 'DangerFullAccess', readOnly: false, targets: [], input: { a: 'b' } },
  ];

  for (const [text, why] of never)
    it(`say that ${text} matches nothing, which is so`, () => {
      assert.match(ruleWarning(rule(text)) ?? '', new RegExp(`never matches: .*${why.source}`));
      for (const call of calls)
        for (const mode of ['default', 'bypassPermissions'] as const)
          assert.equal(
            decide(call, context(mode, [text])).behavior,
            decide(call, context(mode)).behavior,
            JSON.stringify(call),
          );
    });

  it('name a `:*` that is not at the end', () =>
    assert.match(ruleWarning(rule('deny Bash(git:* push)')) ?? '', /matches a colon: `:\*` means any arguments only/));

  it('are not given for rules that match', () => {
    for (const text of [
      'Bash(npm run:*)',
      'Bash(PYTHONPATH=src python3:*)',
      'Bash(make && npm test)',
      'Bash(echo "a && b" *)',
      'Bash(timeout 60 npm:*)',
      'Bash(find:*)',
      'Bash(watch ls)',
      'Bash(curl localhost:* -s)',
      'Read(/src/**)',
      'WebFetch(domain:*.a.example)',
      'Agent(Explore)',
      'Skill(deploy *)',
      'mcp__s__*',
      'Cd(/opt)',
    ])
      assert.equal(ruleWarning(rule(`allow ${text}`)), undefined, text);
  });

  it('tell apart what a rule matches and what it covers', () => {
    const note = (text: string): string | undefined => ruleNote(rule(text));
    assert.match(note('allow Bash(git:*)') ?? '', /^`Bash\(git:\*\)` does not cover what can lose work/);
    assert.match(note('allow Bash(find *)') ?? '', /`-exec`, `-delete`/);
    assert.match(
      note('allow Bash(node:*)') ?? '',
      /code that a substitution or a variable fills in, nor code from a pipe/,
    );
    assert.match(note('allow Bash(tar:*)') ?? '', /options that make it run another program/);
    for (const text of ['allow Bash(npx tsc)', 'allow Bash(ls:*)', 'deny Bash(git:*)', 'allow Bash', 'allow Edit(a)'])
      assert.equal(note(text), undefined, text);
  });
});
