// The first run: without a key, with a wrong one, and the demo, which needs none.
import assert from 'node:assert/strict';
import { httpError } from '../support/messages-api/script';
import { notification, quickInput } from '../rig/workbench';
import { eventually, openChat, openDeft, type DeftWindow } from './support/deft';
import { takesAsSaid } from './support/goals';
import { answers } from './support/replies';

const noKey = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined };

describe('the first run', () => {
  describe('without a key', () => {
    let deft: DeftWindow;
    before(async () => (deft = await openDeft({ env: noKey })));
    after(() => deft.close());

    const title = () => deft.chat().getByRole('heading', { name: 'Connect Deft to a model' });

    async function typeKey(key: string): Promise<void> {
      const { page } = deft.window;
      await quickInput(page).fill(key);
      assert.equal(await quickInput(page).getAttribute('type'), 'password');
      await page.keyboard.press('Enter');
      await notification(page, 'Deft: the API key is set.').first().waitFor();
      // Left there it would be taken for the message about the next key, before that one is set.
      await deft.window.command('Notifications: Clear All Notifications');
    }

    it('offers a key, another provider and the demo', async () => {
      await title().waitFor();
      await deft.button('Enter an API key').waitFor();
      await deft.button('Use another provider or base URL').waitFor();
      await deft.button('Try the demo').waitFor();
      assert.equal(await deft.button("Use VS Code's models").count(), 0, 'no extension here offers any');
    });

    it('says that no key is set when one asks all the same', async () => {
      await deft.send('Hello?');
      await deft.says(/No API key is set/);
      await deft.card('No API key is set.').getByRole('button', { name: 'Set API key' }).waitFor();
      await deft.newSession();
    });

    it('offers it again once the key was cleared, and asks nobody', async () => {
      await deft.button('Enter an API key').click();
      await typeKey('vendor-key');
      await title().waitFor({ state: 'detached' });
      await deft.window.command('Deft: Clear API Key');
      await notification(deft.window.page, 'the stored API key was removed').first().waitFor();
      await title().waitFor();
      await deft.send('Still there?');
      await deft
        .card('No API key is set.')
        .getByText(/No API key is set/)
        .first()
        .waitFor();
      assert.equal(deft.requests(), 0);
      await deft.newSession();
      await deft.window.command('Notifications: Clear All Notifications');
    });

    it('works with the key that is entered, and offers to change a wrong one', async () => {
      await deft.button('Enter an API key').click();
      await typeKey('vendor-key');
      await title().waitFor({ state: 'detached' });
      await deft.configure({ 'deft.baseUrl': deft.api.url });
      // The earlier key was entered for another host, and is not sent to this one.
      await deft.window.command('Deft: Set API Key');
      await typeKey('first-key');
      deft.script(httpError(401, 'authentication_error', 'invalid x-api-key'), answers('Hello.'));
      await deft.send('Hello?');
      const failed = deft.card('The API key was not accepted.');
      await failed.getByText(/not accepted by/).waitFor();
      assert.equal(deft.api.requests.at(-1)?.headers['x-api-key'], 'first-key');
      await failed.getByRole('button', { name: 'Change key' }).click();
      await typeKey('second-key');
      await deft.send('Hello again?');
      await deft.says('Hello.');
      assert.equal(deft.api.requests.at(-1)?.headers['x-api-key'], 'second-key');
    });
  });

  describe('with the demo', () => {
    let deft: DeftWindow;
    before(async () => {
      deft = await openDeft({
        env: { ...noKey, DEFT_SAMPLE_TOKEN: 'of this start' },
        copyOf: 'media/sample',
        files: { '.deft-sample': 'of this start' },
        openChat: false,
      });
    });
    after(() => deft.close());

    it('finds, mends and tests the bug without any model', async () => {
      await deft.chat().getByText('Demo: a scripted model answers, not a real one.').waitFor();
      await deft.button('Model: Demo').waitFor();
      await eventually(async () => (await deft.composer().inputValue()) !== '', 'The composer has no prompt.');
      await takesAsSaid('Get a first answer without a key', (hand) => hand.press(deft.composer(), 'Enter'));
      await deft.approval('Approve: Edit src/coupon.js').waitFor({ timeout: 30_000 });
      await deft.button('Accept').click();
      const command = deft.approval('Approve: Bash node --test');
      await command.waitFor({ timeout: 30_000 });
      await command.getByRole('button', { name: 'Accept' }).click();
      await deft.says(/All \d+ tests pass/);
      await deft.card('Ran node --test').waitFor();
      assert.equal(await deft.conversation().getByText('npm').count(), 0, 'npm talks in the demo');
      assert.match(deft.window.read('src/coupon.js'), /daysBetween\(today, coupon\.lastDay\) < 0;/);
      await deft.idle();
    });
  });

  describe('without a folder', () => {
    let deft: DeftWindow;
    before(async () => (deft = await openDeft({ folder: false, openChat: false })));
    after(() => deft.close());

    it('talks', async () => {
      await openChat(deft);
      deft.script(answers('There is no folder here.'));
      await deft.send('Where am I?');
      await deft.says('There is no folder here.');
    });
  });
});
