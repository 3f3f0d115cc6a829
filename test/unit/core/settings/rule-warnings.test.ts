// Warnings about rules: none of a tool that Deft has, by whichever of its names.
import assert from 'node:assert/strict';
import { olderToolNames, parseRule } from '../../../../src/core/permissions/rules/rule-syntax';
import { ruleWarning } from '../../../../src/core/settings/rule-warnings';
import { getAllBaseTools } from '../../../../src/core/tools/registry';

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
});
