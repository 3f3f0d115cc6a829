// What settings say about the end of commit messages and pull requests, as it is sent to the model.
import assert from 'node:assert/strict';
import { commitAttribution, commitEnding, endedWith } from '../../../../src/core/settings/commit-attribution';
import { bashTool, createBashTool } from '../../../../src/core/tools/bash/bash';

describe('attribution of commits', () => {
  const commit = (text: string) =>
    `End each commit message that you write with an empty line and exactly this text:\n${text}`;
  const noCommit = 'Put no line into a commit message that names you, a model or a tool as its author.';
  const noPr = 'Put no line into a description of a pull request that names you, a model or a tool as its author.';
  const cases: [string, Parameters<typeof commitAttribution>[0], string | undefined][] = [
    ['says nothing where nobody has set it', {}, undefined],
    ['says nothing where authors are to be named', { includeCoAuthoredBy: true }, undefined],
    ['names none where that is off', { includeCoAuthoredBy: false }, `${noCommit}\n\n${noPr}`],
    [
      'ends with a text',
      { attribution: { commit: 'Written with a tool\n\nCo-Authored-By: A <a@b.c>\n' } },
      commit('Written with a tool\n\nCo-Authored-By: A <a@b.c>'),
    ],
    ['leaves at most one line empty', { attribution: { commit: 'A\r\n\r\n \n\n# B\u2028C\n' } }, commit('A\n\n# B\nC')],
    ['takes an empty text for none', { attribution: { commit: '', pr: ' ' } }, `${noCommit}\n\n${noPr}`],
    [
      'goes before the older key',
      { attribution: { commit: 'By a tool' }, includeCoAuthoredBy: false },
      `${commit('By a tool')}\n\n${noPr}`,
    ],
    ['is no essay', { attribution: { commit: 'x'.repeat(1_001) } }, undefined],
  ];
  for (const [what, values, expected] of cases) it(what, () => assert.equal(commitAttribution(values), expected));
});

describe('the end of a commit message', () => {
  const cases: [string, Parameters<typeof commitEnding>[0], string | undefined][] = [
    ['is left alone where nobody has set it', {}, undefined],
    ['is left alone where authors are to be named', { includeCoAuthoredBy: true }, undefined],
    ['is none where that is off', { includeCoAuthoredBy: false }, ''],
    [
      'is the text of the newer key',
      { attribution: { commit: ' By a tool\n' }, includeCoAuthoredBy: false },
      'By a tool',
    ],
    ['is none where the text is empty', { attribution: { commit: ' ' } }, ''],
    [
      'follows the older key where the newer one speaks of pull requests',
      { attribution: { pr: 'By a tool' }, includeCoAuthoredBy: false },
      '',
    ],
    ['is no essay', { attribution: { commit: 'x'.repeat(1_001) } }, undefined],
  ];
  for (const [what, values, ending] of cases) it(what, () => assert.equal(commitEnding(values), ending));

  it('stands there once, behind an empty line', () => {
    const whole = 'Fix dates\n\nBy a tool';
    assert.deepEqual(
      [endedWith('Fix dates\n', 'By a tool'), endedWith(whole, 'By a tool'), endedWith('Fix dates\n', '')],
      [whole, whole, 'Fix dates'],
    );
  });
});

describe('instructions about git', () => {
  const words = { toolNames: [] } as unknown as Parameters<typeof bashTool.prompt>[0];

  it('are left out of the prompt of Bash where the settings say so, and nothing else is', async () => {
    const [usual, without] = await Promise.all([
      bashTool.prompt(words),
      createBashTool({ gitInstructions: false }).prompt(words),
    ]);
    assert.match(usual, /\n\nGit\n- .*force-push/s);
    assert.doesNotMatch(without, /\nGit\n|force-push/);
    assert.ok(usual.startsWith(without) && without.length > usual.length / 2);
  });
});
