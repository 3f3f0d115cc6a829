// The network as users have it: a connection that goes and comes back, and a model that declines.
import assert from 'node:assert/strict';
import path from 'node:path';
import { httpError, reply, toolUse, withFields } from '../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../support/messages-api/server';
import { openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

describe('the network', () => {
  let deft: DeftWindow;
  let server: MessagesApi;
  before(async () => {
    server = await startMessagesApi([]);
    deft = await openDeft({
      files: { 'a.txt': 'alpha\n', '.claude/settings.json': '{ "fallbackModel": "claude-opus-4-8" }\n' },
      // A server of its own, which can go away and come back.
      settings: { 'deft.baseUrl': server.url },
    });
  });
  after(async () => {
    await deft.close();
    await server.close();
  });
  beforeEach(() => deft.newSession());

  it('waits for the connection, goes on by itself, and runs nothing twice', async () => {
    const file = path.posix.join(deft.window.folder, 'log.txt');
    const port = Number(new URL(server.url).port);
    server.setScript([reply(toolUse('Bash', { command: `echo once >> ${file}` }))]);
    await deft.send('Write it');
    await deft.approval(/^Approve: Bash/).waitFor();
    await server.close();
    await deft.button('Accept').click();
    const waiting = deft.card('No connection. Deft continues automatically when it is back.');
    await waiting.getByText(/No connection to 127\.0\.0\.1:\d+: nothing answers there/).waitFor();
    await waiting.getByRole('button', { name: 'Try now' }).waitFor();
    await waiting.getByRole('button', { name: 'Stop' }).waitFor();
    server = await startMessagesApi([answers('Back again.')], { port });
    await deft.says('Back again.');
    await deft.idle();
    assert.equal(await waiting.count(), 0);
    assert.equal(deft.window.read('log.txt'), 'once\n');
    assert.deepEqual(server.violations, []);
  });

  it('waits for a connection until one stops it', async () => {
    const port = Number(new URL(server.url).port);
    server.setScript([answers('Here I am.')]);
    await deft.send('Hello?');
    await deft.says('Here I am.');
    await deft.idle();
    await server.close();
    await deft.send('And now?');
    const waiting = deft.card('No connection. Deft continues automatically when it is back.');
    await waiting.waitFor();
    await waiting.getByRole('button', { name: 'Stop' }).click();
    await deft.card('Stopped.').waitFor();
    await waiting.waitFor({ state: 'detached' });
    await deft.idle();
    server = await startMessagesApi([answers('Here again.')], { port });
    await deft.send('Hello?');
    await deft.says('Here again.');
    await deft.idle();
    assert.deepEqual(server.violations, []);
  });

  // An overloaded server says itself how long to wait: nothing but the button ends this wait within the test.
  it('tries again at once when told to', async () => {
    const overloaded = httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '110' });
    server.setScript([overloaded, answers('Not so busy now.')]);
    await deft.send('Hurry');
    const waiting = deft.card(/overloaded/i);
    await waiting.getByText(/Deft is retrying: attempt \d+ of \d+/).waitFor();
    await waiting.getByText(/^Next try in \d+ s$/).waitFor();
    await waiting.getByRole('button', { name: 'Try now' }).click();
    await deft.says('Not so busy now.');
    await deft.idle();
    assert.equal(await waiting.count(), 0);
    assert.deepEqual(server.violations, []);
  });

  it('asks another model only when told to, after one has declined', async () => {
    const declined = withFields(reply('I begin'), {
      stopReason: 'refusal',
      stopDetails: { type: 'refusal', category: 'cyber', explanation: 'It could do harm.' },
    });
    server.setScript([declined, answers('Sure.')]);
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
