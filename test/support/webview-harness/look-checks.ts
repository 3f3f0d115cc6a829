// How things look where it matters for use: what answers stays visible, text reads in its own direction, cards keep to two lines.
import assert from 'node:assert/strict';
import { type Locator } from 'playwright-core';
import { type ToolItem } from '../../../src/shared/chat';
import { type Check } from './checks';
import { approvals, finished, snapshot, usage, working } from './conversations';
import { drawn } from './harness';

const asked = approvals.find(({ toolName }) => toolName === 'Bash');
if (asked?.view.kind !== 'terminal') throw new Error('No approval of a command to show.');
const commandView = asked.view;

const heightOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().height);

/** Hebrew, with code and English in it, then English. */
const mixed =
  'טקסט עם `code()` ו-English באמצע.\n\nAn English paragraph.\n\n- פריט\n\n```js\nconst a = 1;\n```\n\n- [x] done';

export const lookChecks: readonly Check[] = [
  ...[500, 700].map((height): Check => ({
    name: `looks: the answers of a long command are in sight at 300 x ${height}, and the command scrolls`,
    options: { width: 300, height },
    run: async ({ send, page }) => {
      const command = Array.from({ length: 80 }, (_, line) => `echo "line ${line} of a long command"`).join('\n');
      await send(
        snapshot({ ...working, status: 'waiting', approvals: [{ ...asked, view: { ...commandView, command } }] }),
      );
      const frame = page.getByRole('region', { name: 'Command' });
      await frame.waitFor();
      for (const name of ['Accept', 'Reject']) {
        const box = await page.getByRole('button', { name, exact: true }).boundingBox();
        assert.ok(box && box.y + box.height <= height, `${name} is at ${box?.y} of ${height}`);
      }
      const { shown, whole } = await frame.evaluate((element) => ({
        shown: element.clientHeight,
        whole: element.scrollHeight,
      }));
      assert.ok(whole > shown && shown >= 40, `${shown} of ${whole} pixels of the command are shown`);
    },
  })),
  {
    name: 'looks: a short command has no empty lines, and code in what Deft says has no marks',
    options: { width: 300, height: 700 },
    run: async ({ send, page }) => {
      const card = {
        ...asked,
        reason: 'No rule matches `npm run build`.',
        suggestions: [{ label: 'Always allow `npm run build` in this session' }],
        view: { ...commandView, command: 'npm run build' },
      };
      await send(snapshot({ ...working, status: 'waiting', approvals: [card] }));
      const frame = page.getByRole('region', { name: 'Command' });
      await frame.waitFor();
      assert.ok((await heightOf(frame)) <= 28, `${await heightOf(frame)} pixels for one line`);
      await page.getByRole('button', { name: 'Always allow npm run build in this session', exact: true }).waitFor();
      assert.match(
        await page.getByRole('group', { name: /^Approve/ }).innerText(),
        /No rule matches npm run build\. Why\?/,
      );
    },
  },
  {
    name: 'looks: one frame at a time says that it has the focus',
    run: async ({ send, page }) => {
      await send(snapshot({ ...working, status: 'waiting', approvals: [asked] }));
      const frames = [page.getByRole('group', { name: /^Approve/ }), page.locator('.composer-box')];
      const colours = () =>
        Promise.all(frames.map((frame) => frame.evaluate((element) => getComputedStyle(element).borderTopColor)));
      await page.getByRole('textbox', { name: 'Message' }).focus();
      const [quietApproval, focusedComposer] = await colours();
      assert.notEqual(quietApproval, focusedComposer);
      await page.getByRole('button', { name: 'Accept', exact: true }).focus();
      const [focusedApproval, quietComposer] = await colours();
      assert.equal(focusedApproval, focusedComposer);
      assert.notEqual(quietComposer, focusedComposer);
    },
  },
  {
    name: 'looks: no share of the context is told before there is one',
    run: async ({ send, page }) => {
      await send(snapshot({ usage: { ...usage, contextTokens: 0, costUsd: 0 } }));
      await page.getByRole('button', { name: /^Model: / }).waitFor();
      assert.equal(await page.getByRole('button', { name: /^Context: / }).count(), 0);
    },
  },
  {
    name: 'looks: the line of a command takes two lines at most while it runs and afterwards',
    options: { width: 300 },
    run: async ({ send, page }) => {
      const sentence = `echo one; sleep 12; echo "a long line of output that does not wrap because terminals do not wrap …`;
      const tool = (change: Partial<ToolItem>): ToolItem => ({
        kind: 'tool',
        id: 'long',
        name: 'Bash',
        readOnly: false,
        detail: '',
        state: 'running',
        startedAt: Date.now() - 5_000,
        sentence: { now: `Running ${sentence}`, past: `Ran ${sentence}` },
        view: { ...commandView, command: sentence, state: 'running', tail: 'one\n' },
        ...change,
      });
      const line = page.getByRole('group', { name: /^(Running|Ran) echo/ }).locator('.tool-line');
      await send(snapshot({ status: 'working', items: [tool({})] }));
      const running = await heightOf(line);
      assert.ok(running <= 44, `${running} pixels while it runs`);
      await send(
        snapshot(
          {
            status: 'idle',
            items: [
              tool({
                state: 'done',
                durationMs: 12_000,
                view: { ...commandView, command: sentence, state: 'exited', exitCode: 0, tail: 'one\n' },
              }),
            ],
          },
          {},
          2,
        ),
      );
      await page.getByRole('group', { name: /^Ran echo/ }).waitFor();
      assert.equal(await heightOf(line), running, 'the line jumps when the command ends');
    },
  },
  {
    name: 'looks: each paragraph reads in the direction of its text, and code from left to right',
    run: async ({ send, page }) => {
      await send(
        snapshot({
          ...finished,
          items: [
            { kind: 'user', id: 'u', text: 'שלום\nhello', attachments: [], images: 0, steering: false },
            { kind: 'text', id: 't', text: mixed, streaming: false },
          ],
        }),
      );
      await drawn(page);
      const directions = await page
        .getByRole('log')
        .evaluate((log) =>
          ['p', 'ul', 'p code', '.code-block'].map(
            (what) => getComputedStyle(log.querySelector(`.markdown ${what}`) ?? log).direction,
          ),
        );
      assert.deepEqual(directions, ['rtl', 'rtl', 'ltr', 'ltr']);
      assert.equal(
        await page.getByText('An English paragraph.').evaluate((element) => getComputedStyle(element).direction),
        'ltr',
      );
      assert.equal(
        await page.locator('.user-text').evaluate((element) => getComputedStyle(element).unicodeBidi),
        'plaintext',
      );
    },
  },
  {
    name: 'looks: the find bar does not stand over the first message',
    run: async ({ send, page }) => {
      await send(
        snapshot({ items: [{ kind: 'user', id: 'u', text: 'one', attachments: [], images: 0, steering: false }] }),
      );
      await page.getByRole('textbox', { name: 'Message', exact: true }).press('Control+f');
      const bar = await page.locator('.find').boundingBox();
      const message = await page.locator('.user').boundingBox();
      assert.ok(bar && message && message.y >= bar.y + bar.height, JSON.stringify({ bar, message }));
    },
  },
  {
    name: 'looks: a light theme of high contrast has light checkboxes, and shows which button does nothing',
    options: { theme: 'contrast' },
    run: async ({ send, page }) => {
      // As VS Code names it: the dark one's class comes with it.
      await page.evaluate(() => (document.body.className = 'vscode-high-contrast-light vscode-high-contrast'));
      await send(snapshot({ ...finished, items: [{ kind: 'text', id: 't', text: mixed, streaming: false }] }));
      assert.notEqual(
        await page.getByRole('checkbox', { name: 'Done' }).evaluate((element) => getComputedStyle(element).colorScheme),
        'dark',
      );
      const look = await page.evaluate(() => {
        const button = document.createElement('button');
        button.className = 'button button-primary';
        button.disabled = true;
        document.body.append(button);
        return getComputedStyle(button).backgroundColor;
      });
      assert.equal(look, 'rgba(0, 0, 0, 0)');
    },
  },
];
