// Works in the diff of a proposed edit: types into its right side, reverts hunks with VS Code's own arrows.
import type { Locator, Page } from 'playwright-core';
import { shownLines } from '../../rig/workbench';
import { eventually } from './deft';

/** The right side of the diff that is shown. */
export function proposalEditor(page: Page): Locator {
  return page.locator('.monaco-diff-editor .editor.modified');
}

/** Types at the end of the line that holds `line`. */
export async function typeIntoProposal(page: Page, line: string, typed: string): Promise<void> {
  await proposalEditor(page).locator('.view-line', { hasText: line }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(typed);
  await eventually(
    async () => (await proposedText(page)).includes(typed),
    `The diff does not show ${JSON.stringify(typed)}.`,
  );
}

/** Takes back the hunk that proposes `text`, with the arrow between the sides. */
export async function revertHunk(page: Page, text: string): Promise<void> {
  const line = proposalEditor(page).locator('.view-line', { hasText: text }).first();
  await line.click();
  const box = await line.boundingBox();
  if (!box) throw new Error(`No line of the proposal shows ${JSON.stringify(text)}.`);
  const arrows = page.locator('.monaco-diff-editor [aria-label="Revert Block"]');
  await arrows.first().waitFor();
  const near = await Promise.all(
    (await arrows.all()).map(async (arrow) => ({ arrow, box: await arrow.boundingBox() })),
  );
  const [nearest] = near
    .filter((each) => each.box !== null)
    .sort((a, b) => Math.abs((a.box?.y ?? 0) - box.y) - Math.abs((b.box?.y ?? 0) - box.y));
  await nearest?.arrow.click();
  await eventually(
    async () => !(await proposedText(page)).includes(text),
    `${JSON.stringify(text)} is still proposed.`,
  );
}

/** The lines of the right side that are in view. */
export async function proposedText(page: Page): Promise<string> {
  return (await shownLines(proposalEditor(page))).join('\n');
}
