// Checks the chat with axe-core: what a user with a screen reader, a keyboard or weak eyes would stumble over.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';

interface AxeResult {
  violations: { id: string; impact: string | null; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** What is serious or critical in the document, a line each; empty where all is well. */
export async function seriousProblems(chat: FrameLocator): Promise<string[]> {
  const body = await chat.locator('body').elementHandle();
  const frame = await body?.ownerFrame();
  if (!frame) throw new Error('The chat has no frame.');
  // Evaluated from outside, where the page's content security policy does not count. It stays in the page.
  if (!(await frame.evaluate(() => 'axe' in globalThis)))
    await frame.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  // The page is transparent and is on the side bar; axe, which sees the page alone, would take it for white.
  await frame.evaluate(async () => {
    const root = document.documentElement;
    root.style.backgroundColor = getComputedStyle(root).getPropertyValue('--vscode-sideBar-background');
    // Two frames: what was changed just now is drawn.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  });
  const result = await frame.evaluate<AxeResult>('axe.run(document, { resultTypes: ["violations"] })');
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    );
}
