// The history's list: many rows, its keys, its menu and its search.
import assert from 'node:assert/strict';
import { type Check, focused, posts } from './checks';
import { snapshot, working } from './conversations';
import { drawn } from './harness';

export const historyChecks: readonly Check[] = [
  {
    name: 'history of 10,000 sessions: draws only what is in view, by keyboard to its end and with further pages',
    run: async (harness) => {
      const { send, answer, page } = harness;
      const rows = (from: number) =>
        Array.from({ length: 5_000 }, (_, at) => ({
          id: `s${from + at}`,
          title: `Session ${from + at}`,
          updatedAt: Date.now() - (from + at) * 3_600_000,
          sizeBytes: 812,
          current: false,
        }));
      const listed = (from: number) => ({
        total: 10_000,
        keptDays: 30,
        sessions: rows(from),
      });
      const drawnRows = () => page.locator('[data-session]').count();
      await send(snapshot(working));
      await send({ type: 'showHistory' });
      await answer('listSessions', listed(0));
      await page.locator('[data-session="s0"]').waitFor();
      assert.ok((await drawnRows()) < 100);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('End');
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-session') === 's4999');
      await page.waitForFunction(() =>
        JSON.stringify((window as unknown as { posted: unknown[] }).posted).includes('"from":5000'),
      );
      await answer('listSessions', listed(5_000));
      await page.waitForFunction(() => (document.querySelector('.history-list')?.scrollHeight ?? 0) > 9_999 * 28);
      await page.keyboard.press('End');
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-session') === 's9999');
      // What has the focus stays, wherever the view is.
      await page.locator('.history-list').evaluate((list) => list.scrollTo(0, 0));
      await page.locator('[data-session="s0"]').waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-session')), 's9999');
      assert.ok((await drawnRows()) < 100);
      await page.keyboard.press('Home');
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-session') === 's0');
      await page.keyboard.press('ArrowUp');
      assert.equal(await focused(page), 'Search sessions');
    },
  },
  {
    name: 'history: renames by F2, forks and exports from the menu, finds words in conversations',
    run: async (harness) => {
      const { send, answer, page, posted } = harness;
      const row = { id: 's2', title: 'Orders', updatedAt: Date.now(), sizeBytes: 24_000, current: false };
      await send(snapshot(working));
      await send({ type: 'showHistory' });
      await answer('listSessions', { total: 1, keptDays: 30, sessions: [row] });
      const entry = page.locator('[data-session="s2"]');
      await entry.focus();
      await page.keyboard.press('F2');
      const name = page.getByRole('textbox', { name: 'New name' });
      await name.fill('Thrown away');
      await name.press('Escape');
      await entry.waitFor();
      assert.equal(
        (await posted()).some(({ type }) => type === 'renameSession'),
        false,
      );
      await entry.press('F2');
      await name.fill('The orders service');
      await name.press('Enter');
      assert.equal((await posted()).filter(({ type }) => type === 'renameSession').length, 1);
      assert.deepEqual(await posts(harness, 'renameSession'), {
        type: 'renameSession',
        sessionId: 's2',
        title: 'The orders service',
      });

      await entry.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Fork' }).click();
      assert.deepEqual(await posts(harness, 'forkSession'), { type: 'forkSession', sessionId: 's2' });
      const rowWithFocus = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['session']);
      assert.equal(await rowWithFocus(), 's2', 'The row has the focus again.');
      await page.getByRole('button', { name: 'Actions for Orders' }).click();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      assert.deepEqual(await posts(harness, 'exportSession'), { type: 'exportSession', sessionId: 's2' });
      assert.equal(await rowWithFocus(), 's2');
      await page.getByRole('button', { name: 'Delete all…' }).click();
      assert.deepEqual(await posts(harness, 'deleteAllSessions'), { type: 'deleteAllSessions' });

      await page.getByRole('textbox', { name: 'Search sessions' }).fill('bundler');
      await page.getByRole('button', { name: 'Search in all conversations' }).click();
      const asked = (await posts(harness, 'searchSessions')) as { requestId: number; query: string };
      assert.equal(asked.query, 'bundler');
      await send({
        type: 'sessionMatches',
        requestId: asked.requestId - 1,
        done: true,
        sessions: [{ ...row, title: 'Of an earlier search' }],
      });
      await send({
        type: 'sessionMatches',
        requestId: asked.requestId,
        done: false,
        sessions: [{ ...row, line: 'the bundler packs it twice' }],
      });
      await send({
        type: 'sessionMatches',
        requestId: asked.requestId,
        done: true,
        sessions: [{ ...row, id: 's3', title: 'Build', line: 'a bundler for the page' }],
      });
      const found = page.getByRole('region', { name: 'Found in conversations' });
      await found.getByText('a bundler for the page').waitFor();
      assert.deepEqual(await found.locator('.session-title').allInnerTexts(), ['Orders', 'Build']);
      await page.getByRole('textbox', { name: 'Search sessions' }).fill('bundlers');
      await found.waitFor({ state: 'detached' });
      // The search is ended.
      await page.waitForFunction(
        () =>
          (window as unknown as { posted: { type: string; query?: string }[] }).posted.findLast(
            ({ type }) => type === 'searchSessions',
          )?.query === '',
      );
    },
  },
  {
    name: 'history: a row that is being renamed or deleted stays where it is while sessions begin to work and wait',
    run: async (harness) => {
      const { send, answer, page } = harness;
      const row = (id: string, state: 'idle' | 'working' | 'waiting') => ({
        ...{ id, title: `Session ${id}`, updatedAt: Date.now(), sizeBytes: 1, current: false, state },
      });
      const list = async (...sessions: ReturnType<typeof row>[]) => {
        await answer('listSessions', { total: sessions.length, keptDays: 30, sessions });
        await drawn(page);
      };
      const changed = async (...sessions: ReturnType<typeof row>[]) => {
        await send({ type: 'sessionsChanged' });
        await list(...sessions);
      };
      const inGroup = (name: string, id: string) =>
        page.getByRole('region', { name }).locator(`[data-session="${id}"]`);
      await send(snapshot(working));
      await send({ type: 'showHistory' });
      await list(row('a', 'idle'), row('b', 'idle'), row('c', 'idle'));
      await page.locator('[data-session="b"]').focus();
      await page.keyboard.press('F2');
      const name = page.getByRole('textbox', { name: 'New name' });
      await name.fill('Half a na');
      await changed(row('b', 'waiting'), row('c', 'working'), row('a', 'idle'));
      await inGroup('Working', 'c').waitFor();
      assert.equal(await focused(page), 'New name');
      await page.keyboard.type('me');
      await name.press('Enter');
      assert.deepEqual(await posts(harness, 'renameSession'), {
        type: 'renameSession',
        sessionId: 'b',
        title: 'Half a name',
      });
      await answer('renameSession', undefined);
      await list(row('b', 'waiting'), row('c', 'working'), row('a', 'idle'));
      await inGroup('Today', 'b').waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-session') === 'b');
      await page.keyboard.press('Delete');
      await changed(row('b', 'working'), row('c', 'waiting'), row('a', 'idle'));
      await inGroup('Waiting for you', 'c').waitFor();
      assert.equal(await focused(page), 'Cancel');
      await page.keyboard.press('Escape');
      await page.getByRole('textbox', { name: 'Search sessions' }).focus();
      await inGroup('Working', 'b').waitFor();
    },
  },
  {
    name: 'history: what a menu did leaves the focus on the row, on the page, or in the message of what it opened',
    run: async (harness) => {
      const { send, answer, page } = harness;
      const row = (id: string, title: string) => ({ id, title, updatedAt: 0, sizeBytes: 1, current: false });
      const list = (...sessions: ReturnType<typeof row>[]) =>
        answer('listSessions', { total: sessions.length, keptDays: 30, sessions });
      await send(snapshot(working));
      await send({ type: 'showHistory' });
      await list(row('s2', 'Orders'), row('s3', 'Dates'));
      await page.getByRole('button', { name: 'Actions for Orders' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      assert.equal(await focused(page), 'Cancel');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await answer('deleteSession', undefined);
      await list(row('s3', 'Dates'));
      await page.locator('[data-session="s2"]').waitFor({ state: 'detached' });
      await drawn(page);
      assert.notEqual(await focused(page), 'BODY');
      await page.getByRole('button', { name: 'Actions for Dates' }).click();
      await page.getByRole('menuitem', { name: 'Fork' }).click();
      await send(snapshot({ ...working, sessionId: 'copy' }, {}, 2));
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
      await drawn(page);
      assert.equal(await focused(page), 'Message');
    },
  },
];
