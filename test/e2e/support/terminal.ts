// Reads what a terminal of the panel shows.
import type { TestWindow } from './window';

/** The visible text of the terminal with this name; opens the panel where it is closed. */
export async function terminalText(window: TestWindow, name: string): Promise<string> {
  const { page } = window;
  const terminal = page.locator('.terminal-wrapper.active .xterm-rows');
  if (!(await terminal.isVisible())) await window.command('Terminal: Focus Terminal');
  await page.locator('.part.panel').getByText(name, { exact: true }).first().waitFor();
  await terminal.waitFor();
  return (await terminal.innerText()).replaceAll('\u00a0', ' ');
}
