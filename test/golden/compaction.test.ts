// Golden data of a compaction: what the model is asked, and the text that stands in place of the conversation.
import { summaryQuestion } from '../../src/core/features/compaction/summarise';
import { getAllBaseTools } from '../../src/core/tools/registry';
import { reply, toolUse } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { matchSnapshot } from './snapshot';
import { featureOf } from '../support/feature-of';
import { compaction } from '../../src/core/features/compaction/compaction-key';

describe('golden compaction', () => {
  it('question', () => matchSnapshot('compaction-question.md', summaryQuestion('the names of the tables')));

  it('text in place of the conversation', async () => {
    const model = createScriptedModel([
      reply(
        toolUse('Read', { file_path: '/w/a.txt' }, 't1'),
        toolUse(
          'TodoWrite',
          { todos: [{ content: 'Change it', status: 'in_progress', activeForm: 'Changing it' }] },
          't2',
        ),
      ),
      reply('It says one.'),
      reply('## Goal\n\nChange one to two.'),
      reply('Done.'),
    ]);
    const harness = createHarness({ model, tools: getAllBaseTools() });
    await harness.run('What does "a.txt" say?');
    await featureOf(harness.session, compaction).byHand('', new AbortController().signal);
    await harness.run('Change it');
    const [first] = model.requests[3]?.messages ?? [];
    matchSnapshot(
      'compaction-text.md',
      first?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n') ?? '',
    );
  });
});
