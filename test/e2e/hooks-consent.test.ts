// Hooks of a project that wait for the user: told in the chat, reviewed from there, and gone from it once they are allowed.
import assert from 'node:assert/strict';
import { eventually, lastText, openDeft, type DeftWindow } from './support/deft';
import { answers, runs } from './support/replies';

const settings = JSON.stringify({
  permissions: { allow: ['Bash(echo *)'] },
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "No echoes in this project." >&2; exit 2' }] },
    ],
  },
});

describe('hooks of a project', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({ files: { '.claude/settings.json': settings } });
    await deft.reviewGrants('Agree');
  });
  after(() => deft.close());

  it('are told in the chat while they are off, and run once they are allowed from there', async () => {
    const { page } = deft.window;
    const notice = deft.card('1 hook of this project is off.');
    await notice.getByText(/PreToolUse: echo/).waitFor();
    const question = page.locator('.notifications-toasts').getByText('hooks that Deft would run automatically');
    assert.equal(await question.count(), 0, 'nothing is asked beside it');
    deft.script(runs('echo one'), answers('Echoed.'));
    await deft.send('Echo');
    await deft.says('Echoed.');
    await deft.idle();

    await notice.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('tab', { name: /^Hooks\.md/ }).waitFor();
    await page.getByRole('button', { name: 'Allow These Hooks' }).first().click();
    await notice.waitFor({ state: 'detached' });
    await deft.newSession();
    deft.script(runs('echo two'), answers('Not allowed, it seems.'));
    await deft.send('Echo again');
    await deft.says('Not allowed, it seems.');
    await eventually(
      async () => lastText(await deft.request(2)).includes('No echoes in this project.'),
      'The hook did not run.',
    );
  });
});
