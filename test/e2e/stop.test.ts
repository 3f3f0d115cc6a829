// Stopping and steering: what was done is kept, nothing runs on, and the history stays one that the API takes.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gate, reply, text, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { answers, opened, runs } from './support/replies';

const never = new Promise<never>(() => undefined);

describe('stopping and steering', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' } })));
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  const queue = () => deft.chat().getByRole('list', { name: 'Queued messages' });
  const stop = () => deft.button('Stop');

  async function streaming(): Promise<void> {
    deft.script(reply(text('This much was said,', gate(never), ' and this never.')), answers('Going on.'));
    await deft.send('Tell me');
    await deft.says('This much was said,');
  }

  async function stopped(): Promise<void> {
    await deft.card('Stopped.').waitFor();
    await deft.idle();
    await deft.says('This much was said,');
  }

  it('keeps what was said when a reply is stopped, and goes on with the next prompt', async () => {
    await streaming();
    await stop().click();
    await stopped();
    await deft.send('Go on');
    await deft.says('Going on.');
    const texts = (await deft.request(2)).flatMap(({ content }) => textsOf(content));
    assert.ok(
      texts.some((said) => said.includes('This much was said,')),
      'the model knows what it had said',
    );
  });

  it('stops by Escape in the composer', async () => {
    await streaming();
    await deft.composer().press('Escape');
    await stopped();
  });

  it('stops from the palette', async () => {
    await streaming();
    await deft.window.command('Deft: Stop');
    await stopped();
  });

  it('ends a command with everything it started', async () => {
    // A number that no other process on this machine has among its arguments.
    const mark = `86${Date.now() % 1_000_000}`;
    deft.script(runs(`echo started; (sleep ${mark} & sleep ${mark})`), answers('Stopped it.'));
    await deft.send('Wait');
    await deft
      .card(/^Running/)
      .getByRole('region', { name: 'End of the output' })
      .getByText('started')
      .waitFor();
    await eventually(() => processesWith(mark).length > 0, 'The command does not run.');
    await stop().click();
    await deft.card('Stopped.').waitFor();
    await deft.card(/sleep/).getByText('stopped').first().waitFor();
    await eventually(() => processesWith(mark).length === 0, 'The command runs on.');
    await deft.send('What now?');
    await deft.says('Stopped it.');
  });

  it('delivers what is typed while it works with the next tool results', async () => {
    const held = opened();
    deft.script(
      reply(text('Reading', gate(held.promise)), toolUse('Read', { file_path: `${deft.window.folder}/a.txt` })),
      answers('Both seen.'),
    );
    await deft.send('Read it');
    await deft.says('Reading');
    await deft.send('And mind the beta');
    await queue().getByText('And mind the beta').waitFor();
    held.open();
    await deft.says('Both seen.');
    const last = lastText(await deft.request(2));
    assert.match(last, /alpha/);
    assert.match(last, /And mind the beta/);
    await deft.says('Sent while Deft was working');
    assert.equal(await queue().count(), 0);
  });

  it('takes a queued message back with the up key', async () => {
    await streaming();
    await deft.send('Queued by mistake');
    await queue().getByText('Queued by mistake').waitFor();
    await deft.composer().press('ArrowUp');
    await queue().waitFor({ state: 'detached' });
    // The words come by another message than the queue without them.
    await eventually(
      async () => (await deft.composer().inputValue()) === 'Queued by mistake',
      'The message is not in the composer.',
    );
    await deft.composer().fill('');
    await stop().click();
    await stopped();
    assert.equal(deft.requests(), 1);
  });

  it('removes a queued message for good', async () => {
    await streaming();
    await deft.send('Not this');
    await deft.button('Remove queued message').click();
    await queue().waitFor({ state: 'detached' });
    await stop().click();
    await stopped();
    assert.equal(await deft.composer().inputValue(), '');
    assert.equal(deft.requests(), 1);
  });

  it('stops and sends what is queued by Escape', async () => {
    await streaming();
    await deft.send('Do this instead');
    await queue().getByText('Do this instead').waitFor();
    await deft.composer().press('Escape');
    await deft.says('Going on.');
    assert.match(lastText(await deft.request(2)), /Do this instead/);
    assert.equal(await queue().count(), 0);
  });
});

/** Ids of the processes that have `argument` on their command line. */
function processesWith(argument: string): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id) || !existsSync(`/proc/${id}/cmdline`)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(argument);
    } catch {
      return false;
    }
  });
}
