// A session of another program in the chat, and its row in the history.
import assert from 'node:assert/strict';
import { type Check, posts, axeFindings } from './checks';
import { cards, finished, snapshot } from './conversations';
import { drawn } from './harness';

const external = { name: 'Claude Code', note: '2 calls in it have no result.' };

/** Own and external rows, as the host sends them. */
export const externalRows = [
  { id: 's', title: 'One of Deft', updatedAt: 2, sizeBytes: 24_000, current: false },
  {
    id: 'claude-code:a',
    title: 'A long title of a session that Claude Code made of this workspace',
    updatedAt: 3,
    sizeBytes: 24_000,
    current: false,
    source: 'claude-code' as const,
  },
  { id: 'codex:b', title: 'One of Codex', updatedAt: 1, sizeBytes: 24_000, current: false, source: 'codex' as const },
];

export const externalChat = { ...finished, changes: [], external };

export const externalChecks: Check[] = (['dark', 'light', 'contrast'] as const).flatMap((theme): Check[] => [
  {
    name: `an external session is read-only and goes on in a copy, ${theme}`,
    options: { theme },
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot({ ...cards, changes: [], external }));
      await page
        .getByText('This is a session of Claude Code, shown read-only. 2 calls in it have no result.')
        .waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Message', exact: true }).count(), 0);
      assert.deepEqual(await axeFindings(page), []);
      await page.keyboard.press('Enter');
      assert.deepEqual(await posts(harness, 'continueExternal'), { type: 'continueExternal' });
      await send(snapshot({}, {}, 2));
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    },
  },
  {
    name: `external sessions stand below in groups of their own, with Export and without Delete, ${theme}`,
    options: { theme },
    run: async (harness) => {
      const { page, send, answer } = harness;
      await send(snapshot({}));
      await send({ type: 'showHistory' });
      await answer('listSessions', { total: externalRows.length, keptDays: 30, sessions: externalRows });
      await drawn(page);
      const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
      assert.deepEqual(headings.slice(-2), ['From Claude Code', 'From Codex']);
      const group = page.getByRole('region', { name: 'From Codex' });
      const [row, actions] = [group.getByRole('button').first(), group.getByRole('button', { name: /^Actions for / })];
      assert.equal(await group.getByRole('button').count(), 2);
      await row.press('Delete');
      await actions.click();
      assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['OpenEnter', 'Export…']);
      assert.deepEqual(await axeFindings(page), []);
      await page.getByRole('menuitem', { name: 'Export…' }).click();
      assert.deepEqual(await posts(harness, 'exportSession'), { type: 'exportSession', sessionId: 'codex:b' });
      await row.click();
      assert.deepEqual(await posts(harness, 'openSession'), { type: 'openSession', sessionId: 'codex:b' });
      assert.deepEqual(await axeFindings(page), []);
    },
  },
]);
