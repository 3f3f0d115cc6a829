// The ledger of a turn in the chat: one line that opens by keyboard, its rows at 300 pixels, and marks in the answer.
import assert from 'node:assert/strict';
import { type LedgerItem, type TextItem } from '../../../src/shared/chat';
import { type Check, posts, axeFindings } from './checks';
import { finished, snapshot } from './conversations';

const reason = 'No test ran after the last edit of src/parse.ts.';
const said: TextItem = {
  kind: 'text',
  id: 'said',
  text: 'I fixed **both** parsers. All `unit` tests pass, every one.\n\n- The build is green.\n\nThat is all.',
  streaming: false,
  marks: [
    { quote: 'All `unit` tests pass, every one.', reason },
    { quote: 'The build is green.', reason: 'No build ran after the last edit of src/parse.ts.' },
  ],
};

const ledgerItem: LedgerItem = {
  kind: 'ledger',
  id: 'ledger-1',
  ledger: {
    files: [
      { path: 'src/a/rather/deeply/nested/folder/of/the/project/date-parser-with-a-long-name.ts', edits: 3 },
      { path: 'src/parse.ts', edits: 1 },
    ],
    commandsMayHaveChanged: true,
    agentsWorked: false,
    checks: [
      {
        id: 't1',
        kinds: ['tests'],
        command: 'npm test -- --reporter spec --grep "parses dates"',
        state: 'failed',
        exitCode: 1,
        counts: { passed: 38, failed: 3, skipped: 0 },
        staleFor: ['src/parse.ts'],
        repeats: true,
      },
      { id: 't2', kinds: ['lint'], command: 'npm run lint', state: 'passed', exitCode: 0, staleFor: [], repeats: true },
    ],
    missing: [{ kind: 'tests', since: 'src/parse.ts', ranBefore: true, uncertain: false }],
    refused: [{ what: 'npm publish', why: 'rejected' }],
    running: [{ id: 'b1', command: 'npm run dev' }],
    due: [{ id: 'verify:0', run: 'npm run test:unit', files: ['src/parse.ts'] }],
    claims: [{ kind: 'tests', text: 'All `unit` tests pass, every one.', reason }],
  },
};

const shown = snapshot({ ...finished, items: [...(finished.items ?? []), said, ledgerItem] });

export const ledgerShown = snapshot({ ...finished, items: [said, ledgerItem] });

export const ledgerChecks: readonly Check[] = [
  {
    name: 'ledger: one line opens by keyboard, its rows fit into 300 pixels, and a check runs again',
    options: { width: 300, height: 900 },
    run: async (harness) => {
      const { send, page } = harness;
      await send(shown);
      const card = page.getByRole('group', { name: 'Proof of this turn' });
      const line = card.getByRole('button', { name: /^2 files changed · 3 of 41 tests failed before the last edit/ });
      await line.focus();
      await page.keyboard.press('Enter');
      assert.equal(await line.getAttribute('aria-expanded'), 'true');
      await card.getByText('Tests not run since the last edit of src/parse.ts.').waitFor();
      const width = await page
        .locator('.transcript')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.ok(width <= 0, `${width} pixels too wide`);
      assert.deepEqual(await axeFindings(page), []);
      await card.getByRole('button', { name: 'Run again' }).first().click();
      assert.deepEqual(await posts(harness, 'runCheck'), { type: 'runCheck', ledgerId: 'ledger-1', rowId: 't1' });
      await card.getByRole('button', { name: 'Run', exact: true }).click();
      await page.waitForFunction(() =>
        (window as unknown as { posted: { rowId?: string }[] }).posted.some(({ rowId }) => rowId === 'verify:0'),
      );
      await line.press('Enter');
      assert.equal(await line.getAttribute('aria-expanded'), 'false');
    },
  },
  {
    name: 'ledger: a claim without proof is underlined, says why, and loses its mark when it is borne',
    run: async ({ send, page }) => {
      await send(shown);
      const marks = page.locator('.answer .claim');
      await marks.first().waitFor();
      assert.deepEqual(
        (await marks.allTextContents()).map((text) => text.replace(/\s+/g, ' ')),
        [
          `All unit tests pass, every one. (Not borne out: ${reason})`,
          'The build is green. (Not borne out: No build ran after the last edit of src/parse.ts.)',
        ],
      );
      assert.equal(await marks.first().getAttribute('title'), reason);
      await send(snapshot({ ...finished, items: [{ ...said, marks: [] }] }, {}, 2));
      await marks.first().waitFor({ state: 'detached' });
    },
  },
];
