// Which file a question names as outside of the folders: by the rule for names where the files are.
import assert from 'node:assert/strict';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('a question about a file', () => {
  const outside = async (path: string, ignoreCase: boolean): Promise<unknown> => {
    const harness = createHarness({
      model: createScriptedModel([reply(toolUse('Write', { file_path: path, content: 'x' })), reply('Done.')]),
      tools: [writeTool],
      session: {
        permission: () => ({
          ...{ rules: [], folders: ['/w'], ownFolders: ['/results'], home: '/home/ann', trusted: true },
          ignoreCase,
        }),
      },
    });
    await harness.run('Go');
    assert.equal(harness.approvals.length, 1);
    return harness.approvals[0]?.outside;
  };

  it('names one outside, and none that is inside by another spelling where case does not count', async () => {
    assert.equal(await outside('/elsewhere/new.txt', true), '/elsewhere/new.txt');
    assert.equal(await outside('/W/new.txt', false), '/W/new.txt');
    assert.equal(await outside('/W/new.txt', true), undefined);
  });
});
