// Skill apart from its calls: what rules and the chat see of it.
import assert from 'node:assert/strict';
import { skillTool } from '../../../../src/core/tools/skill';

describe('Skill', () => {
  it('only looks, and answers to its older names', () => {
    assert.equal(skillTool.access, 'ReadOnly');
    assert.equal(skillTool.isReadOnly({ skill: 'a' }), true);
    assert.deepEqual(skillTool.aliases, ['skill', 'SlashCommand', 'SkillTool']);
  });

  it('is not run beside other calls: its commands may ask, and its leave changes what follows', () =>
    assert.equal(skillTool.isConcurrencySafe({ skill: 'a' }), false));

  it('says what it uses in one short line', () => {
    assert.deepEqual(skillTool.describe({ skill: 'deploy', args: 'prod' }), {
      now: 'Using the skill deploy prod',
      past: 'Used the skill deploy prod',
    });
    assert.ok(skillTool.describe({ skill: 'deploy', args: 'x'.repeat(500) }).now.length < 120);
  });
});
