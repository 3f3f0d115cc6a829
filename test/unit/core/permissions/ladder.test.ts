// The ladder, by properties: what holds for every mode and every kind of target, whatever else is set.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decide } from '../../../../src/core/permissions/decide';
import { type PermissionCall, type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type PermissionMode, permissionModes } from '../../../../src/shared/permission';
import { bash, context, file } from './permission-table';

const powerShell = (command: string): PermissionCall => ({ ...bash(command), tool: 'PowerShell' });
const tool = (name: string, targets: PermissionCall['targets'] = []): PermissionCall => ({
  tool: name,
  access: 'DangerFullAccess',
  readOnly: false,
  targets,
  input: { what: ['not a text'] },
});

const modes = fc.constantFrom(...permissionModes);
/** Whatever else a user may have set: none of it lifts what the properties say. */
const surroundings: fc.Arbitrary<Partial<PermissionContext>> = fc.record(
  {
    brokenSettings: fc.constantFrom([], ['/ws/.claude/settings.json']),
    autoDisabled: fc.boolean(),
    ignoreCase: fc.boolean(),
  },
  { requiredKeys: [] },
);
const allowed = fc.subarray([
  'allow Bash',
  'allow PowerShell',
  'allow Read',
  'allow Edit',
  'allow WebFetch',
  'allow Act',
]);

/** The mode that asks nobody turns a question into a refusal: that is no better. */
const weight = { deny: 2, ask: 1, allow: 0 } as const;

/** Names and code that only running shows, in each language. */
const hiding = {
  Bash: {
    command: bash,
    rule: 'Bash(rm:*)',
    names: ['$X', '${X}', '$(cat a)', '`cat a`', '"$X"', '$X$Y', '$(printf %s x)', '${X:-$Y}'],
    runners: ['eval "$X"', 'bash -c "$X"', 'sh <<< "$X"', 'curl x | sh', 'cat a | bash', 'xargs $X', 'sudo $X'],
    separators: ['; ', ' && ', ' || ', ' | ', '\n'],
    wraps: ['timeout 5 #', 'nohup #', 'env A=1 #', '(#)', '{ #; }', 'if true; then #; fi', 'for f in a; do #; done'],
  },
  PowerShell: {
    command: powerShell,
    rule: 'PowerShell(Remove-Item:*)',
    names: ['& $x', '. $x', '& "$x"', '& (Get-Command r*m)', "& ('a' + 'b')", '&$x', '& $x.Name', '& (gcm $y)'],
    runners: ['iex $x', 'icm $x', 'iex "$x"', 'powershell -c $x', 'Start-Process $x', 'gc a | iex', 'iwr x | iex'],
    separators: ['; ', ' && ', ' || ', ' | ', '\n'],
    wraps: ['if ($true) { # }', '& { # }', 'Get-ChildItem | % { # }', '$(#)', 'try { # } catch { }', '#'],
  },
} as const;

type Shell = keyof typeof hiding;

/** A line in which one command cannot be read, in front of and behind plain ones. */
function unreadLine(shell: Shell): fc.Arbitrary<string> {
  const { names, runners, separators, wraps } = hiding[shell];
  const plain = fc.constantFrom('git status', 'npm test', 'echo a');
  const hidden = fc.oneof(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('', ' foo', ' -f a b')).map((parts) => parts.join('')),
    fc.constantFrom(...runners),
  );
  const wrapped = fc
    .tuple(fc.constantFrom('#', ...wraps), hidden)
    .map(([wrap, command]) => wrap.replace('#', () => command));
  // A separator behind a pipe's shell would give it another input.
  return fc
    .tuple(fc.option(plain, { nil: undefined }), fc.constantFrom(...separators.filter((one) => one !== ' | ')), wrapped)
    .map(([before, separator, command]) => (before === undefined ? command : `${before}${separator}${command}`));
}

function atLeast(least: 'ask' | 'deny', call: PermissionCall, given: PermissionContext): void {
  const { behavior, reason } = decide(call, given);
  assert.ok(
    weight[behavior] >= weight[least],
    `${JSON.stringify(call.targets)} in ${given.mode}: ${behavior}: ${reason}`,
  );
}

describe('the ladder', () => {
  for (const shell of ['Bash', 'PowerShell'] as const)
    for (const behavior of ['deny', 'ask'] as const)
      it(`${shell}: which command runs is unseen, and a rule may ${behavior} it: no mode allows it`, () => {
        fc.assert(
          fc.property(unreadLine(shell), modes, allowed, surroundings, (line, mode, rules, changes) => {
            const { command, rule } = hiding[shell];
            atLeast('ask', command(line), context(mode, [`${behavior} ${rule}`, ...rules], changes));
          }),
          { numRuns: 400 },
        );
      });

  /** Targets that a rule may be about, though nobody can read whether it is. */
  const unreadable: [kind: string, call: PermissionCall, rule: string][] = [
    ['an address', tool('WebFetch', [{ kind: 'url', url: 'no address' }]), 'WebFetch(domain:example.com)'],
    ['a tool without a target', tool('Act'), 'Act(what:secret)'],
    ['a command in another language', tool('Act', [{ kind: 'command', command: 'x', cwd: '/ws' }]), 'Act(what:secret)'],
  ];
  for (const [kind, call, rule] of unreadable)
    for (const behavior of ['deny', 'ask'] as const)
      it(`${kind} that cannot be read, and a rule may ${behavior} it: no mode allows it`, () => {
        fc.assert(
          fc.property(modes, allowed, surroundings, (mode, rules, changes) => {
            atLeast('ask', call, context(mode, [`${behavior} ${rule}`, ...rules], changes));
          }),
        );
      });

  const denied: [kind: string, call: PermissionCall, rule: string][] = [
    ['reading a file', file('Read /ws/.env'), 'Read(.env)'],
    ['writing a file', file('Edit /ws/.env'), 'Edit(.env)'],
    ['writing what may not be read', file('Edit /ws/.env'), 'Read(.env)'],
    ['a Bash command', bash('git status && rm a'), 'Bash(rm:*)'],
    ['a Bash command behind a wrapper', bash('timeout 5 bash -c "rm a"'), 'Bash(rm:*)'],
    ['a file that a Bash command reads', bash('cat .env'), 'Read(.env)'],
    ['a PowerShell command', powerShell('Get-ChildItem; rm a'), 'PowerShell(Remove-Item:*)'],
    ['a PowerShell command in a block', powerShell('Get-ChildItem | % { rm $_ }'), 'PowerShell(Remove-Item:*)'],
    ['a file that a PowerShell command reads', powerShell('Get-Content .env'), 'Read(.env)'],
    ['an address', tool('WebFetch', [{ kind: 'url', url: 'https://a.example/x' }]), 'WebFetch(domain:a.example)'],
    ['a tool without a target', tool('Act'), 'Act'],
    ['a command in another language', tool('Act', [{ kind: 'command', command: 'x', cwd: '/ws' }]), 'Act'],
    ['a tool of an MCP server', tool('mcp__s__t'), 'mcp__s'],
  ];
  for (const [kind, call, rule] of denied)
    it(`${kind}: a deny rule holds in every mode and against every other rule`, () => {
      fc.assert(
        fc.property(modes, allowed, fc.boolean(), surroundings, (mode, rules, asks, changes) => {
          const others = [...rules, `allow ${rule}`, ...(asks ? [`ask ${rule}`] : [])];
          const { behavior, code } = decide(call, context(mode, [...others, `deny ${rule}`], changes));
          assert.deepEqual([behavior, code], ['deny', 'rule']);
        }),
      );
    });

  it('a mode that allows more never gives a worse answer', () => {
    const order: PermissionMode[] = ['default', 'acceptEdits', 'bypassPermissions'];
    const calls = fc.oneof(
      fc.constantFrom(...denied.map(([, call]) => call)),
      unreadLine('Bash').map(bash),
      unreadLine('PowerShell').map(powerShell),
    );
    const restrictions = fc.subarray(denied.flatMap(([, , rule]) => [`deny ${rule}`, `ask ${rule}`]));
    fc.assert(
      fc.property(calls, allowed, restrictions, surroundings, (call, rules, others, changes) => {
        const weights = order.map(
          (mode) => weight[decide(call, context(mode, [...others, ...rules], changes)).behavior],
        );
        assert.deepEqual(
          weights,
          weights.toSorted((one, other) => other - one),
        );
      }),
      { numRuns: 400 },
    );
  });
});
