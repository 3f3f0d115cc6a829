// Takes pictures of the webview in every state that a user should look at: out/screenshots/webview-*.png.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startBrowser } from '../../rig/browser';
import { showAgents } from './agent-checks';
import { showBackground } from './background-checks';
import {
  sideWork,
  approvals,
  cards,
  finished,
  goalLine,
  loopLine,
  markdown,
  planCard,
  questions,
  snapshot,
  todos,
  working,
} from './conversations';
import { showFind } from './find-checks';
import { externalChat, externalRows } from './external-checks';
import { drawn, openHarness, type Harness, type HarnessOptions } from './harness';
import { startHarnessServer } from './server';
import { senseApprovals, showSenses } from './sense-checks';
import { serverForm, serverPage, serverSampling, showServers } from './server-checks';
import { openMenu } from './slash-checks';
import { showUsage } from './usage-checks';
import { writing } from './writing-checks';

interface Shot {
  name: string;
  options?: HarnessOptions;
  play: (harness: Harness) => Promise<void>;
}

const queue = [
  { id: 'q1', text: 'Also update the changelog' },
  { id: 'q2', text: 'And say in a comment why a date without a zone is local time, please' },
];

async function showApproval({ send, page }: Harness, index: number): Promise<void> {
  await send(snapshot({ ...working, status: 'waiting', approvals: approvals.slice(index) }));
  await page.getByRole('group', { name: /^Approve/ }).waitFor();
}

const themes = ['light', 'dark', 'contrast', 'contrast-light'] as const;

const shots: Shot[] = [
  ...themes.flatMap((theme) =>
    [300, 560].map((width): Shot => ({
      name: `writing-${theme}-${width}`,
      options: { theme, width, height: 800 },
      play: async ({ send }) => send(snapshot(writing)),
    })),
  ),
  ...([...themes, 'forced'] as const).flatMap((theme) =>
    [300, 480].flatMap((width): Shot[] => {
      const options = {
        width,
        height: 1_150,
        ...(theme === 'forced' ? { theme: 'light' as const, forcedColors: true } : { theme }),
      };
      return [
        {
          name: `servers-${theme}-${width}`,
          options,
          play: async (harness) => {
            await showServers(harness);
            await harness.page.getByRole('button', { name: 'Details of everything' }).click();
          },
        },
        ...(['cost', 'context'] as const).map((part): Shot => ({
          name: `usage-${part}-${theme}-${width}`,
          options,
          play: (harness) => showUsage(harness, part),
        })),
        {
          name: `servers-add-${theme}-${width}`,
          options,
          play: async (harness) => {
            await showServers(harness);
            await harness.page.getByRole('button', { name: 'Add server' }).click();
          },
        },
        {
          name: `servers-form-${theme}-${width}`,
          options: { ...options, height: 700 },
          play: async ({ send, page }) => {
            await send(snapshot({ ...finished, status: 'waiting', mcpRequests: [serverForm] }));
            await page
              .getByRole('group', { name: /asks you$/ })
              .getByRole('button', { name: 'Send' })
              .click();
          },
        },
        {
          name: `servers-page-${theme}-${width}`,
          options: { ...options, height: 500 },
          play: async ({ send }) => send(snapshot({ ...finished, status: 'waiting', mcpRequests: [serverPage] })),
        },
        {
          name: `servers-sampling-${theme}-${width}`,
          options: { ...options, height: 500 },
          play: async ({ send }) => send(snapshot({ ...finished, status: 'waiting', mcpRequests: [serverSampling] })),
        },
      ];
    }),
  ),
  ...themes.flatMap((theme) =>
    [300, 560].map((width): Shot => ({
      name: `background-${theme}-${width}`,
      options: { theme, width, height: 700 },
      play: showBackground,
    })),
  ),
  ...themes.flatMap((theme): Shot[] => [
    {
      name: `external-${theme}`,
      options: { theme, ...(theme === 'light' ? { width: 300 } : {}) },
      play: async ({ send }) => send(snapshot(externalChat)),
    },
    {
      name: `external-history-${theme}`,
      options: { theme, ...(theme === 'light' ? { width: 300 } : {}) },
      play: async ({ send, answer }) => {
        await send(snapshot({}));
        await send({ type: 'showHistory' });
        await answer('listSessions', { total: externalRows.length, keptDays: 30, sessions: externalRows });
      },
    },
  ]),
  ...([...themes, 'narrow'] as const).map((look) => ({
    name: `plan-${look}`,
    options: look === 'narrow' ? { theme: 'dark' as const, width: 300 } : { theme: look },
    play: async ({ send, page }: Harness) => {
      await send(snapshot({ ...working, mode: 'plan', status: 'waiting', approvals: [planCard] }));
      await page.getByRole('group', { name: 'Approve: plan' }).waitFor();
    },
  })),
  ...themes.flatMap((theme): Shot[] => [
    {
      name: `waiting-${theme}`,
      options: { theme, width: 300, height: 500 },
      play: async ({ send, answer }) => {
        await send(snapshot({ ...working, approvals: [planCard] }));
        await send({ type: 'showHistory' });
        await answer('listSessions', {
          total: 1,
          keptDays: 30,
          sessions: [
            {
              id: 'session',
              title: 'Fix the failing date test',
              updatedAt: Date.now(),
              sizeBytes: 24_000,
              current: true,
            },
          ],
        });
      },
    },
    {
      name: `aside-${theme}`,
      options: { theme, width: 300, height: 500 },
      play: async ({ send, page }) => {
        await send(snapshot({ ...finished, queue }));
        await page
          .getByRole('textbox', { name: 'Message', exact: true })
          .fill('Half a thought about the reminders of overdue orders');
        await send({
          type: 'writeAnew',
          text: 'Fix the failing date test',
          images: [
            {
              name: 'Image',
              mediaType: 'image/gif',
              data: 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
            },
          ],
        });
        await page.getByRole('group', { name: 'Your draft' }).waitFor();
      },
    },
    {
      name: `low-${theme}`,
      options: { theme, width: 300, height: 220 },
      play: async ({ send, page }) => {
        await send(snapshot({ ...working, queue }));
        await page.getByRole('button', { name: /^Mode:/ }).click();
      },
    },
  ]),
  ...themes.map((theme) => ({
    name: `rewind-${theme}`,
    options: { theme, ...(theme === 'light' ? { width: 300 } : {}) },
    play: async ({ send, page }: Harness) => {
      await send(snapshot(finished));
      await page
        .getByRole('button', { name: /^Rewind to: / })
        .first()
        .click();
    },
  })),
  ...themes.flatMap((theme) =>
    [300, 560].map((width) => ({
      name: `slash-${theme}-${width}`,
      options: { theme, width },
      play: (harness: Harness) => openMenu(harness),
    })),
  ),
  ...themes.map((theme) => ({
    name: `working-${theme}`,
    options: { theme },
    play: async ({ send }: Harness) => send(snapshot(working)),
  })),
  ...themes.map((theme) => ({
    name: `finished-${theme}`,
    options: { theme, height: 1_100 },
    play: async ({ send }: Harness) => send(snapshot(finished)),
  })),
  ...themes.flatMap((theme) =>
    [300, 480].flatMap((width): Shot[] => [
      { name: `senses-${theme}-${width}`, options: { theme, width, height: 1_500 }, play: showSenses },
      ...senseApprovals.map((card, index): Shot => ({
        name: `senses-approval-${index}-${theme}-${width}`,
        options: { theme, width, height: 600 },
        play: async ({ send }) => send(snapshot({ ...finished, status: 'waiting', approvals: [card] })),
      })),
    ]),
  ),
  ...themes.map((theme) => ({
    name: `cards-${theme}`,
    options: { theme, height: 1_700 },
    play: async ({ send }: Harness) => send(snapshot(cards)),
  })),
  ...themes.map((theme) => ({
    name: `approval-edit-${theme}`,
    options: { theme },
    play: (harness: Harness) => showApproval(harness, 0),
  })),
  ...(['light', 'dark'] as const).flatMap((theme): Shot[] => {
    const options = { theme, forcedColors: true, reducedMotion: true };
    return [
      {
        name: `forced-${theme}-approval`,
        options,
        play: async (harness) => {
          await showApproval(harness, 0);
          await harness.page.getByRole('button', { name: 'Reject' }).focus();
        },
      },
      {
        name: `forced-${theme}-cards`,
        options: { ...options, height: 1_900 },
        play: async ({ send }) => send(snapshot(cards)),
      },
      {
        name: `forced-${theme}-composer`,
        options,
        play: async ({ send, page }) => {
          await send(snapshot({ ...working, queue }));
          await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Send this');
          await page.keyboard.press('Tab');
          await page.keyboard.press('Tab');
        },
      },
      {
        name: `forced-${theme}-menu`,
        options,
        play: async ({ send, page }) => {
          await send(snapshot(finished));
          await page.getByRole('button', { name: 'Mode: Manual' }).click();
        },
      },
    ];
  }),
  ...([...themes, 'forced'] as const).flatMap((theme) =>
    [300, 560].flatMap((width): Shot[] => {
      const options = {
        width,
        height: 700,
        ...(theme === 'forced' ? { theme: 'light' as const, forcedColors: true } : { theme }),
      };
      const asked = async ({ send, page }: Harness): Promise<void> => {
        await send(snapshot({ ...finished, status: 'waiting', questions, todos }));
        await page.getByRole('radio', { name: 'Tabs' }).click();
      };
      return [
        { name: `question-preview-${theme}-${width}`, options, play: asked },
        {
          name: `question-several-${theme}-${width}`,
          options,
          play: async (harness) => {
            await asked(harness);
            await harness.page.getByRole('radio', { name: 'Tabs' }).press('Enter');
            await harness.page.getByRole('checkbox', { name: 'JSON' }).click();
            await harness.page.getByRole('textbox', { name: 'Other answer' }).fill('Markdown');
          },
        },
        {
          name: `question-tasks-${theme}-${width}`,
          options,
          play: async ({ send, page }) => {
            await send(snapshot({ ...finished, todos }));
            await page.getByRole('button', { name: 'Tasks 1/3' }).click();
          },
        },
      ];
    }),
  ),
  { name: 'approval-bash', play: (harness) => showApproval(harness, 1) },
  {
    name: 'approval-rules',
    play: async (harness) => {
      await showApproval(harness, 1);
      await harness.page.getByRole('button', { name: 'Other rules' }).click();
    },
  },
  { name: 'approval-narrow', options: { width: 300, height: 700 }, play: (harness) => showApproval(harness, 1) },
  {
    name: 'working-narrow',
    options: { width: 300, height: 700 },
    play: async ({ send }) => send(snapshot({ ...working, queue })),
  },
  { name: 'cards-narrow', options: { width: 300, height: 1_900 }, play: async ({ send }) => send(snapshot(cards)) },
  { name: 'finished-wide', options: { width: 1_200, height: 900 }, play: async ({ send }) => send(snapshot(finished)) },
  {
    name: 'streaming',
    play: async ({ send, events, page }) => {
      await send(snapshot({ ...finished, status: 'working', items: (finished.items ?? []).slice(0, -1), queue }));
      await events({ type: 'item', item: { kind: 'text', id: 'live', text: '', streaming: true } });
      for (let at = 0; at < 620; at += 40)
        await events({ type: 'delta', id: 'live', text: markdown.slice(at, at + 40) });
      await page
        .getByRole('textbox', { name: 'Message', exact: true })
        .fill('Use the same in the\nreminders, see @src/rem');
    },
  },
  { name: 'empty', play: async ({ send }) => send(snapshot({})) },
  {
    name: 'setup',
    play: async ({ send }) =>
      send(
        snapshot(
          {},
          {
            needsSetup: true,
            setUp: { provider: 'anthropic', vscodeModels: true },
            trusted: false,
            selection: null,
            modelLabel: '',
          },
        ),
      ),
  },
  {
    name: 'setup-light',
    options: { width: 300, theme: 'light' },
    play: async ({ send }) =>
      send(
        snapshot(
          {},
          { needsSetup: true, setUp: { provider: 'anthropic', vscodeModels: true }, selection: null, modelLabel: '' },
        ),
      ),
  },
  {
    name: 'setup-narrow',
    options: { width: 300 },
    play: async ({ send }) =>
      send(
        snapshot(
          {},
          { needsSetup: true, setUp: { provider: 'vscode', vscodeModels: false }, selection: null, modelLabel: '' },
        ),
      ),
  },
  { name: 'demo', play: async ({ send }) => send(snapshot({}, { demo: true, modelLabel: 'Demo (scripted)' })) },
  {
    name: 'mentions',
    play: async ({ send, page, answer }) => {
      await send(snapshot(working));
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Look at @dat');
      await answer('mention', [
        { path: 'src/date.ts', kind: 'file' },
        { path: 'test/date.test.ts', kind: 'file' },
        { path: 'src/server/data', kind: 'folder' },
      ]);
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'modes',
    play: async ({ send, page }) => {
      await send(snapshot(working));
      await page.getByRole('button', { name: 'Mode: Manual' }).click();
    },
  },
  {
    name: 'changes-open',
    play: async ({ send, page }) => {
      await send(snapshot(finished));
      await page.getByRole('button', { name: '3 files changed' }).click();
    },
  },
  {
    name: 'looks-open',
    play: async ({ send, page }) => {
      await send(snapshot(cards));
      await page.getByRole('button', { name: /^Details of: Looked/ }).click();
      await page.getByRole('log').evaluate((element) => element.scrollTo(0, 0));
    },
  },
  ...themes.flatMap((theme) =>
    [300, 480].map((width): Shot => ({
      name: `side-work-${theme}-${width}`,
      options: { theme, width },
      play: async ({ send }) => send(snapshot(sideWork)),
    })),
  ),
  ...themes.map((theme): Shot => ({
    name: `feature-lines-${theme}`,
    options: { theme, width: 300, height: 500 },
    play: async ({ send, page }) => {
      await send(
        snapshot({
          ...working,
          lines: [goalLine, { ...loopLine, progress: 'round 12, every 5m', nextAt: Date.now() + 252_000 }],
        }),
      );
      await page.getByRole('button', { name: 'Goal', exact: true }).click();
    },
  })),
  ...themes.map((theme): Shot => ({ name: `agents-${theme}`, options: { theme, width: 300 }, play: showAgents })),
  ...themes.flatMap((theme) =>
    [300, 560].map((width): Shot => ({
      name: `find-${theme}-${width}`,
      options: { theme, width, height: 700 },
      play: showFind,
    })),
  ),
  { name: 'history', play: history },
  { name: 'history-light', options: { theme: 'light' }, play: history },
  { name: 'history-contrast', options: { theme: 'contrast' }, play: history },
  { name: 'history-narrow', options: { width: 300 }, play: history },
  { name: 'history-wide', options: { width: 900 }, play: foundInHistory },
  { name: 'history-found-narrow', options: { width: 300, theme: 'light' }, play: foundInHistory },
];

async function history({ send, page, answer }: Harness): Promise<void> {
  await send(snapshot(working));
  await send({ type: 'showHistory' });
  const day = 86_400_000;
  await answer('listSessions', {
    total: 5,
    keptDays: 30,
    sessions: [
      { id: 'session', title: 'Fix the failing date test', updatedAt: Date.now(), sizeBytes: 24_000, current: true },
      {
        id: 's2',
        title: 'Why is the build so slow since we moved to the new bundler and what can be done',
        updatedAt: Date.now() - 3_600_000,
        sizeBytes: 4_200_000,
        current: false,
      },
      { id: 's3', title: 'Rename the orders service', updatedAt: Date.now() - day, sizeBytes: 24_000, current: false },
      { id: 's4', title: 'Review of the login page', updatedAt: Date.now() - 40 * day, sizeBytes: 812, current: false },
      {
        id: 's5',
        title: "Another program's session",
        updatedAt: Date.now() - day,
        sizeBytes: 9_000,
        current: false,
        source: 'claude-code',
      },
    ],
  });
  await page.getByRole('button', { name: 'Delete Rename the orders service' }).click();
  await page.getByRole('button', { name: 'Review of the login page', exact: false }).first().press('F2');
  await page.getByRole('button', { name: /^Why is the build/ }).click({ button: 'right', position: { x: 30, y: 10 } });
}

async function foundInHistory(harness: Harness): Promise<void> {
  const { send, page, answer } = harness;
  await send(snapshot(working));
  await send({ type: 'showHistory' });
  await page.getByRole('textbox', { name: 'Search sessions' }).fill('orders');
  await page.getByRole('button', { name: 'Search in all conversations' }).waitFor();
  await page.keyboard.press('Enter');
  const asked = (await harness.posted()).findLast(
    (message) => message.type === 'searchSessions' && message.query !== '',
  );
  const requestId = asked?.type === 'searchSessions' ? asked.requestId : 0;
  const row = {
    id: 's9',
    title: 'Why is the build so slow',
    updatedAt: Date.now() - 86_400_000,
    sizeBytes: 4_200_000,
    current: false,
  };
  await answer('listSessions', {
    total: 1,
    keptDays: 30,
    sessions: [{ ...row, id: 's3', title: 'Rename the orders service' }],
  });
  await send({
    type: 'sessionMatches',
    requestId,
    done: false,
    sessions: [
      {
        ...row,
        line: 'the bundler packs src/orders/index.ts twice, once for each entry, which is why it takes a minute',
      },
    ],
  });
}

/** `names` picks pictures whose names contain one of them. */
export async function main(names: string[]): Promise<number> {
  const folder = path.resolve('out/screenshots');
  await mkdir(folder, { recursive: true });
  const server = await startHarnessServer(path.resolve('dist'));
  const browser = await startBrowser();
  let failures = 0;
  try {
    for (const { name, options, play } of shots) {
      if (names.length > 0 && !names.some((part) => name.includes(part))) continue;
      const harness = await openHarness(browser, server, { scale: 2, ...options });
      await play(harness);
      await drawn(harness.page);
      // Colouring waits for an idle moment.
      await harness.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
      await drawn(harness.page);
      await harness.page.screenshot({ path: path.join(folder, `webview-${name}.png`) });
      for (const error of harness.errors) console.error(`${name}: ${error}`);
      failures += harness.errors.length;
      await harness.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return failures > 0 ? 1 : 0;
}
