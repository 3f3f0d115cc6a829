// What the chat takes from a theme, in every theme: borders, the colours of diffs, names that are whole, edges that show there is more.
import assert from 'node:assert/strict';
import { type Locator, type Page } from 'playwright-core';
import { type ChatItem } from '../../../src/shared/chat';
import { permissionModes } from '../../../src/shared/permission';
import { type Check } from './checks';
import { approvals, cards, finished, snapshot, working } from './conversations';
import { coloured, drawn } from './harness';
import { themeNames } from './themes';

export const diffBlock: ChatItem = {
  kind: 'text',
  id: 'diff',
  streaming: false,
  text: [
    'What changed:',
    '',
    '```diff',
    '--- a/src/date.ts',
    '+++ b/src/date.ts',
    '@@ -11,2 +12,2 @@',
    ' export function parseDate(text: string): Date {',
    '-  return new Date(text);',
    '+  return parseISO(text);',
    '```',
  ].join('\n'),
};

const colourOf = (part: Locator, property = 'color') =>
  part.first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** A variable of the page as the colour that it is drawn with. */
const colourNamed = (page: Page, name: string) =>
  page.evaluate((variable) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${variable})`;
    document.body.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  }, name);

const leftOf = (part: Locator) => part.first().evaluate((element) => element.getBoundingClientRect().left);

const ofThemes: Check[] = themeNames.flatMap((theme): Check[] => [
  {
    name: `themes: one button of an approval is primary, the first, and the others have the border of secondary ones: ${theme}`,
    options: { theme },
    run: async ({ send, page }) => {
      await send(snapshot({ ...working, status: 'waiting', approvals }));
      // The changes of the diff above have buttons of their own.
      const buttons = page.getByRole('group', { name: /^Approve/ }).locator('.button:not(.hunk-head .button)');
      await buttons.first().waitFor();
      assert.deepEqual(
        await buttons.evaluateAll((all) =>
          all.flatMap((one, at) => (one.classList.contains('button-primary') ? [at] : [])),
        ),
        [0],
      );
      const secondary = page.getByRole('button', { name: 'Reject', exact: true });
      assert.equal(
        await colourOf(secondary, 'border-top-color'),
        await colourNamed(page, '--vscode-button-secondaryBorder'),
      );
    },
  },
  {
    name: `themes: in a block of diff, added is green, removed is red, and names of files are neither: ${theme}`,
    options: { theme },
    run: async ({ send, page }) => {
      await send(snapshot({ ...finished, items: [diffBlock] }));
      await coloured(page);
      const added = await colourNamed(page, '--added');
      const removed = await colourNamed(page, '--removed');
      assert.equal(await colourOf(page.getByText('+  return parseISO(text);')), added);
      assert.equal(await colourOf(page.getByText('-  return new Date(text);')), removed);
      for (const name of ['--- a/src/date.ts', '+++ b/src/date.ts'])
        assert.ok(![added, removed].includes(await colourOf(page.getByText(name))), name);
    },
  },
]);

const ofContrast: Check[] = (['contrast', 'contrast-light'] as const).map((theme) => ({
  name: `themes: high contrast marks changed lines with one bar, not with a box a line: ${theme}`,
  options: { theme },
  run: async ({ send, page }) => {
    await send(snapshot(finished));
    const line = page.locator('.line-added').first();
    await line.waitFor();
    const borders = await line.evaluate((row) =>
      [...row.children].map((cell) => {
        const { borderTopWidth, borderBottomWidth, borderLeftWidth } = getComputedStyle(cell);
        return [borderTopWidth, borderBottomWidth, borderLeftWidth];
      }),
    );
    assert.deepEqual(borders[0], ['0px', '0px', '3px']);
    assert.ok(
      borders.slice(1).every((cell) => cell.every((width) => width === '0px')),
      JSON.stringify(borders),
    );
  },
}));

const ofWidths: Check[] = [300, 360, 420, 480, 900].map((width) => ({
  name: `themes: mode and model have their whole names at ${width} px`,
  options: { width, height: 500 },
  run: async ({ send, page }) => {
    let epoch = 1;
    for (const mode of permissionModes) {
      await send(snapshot({ ...working, mode }, {}, ++epoch));
      await drawn(page);
      const labels = await page.locator('.pill-label').evaluateAll((all) =>
        all.map((label) => ({
          text: label.textContent,
          cut: label.scrollWidth > label.clientWidth || label.clientWidth === 0,
        })),
      );
      assert.equal(labels.length, 2);
      assert.deepEqual(
        labels.filter(({ cut }) => cut),
        [],
        mode,
      );
      const { page: whole, shown } = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        shown: document.documentElement.clientWidth,
      }));
      assert.ok(whole <= shown, `${whole} pixels of page in ${shown}`);
    }
  },
}));

export const themeChecks: readonly Check[] = [
  ...ofThemes,
  ...ofContrast,
  ...ofWidths,
  {
    name: 'themes: the edge of code and of tables fades as long as there is more, and of what fits it does not',
    options: { width: 300 },
    run: async ({ send, page }) => {
      const text = ['```ts', `const a = '${'long '.repeat(40)}';`, '```', '', '```ts', 'f();', '```'].join('\n');
      await send(snapshot({ ...finished, items: [{ kind: 'text', id: 't', text, streaming: false }] }));
      const [long, short] = [page.locator('.code').first(), page.locator('.code').nth(1)];
      await short.waitFor();
      const right = (part: Locator) => colourOf(part, '--fade-right');
      assert.equal(await right(long), '24px');
      assert.equal(await right(short), '0px');
      await long.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
      await drawn(page);
      assert.equal(await right(long), '0px');
      assert.equal(await colourOf(long, '--fade-left'), '24px');
    },
  },
  {
    name: 'themes: what waits and what is said of it stand below one another',
    run: async ({ send, page }) => {
      await send(snapshot({ ...cards, status: 'waiting' }));
      await page.locator('.tool-waiting').waitFor();
      assert.equal(
        await leftOf(page.locator('.status-line .codicon')),
        await leftOf(page.locator('.tool-waiting .tool-icon')),
      );
    },
  },
];
