// The network as users have it: a connection that goes and comes back, and a model that declines.
import assert from 'node:assert/strict';
import path from 'node:path';
import { reply, toolUse, withFields } from '../support/messages-api/script';
import { startMessagesApi } from '../support/messages-api/server';
import { openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('the network', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      files: { 'a.txt': 'alpha\n', '.claude/settings.json': '{ "fallbackModel": "claude-opus-4-8" }\n' },
    });
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  it('waits for the connection, goes on by itself, and runs nothing twice', async () => {
    const file = path.posix.join(deft.window.folder, 'log.txt');
    let server = await startMessagesApi([reply(toolUse('Bash', { command: `echo once >> ${file}` }))]);
    const port = Number(new URL(server.url).port);
    try {
      await deft.configure({ 'deft.baseUrl': server.url });
      await deft.send('Write it');
      await deft.approval(/^Approve: Bash/).waitFor();
      await server.close();
      await deft.button('Accept').click();
      const waiting = deft.card('No connection. Deft continues automatically when it is back.');
      await waiting.getByText(/No connection to 127\.0\.0\.1:\d+: nothing answers there/).waitFor();
      await waiting.getByRole('button', { name: 'Stop' }).waitFor();
      server = await startMessagesApi([answers('Back again.')], { port });
      await waiting.getByRole('button', { name: 'Try now' }).click();
      await deft.says('Back again.');
      await deft.idle();
      assert.equal(await waiting.count(), 0);
      assert.equal(deft.window.read('log.txt'), 'once\n');
      assert.deepEqual(server.violations, []);
    } finally {
      await server.close();
      await deft.configure({});
    }
  });

  it('asks another model only when told to, after one has declined', async () => {
    const declined = withFields(reply('I begin'), {
      stopReason: 'refusal',
      stopDetails: { type: 'refusal', category: 'cyber', explanation: 'It could do harm.' },
    });
    deft.script(declined, answers('Sure.'));
    await deft.send('Help me');
    const card = deft.card('The model declined.');
    await card.getByText(/It says: It could do harm\./).waitFor();
    await card.getByRole('button', { name: 'Always ask Opus 4.8 when declined' }).waitFor();
    await card.getByRole('button', { name: 'Pick another model' }).waitFor();
    await deft.idle();
    await card.getByRole('button', { name: 'Ask Opus 4.8 instead' }).click();
    await deft.says('Sure.');
    await deft.card(/Opus 4\.8 answers for the rest of this turn\./).waitFor();
    await deft.idle();
  });
});
