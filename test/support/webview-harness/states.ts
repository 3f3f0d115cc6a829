// The states of the chat that a user meets, for pictures of them: what gallery.ts shows in all themes.
import { type ApprovalCard } from '../../../src/shared/chat';
import { showAgents } from './agent-checks';
import { showFormulas } from './answer-part-checks';
import { showBackground } from './background-checks';
import {
  approvals,
  cards,
  finished,
  goalLine,
  loopLine,
  markdown,
  planCard,
  questions,
  sideWork,
  snapshot,
  todos,
  working,
} from './conversations';
import { showDiagrams } from './diagram-checks';
import { externalChat, externalRows } from './external-checks';
import { showFind } from './find-checks';
import { type Harness } from './harness';
import { ledgerShown } from './ledger-checks';
import { senseApprovals, showSenses } from './sense-checks';
import { serverForm, serverPage, serverSampling, showServers } from './server-checks';
import { openMenu } from './slash-checks';
import { diffBlock } from './theme-checks';
import { showUsage } from './usage-checks';
import { writing } from './writing-checks';

export interface State {
  readonly name: string;
  readonly height: number;
  readonly play: (harness: Harness) => Promise<void>;
}

type Chat = Parameters<typeof snapshot>[0];

const message = ({ page }: Harness) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Nothing but what the host sends. */
const shown = (name: string, height: number, chat: Chat): State => ({
  name,
  height,
  play: async ({ send }) => send(snapshot(chat)),
});

const asked = (name: string, card: ApprovalCard | undefined, height = 600): State =>
  shown(name, height, { ...working, status: 'waiting', approvals: card ? [card] : [] });

/** A button is clicked in what the host has sent. */
const clicked = (name: string, height: number, chat: Chat, button: string | RegExp): State => ({
  name,
  height,
  play: async ({ send, page }) => {
    await send(snapshot(chat));
    await page.getByRole('button', { name: button }).first().click();
  },
});

const queue = [
  { id: 'q1', text: 'Also update the changelog' },
  { id: 'q2', text: 'And say in a comment why a date without a zone is local time, please' },
];

const setUp = (name: string, provider: 'anthropic' | 'vscode', trusted: boolean): State => ({
  name,
  height: 700,
  play: async ({ send }) =>
    send(
      snapshot(
        {},
        {
          needsSetup: true,
          setUp: { provider, vscodeModels: provider === 'anthropic' },
          trusted,
          selection: null,
          modelLabel: '',
        },
      ),
    ),
});

export const states: readonly State[] = [
  shown('empty', 500, {}),
  setUp('set-up', 'anthropic', true),
  setUp('set-up-restricted', 'anthropic', false),
  setUp('set-up-vscode', 'vscode', true),
  {
    name: 'demo',
    height: 500,
    play: async ({ send }) => send(snapshot({}, { demo: true, modelLabel: 'Demo (scripted)' })),
  },
  shown('working', 860, { ...working, queue }),
  shown('finished', 1_100, finished),
  shown('cards', 1_900, cards),
  clicked('cards-looked', 900, cards, /^Details of: Looked/),
  shown('writing', 800, writing),
  { name: 'streaming', height: 860, play: stream },
  {
    name: 'answer',
    height: 1_300,
    play: async ({ send }) => send(snapshot({ ...finished, items: [...(finished.items ?? []), diffBlock] })),
  },
  { name: 'formulas', height: 620, play: showFormulas },
  { name: 'diagrams', height: 2_400, play: showDiagrams },
  asked('approval-edit', approvals[0]),
  asked('approval-command', approvals[1]),
  clicked('approval-rules', 600, { ...working, status: 'waiting', approvals: approvals.slice(1) }, 'Other rules'),
  asked('plan', planCard),
  { name: 'senses', height: 1_500, play: showSenses },
  ...senseApprovals.map((card, index) => asked(`approval-sense-${index + 1}`, card)),
  shown('question', 700, { ...finished, questions, todos }),
  { name: 'question-preview', height: 700, play: choose },
  {
    name: 'question-several',
    height: 700,
    play: async (harness) => {
      await choose(harness);
      await harness.page.getByRole('radio', { name: 'Tabs' }).press('Enter');
      await harness.page.getByRole('checkbox', { name: 'JSON' }).click();
      await harness.page.getByRole('textbox', { name: 'Other answer' }).fill('Markdown');
    },
  },
  clicked('tasks', 700, { ...finished, todos }, 'Tasks 1/3'),
  {
    name: 'ledger',
    height: 1_000,
    play: async ({ send, page }) => {
      await send(ledgerShown);
      await page.locator('.ledger-line').click();
    },
  },
  clicked('changed-files', 860, finished, '3 files changed'),
  clicked('rewind-menu', 860, finished, /^Rewind to: /),
  clicked('modes', 860, working, 'Mode: Manual'),
  { name: 'slash-menu', height: 860, play: async (harness) => void (await openMenu(harness)) },
  { name: 'mentions', height: 860, play: mention },
  {
    name: 'lines',
    height: 500,
    play: async ({ send, page }) => {
      const loop = { ...loopLine, progress: 'round 12, every 5m', nextAt: Date.now() + 252_000 };
      await send(snapshot({ ...working, lines: [goalLine, loop] }));
      await page.getByRole('button', { name: 'Goal', exact: true }).click();
    },
  },
  { name: 'draft-set-aside', height: 500, play: setAside },
  { name: 'agents', height: 860, play: showAgents },
  shown('side-work', 860, sideWork),
  { name: 'background', height: 700, play: showBackground },
  { name: 'find', height: 700, play: showFind },
  { name: 'usage-cost', height: 1_150, play: (harness) => showUsage(harness, 'cost') },
  { name: 'usage-context', height: 1_150, play: (harness) => showUsage(harness, 'context') },
  {
    name: 'servers',
    height: 1_150,
    play: async (harness) => {
      await showServers(harness);
      await harness.page.getByRole('button', { name: 'Details of everything' }).click();
    },
  },
  {
    name: 'servers-add',
    height: 1_150,
    play: async (harness) => {
      await showServers(harness);
      await harness.page.getByRole('button', { name: 'Add server' }).click();
    },
  },
  shown('server-form', 700, { ...finished, status: 'waiting', mcpRequests: [serverForm] }),
  shown('server-page', 500, { ...finished, status: 'waiting', mcpRequests: [serverPage] }),
  shown('server-sampling', 500, { ...finished, status: 'waiting', mcpRequests: [serverSampling] }),
  { name: 'history', height: 860, play: history },
  { name: 'history-found', height: 860, play: foundInHistory },
  {
    name: 'history-external',
    height: 860,
    play: async ({ send, answer }) => {
      await send(snapshot({}));
      await send({ type: 'showHistory' });
      await answer('listSessions', { total: externalRows.length, keptDays: 30, sessions: externalRows });
    },
  },
  shown('external', 860, externalChat),
];

async function stream(harness: Harness): Promise<void> {
  const { send, events } = harness;
  await send(snapshot({ ...finished, status: 'working', items: (finished.items ?? []).slice(0, -1), queue }));
  await events({ type: 'item', item: { kind: 'text', id: 'live', text: '', streaming: true } });
  for (let at = 0; at < 620; at += 40) await events({ type: 'delta', id: 'live', text: markdown.slice(at, at + 40) });
  await message(harness).fill('Use the same in the\nreminders, see @src/rem');
}

async function choose({ send, page }: Harness): Promise<void> {
  await send(snapshot({ ...finished, status: 'waiting', questions, todos }));
  await page.getByRole('radio', { name: 'Tabs' }).click();
}

async function mention(harness: Harness): Promise<void> {
  const { send, page, answer } = harness;
  await send(snapshot(working));
  await message(harness).fill('Look at @dat');
  await answer('mention', [
    { path: 'src/date.ts', kind: 'file' },
    { path: 'test/date.test.ts', kind: 'file' },
    { path: 'src/server/data', kind: 'folder' },
  ]);
  await page.getByRole('option').first().waitFor();
}

async function setAside(harness: Harness): Promise<void> {
  const { send, page } = harness;
  await send(snapshot({ ...finished, queue }));
  await message(harness).fill('Half a thought about the reminders of overdue orders');
  const dot = {
    name: 'Image',
    mediaType: 'image/gif' as const,
    data: 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
  };
  await send({ type: 'writeAnew', text: 'Fix the failing date test', images: [dot] });
  await page.getByRole('group', { name: 'Your draft' }).waitFor();
}

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
