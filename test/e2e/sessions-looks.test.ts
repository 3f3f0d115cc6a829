// How sessions look from outside, in each theme: the view with every state, the signs on tabs, and the status bar, whose words can be read.
import assert from 'node:assert/strict';
import { type FrameLocator } from 'playwright-core';
import { resizeSideBar } from '../rig/workbench';
import { gate, httpError, reply, text, toolUse } from '../support/messages-api/script';
import { openDeft, type DeftWindow } from './support/deft';
import { openAndFocus } from './support/editor';
import { answers, opened, runs } from './support/replies';
import { lookedAt } from './support/window';

const enough = 4.5;
describe('looks of sessions', () => {
  for (const theme of lookedAt(['dark'], ['light', 'high-contrast', 'high-contrast-light'])) {
    describe(theme, () => {
      let deft: DeftWindow;
      before(async () => (deft = await openDeft({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' }, theme })));
      after(() => deft.close());

      const send = async (chat: FrameLocator, words: string) => {
        await chat.getByRole('textbox', { name: 'Message' }).fill(words);
        await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
      };
      const row = (name: RegExp) => deft.window.page.getByRole('treeitem', { name }).first();

      it('shows who waits, works, has finished, has failed and rests', async () => {
        const { page } = deft.window;
        const [first, second, third] = [opened(), opened(), opened()];
        deft.script(answers('All is well.'));
        await deft.send('Is all well?');
        await deft.says('All is well.');
        await deft.newSession();
        await deft.window.command('Deft: New Chat in Editor');
        deft.script(runs('node -p 6*7'));
        await send(deft.window.chat(1), 'Run it');
        await deft.window
          .chat(1)
          .getByRole('group', { name: /^Approve: Bash/ })
          .waitFor();
        await openAndFocus(page, 'a.txt');
        await deft.window.command('Deft: New Chat in Editor');
        deft.script(reply(text('A moment', gate(first.promise), ', and done.')));
        await send(deft.window.chat(1), 'Finish it');
        await deft.window.chat(1).getByText('A moment').waitFor();
        await openAndFocus(page, 'b.txt');
        first.open();
        await deft.window.command('Deft: New Chat in Editor');
        deft.script(
          reply(text('It begins', gate(second.promise)), toolUse('Glob', { pattern: '*' })),
          httpError(401, 'authentication_error', 'invalid x-api-key'),
        );
        await send(deft.window.chat(1), 'Fail at it');
        await deft.window.chat(1).getByText('It begins').waitFor();
        await openAndFocus(page, 'c.txt');
        second.open();
        await page
          .locator('.notifications-toasts')
          .getByText(/Fail at it/)
          .waitFor();
        deft.script(reply(text('I think', gate(third.promise), '.')));
        await deft.send('Think about it');
        await deft.says('I think');
        await resizeSideBar(page, 420);
        await deft.window.command('Deft: Show Sessions');
        await row(/^Run it, waiting for you/).waitFor();
        await row(/^Think about it, working/).waitFor();
        await row(/^Finish it, finished/).waitFor();
        await row(/^Fail at it, failed/).waitFor();
        await row(/^Is all well\?, idle, All is well\./).waitFor();
        const entry = page.locator('.statusbar-item', { hasText: '1 chat waits' });
        await entry.waitFor();
        await page.mouse.move(900, 400);
        await deft.window.picture(`sessions-${theme}`);
        await row(/^Run it, waiting for you/).hover();
        await deft.window.picture(`sessions-hover-${theme}`);
        const [ink, paper] = await entry.locator('a').evaluate((label) => {
          const parse = (color: string) => color.match(/[\d.]+/g)?.map(Number) ?? [];
          let paper: number[] = [];
          for (let at: Element | null = label; at !== null; at = at.parentElement) {
            paper = parse(getComputedStyle(at).backgroundColor);
            if (paper.length === 3 || (paper[3] ?? 0) > 0.99) break;
          }
          return [parse(getComputedStyle(label).color), paper];
        });
        const contrast = contrastOf(ink ?? [], paper ?? []);
        assert.ok(contrast >= enough, `“1 chat waits” has a contrast of ${contrast.toFixed(1)}`);
        third.open();
        await deft.idle();
      });
    });
  }
});

/** As WCAG 2 defines it. */
function contrastOf(ink: readonly number[], paper: readonly number[]): number {
  const light = (color: readonly number[]): number => {
    const [r = 0, g = 0, b = 0] = color.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(ink), light(paper)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
