// The picture of docs/review.md: a review of all changes with a comment, in both default themes.
import { execFileSync } from 'node:child_process';
import { openDeft, type DeftWindow } from '../e2e/support/deft';
import { codeLens } from '../e2e/support/editor';
import { answers, readAndEdit } from '../e2e/support/replies';
import { type Theme } from './settings';
import { quickPickRow, resizeSideBar } from './workbench';

const cart = `export interface Item {
  price: number;
  count: number;
}

export function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return sum;
}
`;
const bill = `import { total, type Item } from './cart';

export function bill(items: Item[]): string {
  return \`Total: \${total(items)}\`;
}
`;

interface Step {
  readonly name: string;
  show(deft: DeftWindow): Promise<void>;
}

const steps: readonly Step[] = [
  {
    name: 'review',
    async show(deft) {
      const { page, folder } = deft.window;
      deft.script(
        readAndEdit(`${folder}/src/cart.ts`, '  return sum;', '  return Math.round(sum * 100) / 100;'),
        readAndEdit(`${folder}/src/bill.ts`, '${total(items)}', '${total(items).toFixed(2)}'),
        answers('Totals are rounded to cents now, and bills show both digits.'),
      );
      await deft.send('Round totals to cents');
      for (const name of ['cart', 'bill']) {
        await deft.approval(`Approve: Edit src/${name}.ts`).waitFor({ timeout: 60_000 });
        await deft.button('Accept').click();
      }
      await deft.says('both digits.');
      await deft.idle();
      await deft.window.command('Deft: Review Changes…');
      await quickPickRow(page, 'Since your last message').click();
      await codeLens(page, 'Keep', 1).waitFor({ timeout: 30_000 });
      await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'Math.round' }).click();
      await page.keyboard.press('Shift+Alt+K');
      await page.locator('.review-widget .monaco-editor.focused').waitFor({ timeout: 30_000 });
      await page.keyboard.type('Round each item instead: the bill lists them.');
      await page
        .locator('.review-widget .monaco-text-button:not(.disabled)', { hasText: 'Add Comment' })
        .waitFor({ timeout: 30_000 });
      await page.keyboard.press('Control+Enter');
      await page.locator('.review-widget .comment-body', { hasText: 'Round each item' }).waitFor({ timeout: 30_000 });
    },
  },
];

/** Saves docs/media/<name>-light.png and <name>-dark.png for all, where one of them is wanted. */
export async function takeReviews(isWanted: (name: string) => boolean): Promise<void> {
  if (!steps.some(({ name }) => isWanted(name))) return;
  for (const theme of ['light', 'dark'] as const) await takeAll(theme);
}

async function takeAll(theme: Theme): Promise<void> {
  const deft = await openDeft({
    files: { 'src/cart.ts': cart, 'src/bill.ts': bill },
    theme,
    viewport: { width: 1180, height: 620 },
    // Where the workspace lies says something of the machine, and nothing of Deft.
    settings: {
      'window.commandCenter': false,
      'window.title': 'shop',
      'breadcrumbs.enabled': false,
      'editor.minimap.enabled': false,
      'comments.openView': 'never',
      'diffEditor.codeLens': true,
      'diffEditor.renderSideBySide': false,
    },
  });
  const { page, folder } = deft.window;
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  await resizeSideBar(page, 340);
  for (const { name, show } of steps) {
    await show(deft);
    await deft.window.command('Notifications: Clear All Notifications');
    await page.mouse.move(1100, 560);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    await page.evaluate(() => document.fonts.ready);
    const file = `docs/media/${name}-${theme}.png`;
    await page.screenshot({ path: file, animations: 'disabled' });
    console.log(file);
  }
  await deft.close();
}
