// Compaction as a user does it: /compact, reading, editing and undoing the summary, and what the model is sent after each.
import assert from 'node:assert/strict';
import { resizeSideBar } from '../rig/workbench';
import { gate, reply, text, withFields } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { openDeft, textsOf, type DeftWindow } from './support/deft';
import { activeEditor } from './support/editor';
import { answers, opened } from './support/replies';
import { lookedAt } from './support/window';

const long = 'This answer is long enough to be summarised. '.repeat(900);

for (const theme of lookedAt(['dark'], ['light'])) {
  describe(`compaction in ${theme}`, () => {
    let deft: DeftWindow;
    before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n' }, theme })));
    after(() => deft.close());
    beforeEach(() => deft.newSession());

    /** A line of the editor, whose blanks are no-break spaces. */
    const line = (text: RegExp) =>
      activeEditor(deft.window.page).locator('.view-line').filter({ hasText: text }).first();

    const compacted = () => deft.card(/^Conversation compacted/);
    /** To a screen reader. */
    const spoken = (text: RegExp) =>
      deft.chat().locator('[role="status"][aria-live="polite"]').getByText(text).first().waitFor({ state: 'attached' });
    const sent = async (n: number): Promise<string> =>
      (await deft.request(n)).flatMap(({ content }) => textsOf(content)).join('\n');

    it('announces it, and gives the summary to read, to edit and to undo', async () => {
      const held = opened();
      deft.script(
        withFields(reply(text(long)), { usage: { input_tokens: 150_000, output_tokens: 4_000 } }),
        reply(text('## Goal\n\nMind the ', gate(held.promise), 'alpha.')),
        answers('After the edit.'),
        answers('After the undo.'),
      );
      await deft.send('Explain "alpha" to me');
      await deft.says(/This answer is long enough/);
      await deft.idle();
      await deft.send('/compact the alpha');
      await deft.card('Compacting the conversation…').waitFor();
      await spoken(/^Compacting the conversation…$/);
      assert.match(await sent(2), /asks you to keep this: the alpha/);
      held.open();
      await compacted().waitFor();
      await deft.idle();
      await spoken(/^Conversation compacted: 154k → [\d.]+k tokens$/);
      assert.match(
        (await compacted().getAttribute('aria-label')) ?? '',
        /^Conversation compacted: 154k → [\d.]+k tokens$/,
      );
      await deft.says(/This answer is long enough/);
      assert.deepEqual(await seriousProblems(deft.chat()), []);
      await deft.window.picture(`compaction-${theme}`);
      await resizeSideBar(deft.window.page, 300);
      await deft.window.picture(`compaction-${theme}-300`);

      await compacted().getByRole('button', { name: 'Read summary' }).click();
      await line(/was\scompacted/).waitFor();

      await compacted().getByRole('button', { name: 'Edit summary' }).click();
      // The text to read, which stands there until then, holds the line too.
      await deft.window.page.locator('.tab.active[data-resource-name="compaction-1-summary.md"]').waitFor();
      await line(/^Mind\sthe\salpha\.$/).click();
      await deft.window.page.keyboard.press('Control+A');
      await deft.window.page.keyboard.type('Only beta counts.');
      await line(/^Only\sbeta\scounts\.$/).waitFor();
      await deft.window.page.keyboard.press('Control+S');
      await deft.says(/the summary is as you edited it/);
      await deft.send('Next');
      await deft.says('After the edit.');
      const edited = await sent(3);
      assert.match(edited, /Only beta counts\./);
      assert.match(edited, /Explain "alpha" to me/);
      assert.doesNotMatch(edited, /Mind the alpha|long enough to be summarised/);

      await compacted().getByRole('button', { name: 'Undo' }).click();
      await deft.card('Compaction undone').waitFor();
      await deft.send('And now');
      await deft.says('After the undo.');
      const undone = await sent(4);
      assert.match(undone, /long enough to be summarised/);
      assert.doesNotMatch(undone, /Only beta counts/);
    });
  });
}
