// The empty chat where no model is set up: each offer by keyboard, whole in a narrow view, in every theme.
import assert from 'node:assert/strict';
import { type Check, axeFindings } from './checks';
import { snapshot } from './conversations';
import { drawn } from './harness';

const offers = [
  ['Enter an API key', 'setApiKey'],
  ['Use another provider or base URL', 'selectProvider'],
  ["Use VS Code's models", 'useVscodeModels'],
  ['Try the demo', 'startDemo'],
  ['Open the walkthrough', 'openWalkthrough'],
] as const;

export const setUpChecks: Check[] = (['dark', 'light', 'contrast'] as const).map((theme): Check => ({
  name: `what the empty chat offers without a model is whole at 300 px and chosen by keyboard, ${theme}`,
  options: { theme, width: 300 },
  run: async ({ page, send, posted }) => {
    await send(snapshot({}, { needsSetup: true, setUp: { provider: 'anthropic', vscodeModels: true } }));
    await page.getByRole('button', { name: offers[0][0] }).focus();
    for (const [label] of offers) {
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), label);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
    }
    assert.deepEqual(
      (await posted()).flatMap((message) => (message.type === 'command' ? [message.command] : [])),
      offers.map(([, command]) => command),
    );
    await drawn(page);
    assert.equal(
      await page.evaluate(
        () =>
          [...document.querySelectorAll('.empty *')].filter(
            (element) => element.getBoundingClientRect().right > 300.5 || element.scrollWidth > element.clientWidth + 1,
          ).length,
      ),
      0,
      'nothing is cut off',
    );
    assert.deepEqual(await axeFindings(page), []);
    await send(snapshot({}, { needsSetup: true, setUp: { provider: 'vscode', vscodeModels: false } }, 2));
    await page.getByText('VS Code offers no model now.').waitFor();
    assert.equal(await page.getByRole('button', { name: "Use VS Code's models" }).count(), 0);
  },
}));
