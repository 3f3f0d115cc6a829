// `npm run gallery [-- names, widths]`: each state of the chat in all themes, and in the system's own high contrast, beside one another:
// out/gallery/<state>-<width>.png.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser } from 'playwright-core';
import { startBrowser } from '../../rig/browser';
import { coloured, drawn, type HarnessOptions, openHarness } from './harness';
import { type HarnessServer, startHarnessServer } from './server';
import { type State, states } from './states';
import { themeNames } from './themes';

const WIDTHS = [300, 420, 900];

const looks: readonly HarnessOptions[] = [
  ...themeNames.map((theme) => ({ theme })),
  ...(['light', 'dark'] as const).map((theme) => ({ theme, forcedColors: true })),
];

/** `names` picks states whose names contain one of them; a number picks the width. */
export async function main(names: string[]): Promise<number> {
  const folder = path.resolve('out/gallery');
  await mkdir(folder, { recursive: true });
  const server = await startHarnessServer(path.resolve('dist'));
  const browser = await startBrowser();
  const words = names.filter((name) => !/^\d+$/.test(name));
  const widths = WIDTHS.filter((width) => words.length === names.length || names.includes(`${width}`));
  const errors: string[] = [];
  try {
    for (const state of states) {
      if (words.length > 0 && !words.some((part) => state.name.includes(part))) continue;
      for (const width of widths) {
        const pictures = [];
        for (const look of looks)
          pictures.push(await pictureOf(browser, server, state, { ...look, width, height: state.height }, errors));
        await beside(browser, pictures, path.join(folder, `${state.name}-${width}.png`), width);
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  for (const error of errors) console.error(error);
  return errors.length > 0 ? 1 : 0;
}

async function pictureOf(
  browser: Browser,
  server: HarnessServer,
  state: State,
  options: HarnessOptions,
  errors: string[],
): Promise<Buffer> {
  const harness = await openHarness(browser, server, options);
  await state.play(harness);
  await drawn(harness.page);
  await coloured(harness.page);
  await drawn(harness.page);
  const picture = await harness.page.screenshot();
  errors.push(...harness.errors.map((error) => `${state.name}, ${options.theme ?? ''}: ${error}`));
  await harness.close();
  return picture;
}

/** One picture of several, four in a row. */
async function beside(browser: Browser, pictures: readonly Buffer[], file: string, width: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 4 * width + 24, height: 100 } });
  await page.setContent(
    `<body style="margin:0;display:grid;grid-template-columns:repeat(4,${width}px);gap:8px;background:#808080">${pictures
      .map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
      .join('')}</body>`,
  );
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
}
