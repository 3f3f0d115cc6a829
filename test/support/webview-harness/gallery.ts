// Shows each state of the chat in all themes beside one another: out/gallery/<state>-<width>.png.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser } from 'playwright-core';
import { type ApprovalCard } from '../../../src/shared/chat';
import { startBrowser } from '../../rig/browser';
import { approvals, cards, finished, planCard, questions, snapshot, todos, working } from './conversations';
import { coloured, drawn, openHarness, type Harness } from './harness';
import { showSenses } from './sense-checks';
import { type HarnessServer, startHarnessServer } from './server';
import { ledgerShown } from './ledger-checks';
import { showFormulas } from './answer-part-checks';
import { showDiagrams } from './diagram-checks';
import { diffBlock } from './theme-checks';
import { themeNames } from './themes';

const WIDTHS = [300, 420, 900];

interface State {
  readonly name: string;
  readonly height: number;
  readonly play: (harness: Harness) => Promise<void>;
}

const asked = (name: string, card: ApprovalCard | undefined, height = 600): State => ({
  name,
  height,
  play: async ({ send }) => send(snapshot({ ...working, status: 'waiting', approvals: card ? [card] : [] })),
});

const states: readonly State[] = [
  asked('approval-edit', approvals[0]),
  asked('approval-command', approvals[1]),
  asked('plan', planCard),
  { name: 'cards', height: 1_900, play: async ({ send }) => send(snapshot(cards)) },
  { name: 'senses', height: 1_500, play: showSenses },
  {
    name: 'answer',
    height: 1_300,
    play: async ({ send }) =>
      send(
        snapshot({
          ...finished,
          items: [...(finished.items ?? []), diffBlock],
        }),
      ),
  },
  { name: 'formulas', height: 620, play: showFormulas },
  { name: 'diagrams', height: 2_400, play: showDiagrams },
  { name: 'question', height: 700, play: async ({ send }) => send(snapshot({ ...finished, questions, todos })) },
  {
    name: 'ledger',
    height: 1000,
    play: async ({ send, page }) => {
      await send(ledgerShown);
      await page.locator('.ledger-line').click();
    },
  },
  { name: 'empty', height: 500, play: async ({ send }) => send(snapshot({})) },
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
        for (const theme of themeNames)
          pictures.push(await pictureOf(browser, server, state, { theme, width, height: state.height }, errors));
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
  options: { theme: (typeof themeNames)[number]; width: number; height: number },
  errors: string[],
): Promise<Buffer> {
  const harness = await openHarness(browser, server, options);
  await state.play(harness);
  await drawn(harness.page);
  await coloured(harness.page);
  await drawn(harness.page);
  const picture = await harness.page.screenshot();
  errors.push(...harness.errors.map((error) => `${state.name}, ${options.theme}: ${error}`));
  await harness.close();
  return picture;
}

/** One picture of several, three in a row. */
async function beside(browser: Browser, pictures: readonly Buffer[], file: string, width: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 3 * width + 16, height: 100 } });
  await page.setContent(
    `<body style="margin:0;display:grid;grid-template-columns:repeat(3,${width}px);gap:8px;background:#808080">${pictures
      .map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
      .join('')}</body>`,
  );
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
}
