// What a session has cost and what fills the window, on their page: opened by command, counted by the API, left with Esc.
import assert from 'node:assert/strict';
import { reply, text, toolUse, withFields } from '../support/messages-api/script';
import { eventually, openDeft, type DeftWindow } from './support/deft';
import { seriousProblems } from './support/accessibility';
import { answers } from './support/replies';

describe('usage of a session', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n', 'CLAUDE.md': 'Be brief.\n' } })));
  after(() => deft.close());

  const page = () => deft.chat().getByRole('main', { name: 'Usage of this session' });
  const table = (name: string | RegExp) => page().getByRole('table', { name });

  it('shows the cost by model, turn and tool', async () => {
    deft.script(
      withFields(reply(text('Looking.'), toolUse('Read', { file_path: `${deft.window.folder}/a.txt` })), {
        usage: { input_tokens: 100_000, cache_read_input_tokens: 300_000, output_tokens: 1_000 },
      }),
      answers('It says alpha.'),
    );
    await deft.send('What does a.txt say?');
    await deft.says('It says alpha.');
    await deft.idle();
    await deft.send('/cost');
    await table('By model').getByRole('rowheader').first().waitFor();
    await table('By turn')
      .getByRole('row', { name: /^What does a\.txt say\? 400k 75% / })
      .waitFor();
    await table(/^Tool results/)
      .getByRole('row', { name: /^Read 1 / })
      .waitFor();
    assert.deepEqual(await seriousProblems(deft.chat()), []);
  });

  it('shows what fills the window, and counts it on request', async () => {
    await page().getByRole('button', { name: 'Context' }).click();
    const held = table('What the next request contains');
    for (const name of ['Instructions', 'Built-in tools', 'Memory files and rules', 'Tool results', 'Free'])
      await held.getByRole('rowheader', { name }).waitFor();
    await page().getByText('Estimated.').waitFor();
    await page().getByRole('button', { name: 'Count exactly' }).click();
    await page()
      .getByText(/Counted by the API/)
      .waitFor();
    assert.ok(deft.api.otherRequests.some(({ path }) => path.endsWith('/count_tokens')));
    assert.equal(deft.requests(), 2, 'nothing was asked of the model');
    await page().getByRole('button', { name: 'Cost' }).press('Escape');
    await page().waitFor({ state: 'detached' });
    await eventually(
      () => deft.composer().evaluate((element) => element === element.ownerDocument.activeElement),
      'The message does not have the focus.',
    );
  });
});
