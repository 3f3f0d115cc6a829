// Edits that are applied at once: the strip that names them, Keep and Undo per hunk in the editor, after a reload too.
import assert from 'node:assert/strict';
import { openDeft, eventually, textsOf, type DeftWindow, type SentMessage } from './support/deft';
import { codeLens, openAndFocus } from './support/editor';
import { answers, readAndEdit } from './support/replies';

const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const original = `${lines.join('\n')}\n`;
const changed = original.replace('line 3\n', 'LINE 3\n').replace('line 15\n', 'LINE 15\n');

describe('editing automatically', () => {
  let deft: DeftWindow;
  let file = '';
  let files = 0;
  let turns = 0;
  before(async () => (deft = await openDeft()));
  after(() => deft.close());

  const strip = () => deft.chat().getByRole('region', { name: 'Changed files' });
  const onDisk = (text: string, what: string) => eventually(() => deft.window.read(file) === text, what);

  async function edits(): Promise<void> {
    // VS Code follows a file that changes on the disk only after a while: each test has one that is not open.
    file = `file-${++files}.txt`;
    deft.window.write(file, original);
    // Said once only: the words of an earlier turn would pass for this one's.
    const said = `Edit number ${files} is made.`;
    deft.script(readAndEdit(`${deft.window.folder}/${file}`, original, changed), answers(said));
    await deft.send('Edit it');
    await deft.says(said);
    await deft.idle();
    assert.equal(deft.window.read(file), changed, 'the edit is on the disk without a question');
    await strip().getByText('1 file', { exact: true }).waitFor();
  }

  /** What the next request says of the file outside of the calls: every line that names what became of it. */
  async function told(): Promise<string[]> {
    const said = `Turn ${++turns} is over.`;
    deft.script(answers(said));
    await deft.send('What now?');
    const messages = await deft.request(1);
    await deft.says(said);
    await deft.idle();
    return messages
      .flatMap(({ content }) => textsOf(content))
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.includes(file) && /undid|reverted|has changed|no longer|is again/.test(line));
  }

  /** In the next request, and in the one after it no second time. */
  async function toldOnce(sentence: string): Promise<void> {
    for (const turn of ['next', 'second']) {
      const lines = await told();
      assert.equal(lines.length, 1, `${turn}: ${lines.join('\n')}`);
      assert.ok(lines[0]?.startsWith(sentence), lines[0]);
    }
  }

  it('is chosen in the mode menu', async () => {
    await deft.button('Mode: Manual').click();
    await deft.chat().getByRole('menuitemradio', { name: 'Edit automatically' }).click();
    await deft.button('Mode: Edit automatically').waitFor();
  });

  it('keeps one hunk and undoes another through their rows in the editor', async () => {
    await edits();
    await openAndFocus(deft.window.page, file);
    await codeLens(deft.window.page, 'Undo', 1).click();
    await onDisk(changed.replace('LINE 15\n', 'line 15\n'), 'The second hunk is not undone.');
    await codeLens(deft.window.page, 'Keep').click();
    await strip().waitFor({ state: 'detached' });
    assert.equal(deft.window.read(file), changed.replace('LINE 15\n', 'line 15\n'));
    await toldOnce(`The user undid a part of what was edited in ${deft.window.folder}/${file}.`);
    const shown = deft.api.requests.at(-1)?.body['messages'] as SentMessage[];
    assert.match(shown.flatMap(({ content }) => textsOf(content)).join('\n'), /-LINE 15\n\+line 15/);
  });

  it('shows the removed lines in the peek and undoes the hunk there', async () => {
    await edits();
    await openAndFocus(deft.window.page, file);
    await codeLens(deft.window.page, '1 removed').click();
    const peek = deft.window.page.locator('.dirty-diff');
    await peek
      .getByText(/line.3/)
      .first()
      .waitFor();
    // VS Code hides the peek from roles.
    await peek.locator('[aria-label^="Undo Change"]').click();
    await onDisk(changed.replace('LINE 3\n', 'line 3\n'), 'The first hunk is not undone.');
    await strip().getByRole('button', { name: 'Keep' }).click();
    await strip().waitFor({ state: 'detached' });
  });

  it('undoes everything, also after a reload', async () => {
    await edits();
    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    await strip().getByText('1 file', { exact: true }).waitFor();
    await strip().getByRole('button', { name: '1 file changed' }).click();
    await strip()
      .getByRole('button', { name: `Undo ${file}` })
      .waitFor();
    await strip().getByRole('button', { name: 'Undo all' }).click();
    await onDisk(original, 'The file is not as it was.');
    await strip().waitFor({ state: 'detached' });
    await toldOnce(`The user reverted your edit of ${deft.window.folder}/${file}; it stands as before it.`);
  });

  it('goes to the changes by "Review" and keeps them by the commands', async () => {
    await edits();
    await strip().getByRole('button', { name: 'Review' }).click();
    await deft.window.page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor();
    await deft.window.page.locator('.statusbar').getByText('Ln 3, Col 1').waitFor();
    await deft.window.command('Deft: Next Edit');
    await deft.window.page.locator('.statusbar').getByText('Ln 15, Col 1').waitFor();
    await deft.window.command('Deft: Keep All Changes');
    await strip().waitFor({ state: 'detached' });
    assert.equal(deft.window.read(file), changed);
    assert.deepEqual(await told(), [], 'what was kept stands as the model wrote it');
  });
});
