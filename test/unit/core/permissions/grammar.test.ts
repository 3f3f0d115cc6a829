// The grammar of rules, a row for each sentence: parameters, agents, skills, folders, servers, globs, Windows paths.
import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permissions/decide';
import { isToolDenied, toolDenial } from '../../../../src/core/permissions/rules/tool-rules';
import { type PermissionCall, type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { callOf, context, rule } from './permission-table';

const call = (tool: string, input: unknown, base: Partial<PermissionCall> = {}): PermissionCall => ({
  tool,
  access: 'DangerFullAccess',
  readOnly: false,
  targets: [],
  input,
  ...base,
});
const command = (input: Record<string, unknown>): PermissionCall => ({
  ...callOf(`Bash ${String(input['command'])}`),
  input,
});
const url = (address: string, input: unknown = {}): PermissionCall =>
  call('WebFetch', input, { targets: [{ kind: 'url', url: address }] });

type Row = [
  title: string,
  call: PermissionCall,
  rules: string[],
  expected: string,
  changes?: Partial<PermissionContext>,
];

const parameters: Row[] = [
  ['a value that is met denies', call('Act', { model: 'opus' }), ['allow Act', 'deny Act(model:opus)'], 'deny rule'],
  [
    'a pattern of many stars is no burden',
    call('Act', { model: 'a'.repeat(20_000) }),
    ['allow Act', `deny Act(model:${'*a'.repeat(50)}*b)`],
    'allow rule',
  ],
  ['asks', call('Act', { model: 'opus' }), ['allow Act', 'ask Act(model:opus)'], 'ask rule'],
  ['another value passes', call('Act', { model: 'haiku' }), ['allow Act', 'deny Act(model:opus)'], 'allow rule'],
  ['a missing one passes', call('Act', {}), ['allow Act', 'deny Act(model:opus)'], 'allow rule'],
  ['`*` is any text', call('Act', { model: 'claude-opus-5' }), ['allow Act', 'deny Act(model:*opus*)'], 'deny rule'],
  ['`*` is any text over lines', call('Act', { text: 'a\nopus' }), ['allow Act', 'deny Act(text:*opus*)'], 'deny rule'],
  ['a boolean', call('Act', { force: true }), ['allow Act', 'deny Act(force:true)'], 'deny rule'],
  ['a number', call('Act', { depth: 3 }), ['allow Act', 'deny Act(depth:3)'], 'deny rule'],
  ['null', call('Act', { depth: null }), ['allow Act', 'deny Act(depth:null)'], 'deny rule'],
  [
    'an object cannot be checked',
    call('Act', { model: { name: 'opus' } }),
    ['allow Act', 'deny Act(model:opus)'],
    'ask rule',
  ],
  ['a list cannot be checked', call('Act', { model: ['opus'] }), ['allow Act', 'deny Act(model:opus)'], 'ask rule'],
  [
    'only the top level counts',
    call('Act', { deep: { model: 'opus' } }),
    ['allow Act', 'deny Act(model:opus)'],
    'allow rule',
  ],
  ['an inherited name is none', call('Act', {}), ['allow Act', 'deny Act(constructor:*)'], 'allow rule'],
  ['an unknown input asks', call('Act', undefined), ['allow Act', 'deny Act(model:opus)'], 'ask rule'],
  ['what is no parameter asks', call('Act', {}), ['allow Act', 'deny Act(whatever)'], 'ask rule'],
  ['never on command', call('Act', { command: 'x' }), ['allow Act', 'deny Act(command:x)'], 'ask rule'],
  ['never on file_path', call('Act', { file_path: 'x' }), ['allow Act', 'ask Act(file_path:x)'], 'ask rule'],
  ['never on path', call('Act', { path: 'x' }), ['allow Act', 'deny Act(path:x)'], 'ask rule'],
  [
    'never on notebook_path',
    call('Act', { notebook_path: 'x' }),
    ['allow Act', 'deny Act(notebook_path:x)'],
    'ask rule',
  ],
  ['never on url', call('Act', { url: 'x' }), ['allow Act', 'deny Act(url:x)'], 'ask rule'],
  ['an allow rule has none', call('Act', { model: 'opus' }), ['allow Act(model:opus)'], 'ask no-rule'],
  [
    'of Bash',
    command({ command: 'make', run_in_background: true }),
    ['allow Bash', 'deny Bash(run_in_background:true)'],
    'deny rule',
  ],
  [
    'of Bash, another value',
    command({ command: 'make', run_in_background: false }),
    ['allow Bash', 'deny Bash(run_in_background:true)'],
    'allow rule',
  ],
  [
    'of Bash, any',
    command({ command: 'ls', dangerouslyDisableSandbox: true }),
    ['ask Bash(dangerouslyDisableSandbox:*)'],
    'ask rule',
  ],
  [
    'of Edit',
    { ...callOf('Edit /ws/a'), input: { replace_all: true } },
    ['allow Edit', 'deny Edit(replace_all:true)'],
    'deny rule',
  ],
  ['of Read', { ...callOf('Read /ws/a'), input: { limit: 5 } }, ['deny Read(limit:5)'], 'deny rule'],
  [
    'of a tool that rules of paths never match',
    { ...callOf('Write /ws/a'), input: { content: 'x' } },
    ['allow Edit', 'deny Write(content:x)'],
    'deny rule',
  ],
  ['of Grep', { ...callOf('Grep /ws'), input: { pattern: 'KEY' } }, ['deny Grep(pattern:KEY)'], 'deny rule'],
  [
    'of WebFetch',
    url('https://a.example', { prompt: 'x' }),
    ['allow WebFetch', 'deny WebFetch(prompt:x)'],
    'deny rule',
  ],
  ['of a server', call('mcp__s__t', { env: 'prod' }), ['allow mcp__s', 'deny mcp__s__t(env:prod)'], 'deny rule'],
  ['of a glob', call('mcp__s__t', { env: 'prod' }), ['allow mcp__s', 'deny mcp__*(env:prod)'], 'deny rule'],
  ['denies before an ask rule', call('Act', { a: 1 }), ['ask Act', 'deny Act(a:1)'], 'deny rule'],
];

const names: Row[] = [
  ['an agent', call('Agent', { subagent_type: 'Explore' }), ['deny Agent(Explore)'], 'deny rule'],
  ['an agent by the older name', call('Agent', { subagent_type: 'Explore' }), ['deny Task(Explore)'], 'deny rule'],
  [
    'another agent',
    call('Agent', { subagent_type: 'Plan' }),
    ['deny Agent(Explore)', 'allow Agent(Plan)'],
    'allow rule',
  ],
  ['an agent that rules allow', call('Agent', { subagent_type: 'Explore' }), ['allow Task(Explore)'], 'allow rule'],
  ['an agent that no rule allows', call('Agent', { subagent_type: 'Plan' }), ['allow Agent(Explore)'], 'ask no-rule'],
  ['an agent without a name', call('Agent', {}), ['deny Agent(general-purpose)'], 'deny rule'],
  ['an agent of a plugin', call('Agent', { subagent_type: 'p:review' }), ['deny Agent(p:review)'], 'deny rule'],
  ['agents by a glob', call('Agent', { subagent_type: 'p:review' }), ['deny Agent(p:*)'], 'deny rule'],
  [
    'a parameter of an agent',
    call('Agent', { subagent_type: 'X', model: 'opus' }),
    ['allow Agent', 'deny Agent(model:opus)'],
    'deny rule',
  ],
  ['an agent whose name is no text', call('Agent', { subagent_type: 5 }), ['allow Agent', 'deny Agent(X)'], 'ask rule'],
  ['a skill', call('Skill', { skill: 'deploy' }), ['deny Skill(deploy)'], 'deny rule'],
  [
    'a skill with arguments, denied',
    call('Skill', { skill: 'deploy', args: 'prod' }),
    ['allow Skill', 'deny Skill(deploy)'],
    'deny rule',
  ],
  [
    'a skill with arguments, allowed by name alone',
    call('Skill', { skill: 'commit', args: 'x' }),
    ['allow Skill(commit)'],
    'ask no-rule',
  ],
  [
    'a skill with arguments, allowed',
    call('Skill', { skill: 'commit', args: 'x' }),
    ['allow Skill(commit *)'],
    'allow rule',
  ],
  [
    'a skill without arguments under `name *`',
    call('Skill', { skill: 'commit' }),
    ['allow Skill(commit *)'],
    'allow rule',
  ],
  ['a longer name is another skill', call('Skill', { skill: 'commits' }), ['allow Skill(commit *)'], 'ask no-rule'],
  [
    'a skill with a slash',
    call('Skill', { skill: '/deploy prod' }),
    ['allow Skill', 'deny Skill(deploy *)'],
    'deny rule',
  ],
  [
    'a skill by the older name',
    call('Skill', { command: '/deploy' }),
    ['allow Skill', 'deny SlashCommand(/deploy)'],
    'deny rule',
  ],
  ['a whole server', call('mcp__s__t', {}), ['allow mcp__s'], 'allow rule'],
  ['a server with a star', call('mcp__s__t', {}), ['allow mcp__s__*'], 'allow rule'],
  ['one tool of it', call('mcp__s__t', {}), ['allow mcp__s__t'], 'allow rule'],
  ['another tool of it', call('mcp__s__u', {}), ['allow mcp__s__t'], 'ask no-rule'],
  ['a longer server', call('mcp__s2__t', {}), ['allow mcp__s', 'allow mcp__s__*'], 'ask no-rule'],
  ['a star instead of the server', call('mcp__s__t', {}), ['allow mcp__*'], 'ask no-rule'],
  ['a star inside the server', call('mcp__s__t', {}), ['allow mcp__s*__t'], 'ask no-rule'],
  ['denied by a star', call('mcp__s__t', {}), ['allow mcp__s', 'deny mcp__*'], 'deny rule'],
  ['asked by a star', call('mcp__s__t', {}), ['allow mcp__s', 'ask *'], 'ask rule'],
];

const folders: Row[] = [
  ['a folder that is denied', callOf('Bash cd secret'), ['deny Cd(secret)'], 'deny rule'],
  ['below it', callOf('Bash cd secret/a'), ['deny Cd(secret/**)'], 'deny rule'],
  ['behind another command', callOf('Bash ls && cd secret && ls'), ['allow Bash', 'deny Cd(secret/**)'], 'deny rule'],
  ['by steps', callOf('Bash cd a; cd ../secret'), ['allow Bash', 'deny Cd(/secret)'], 'deny rule'],
  ['asked', callOf('Bash cd vendor'), ['ask Cd(vendor)'], 'ask rule'],
  ['one that nobody can tell', callOf('Bash cd $X'), ['allow Bash', 'deny Cd(secret)'], 'ask rule'],
  ['one outside that is allowed', callOf('Bash cd /opt/x'), ['allow Cd(//opt/x)'], 'allow rule'],
  ['what runs there is not', callOf('Bash cd /opt/x && ls'), ['allow Cd(//opt/x)'], 'ask outside-workspace'],
  ['another one outside', callOf('Bash cd /opt/y'), ['allow Cd(//opt/x)'], 'ask outside-workspace'],
  ['home', callOf('Bash cd'), ['deny Cd(~)'], 'deny rule'],
];

const windows: Row[] = [
  ['a drive', callOf('Read C:/secret/a'), ['deny Read(//c/secret/**)'], 'deny rule'],
  ['as people write it', callOf('Read C:/secret/a'), ['deny Read(C:\\\\secret\\\\**)'], 'deny rule'],
  ['with forward slashes', callOf('Read C:/secret/a'), ['deny Read(C:/secret/**)'], 'deny rule'],
  ['the letter has no case', callOf('Read c:/secret/a'), ['deny Read(C:/secret/**)'], 'deny rule'],
  [
    'names have case where the system says so',
    callOf('Read C:/SECRET/a'),
    ['deny Read(C:/secret/**)', 'allow Read(C:/**)'],
    'allow rule',
  ],
  [
    'and none where it does not',
    callOf('Read C:/SECRET/a'),
    ['deny Read(C:/secret/**)'],
    'deny rule',
    { ignoreCase: true },
  ],
  ['a share', callOf('Read //server/share/a'), ['deny Read(//server/share/**)'], 'deny rule'],
  ['a share outside', callOf('Read //server/share/a'), [], 'ask outside-workspace'],
];

const domains: Row[] = [
  ['the host', url('https://a.example/x'), ['allow WebFetch(domain:a.example)'], 'allow rule'],
  [
    'case and a trailing dot do not count',
    url('https://A.EXAMPLE./x'),
    ['allow WebFetch(domain:a.example)'],
    'allow rule',
  ],
  ['a host below', url('https://b.a.example'), ['allow WebFetch(domain:a.example)'], 'ask no-rule'],
  ['`*.` any depth', url('https://c.b.a.example'), ['allow WebFetch(domain:*.a.example)'], 'allow rule'],
  ['`*.` not the apex', url('https://a.example'), ['allow WebFetch(domain:*.a.example)'], 'ask no-rule'],
  ['elsewhere one label', url('https://x.b.example'), ['allow WebFetch(domain:x.*.example)'], 'allow rule'],
  ['elsewhere one label only', url('https://x.b.c.example'), ['allow WebFetch(domain:x.*.example)'], 'ask no-rule'],
  [
    'a host that only ends alike',
    url('https://evila.example'),
    ['allow WebFetch(domain:a.example)', 'allow WebFetch(domain:*.a.example)'],
    'ask no-rule',
  ],
  ['a user in front', url('https://a.example@evil.example'), ['allow WebFetch(domain:a.example)'], 'ask no-rule'],
];

describe('grammar of rules', () => {
  for (const [theme, rows] of Object.entries({ parameters, names, folders, windows, domains })) {
    describe(theme, () => {
      for (const [title, made, rules, expected, changes] of rows) {
        it(title, () => {
          const { behavior, code } = decide(made, context('default', rules, changes));
          assert.equal(`${behavior} ${code}`, expected);
        });
      }
    });
  }

  it('a bare deny or one with a glob takes the tool away, a conditional one does not', () => {
    const denied = (text: string, tool: string): boolean => {
      const one = isToolDenied([rule(text)], tool);
      assert.equal(toolDenial([rule(text)])(tool), one, `${text} for many tools at once`);
      return one;
    };
    assert.deepEqual(
      [
        denied('deny Act', 'Act'),
        denied('deny *', 'Act'),
        denied('deny mcp__*', 'mcp__s__t'),
        denied('deny mcp__s', 'mcp__s__t'),
        denied('deny Act(a:b)', 'Act'),
      ],
      [true, true, true, true, false],
    );
  });
});
