// Opens VS Code windows in the browser and works in them as a user does: palette, views, files, pictures.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';

const BOOT_MILLISECONDS = 90_000;
const STEP_MILLISECONDS = 20_000;
const PALETTE_MILLISECONDS = 60_000;
const FIRST_PALETTE_MILLISECONDS = 500;
const CLICK_MILLISECONDS = 5_000;

export type Workspace = {
  /** Folder to open; or a `.code-workspace` file for several folders; neither gives an empty window. */
  readonly folder?: string;
  readonly workspaceFile?: string;
  /** Loads this folder as the extension under development (needs a server with `testsInHost`). */
  readonly extensionDevelopmentPath?: string;
  /** Module with `run()`, started in the extension host (needs a server with `testsInHost`). */
  readonly extensionTestsPath?: string;
};

/** The address of a window of the server on `port`. */
export function workbenchUrl(port: number, workspace: Workspace = {}): string {
  const remote = (file: string): string => `vscode-remote://127.0.0.1:${port}${file}`;
  const payload: [string, string][] = [];
  if (workspace.extensionDevelopmentPath)
    payload.push(['extensionDevelopmentPath', remote(workspace.extensionDevelopmentPath)]);
  if (workspace.extensionTestsPath) payload.push(['extensionTestsPath', remote(workspace.extensionTestsPath)]);
  const query = new URLSearchParams();
  if (workspace.folder) query.set('folder', workspace.folder);
  if (workspace.workspaceFile) query.set('workspace', workspace.workspaceFile);
  if (!workspace.folder && !workspace.workspaceFile) query.set('ew', 'true');
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query.toString()}`;
}

/** Loads a window and waits until it can be used (7 to 12 s on two cores). */
export async function openWorkbench(page: Page, port: number, workspace: Workspace = {}): Promise<void> {
  await page.goto(workbenchUrl(port, workspace), { timeout: BOOT_MILLISECONDS });
  await workbenchReady(page);
}

/** Reloads the window, as "Developer: Reload Window" does, and waits until it can be used. */
export async function reloadWorkbench(page: Page): Promise<void> {
  await page.reload({ timeout: BOOT_MILLISECONDS });
  await workbenchReady(page);
}

/** Waits for the workbench. */
export async function workbenchReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench').waitFor({ timeout: BOOT_MILLISECONDS });
  await page.locator('.part.statusbar .statusbar-item').first().waitFor({ timeout: BOOT_MILLISECONDS });
}

/** Runs a command by its exact title as the palette shows it, for example "Deft: New Session". */
export async function runCommand(page: Page, title: string): Promise<void> {
  await choosePaletteEntry(page, `>${title}`, title);
}

/** Opens a file of the workspace by Quick Open; `file` is its path from the folder, or its name. */
export async function openFile(page: Page, file: string): Promise<void> {
  await choosePaletteEntry(page, file, path.posix.basename(file));
  await page
    .locator(`.tab.active[data-resource-name="${path.posix.basename(file)}"]`)
    .waitFor({ timeout: STEP_MILLISECONDS });
}

/**
 * Opens the palette, types `text` and takes the row `entry`. The palette shows what was registered when it opened, so
 * one that came too early (the window has just loaded, a `when` clause is about to change) is closed and opened again.
 * Each try waits longer than the last one: on a busy machine a palette needs seconds, and one closed too soon never gets there.
 */
async function choosePaletteEntry(page: Page, text: string, entry: string): Promise<void> {
  const row = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: exactly(entry) }) })
    .first();
  const input = quickInput(page);
  const deadline = Date.now() + PALETTE_MILLISECONDS;
  for (let timeout = FIRST_PALETTE_MILLISECONDS; ; timeout *= 2) {
    await page.keyboard.press('F1');
    // A webview that takes the focus just now closes the palette at any of these steps.
    const taken = await input
      .fill(text, { timeout })
      .then(() => row.waitFor({ timeout }))
      .then(() => row.click({ timeout: CLICK_MILLISECONDS }))
      .then(
        () => true,
        () => false,
      );
    if (taken) return;
    if (Date.now() > deadline) throw new Error(`The palette does not offer "${entry}".`);
    // Where no palette is open the key would go to whatever has the focus: in a chat it stops the turn.
    if (await input.isVisible()) await page.keyboard.press('Escape');
  }
}

/** The text field of the palette, of quick picks and of input boxes. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget input:is([type="text"], [type="password"])');
}

/** The row of an open quick pick that holds `text`. */
export function quickPickRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
}

/**
 * The document inside a webview of an extension, in the sidebar or in an editor. `index` counts the webviews that are
 * shown; find things in it by role and name.
 */
export function webviewFrame(page: Page, extension = 'deft-agent.deft', index = 0): FrameLocator {
  return page
    .locator(`iframe.webview.ready[src*="extensionId=${extension}"]`)
    .nth(index)
    .contentFrame()
    .frameLocator('#active-frame');
}

/** A notification (toast) with this text. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notification-toast', { hasText: text });
}

/** A button of the title bar of the active editor group, by its accessible name. */
export function editorTitleButton(page: Page, name: string): Locator {
  return page.locator(`.editor-group-container.active .editor-actions .action-label[aria-label^="${name}"]`);
}

/** The lines that an editor (a `.monaco-editor`) shows now, from top to bottom; waits for the first one. */
export async function shownLines(editor: Locator): Promise<string[]> {
  await editor.locator('.view-line').first().waitFor({ timeout: STEP_MILLISECONDS });
  const lines = await editor.locator('.view-line').all();
  const placed = await Promise.all(
    lines.map(async (line) => ({
      top: await line.evaluate((element) => parseFloat((element as HTMLElement).style.top)),
      // Monaco shows blanks as no-break spaces.
      text: (await line.innerText()).replaceAll('\u00a0', ' '),
    })),
  );
  return placed.sort((first, second) => first.top - second.top).map(({ text }) => text);
}

/** Drags the edge of the side bar until it is `width` pixels wide (VS Code stops at its own minimum of about 170). */
export async function resizeSideBar(page: Page, width: number): Promise<void> {
  const sideBar = await page.locator('.part.sidebar').boundingBox();
  if (!sideBar) throw new Error('No side bar is shown.');
  const y = sideBar.y + sideBar.height / 2;
  await page.mouse.move(sideBar.x + sideBar.width, y);
  await page.mouse.down();
  await page.mouse.move(sideBar.x + width, y, { steps: 5 });
  await page.mouse.up();
}

/** Saves a picture of the window as out/screenshots/<name>.png; returns the file. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const file = path.resolve('out/screenshots', `${fileNameOf(name)}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  return file;
}

/** A title as a file name. */
export function fileNameOf(title: string): string {
  return title
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 120);
}

function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
}
