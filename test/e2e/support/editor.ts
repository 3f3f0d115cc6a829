// The text editor of the test window: opening files, reading lines, selecting, CodeLens.
import type { Locator, Page } from 'playwright-core';
import { openFile, shownLines } from '../../rig/workbench';

/** The text editor of the active group (not a diff). */
export function activeEditor(page: Page): Locator {
  return page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
}

export async function editorText(page: Page): Promise<string> {
  return (await shownLines(activeEditor(page))).join('\n');
}

/** Opens a file and puts the cursor into it. */
export async function openAndFocus(page: Page, file: string): Promise<void> {
  await openFile(page, file);
  await activeEditor(page).locator('.view-line').first().click();
}

/** The n-th CodeLens link with this title, counted from 0. */
export function codeLens(page: Page, title: string, index = 0): Locator {
  return page.locator('.codelens-decoration a', { hasText: title }).nth(index);
}
