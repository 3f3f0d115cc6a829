// Approvals that explain: what happens, what for, what is dangerous; and what stays of the conversation beside them.
import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { type Check, posts, axeFindings } from './checks';
import { approvals, planCard, snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';
import { themeNames } from './themes';

const command = approvals.find(({ toolName }) => toolName === 'Bash');
if (command === undefined) throw new Error('No approval of a command to show.');
/** The command is over, so that nothing but the approval waits. */
const ended = (working.items ?? []).filter(({ id }) => id !== 'bash');
const waiting = (cards = approvals) => ({ ...working, items: ended, status: 'waiting' as const, approvals: cards });

const heightOfTranscript = (page: Page) => page.getByRole('log').evaluate((element) => element.clientHeight);
const stops = async ({ posted }: Harness) => (await posted()).filter(({ type }) => type === 'stop').length;

export const approvalChecks: readonly Check[] = [
  ...approvals.map((card): Check => ({
    name: `approvals: half of the conversation stays in sight at 300 x 600, and the answers are on the page: ${card.toolName}`,
    options: { width: 300, height: 600 },
    run: async ({ send, page }) => {
      await send(snapshot({ ...working, items: ended }));
      await drawn(page);
      const before = await heightOfTranscript(page);
      await send(snapshot(waiting([card]), {}, 2));
      const group = page.getByRole('group', { name: /^Approve/ });
      await group.waitFor();
      await drawn(page);
      const after = await heightOfTranscript(page);
      assert.ok(after >= before / 2, `${after} of ${before} pixels`);
      const always = new RegExp(`^${card.suggestions[0]?.label.replaceAll('`', '').replace(/[*]/g, '\\*') ?? ''}$`);
      for (const name of ['Accept', 'Reject', always]) {
        const button = group.getByRole('button', { name, exact: true });
        const box = await button.boundingBox();
        assert.ok(box && box.y + box.height <= 600 && box.height <= 30, `${name}: ${JSON.stringify(box)}`);
      }
      await group.getByRole('textbox', { name: 'Tell the agent why' }).waitFor();
    },
  })),
  {
    name: 'approvals: a command says what happens, what for, what is dangerous and why Deft asks',
    run: async ({ send, page }) => {
      await send(snapshot(waiting([command])));
      const group = page.getByRole('group', { name: /^Approve: Bash/ });
      await group.getByRole('heading', { name: 'Run this command?' }).waitFor();
      await group.getByText('Build the server anew').waitFor();
      assert.deepEqual(
        await group.getByRole('list', { name: 'What to look at' }).getByRole('listitem').allInnerTexts(),
        ['Dangerous:\nDeletes build', 'Uses the network'],
      );
      assert.match(await group.innerText(), /Deft asks before it runs rm\. Why\?/);
      assert.doesNotMatch(await group.innerText(), /`/);
    },
  },
  {
    name: 'approvals: several edits are gone through one by one, or accepted at once, each with its words',
    run: async (harness) => {
      const { send, page, posted } = harness;
      const edit = approvals.find(({ hasDiff }) => hasDiff) ?? assert.fail('no edit to show');
      const edits = ['first', 'second', 'third'].map((id) => ({ ...edit, id, title: `Edit ${id}.ts` }));
      await send(snapshot(waiting([...edits, command])));
      const shown = (name: string) => page.getByRole('group', { name: `Approve: ${name}`, exact: true });
      await shown('Edit first.ts').getByText('1 of 4').waitFor();
      await page.getByRole('button', { name: 'Show the next one' }).click();
      await shown('Edit second.ts').getByText('2 of 4').waitFor();
      await page.getByRole('textbox', { name: 'Tell the agent why' }).fill('fine');
      await page.getByRole('button', { name: 'Accept all 3' }).click();
      assert.deepEqual(
        (await posted()).flatMap((message) =>
          message.type === 'decide' ? [[message.approvalId, message.decision]] : [],
        ),
        [
          ['first', { behavior: 'accept' }],
          ['second', { behavior: 'accept', words: 'fine' }],
          ['third', { behavior: 'accept' }],
        ],
      );
    },
  },
  {
    name: 'approvals: one of several changes can be taken back in the card, and an only one cannot',
    options: { width: 300 },
    run: async (harness) => {
      const { send, page } = harness;
      const edit = approvals.find(({ hasDiff }) => hasDiff) ?? assert.fail('no edit to show');
      const hunkAt = (line: number) => ({
        ...{ oldStart: line, oldLines: 3, newStart: line, newLines: 3 },
        lines: [' same', '-old', '+new', ' same'],
      });
      const view = (...lines: number[]) => ({
        ...{ kind: 'diff' as const, path: 'src/a.ts', created: false, truncated: false },
        ...{ added: lines.length, removed: lines.length, hunks: lines.map(hunkAt) },
      });
      const back = page.getByRole('button', { name: /^Take back/ });
      await send(snapshot(waiting([{ ...edit, view: view(4) }])));
      await page.getByRole('group', { name: /^Approve/ }).waitFor();
      assert.equal(await back.count(), 0);
      await send(snapshot(waiting([{ ...edit, view: view(4, 20) }]), {}, 2));
      await page.getByRole('button', { name: 'Take back the change at line 20' }).press('Enter');
      assert.deepEqual(await posts(harness, 'takeBackHunk'), {
        type: 'takeBackHunk',
        approvalId: edit.id,
        start: 19,
        end: 22,
      });
      assert.deepEqual(await axeFindings(page), []);
    },
  },
  {
    name: 'approvals: findings of a review are counted, gone through and made into comments',
    options: { width: 300 },
    run: async (harness) => {
      const { send, page, posted } = harness;
      const drafts = { comments: 0, files: 0, findings: { comments: 5, files: 3 } };
      await send(snapshot({ ...working, items: ended, review: { edited: [], drafts } }));
      const strip = page.getByRole('region', { name: 'Findings' });
      await strip.getByText('5 findings in 3 files').waitFor();
      await strip.getByRole('button', { name: 'Next finding' }).press('Enter');
      await strip.getByRole('button', { name: 'Fix all' }).click();
      assert.deepEqual(
        (await posted()).flatMap((message) => (message.type === 'review' ? [message['action']] : [])),
        ['nextFinding', 'fixFindings'],
      );
      assert.deepEqual(await axeFindings(page), []);
      await send(snapshot({ ...working, items: ended }, {}, 2));
      await strip.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'approvals: Escape closes the other rules and the reasons first, and drops nothing',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot(waiting([command])));
      await page.getByRole('button', { name: 'Other rules' }).click();
      const other = page.getByRole('button', { name: 'Always allow npm run build * in this session' });
      await other.waitFor();
      await page.keyboard.press('Escape');
      await other.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Why does Deft ask?' }).click();
      await page.locator('.why').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.why').waitFor({ state: 'detached' });
      await page.getByRole('group', { name: /^Approve: Bash/ }).waitFor();
      assert.equal(await stops(harness), 0);
    },
  },
  {
    name: 'approvals: what Escape drops can be brought back for a moment, and is dropped afterwards',
    options: { ownPage: true },
    run: async (harness) => {
      const { send, page } = harness;
      await page.clock.install();
      await send(snapshot(waiting()));
      const card = page.getByRole('group', { name: 'Approve: Edit src/date.ts' });
      await card.waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('2 proposals dropped.').first().waitFor();
      await card.waitFor({ state: 'detached' });
      // What is not seen is not answered.
      await page.keyboard.press('Alt+Enter');
      await page.getByRole('button', { name: 'Bring back' }).click();
      await card.waitFor();
      await page.clock.runFor(10_000);
      assert.equal(await stops(harness), 0);
      assert.equal((await harness.posted()).filter(({ type }) => type === 'decide').length, 0);
      await page.keyboard.press('Escape');
      await page.getByText('2 proposals dropped.').first().waitFor();
      await page.clock.runFor(10_000);
      await posts(harness, 'stop');
      assert.equal(await stops(harness), 1);
    },
  },
  {
    name: 'approvals: a message sent while proposals are dropped comes after the stop',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot(waiting()));
      await page.getByRole('group', { name: 'Approve: Edit src/date.ts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Bring back' }).waitFor();
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Something else');
      await page.keyboard.press('Enter');
      await posts(harness, 'send');
      const types = (await harness.posted())
        .map(({ type }) => type)
        .filter((type) => type === 'stop' || type === 'send');
      assert.deepEqual(types, ['stop', 'send']);
    },
  },
  {
    name: 'approvals: what still runs stops at once',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({ ...working, status: 'waiting', approvals }));
      await page.getByRole('group', { name: 'Approve: Edit src/date.ts' }).waitFor();
      await page.keyboard.press('Escape');
      await posts(harness, 'stop');
    },
  },
  ...themeNames.map((theme): Check => ({
    name: `approvals: a plan has one primary button, the first, and is readable at 300 px: ${theme}`,
    options: { theme, width: 300, height: 700 },
    run: async ({ send, page }) => {
      await send(snapshot({ ...working, items: ended, status: 'waiting', mode: 'plan', approvals: [planCard] }));
      const group = page.getByRole('group', { name: 'Approve: plan' });
      await group.getByRole('heading', { name: 'Start with this plan?' }).waitFor();
      const kinds = await group
        .locator('.button')
        .evaluateAll((all) => all.map((one) => one.classList.contains('button-primary')));
      assert.deepEqual(kinds, [true, false, false, false]);
      await drawn(page);
      assert.deepEqual(await axeFindings(page), []);
    },
  })),
];
