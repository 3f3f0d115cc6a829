// A window whose folder is on no disk: what works there works, what cannot is not offered, and addresses are no paths.
import assert from 'node:assert/strict';
import { reply, toolUse } from '../support/messages-api/script';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('a window with a virtual workspace', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      extraExtension: 'test/support/tool-extension',
      workspaceFile: 'virtual.code-workspace',
      files: { 'virtual.code-workspace': JSON.stringify({ folders: [{ uri: 'memory:/ws', name: 'ws' }] }) },
    });
  });
  after(() => deft.close());

  it('reads and writes files by their paths, takes no address for one, and has no shell', async () => {
    deft.script(
      reply(toolUse('Read', { file_path: '/ws/readme.txt' })),
      reply(toolUse('Write', { file_path: 'memory:/ws/new.txt', content: 'astray\n' })),
      reply(toolUse('Write', { file_path: '/ws/new.txt', content: 'written\n' })),
      reply(toolUse('Read', { file_path: '/ws/new.txt' })),
      reply(toolUse('Bash', { command: 'ls' })),
      answers('Looked around.'),
    );
    await deft.send('Look around');
    await deft
      .approval(/^Approve: .*new\.txt/)
      .getByRole('button', { name: 'Accept', exact: true })
      .click();
    await deft.says('Looked around.');
    await deft.idle();
    const names = (deft.api.requests.at(-1)?.body['tools'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual([names.includes('Read'), names.includes('Bash')], [true, false]);
    assert.match(lastText(await deft.request(2)), /of the memory/);
    assert.match(lastText(await deft.request(3)), /an address of the scheme "memory", and files are named by path/);
    assert.match(lastText(await deft.request(5)), /written/);
    assert.match(lastText(await deft.request(6)), /No such tool available: Bash/);
  });
});
