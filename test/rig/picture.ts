// The pictures of the documents: for the README the demo at work, an edit that waits for approval next to its diff; for the others the senses and reviews.
import { openDeft } from '../e2e/support/deft';
import { proposalEditor } from '../e2e/support/proposal';
import { endAll } from '../e2e/support/window';
import { cleanUp } from './cleanup';
import { takeReviews } from './review-pictures';
import { takeSenses } from './sense-pictures';
import { resizeSideBar } from './workbench';

const file = 'media/deft-at-work.png';

/** `names` picks pictures by their names; without any, all are made. */
export async function main(names: readonly string[]): Promise<number> {
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  try {
    if (isWanted('deft-at-work')) await takeDemo();
    await takeSenses(isWanted);
    await takeReviews(isWanted);
    console.log('Look at the pictures before they are committed.');
    return 0;
  } finally {
    await endAll();
    await cleanUp();
  }
}

async function takeDemo(): Promise<void> {
  const deft = await openDeft({
    env: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined, DEFT_SAMPLE_TOKEN: 'of this start' },
    copyOf: 'media/sample',
    // The demo begins only where the mark holds what this start was given.
    files: { '.deft-sample': 'of this start' },
    openChat: false,
    theme: 'dark',
    viewport: { width: 1360, height: 800 },
    // Where the copy lies says something of the machine, and nothing of Deft.
    settings: {
      'window.commandCenter': false,
      'window.title': 'coupons',
      'breadcrumbs.enabled': false,
      'editor.minimap.enabled': false,
    },
  });
  const { page } = deft.window;
  await deft.button('Model: Demo').waitFor({ timeout: 60_000 });
  await resizeSideBar(page, 460);
  await deft.composer().click();
  await deft.composer().press('Enter');
  await deft.approval('Approve: Edit src/coupon.js').waitFor({ timeout: 60_000 });
  await proposalEditor(page).waitFor();
  // Colours of the language come a moment after the text.
  await proposalEditor(page).locator('.view-line [class^="mtk"]:not(.mtk1)').first().waitFor();
  await page.mouse.move(900, 700);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: file, animations: 'disabled' });
  await deft.close();
}
