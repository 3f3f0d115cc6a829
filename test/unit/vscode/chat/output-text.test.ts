// All that a command printed, as the chat shows it on request: from its file, else from the session's log.
import assert from 'node:assert/strict';
import path from 'node:path';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { wholeOutput } from '../../../../src/vscode/chat/messages/output-text';
import { makeTree, type Tree } from '../../node/search-tree';

const secret = 'sk-ant-0123456789abcdef';
const logged: SessionRecord[] = ['toolu_0', 'toolu_1'].map((id) => ({
  type: 'user',
  uuid: `result-${id}`,
  parentUuid: null,
  timestamp: '',
  sessionId: 's',
  cwd: '/w',
  version: '1',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '' }] },
  toolUseResult: { stdout: `printed by ${id} with ${secret}\n` },
}));

describe('the whole output of a command', () => {
  let place: Tree;
  beforeEach(async () => {
    place = await makeTree({
      'short.out': 'short\n',
      'long.out': `${'x'.repeat(200_000)}end`,
      'secret.out': `${secret}${'x'.repeat(200_000 - 12)}${secret}`,
    });
  });
  afterEach(() => place.remove());

  const files = createNodeFileSystem();
  const whole = (name?: string) =>
    wholeOutput('toolu_1', {
      file: name === undefined ? undefined : path.join(place.root, name),
      records: logged,
      files,
      secrets: [secret],
    });

  it('is its end where it is long, and says so', async () => {
    assert.deepEqual(await whole('short.out'), { text: 'short\n', truncated: false });
    const long = await whole('long.out');
    assert.equal(long.truncated, true);
    assert.equal(long.text.length, 200_000);
    assert.match(long.text, /end$/);
  });

  it('has no credential, nor a part of one at the cut', async () => {
    assert.doesNotMatch((await whole('secret.out')).text, /sk-ant|abcdef/);
  });

  it('is what the log has of this call where no file was kept, and free of credentials too', async () => {
    const { text } = await whole();
    assert.match(text, /^printed by toolu_1 with /);
    assert.doesNotMatch(text, /abcdef/);
  });

  it('is said to be gone where its file is, and what the log has is shown', async () => {
    const { text } = await whole('gone.out');
    assert.match(text, /gone\.out does not exist\. This is what the session has of it:\]\nprinted by toolu_1/);
  });
});
