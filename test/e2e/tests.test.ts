// Tests from the chat: the approval shows the command, the card the failures with their lines, and "@test" attaches the last run.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { reply, toolUse } from '../support/messages-api/script';
import { plantedProjects } from '../support/planted-projects';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { seriousProblems } from './support/accessibility';
import { answers } from './support/replies';

/** The second test waits until the window has shown what the first one came to. */
const slow = `import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
test('has a price', () => assert.equal('4', 4));
test('is slow', async () => {
  while (!existsSync('over')) await new Promise((resolve) => setTimeout(resolve, 50));
});
`;

for (const theme of ['dark', 'light'] as const)
  describe(`Tests in the chat, ${theme}`, () => {
    let deft: DeftWindow;
    before(async () => (deft = await openDeft({ files: plantedProjects.node.files, theme })));
    after(() => deft.close());

    it('asks with the command, and the card leads to each failure', async () => {
      deft.script(
        reply(toolUse('ToolSearch', { query: 'select:Tests' })),
        reply(toolUse('Tests', {})),
        answers('Four fail.'),
      );
      await deft.send('Run the tests');
      await deft.button('Accept').waitFor({ timeout: 60_000 });
      await deft.chat().getByText('node --test --test-reporter=tap').first().waitFor();
      await deft.button('Accept').click();
      await deft.says('Four fail.');
      await deft.idle();
      assert.match(
        lastText(await deft.request(deft.requests())),
        /^4 failed, 6 passed, 1 skipped in .*\(node:test\)\./m,
      );
      const card = deft.card('Ran all tests');
      await card.getByText('4 failed', { exact: false }).first().waitFor();
      assert.deepEqual(await seriousProblems(deft.chat()), []);
      await deft.window.picture(`tests-${theme}`);
      await card.getByRole('link', { name: 'cart > adds prices' }).click();
      await deft.window.page
        .locator('.part.editor .tab.active', { hasText: 'cart.test.mjs' })
        .waitFor({ timeout: 20_000 });
      await deft.window.page.locator('.statusbar-item', { hasText: 'Ln 7' }).waitFor({ timeout: 20_000 });
    });

    it('@test attaches the last run', async () => {
      deft.script(answers('I see four.'));
      await deft.composer().pressSequentially('@te');
      await deft.chat().locator('[role=option]:has(.codicon-beaker)').waitFor();
      await deft.composer().fill('');
      await deft.send('What about @test here?');
      await deft.says('I see four.');
      await deft.idle();
      assert.match(
        lastText(await deft.request(deft.requests())),
        /<attachment shows="test">\n4 failed, 6 passed, 1 skipped in [^]*test\/cart\.test\.mjs\n {2}7 cart > adds prices: expected 3, actual 4/,
      );
    });

    it('lists what has failed while the others still run, and the keyboard leads to the line', async () => {
      deft.window.write('slow/prices.test.mjs', slow);
      deft.script(reply(toolUse('Tests', { path: 'slow/prices.test.mjs' })), answers('One of the slow ones fails.'));
      await deft.send('Run the slow tests');
      await deft.button('Accept').click();
      const running = deft.card('Running the tests in slow/prices.test.mjs');
      const row = running.getByRole('link', { name: 'has a price', exact: true });
      await row.waitFor({ timeout: 30_000 });
      await running.getByText('Running…').waitFor();
      assert.deepEqual(await seriousProblems(deft.chat()), []);
      await deft.window.picture(`tests-running-${theme}`);
      await row.press('Enter');
      await deft.window.page
        .locator('.part.editor .tab.active', { hasText: 'prices.test.mjs' })
        .waitFor({ timeout: 20_000 });
      await deft.window.page.locator('.statusbar-item', { hasText: 'Ln 4' }).waitFor({ timeout: 20_000 });
      await running.waitFor();
      deft.window.write('over', '');
      await deft.says('One of the slow ones fails.');
      await deft.idle();
      await deft.card('Ran the tests in slow/prices.test.mjs').getByText('1 failed, 1 passed').waitFor();
      rmSync(path.join(deft.window.folder, 'slow'), { recursive: true });
    });

    it('the ledger of a turn marks a claim, runs a check again, and is there after a reload', async () => {
      await deft.newSession();
      deft.script(
        reply(toolUse('Bash', { command: 'node --test' })),
        reply(toolUse('Write', { file_path: `${deft.window.folder}/src/extra.mjs`, content: 'export {};\n' })),
        answers('Extended. All tests pass.'),
      );
      await deft.send('Extend it');
      await deft.approval('Approve: Bash node --test').waitFor();
      await deft.button('Accept').click();
      await deft.approval(/^Approve: Write/).waitFor();
      await deft.button('Accept').click();
      await deft.says('Extended.');
      await deft.idle();
      const ledger = deft.card('Proof of this turn');
      const line = ledger.getByRole('button', { name: /^1 file changed · 4 of 10 tests failed before the last edit/ });
      await line.click();
      const claim = deft.conversation().locator('.claim', { hasText: 'All tests pass.' });
      await claim.waitFor();
      assert.equal(await claim.getAttribute('title'), 'No test ran after the last edit of src/extra.mjs.');
      assert.deepEqual(await seriousProblems(deft.chat()), []);
      await deft.window.picture(`ledger-${theme}`);
      await ledger.getByRole('button', { name: 'Run again' }).click();
      await deft.approval('Approve: Bash node --test').waitFor();
      await deft.button('Accept').click();
      await ledger.getByText('4 of 10 tests failed, after the last edit, run by you').waitFor({ timeout: 60_000 });
      await deft.window.reload();
      await deft.composer().waitFor({ timeout: 60_000 });
      await claim.waitFor();
      await ledger
        .getByRole('button', { name: /^1 file changed · 4 of 10 tests failed after the last edit/ })
        .waitFor();
    });
  });
