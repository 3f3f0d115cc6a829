// Which agents are suggested behind "@", and how the one that is chosen is written and read back.
import assert from 'node:assert/strict';
import { mentionedAgent } from '../../../../src/core/prompt/agent-mentions';
import { findMentions } from '../../../../src/core/prompt/mentions';
import { rankAgents } from '../../../../src/vscode/agents/agent-suggestions';
import { applyMention, mentionAt } from '../../../../webview-ui/composer/mention';

const names = ['general-purpose', 'reviewer', 'previewer', 'team:lead'];
const found = (query: string): string[] => rankAgents(names, query).items.map(({ path }) => path);

describe('suggested agents', () => {
  it('come first where "agent" is typed, and else behind the files', () => {
    assert.deepEqual(rankAgents(names, 'agent-rev'), {
      first: true,
      items: [
        { path: 'reviewer (agent)', kind: 'agent' },
        { path: 'previewer (agent)', kind: 'agent' },
      ],
    });
    assert.equal(rankAgents(names, 'rev').first, false);
    assert.deepEqual(found('rev'), ['reviewer (agent)', 'previewer (agent)']);
    assert.deepEqual(found('zzz'), []);
    assert.equal(found('agent').length, 4);
  });

  it('are written so that the message names them', () => {
    for (const name of names) {
      const typed = 'Let @agent-x';
      const at = mentionAt(typed, typed.length) ?? assert.fail();
      const { text } = applyMention(typed, typed.length, at, { path: `${name} (agent)`, kind: 'agent' });
      assert.equal(text, `Let @"${name} (agent)" `);
      for (const written of [text, `Let @agent-${name}.`])
        assert.deepEqual(
          findMentions(written).map((mention) => mentionedAgent(mention, names)),
          [name],
        );
    }
  });
});
