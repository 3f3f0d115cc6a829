// What a user does in the chat, and what must come of it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { type Page } from 'playwright-core';
import { approvals, cards, changes, finished, snapshot, usage, working } from './conversations';
import { drawn, type Harness, type HarnessOptions } from './harness';
import { themeNames } from './themes';

export interface Check {
  name: string;
  options?: HarnessOptions;
  run: (harness: Harness) => Promise<void>;
}

const textbox = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
export const focused = (page: Page) =>
  page.evaluate(
    () =>
      document.activeElement?.getAttribute('aria-label') ??
      (document.activeElement === document.body ? 'BODY' : document.activeElement?.textContent),
  );

/** Waits for a message that the page posts; gives the last one, without the number of its answer. */
export async function posts<T>(harness: Harness, type: string): Promise<T> {
  await harness.page.waitForFunction(
    (wanted) => (window as unknown as { posted: { type: string }[] }).posted.some((message) => message.type === wanted),
    type,
  );
  const found: object = (await harness.posted()).findLast((message) => message.type === type) ?? {};
  return Object.fromEntries(Object.entries(found).filter(([name]) => name !== 'request')) as T;
}

/** For checks that leave something behind in a page. */
export function inOwnPage(check: Check): Check {
  return { ...check, options: { ...check.options, ownPage: true } };
}

/** What moves by itself: an edge that fades as one scrolls does not. */
export function moving(page: Page): Promise<number> {
  return page.evaluate(
    () => document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline).length,
  );
}

async function postedCount({ posted }: Harness, type: string): Promise<number> {
  return (await posted()).filter((message) => message.type === type).length;
}

/** All that is more than minor. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(createRequire(import.meta.url)('axe-core').source as string);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter((violation) => violation.impact !== 'minor')
      .flatMap((violation) =>
        violation.nodes.map(
          (node) => `${violation.id}: ${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 300)}`,
        ),
      );
  });
}

const axeChecks: Check[] = themeNames.flatMap((theme) => [
  {
    name: `axe finds nothing: cards, ${theme}`,
    options: { theme },
    run: async ({ send, page }) => {
      await send(snapshot({ ...cards, approvals, status: 'waiting' }));
      await drawn(page);
      assert.deepEqual(await axeFindings(page), []);
    },
  },
  {
    name: `axe finds nothing: an answer and changes, ${theme}`,
    options: { theme },
    run: async ({ send, page }) => {
      await send(snapshot({ ...finished, queue: [{ id: 'q', text: 'Next' }] }));
      await page.getByRole('button', { name: '3 files changed' }).click();
      await page.getByRole('button', { name: /^Mode:/ }).click();
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
      await drawn(page);
      assert.deepEqual(await axeFindings(page), []);
    },
  },
  {
    name: `axe finds nothing: empty and set-up, ${theme}`,
    options: { theme },
    run: async ({ send, page, answer }) => {
      await send(
        snapshot(
          {},
          { needsSetup: true, setUp: { provider: 'vscode', vscodeModels: true }, demo: true, trusted: false },
        ),
      );
      await drawn(page);
      assert.deepEqual(await axeFindings(page), []);
      await send(snapshot({}, {}, 2));
      await drawn(page);
      assert.deepEqual(await axeFindings(page), []);
      await send({ type: 'showHistory' });
      await answer('listSessions', {
        total: 1,
        keptDays: 30,
        sessions: [{ id: 's', title: 'One', updatedAt: 0, sizeBytes: 24_000, current: false }],
      });
      await page.getByRole('button', { name: /^Delete One/ }).click();
      assert.deepEqual(await axeFindings(page), []);
    },
  },
]);

/** What a user sees who has the system's high contrast on, and no motion. */
const forcedChecks: Check[] = [
  {
    name: 'forced colours: what has the focus is outlined, links are underlined, icons are drawn',
    options: { forcedColors: true },
    run: async ({ send, page }) => {
      await send(snapshot({ ...cards, changes, approvals, queue: [{ id: 'q', text: 'Next' }], status: 'waiting' }));
      await textbox(page).fill('Text');
      const seen = new Set<string>();
      const unseen = new Set<string>();
      for (let steps = 0; steps < 80; steps++) {
        await page.keyboard.press('Tab');
        const { name, ring } = await page.evaluate(() => {
          const element = document.activeElement === document.body ? null : document.activeElement;
          const outlined = element?.closest('.composer-box:has(.message:focus)') ?? element;
          const style = outlined ? getComputedStyle(outlined) : undefined;
          return {
            name: element?.getAttribute('aria-label') ?? element?.textContent ?? '',
            ring: style?.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2,
          };
        });
        seen.add(name);
        if (!ring && name !== '') unseen.add(name);
      }
      assert.ok(seen.size > 20, `only ${[...seen].join(', ')}`);
      assert.deepEqual([...unseen], []);
      const plain = await page
        .locator('.link')
        .evaluateAll((links) =>
          links
            .filter((link) => getComputedStyle(link).textDecorationLine !== 'underline')
            .map((link) => link.textContent),
        );
      assert.deepEqual(plain, []);
      const invisible = await page
        .locator('.codicon:not(.codicon-blank)')
        .evaluateAll(
          (icons) =>
            icons.filter(
              (icon) =>
                icon.getClientRects().length > 0 &&
                getComputedStyle(icon).color === getComputedStyle(document.body).backgroundColor,
            ).length,
        );
      assert.equal(invisible, 0);
    },
  },
  {
    name: 'reduced motion: nothing moves while it works',
    options: { reducedMotion: true },
    run: async ({ send, page }) => {
      await send(snapshot({ ...working, approvals }));
      await page.getByRole('group', { name: 'Running npm test' }).waitFor();
      assert.equal(await moving(page), 0);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      assert.ok((await moving(page)) > 0, 'otherwise the spinner turns');
    },
  },
];

export const checks: Check[] = [
  {
    name: 'code is coloured by a script that comes with the first code',
    run: async ({ send, page }) => {
      const loaded = () =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('/webview/colours')),
        );
      assert.equal(await loaded(), false, 'The page waits for what no code on it needs yet.');
      await send(snapshot(finished));
      await page.locator('.code-block [class^="code-keyword"]').first().waitFor();
      assert.equal(await loaded(), true);
    },
  },
  {
    name: 'the page asks for its state, and Enter sends',
    run: async (harness) => {
      const { send, page } = harness;
      await posts(harness, 'ready');
      await send(snapshot({}));
      await textbox(page).fill('Hello');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('there');
      assert.equal(await postedCount(harness, 'send'), 0);
      await page.keyboard.press('Enter');
      assert.deepEqual(await posts(harness, 'send'), {
        type: 'send',
        text: 'Hello\nthere',
        images: [],
        withSelection: true,
      });
      assert.equal(await textbox(page).inputValue(), '');
    },
  },
  {
    name: 'with sendWith ctrlEnter, Enter writes a new line',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({}, { sendWith: 'ctrlEnter' }));
      await textbox(page).fill('Hello');
      await page.keyboard.press('Enter');
      assert.equal(await textbox(page).inputValue(), 'Hello\n');
      await page.keyboard.press('Control+Enter');
      assert.equal((await posts<{ text: string }>(harness, 'send')).text, 'Hello\n');
    },
  },
  {
    name: 'the selection can be hidden',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({}));
      await page.getByRole('button', { name: 'Do not send src/date.ts:12-30' }).click();
      await textbox(page).fill('x');
      await page.getByRole('button', { name: 'Send' }).click();
      assert.equal((await posts<{ withSelection: boolean }>(harness, 'send')).withSelection, false);
    },
  },
  {
    name: 'the selection names file and lines in a narrow side bar',
    options: { width: 300 },
    run: async ({ send, page }) => {
      for (const label of [
        'src/date.ts:12-30',
        'packages/server/src/orders/a-very-long-name-of-a-file.test.ts:1012-1030',
      ]) {
        await send(snapshot({ usage }, { selection: { label, path: '/work/app/a' } }));
        await page
          .locator('.selection-label')
          .getByText(label.slice(label.lastIndexOf('.')))
          .waitFor();
        const {
          end,
          stem,
          chip,
          page: whole,
        } = await page.evaluate(() => {
          const right = (selector: string) =>
            document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
          return {
            end: right('.selection-end'),
            stem: right('.selection-stem'),
            chip: right('.selection-chip'),
            page: document.documentElement.scrollWidth,
          };
        });
        assert.ok(end.width > 40 && end.right < chip.right && chip.right <= 300, 'the lines are cut off');
        assert.ok(stem.width > 20, 'the name is cut off');
        assert.ok(whole <= 300, 'the page scrolls sideways');
      }
      await page
        .getByTitle('packages/server/src/orders/a-very-long-name-of-a-file.test.ts:1012-1030 goes with the message')
        .waitFor();
    },
  },
  {
    name: 'a gap asks for a snapshot once, overlap is dropped, other epochs are void',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({}, {}, 7));
      await send({
        type: 'events',
        epoch: 7,
        from: 0,
        events: [
          { type: 'item', item: { kind: 'text', id: 'a', text: 'one', streaming: true } },
          { type: 'delta', id: 'a', text: ' two' },
        ],
      });
      await send({
        type: 'events',
        epoch: 7,
        from: 1,
        events: [
          { type: 'delta', id: 'a', text: ' two' },
          { type: 'delta', id: 'a', text: ' three' },
        ],
      });
      await send({ type: 'events', epoch: 6, from: 3, events: [{ type: 'delta', id: 'a', text: ' void' }] });
      await page.getByText('one two three', { exact: true }).waitFor();
      assert.equal(await postedCount(harness, 'ready'), 1);
      await send({ type: 'events', epoch: 7, from: 9, events: [{ type: 'delta', id: 'a', text: ' lost' }] });
      await send({ type: 'events', epoch: 7, from: 10, events: [{ type: 'delta', id: 'a', text: ' lost' }] });
      assert.equal(await postedCount(harness, 'ready'), 2);
    },
  },
  {
    name: 'Esc stops; the popup and the menu take it first',
    run: async (harness) => {
      const { send, page, answer } = harness;
      await send(snapshot(working));
      await page.getByRole('button', { name: /^Mode:/ }).click();
      await page.keyboard.press('Escape');
      assert.equal(await focused(page), 'Mode: Manual');
      await textbox(page).fill('@a');
      await answer('mention', [
        { path: 'src/a b.ts', kind: 'file' },
        { path: 'src', kind: 'folder' },
      ]);
      await page.getByRole('listbox', { name: 'Files and folders' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      assert.equal(await postedCount(harness, 'stop'), 0);
      await page.keyboard.press('Escape');
      await posts(harness, 'stop');
    },
  },
  {
    name: 'a mention is chosen by keyboard',
    run: async (harness) => {
      const { send, page, answer } = harness;
      await send(snapshot({}));
      await textbox(page).fill('see @sr');
      assert.equal((await posts<{ query: string }>(harness, 'mention')).query, 'sr');
      await answer('mention', [
        { path: 'src/a.ts', kind: 'file' },
        { path: 'src/b c.ts', kind: 'file' },
      ]);
      await page.getByRole('option').first().waitFor();
      assert.equal(await textbox(page).getAttribute('aria-activedescendant'), 'mention-0');
      await page.keyboard.press('ArrowDown');
      assert.equal(await textbox(page).getAttribute('aria-activedescendant'), 'mention-1');
      await page.keyboard.press('Enter');
      assert.equal(await textbox(page).inputValue(), 'see @"src/b c.ts" ');
      assert.equal(await postedCount(harness, 'send'), 0);
    },
  },
  {
    name: 'the up key moves the cursor through what is written; only the empty message brings the last one back',
    run: async (harness) => {
      const { send, page, answer } = harness;
      await send(snapshot(finished));
      const box = textbox(page);
      const cursor = () => box.evaluate((element: HTMLTextAreaElement) => element.selectionStart);
      await box.fill('one\ntwo');
      await page.keyboard.press('ArrowUp');
      assert.equal(await cursor(), 3, 'to the line above');
      await page.keyboard.press('ArrowUp');
      assert.equal(await cursor(), 0, 'to the start of the first line');
      await page.keyboard.press('ArrowUp');
      assert.equal(await box.inputValue(), 'one\ntwo');
      await page.keyboard.press('ArrowDown');
      assert.ok((await cursor()) > 3, 'down again');
      await box.fill('');
      await page.keyboard.press('ArrowUp');
      // It has an image, which the host holds.
      assert.deepEqual(await posts(harness, 'recall'), { type: 'recall', id: 'u1' });
      await answer('recall', { text: 'Fix the failing date test in @test/date.test.ts', images: [] });
      await page.waitForFunction(() => document.querySelector('textarea')?.value !== '');
      assert.equal(await box.inputValue(), 'Fix the failing date test in @test/date.test.ts');
      assert.equal(await cursor(), 47);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowUp');
      assert.equal(
        await box.inputValue(),
        'Fix the failing date test in @test/date.test.ts',
        'no older one replaces it',
      );
      assert.equal(await postedCount(harness, 'send'), 0);
    },
  },
  {
    name: 'the queue: edited, taken back with the arrow, removed',
    run: async (harness) => {
      const { send, page, answer } = harness;
      await send(
        snapshot({
          ...working,
          queue: [
            { id: 'q1', text: 'first' },
            { id: 'q2', text: 'second' },
          ],
        }),
      );
      await textbox(page).focus();
      await page.keyboard.press('ArrowUp');
      assert.deepEqual(await posts(harness, 'unqueue'), { type: 'unqueue', id: 'q2', edit: true });
      assert.equal(await textbox(page).inputValue(), '', 'the host has not said yet that it was taken back');
      await send({
        type: 'givenBack',
        text: 'second',
        images: [{ name: 'Image', mediaType: 'image/gif', data: 'R0lGODlhAQABAAAAACw=' }],
      });
      await answer('unqueue', true);
      await drawn(page);
      assert.equal(await textbox(page).inputValue(), 'second');
      assert.equal(
        await page.getByRole('list', { name: 'Attached images' }).getByRole('img', { name: 'Image' }).count(),
        1,
      );
      await page.getByRole('button', { name: 'Edit queued message' }).first().click();
      await send({ type: 'givenBack', text: 'first', images: [] });
      await answer('unqueue', true);
      await drawn(page);
      assert.equal(await textbox(page).inputValue(), 'first\nsecond');
      await send(snapshot({ ...working, queue: [{ id: 'q3', text: 'third' }] }, {}, 2));
      await page.getByRole('button', { name: 'Remove queued message' }).dblclick();
      assert.equal(await postedCount(harness, 'unqueue'), 3);
      await answer('unqueue', true);
      await drawn(page);
      assert.equal(await textbox(page).inputValue(), 'first\nsecond');
    },
  },
  {
    name: 'the queue: a message that was delivered meanwhile is not written again',
    run: async (harness) => {
      const { send, page, answer } = harness;
      await send(snapshot({ ...working, queue: [{ id: 'q1', text: 'first' }] }));
      await page.getByRole('button', { name: 'Edit queued message' }).click();
      await posts(harness, 'unqueue');
      await answer('unqueue', false);
      await page
        .getByRole('status')
        .getByText('The message has already been delivered.')
        .waitFor({ state: 'attached' });
      assert.equal(await textbox(page).inputValue(), '');
    },
  },
  {
    name: 'approvals: keys, one after the other, focus never stolen nor lost',
    run: async (harness) => {
      const { send, page, events } = harness;
      await send(snapshot({ ...working, status: 'working' }));
      await textbox(page).fill('typing');
      await events({ type: 'approvals', approvals });
      await page.getByRole('group', { name: 'Approve: Edit src/date.ts' }).waitFor();
      assert.equal(await focused(page), 'Message');
      assert.ok(await page.getByText('1 of 2').isVisible());
      await page.keyboard.press('Alt+Backspace');
      assert.equal(await postedCount(harness, 'decide'), 0, 'Alt+Backspace removes a word while there is text');
      await page.getByRole('button', { name: 'Accept', exact: true }).click();
      assert.deepEqual(await posts(harness, 'decide'), {
        type: 'decide',
        approvalId: 'a1',
        decision: { behavior: 'accept' },
      });
      assert.equal(await focused(page), 'Message');
      await events({ type: 'approvals', approvals: approvals.slice(1) });
      const next = page.getByRole('group', { name: 'Approve: Bash rm -rf build && npm run build' });
      await next.waitFor();
      assert.equal(await next.getByRole('button', { name: /^Always allow/ }).count(), 1);
      await next.getByRole('button', { name: 'Other rules' }).press('Enter');
      await next.getByText('Saves Bash(npm run build *) to .claude/settings.local.json').waitFor();
      await next.getByRole('button', { name: 'Always allow npm run build * in this session' }).click();
      assert.deepEqual(await posts(harness, 'decide'), {
        type: 'decide',
        approvalId: 'a2',
        decision: { behavior: 'always', suggestion: 1 },
      });
      await events({ type: 'approvals', approvals: [] });
      await page.getByRole('group', { name: /^Approve/ }).waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
    },
  },
  {
    name: 'approvals: a second click does not answer the next card',
    run: async (harness) => {
      const { send, page, events } = harness;
      await send(snapshot({ ...working, approvals }));
      // The pause after an answer ends when this check lets it.
      await page.evaluate(() => {
        const { setTimeout } = window;
        const held: TimerHandler[] = [];
        Object.assign(window, {
          setTimeout: (run: TimerHandler, ms?: number) => (ms === 350 ? held.push(run) : setTimeout(run, ms)),
          held,
        });
      });
      const accept = page.getByRole('button', { name: 'Accept', exact: true });
      await accept.click();
      await events({ type: 'approvals', approvals: approvals.slice(1) });
      await page.getByRole('group', { name: /^Approve: Bash/ }).waitFor();
      assert.equal(await accept.isDisabled(), true);
      await page.keyboard.press('Alt+Enter');
      assert.equal(await postedCount(harness, 'decide'), 1);
      await page.evaluate(() => (window as unknown as { held: (() => void)[] }).held.forEach((run) => run()));
      await accept.click();
      assert.equal(await postedCount(harness, 'decide'), 2);
    },
  },
  {
    name: 'approvals: a reason rejects, and the card that goes gives the focus to the composer',
    run: async (harness) => {
      const { send, page, events } = harness;
      await send(snapshot({ ...working, approvals }));
      await page.getByRole('textbox', { name: 'Tell the agent why' }).fill('use another way');
      await page.keyboard.press('Enter');
      assert.deepEqual(await posts(harness, 'decide'), {
        type: 'decide',
        approvalId: 'a1',
        decision: { behavior: 'reject', feedback: 'use another way' },
      });
      await send(snapshot({ ...working, approvals: approvals.slice(1) }, {}, 2));
      const why = page.getByRole('textbox', { name: 'Tell the agent why' });
      await why.focus();
      await events({ type: 'approvals', approvals: [] });
      await why.waitFor({ state: 'detached' });
      await drawn(page);
      assert.equal(await focused(page), 'Message');
      await page.keyboard.press('Alt+Enter');
      assert.equal(await postedCount(harness, 'decide'), 1);
    },
  },
  {
    name: 'tool cards: names, states, whole output, stop',
    run: async (harness) => {
      const { send, page, events, answer } = harness;
      await send(snapshot(working));
      const running = page.getByRole('group', { name: 'Running npm test' });
      await running.getByRole('button', { name: 'Stop npm test' }).click();
      await posts(harness, 'stop');
      await running.getByText('Show all output').click();
      assert.deepEqual(await posts(harness, 'loadOutput'), { type: 'loadOutput', toolUseId: 'bash' });
      await answer('loadOutput', { text: 'line one\nline two\n', truncated: true });
      await running.getByText('line one').waitFor();
      await events({ type: 'tool', id: 'bash', change: { state: 'done', durationMs: 900 } });
      const done = page.getByRole('group', { name: 'Ran npm test' });
      await done.waitFor();
      assert.ok(await done.getByText('line one').isVisible(), 'stays open');
      await page.getByRole('group', { name: 'Edited src/date.ts' }).getByRole('link', { name: 'src/date.ts' }).click();
      assert.deepEqual(await posts(harness, 'openDiff'), { type: 'openDiff', path: 'src/date.ts', toolUseId: 'edit' });
    },
  },
  {
    name: 'links go to the host: files with lines, and the web',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot(finished));
      await page.getByRole('link', { name: 'src/server/orders.ts:88' }).click();
      assert.deepEqual(await posts(harness, 'openFile'), { type: 'openFile', path: 'src/server/orders.ts', line: 88 });
      await page.getByRole('link', { name: 'the documentation' }).press('Enter');
      assert.deepEqual(await posts(harness, 'openLink'), { type: 'openLink', url: 'https://date-fns.org' });
    },
  },
  {
    name: 'a pasted image is scaled down, shown, and removable',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({}));
      await textbox(page).focus();
      await page.evaluate(async () => {
        const canvas = document.createElement('canvas');
        canvas.width = 3_000;
        canvas.height = 1_000;
        canvas.getContext('2d')?.fillRect(10, 10, 500, 500);
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
        const data = new DataTransfer();
        data.items.add(new File(blob ? [blob] : [], 'shot.png', { type: 'image/png' }));
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
      const picture = page.getByRole('img', { name: 'shot.png' });
      await picture.waitFor();
      const size = await picture.evaluate((element) => [
        (element as HTMLImageElement).naturalWidth,
        (element as HTMLImageElement).naturalHeight,
      ]);
      assert.deepEqual(size, [1_568, 523]);
      await page.keyboard.press('Enter');
      assert.equal((await posts<{ images: unknown[] }>(harness, 'send')).images.length, 1);
      assert.equal(await picture.count(), 0);
    },
  },
  {
    name: 'history by keyboard: find, open, delete with a question, back',
    run: async (harness) => {
      const { send, page, posted, answer } = harness;
      await send(snapshot(working));
      await send({ type: 'showHistory' });
      await page.getByRole('textbox', { name: 'Search sessions' }).fill('ord');
      await page.waitForFunction(() =>
        JSON.stringify((window as unknown as { posted: unknown[] }).posted).includes('"query":"ord"'),
      );
      await answer('listSessions', {
        total: 1,
        keptDays: 30,
        sessions: [{ id: 's2', title: 'Orders', updatedAt: Date.now(), sizeBytes: 24_000, current: false }],
      });
      await page.getByRole('button', { name: /^Orders/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Delete');
      assert.equal(await focused(page), 'Cancel');
      await page.keyboard.press('Escape');
      assert.equal(
        (await posted()).some((message) => message.type === 'deleteSession'),
        false,
      );
      await page.getByRole('button', { name: 'Delete Orders' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      assert.deepEqual(await posts(harness, 'deleteSession'), { type: 'deleteSession', sessionId: 's2' });
      await page.keyboard.press('Escape');
      await textbox(page).waitFor();
      await drawn(page);
      assert.equal(await focused(page), 'Message');
    },
  },
  {
    name: 'the draft survives a reload, messages are not kept',
    run: async ({ send, page }) => {
      await send(snapshot(finished));
      await textbox(page).fill('half a thought');
      await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('half a thought'));
      const kept = await page.evaluate(() => sessionStorage.getItem('state') ?? '');
      assert.ok(!kept.includes('parseDate'));
      await page.reload();
      assert.equal(await textbox(page).inputValue(), 'half a thought');
    },
  },
  {
    name: 'meters and model are named',
    run: async ({ send, page }) => {
      await send(snapshot(finished));
      await page.getByLabel('Context: 23% used. Compact the conversation').waitFor();
      await page.getByLabel('Cost: $0.12').waitFor();
      await page.getByRole('button', { name: 'Model: Opus 5' }).waitFor();
      assert.equal(await page.getByRole('log', { name: 'Conversation' }).getByRole('article').count(), 1);
    },
  },
  ...forcedChecks,
  ...axeChecks,
];
