// A rule that is tried: whether it matches a call, and what it would change.
import assert from 'node:assert/strict';
import { readRule, ruleTestReport } from '../../../../src/core/calls/rule-test-report';
import { testRule } from '../../../../src/core/permissions/test-rule';
import { bash, callOf, context, rule } from './permission-table';

const rows: [rule: string, call: string, expected: string, why?: RegExp][] = [
  ['allow Bash(git push:*)', 'Bash git push origin', 'yes ask→allow'],
  ['allow Bash(git push:*)', 'Bash git pull', 'no ask→ask', /begins with `git pull`, not `git push`/],
  ['allow Bash(make:*)', 'Bash make a && other b', 'part ask→ask'],
  ['deny Bash(other:*)', 'Bash make a && other b', 'yes ask→deny'],
  ['allow Bash(ls:*)', 'Bash ls src', 'yes allow→allow'],
  ['deny Read(secret/**)', 'Read /ws/secret/a', 'yes allow→deny'],
  ['deny Read(secret/**)', 'Bash cat secret/a', 'yes allow→deny'],
  ['allow Edit(src/**)', 'Edit /ws/docs/a', 'no ask→ask', /is not among `src/],
  ['allow Edit(/**)', 'Edit /ws/.git/config', 'no ask→ask', /allow rules do not apply here\. .*controls tools/],
  ['allow WebFetch(domain:a.b)', 'Bash make', 'no ask→ask', /does not concern Bash/],
  ['deny Bash', 'Bash make', 'yes ask→deny'],
  ['deny Bash', 'Read /ws/a', 'no allow→allow', /does not concern Read/],
];

describe('a permission rule that is tried', () => {
  for (const [text, call, expected, why] of rows) {
    it(`${text}: ${call}`, () => {
      const test = testRule(rule(text), callOf(call), context('default'));
      assert.equal(`${test.matches} ${test.before.behavior}→${test.after.behavior}`, expected);
      if (why === undefined) assert.equal(test.why, undefined);
      else assert.match(test.why ?? '', why);
    });
  }

  it('is told to match in Restricted Mode and in plan mode too', () => {
    assert.equal(testRule(rule('allow Bash(make:*)'), callOf('Bash make'), context('plan')).matches, 'yes');
    assert.equal(
      testRule(rule('allow Bash(make:*)'), callOf('Bash make'), context('default', [], { trusted: false })).matches,
      'yes',
    );
  });

  it('makes a report: one call with its trace, a session with a summary, hidden characters named', () => {
    const one = ruleTestReport(rule('allow Bash(make:*)'), [bash('make a')], context('default'));
    assert.match(
      one,
      /^# allow Bash\(make:\*\)\n\n## Bash make a\n\nThe rule matches\.\n\nThe decision changes from ask to allow\./,
    );
    assert.match(one, /\n {4}> Allow rules \[make a\]: allow/);
    const kept = { ...rule('deny Bash(make:*)'), file: '/home/u/.claude/settings.json' };
    const named = ruleTestReport(rule('allow Bash(make:*)'), [bash('make a')], {
      ...context('default'),
      rules: [kept],
    });
    assert.match(named, /The rule `Bash\(make:\*\)` \(\.claude\/settings\.json\) denies this/);
    assert.match(named, /\+ deny Bash\(make:\*\) \(\.claude\/settings\.json\)/);
    assert.ok(!named.slice(named.indexOf('Trace with')).includes('/home/u/'), named);
    const several = ruleTestReport(
      rule('allow Bash(make:*)'),
      [bash('make a'), bash('ls'), bash('make\u202e b')],
      context('default'),
    );
    assert.match(several, /Of 3 calls it matches 1 and changes the decision for 1\./);
    assert.match(several, /make⟨U\+202E⟩ b/);
    assert.match(
      ruleTestReport(rule('allow Write(src/**)'), [bash('ls')], context('default')),
      /Warning: `Write\(src\/\*\*\)` never matches/,
    );
    const many = Array.from({ length: 130 }, (_, index) => bash(`make ${index}`));
    assert.match(
      ruleTestReport(rule('allow Bash(make:*)'), many, context('default')),
      /Of 100 calls .*30 earlier calls were left out/,
    );
  });

  it('is read as settings read it', () => {
    assert.deepEqual(readRule('Task(Explore)'), { value: { toolName: 'Agent', ruleContent: 'Explore' } });
    assert.ok('problem' in readRule('Bash(x'));
  });
});
