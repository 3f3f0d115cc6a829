// What the editor runs for the agent, in the chat: a program under its debugger, a task, cells of a notebook. Each is asked about with what runs.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { resizeSideBar } from '../rig/workbench';
import { reply, toolUse } from '../support/messages-api/script';
import { codeCell, notebookText } from '../support/notebooks';
import { seriousProblems } from './support/accessibility';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';
import { isForPictures, lookedAt } from './support/window';

const javascript = {
  metadata: {
    kernelspec: { display_name: 'JavaScript', language: 'javascript', name: 'javascript' },
    language_info: { name: 'javascript', file_extension: '.js' },
  },
};
const files = {
  'src/total.js': `function total(list) {
  let sum = 0;
  for (const { price } of list) sum += price;
  return sum;
}
console.log(total([{ price: 2 }, { price: '4' }]));
`,
  // Both wait until the test has seen that they run.
  'check.js': `const { existsSync } = require('node:fs');
const look = setInterval(() => {
  if (!existsSync('checked')) return;
  clearInterval(look);
  console.log('src/total.js:6: error: The price is a text.');
  process.exitCode = 1;
}, 50);
`,
  'prices.ipynb': notebookText(
    [
      codeCell('load', "const prices = [2, '4'];\nuntil('counted')"),
      codeCell('sum', 'console.log(prices.reduce((sum, price) => sum + price, 0));'),
    ],
    javascript,
  ),
  '.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [
      {
        label: 'check prices',
        type: 'shell',
        command: 'node check.js',
        problemMatcher: {
          owner: 'prices',
          source: 'prices',
          fileLocation: ['relative', '${workspaceFolder}'],
          pattern: { regexp: '^(.*):(\\d+): (error|warning): (.*)$', file: 1, line: 2, severity: 3, message: 4 },
        },
      },
    ],
  }),
};

for (const theme of lookedAt(['light'], ['dark']))
  describe(`what the editor runs, in the chat, ${theme}`, () => {
    let deft: DeftWindow;
    before(async () => {
      deft = await openDeft({ files, theme, extraExtension: 'test/support/tool-extension' });
      await deft.window.command('Test: Offer a Kernel');
    });
    after(() => deft.close());

    /** For people to look at: as narrow as the side bar begins, and wider. */
    const look = async (name: string): Promise<void> => {
      assert.deepEqual(await seriousProblems(deft.chat()), []);
      await deft.window.picture(`${name}-${theme}-300`);
      if (!isForPictures) return;
      await resizeSideBar(deft.window.page, 480);
      await deft.window.picture(`${name}-${theme}-480`);
      await resizeSideBar(deft.window.page, 300);
    };
    const unfold = (card: Locator): Promise<void> => card.getByRole('button', { name: /^Details of / }).click();
    /** The keyboard is enough. */
    const follow = async (card: Locator, place: string, file: string, line: number): Promise<void> => {
      const { page } = deft.window;
      await card.getByRole('link', { name: place, exact: true }).press('Enter');
      await page.locator('.part.editor .tab.active', { hasText: file }).waitFor({ timeout: 20_000 });
      await page.locator('.statusbar-item', { hasText: `Ln ${line},` }).waitFor({ timeout: 20_000 });
    };

    it('a program is asked about, stops without opening a file, and ends with the turn', async () => {
      deft.script(
        reply(toolUse('ToolSearch', { query: 'select:Debug' })),
        reply(toolUse('Debug', { action: 'start', program: 'src/total.js', breakpoints: [{ at: 'src/total.js:4' }] })),
        answers('The price is a text.'),
      );
      await deft.send('Why is the total wrong?');
      const approval = deft.approval('Approve: Debug src/total.js (node)');
      await approval.waitFor({ timeout: 60_000 });
      await approval.getByText('src/total.js:4').waitFor();
      await look('debug-approval');
      await deft.button('Accept').click();
      await deft.says('The price is a text.');
      await deft.idle();
      const sent = await deft.request(deft.requests());
      assert.match(lastText(sent), /^Stopped at src\/total\.js:4 in total \(breakpoint\)\.[^]*sum = '24'/);
      const card = deft.card(/Debugged src\/total\.js/);
      await card.waitFor();
      assert.equal(await deft.window.page.locator('.part.editor .tab', { hasText: 'total.js' }).count(), 0);
      await deft.window.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
      await unfold(card);
      await card.getByText("sum = '24'").waitFor();
      await look('debug-card');
      await follow(card, 'src/total.js:6', 'total.js', 6);
    });

    it('a task is asked about by its name and its command, and what its matcher finds leads to the line', async () => {
      deft.script(
        reply(toolUse('ToolSearch', { query: 'select:RunTask' })),
        reply(toolUse('RunTask', { task: 'check prices' })),
        answers('The matcher found it.'),
      );
      await deft.send('Check the prices');
      const approval = deft.approval('Approve: Run the task "check prices"?');
      await approval.waitFor({ timeout: 60_000 });
      await approval.getByRole('heading', { name: 'Run the task "check prices"?' }).waitFor();
      await approval.getByRole('region', { name: 'Command' }).getByText('node check.js').waitFor();
      await look('task-approval');
      await deft.button('Accept').click();
      await deft.card('Running the task check prices').waitFor();
      await look('task-running');
      deft.window.write('checked', '');
      await deft.says('The matcher found it.');
      await deft.idle();
      assert.match(
        lastText(await deft.request(deft.requests())),
        /ended with exit code 1\. 1 problem since it began:\nsrc\/total\.js:6 error The price is a text\./,
      );
      const card = deft.card('Ran the task check prices');
      await card.getByText('exit code 1, 1 problem').waitFor();
      await look('task-card');
      await follow(card, 'src/total.js:6', 'total.js', 6);
    });

    it('cells are asked about with their code, and the card has what they print', async () => {
      deft.script(
        reply(toolUse('ToolSearch', { query: 'select:RunCells' })),
        reply(toolUse('RunCells', { notebook_path: `${deft.window.folder}/prices.ipynb` })),
        answers('The cells add texts.'),
      );
      await deft.send('Run the notebook');
      const approval = deft.approval('Approve: Run 2 cells of prices.ipynb');
      await approval.waitFor({ timeout: 60_000 });
      await approval.getByText('prices.reduce').waitFor();
      assert.equal(await approval.getByRole('button', { name: 'Insert at cursor' }).count(), 0);
      await look('cells-approval');
      await deft.button('Accept').click();
      await deft.card('Running the cells of prices.ipynb').waitFor();
      await look('cells-running');
      deft.window.write('counted', '');
      await deft.says('The cells add texts.');
      await deft.idle();
      assert.match(lastText(await deft.request(deft.requests())), /^load ran, with no output\.\nsum ran:\n24$/);
      const card = deft.card('Ran the cells of prices.ipynb');
      await unfold(card);
      await card.getByText('sum ran:').waitFor();
      await look('cells-card');
      // The notebook is in front, and goes along by its name in the workspace.
      await deft
        .chat()
        .locator('.chip', { hasText: /^prices\.ipynb$/ })
        .waitFor();
    });
  });
