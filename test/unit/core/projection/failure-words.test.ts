// What failed calls say to the user, with the real tools: in a sentence, and the rest of what the model is told behind it.
import assert from 'node:assert/strict';
import { failureWords } from '../../../../src/core/projection/failure-words';
import { getAllBaseTools } from '../../../../src/core/tools/registry';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createMemoryFiles } from '../../../support/memory-files';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

/** What the card of the last of these calls says, live and from the log. */
async function said(...calls: ReturnType<typeof toolUse>[]): Promise<string | undefined> {
  const harness = createHarness({
    model: createScriptedModel([...calls.map((call) => reply(call)), reply('Over.')]),
    tools: getAllBaseTools(),
    files: createMemoryFiles({ '/w/src/a.txt': 'one one\n' }),
  });
  await harness.run('Go');
  const [live, replayed] = [harness.chat(), harness.replayed()].map(({ items }) => {
    const tool = items.findLast((item) => item.kind === 'tool');
    assert.ok(tool?.kind === 'tool' && tool.state === 'failed', JSON.stringify(tool));
    assert.notEqual(tool.message, undefined);
    return tool.said;
  });
  assert.equal(live, replayed);
  return live;
}

describe('the words of a failed call', () => {
  const path = '/w/src/a.txt';
  const read = toolUse('Read', { file_path: path });

  it('say what happened, with a relative path and without advice for the model', async () => {
    assert.equal(
      await said(read, toolUse('Edit', { file_path: path, old_string: 'two', new_string: 'x' })),
      'The text to replace is not in src/a.txt.',
    );
    assert.equal(
      await said(read, toolUse('Edit', { file_path: path, old_string: 'one', new_string: 'x' })),
      'The text to replace is in src/a.txt more than once.',
    );
    assert.equal(
      await said(toolUse('Edit', { file_path: path, old_string: 'one one', new_string: 'x' })),
      'Deft has not read src/a.txt yet.',
    );
    assert.equal(await said(toolUse('Read', { file_path: '/w/src/gone.txt' })), 'src/gone.txt does not exist.');
    assert.equal(await said(toolUse('Nope', {})), 'The agent called a tool that does not exist: Nope.');
    assert.equal(
      await said(toolUse('Read', { file: 1 })),
      'The agent called this tool in a form that it does not accept.',
    );
  });

  it('are the first sentence of what nobody has other words for', () => {
    assert.equal(failureWords('The server is gone. Start it again.\nMore.'), 'The server is gone.');
    assert.equal(failureWords('src/a.ts is a folder'), 'src/a.ts is a folder');
    assert.ok(failureWords('a'.repeat(500)).length < 250);
  });
});
