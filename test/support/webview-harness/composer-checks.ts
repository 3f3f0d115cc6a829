// The composer where it is easy to go wrong: keys that are faster than the host, messages written anew, files that are dropped, low views.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type ChatItem } from '../../../src/shared/chat';
import { type Check, focused, moving, posts } from './checks';
import { approvals, finished, snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';

const textbox = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const pixel = {
  name: 'Image',
  mediaType: 'image/gif',
  data: 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
};

async function suggest(harness: Harness, typed: string): Promise<void> {
  const { page, answer } = harness;
  await textbox(page).pressSequentially(typed);
  await page.waitForFunction(
    (query) =>
      (window as unknown as { posted: { type: string; query?: string }[] }).posted.some(
        (message) => message.type === 'mention' && message.query === query,
      ),
    typed.slice(typed.indexOf('@') + 1),
  );
  await answer('mention', [
    { path: 'src/date.ts', kind: 'file' },
    { path: 'src/data', kind: 'folder' },
  ]);
  await page.getByRole('option').first().waitFor();
}

/** Dropped as the browser hands it over. */
const drop = (page: Page, type: string, name: string) =>
  page.evaluate(
    async ([kind, file]) => {
      const blob = await new Promise<Blob | null>((resolve) => document.createElement('canvas').toBlob(resolve));
      const data = new DataTransfer();
      data.items.add(new File(blob ? [blob] : [], file, { type: kind }));
      document
        .querySelector('.transcript')
        ?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [type, name] as const,
  );

export const composerChecks: Check[] = [
  {
    name: 'a key chooses no mention that is for less than what stands there, and keys with Alt are for others',
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot({ ...working, approvals }));
      await suggest(harness, '@da');
      await page.keyboard.press('Alt+Enter');
      assert.equal((await posts<{ approvalId: string }>(harness, 'decide')).approvalId, 'a1');
      assert.equal(await textbox(page).inputValue(), '@da');
      await page.keyboard.type('y');
      await page.keyboard.press('Tab');
      assert.deepEqual([await textbox(page).inputValue(), await focused(page)], ['@day', 'Message']);
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ text: string }>(harness, 'send')).text, '@day');
    },
  },
  {
    name: 'an answer to what was typed before is no answer to what stands there',
    run: async (harness) => {
      const { page, send, answer } = harness;
      await send(snapshot({}));
      await textbox(page).pressSequentially('@da');
      await posts(harness, 'mention');
      await page.keyboard.type('y');
      await answer('mention', [{ path: 'src/date.ts', kind: 'file' }]);
      await drawn(page);
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ text: string }>(harness, 'send')).text, '@day');
    },
  },
  {
    name: 'a message that is written anew brings its images, and a draft makes room and is had back',
    options: { width: 300 },
    run: async (harness) => {
      const { page, send, answer } = harness;
      await send(snapshot(finished));
      await textbox(page).fill('half a thought');
      await send({ type: 'writeAnew', text: 'Fix the test', images: [pixel] });
      await page.getByRole('img', { name: 'Image' }).waitFor();
      assert.equal(await textbox(page).inputValue(), 'Fix the test');
      const aside = page.getByRole('group', { name: 'Your draft' });
      await send({ type: 'writeAnew', text: 'Fix the tests', images: [pixel] });
      await aside.getByText('half a thought Fix the test', { exact: false }).waitFor();
      await aside.getByRole('button', { name: 'Discard your draft' }).click();
      await textbox(page).fill('half a thought');
      await page.getByRole('button', { name: 'Remove Image' }).click();
      await send({ type: 'writeAnew', text: 'Fix the test', images: [pixel] });
      await aside.waitFor();
      assert.ok(await aside.getByText('half a thought').isVisible());
      const { id } = await posts<{ id: string }>(harness, 'keepImage');
      await page.reload();
      const { ids } = await posts<{ ids: string[] }>(harness, 'keptImages');
      assert.deepEqual(ids, [id]);
      await answer('keptImages', [{ id, image: pixel }]);
      await send(snapshot(finished));
      await page.getByRole('img', { name: 'Image' }).waitFor();
      await page.keyboard.press('Tab');
      await textbox(page).focus();
      await page.keyboard.press('Enter');
      assert.deepEqual((await posts<{ images: unknown[] }>(harness, 'send')).images, [pixel]);
      await aside.getByRole('button', { name: 'Restore' }).click();
      assert.equal(await textbox(page).inputValue(), 'half a thought');
      await aside.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'in a low view menus and the composer stay on the page',
    options: { width: 300, height: 220 },
    run: async ({ page, send }) => {
      await send(
        snapshot({
          ...working,
          queue: Array.from({ length: 12 }, (_, index) => ({ id: `q${index}`, text: `Message ${index}` })),
        }),
      );
      for (let index = 0; index < 12; index++) await drop(page, 'image/png', `shot-${index}.png`);
      await page.getByRole('img', { name: 'shot-11.png' }).waitFor({ state: 'attached' });
      await drawn(page);
      const send_ = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
      assert.ok(send_ !== null && send_.y >= 0 && send_.y + send_.height <= 220, JSON.stringify(send_));
      const written = await textbox(page).boundingBox();
      assert.ok(written !== null && written.y >= 0 && written.y + written.height <= 220, JSON.stringify(written));
      await page.getByRole('button', { name: /^Mode:/ }).click();
      const menu = await page.getByRole('menu', { name: 'Mode' }).boundingBox();
      assert.ok(menu !== null && menu.y >= 0 && menu.y + menu.height <= 220, JSON.stringify(menu));
      await page.keyboard.press('Home');
      const first = await page.getByRole('menuitemradio').first().boundingBox();
      assert.ok(first !== null && first.y >= 0, JSON.stringify(first));
    },
  },
  {
    name: 'the live tail shows its newest line whole, also below a long one',
    run: async ({ page, send }) => {
      const tail = [
        ...Array.from({ length: 7 }, (_, index) => `line ${index} ${index === 3 ? 'long '.repeat(80) : ''}`),
        'newest',
      ].join('\n');
      const items = (working.items ?? []).map((item): ChatItem =>
        item.kind === 'tool' && item.view?.kind === 'terminal' ? { ...item, view: { ...item.view, tail } } : item,
      );
      await send(snapshot({ ...working, items }));
      const output = page.getByRole('region', { name: 'End of the output' });
      await output.waitFor();
      const room = await output.evaluate((element) => {
        // A scrollbar that takes room, as on Windows and Linux.
        document.styleSheets[0]?.insertRule('.terminal-output::-webkit-scrollbar { height: 14px }');
        const range = document.createRange();
        const text = element.firstChild;
        if (text === null) return undefined;
        range.setStart(text, (text.textContent ?? '').indexOf('newest'));
        range.setEnd(text, (text.textContent ?? '').length);
        const inner = element.getBoundingClientRect();
        return {
          newest: range.getBoundingClientRect().bottom,
          end: inner.top + element.clientTop + element.clientHeight,
          hidden: element.scrollHeight - element.clientHeight,
        };
      });
      assert.ok(room !== undefined && room.newest <= room.end && room.hidden <= 0, JSON.stringify(room));
      // Where the browser hides scrollbars, the room for one is still not taken from the lines.
      assert.equal(await output.evaluate((element) => getComputedStyle(element).maxHeight), 'none');
    },
  },
  {
    name: 'looks are one line, opened they are six, and the keyboard opens them',
    run: async ({ page, send }) => {
      const look = (index: number): ChatItem => ({
        kind: 'tool',
        id: `r${index}`,
        name: 'Read',
        sentence: { now: `Reading src/${index}.ts`, past: `Read src/${index}.ts` },
        state: 'done',
        readOnly: true,
        detail: '',
        view: { kind: 'files', items: [{ path: `src/${index}.ts` }], total: 1, truncated: false },
      });
      await send(
        snapshot({
          ...finished,
          items: [
            ...(finished.items ?? []).slice(0, 1),
            ...Array.from({ length: 6 }, (_, index) => look(index)),
            ...(finished.items ?? []).slice(-1),
          ],
        }),
      );
      const fold = page.getByRole('group', { name: 'Looked at 6 files' });
      await fold.waitFor();
      assert.equal(await page.getByText('Read src/3.ts').count(), 0);
      const twistie = page.getByRole('button', { name: 'Details of: Looked at 6 files' });
      await twistie.press('Enter');
      assert.equal(await twistie.getAttribute('aria-expanded'), 'true');
      assert.equal(await fold.getByRole('group', { name: /^Read src/ }).count(), 6);
      await twistie.press('Enter');
      assert.equal(await fold.getByRole('group', { name: /^Read src/ }).count(), 0);
    },
  },
  {
    name: "nothing moves where VS Code's own setting says so",
    run: async ({ page, send }) => {
      await send(snapshot({ ...working, approvals }));
      await page.getByRole('group', { name: 'Running npm test' }).waitFor();
      assert.ok((await moving(page)) > 0, 'otherwise the spinner turns');
      await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
      assert.equal(await moving(page), 0);
    },
  },
  {
    name: 'whatever can be pressed has a tooltip',
    run: async ({ page, send, answer }) => {
      const bare = () =>
        page
          .locator('button:not([title])')
          .evaluateAll((buttons) => buttons.map(({ outerHTML }) => outerHTML.slice(0, 160)));
      await send(
        snapshot({
          ...finished,
          items: [
            { kind: 'user', id: 'u', text: 'long\n'.repeat(60), attachments: [], images: 0, steering: false },
            ...(finished.items ?? []),
          ],
        }),
      );
      await page.getByRole('button', { name: 'Show all of the message' }).waitFor();
      await page.getByRole('button', { name: /^Mode:/ }).click();
      assert.deepEqual(await bare(), []);
      await page.getByRole('button', { name: /^Rewind to: long/ }).click();
      assert.deepEqual(await bare(), []);
      await send(snapshot({}, { needsSetup: true, setUp: { provider: 'vscode', vscodeModels: true } }, 2));
      await page.getByRole('button', { name: 'Open the walkthrough' }).waitFor();
      assert.deepEqual(await bare(), []);
      await send({ type: 'showUsage', part: 'cost' });
      await page.getByRole('button', { name: 'Context', exact: true }).waitFor();
      assert.deepEqual(await bare(), []);
      await send({ type: 'showHistory' });
      await answer('listSessions', {
        total: 1,
        keptDays: 30,
        sessions: [{ id: 's2', title: 'Orders', updatedAt: 0, sizeBytes: 1, current: false }],
      });
      const actions = page.getByRole('button', { name: 'Actions for Orders' });
      assert.deepEqual(
        [await actions.getAttribute('aria-haspopup'), await actions.getAttribute('aria-expanded')],
        ['menu', 'false'],
      );
      await actions.click();
      assert.equal(await actions.getAttribute('aria-expanded'), 'true');
      assert.deepEqual(await bare(), []);
    },
  },
];
