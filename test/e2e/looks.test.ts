// How the chat looks: pictures of its states in each theme, narrow and wide, and axe-core over every one of them.
import assert from 'node:assert/strict';
import type { Theme } from '../rig/settings';
import { resizeSideBar } from '../rig/workbench';
import { httpError, reply, text, thinking, toolUse } from '../support/messages-api/script';
import { openDeft, type DeftWindow } from './support/deft';
import { seriousProblems } from './support/accessibility';
import { proposalEditor } from './support/proposal';
import { lookedAt } from './support/window';

const price = `// Prices in cents.
export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}

export function label(cents) {
  return '$' + cents / 100;
}
`;
const answer = `The total counted each item once. Now:

1. \`total\` multiplies by the **count**,
2. \`label\` shows two digits.

| before | after |
|---|---|
| \`$5\` | \`$5.00\` |

\`\`\`js
label(total(items)); // '$10.00'
\`\`\`

See [price.js](src/price.js:4).`;

describe('looks', () => {
  for (const theme of lookedAt(['light', 'high-contrast'], ['dark', 'high-contrast-light'])) {
    describe(theme, () => {
      let deft: DeftWindow;
      before(async () => (deft = await openDeft({ files: { 'src/price.js': price }, theme })));
      after(() => deft.close());

      it('shows a conversation with approvals, an answer and an error', () => conversation(deft, theme));
    });
  }
});

async function conversation(deft: DeftWindow, theme: Theme): Promise<void> {
  const path = `${deft.window.folder}/src/price.js`;
  const edited = price
    .replace('item.price;', 'item.price * item.count;')
    .replace('cents / 100', '(cents / 100).toFixed(2)');
  deft.script(
    reply(
      thinking('Where is the total computed?', 'signature-1'),
      text('I look first.'),
      toolUse('Grep', { pattern: 'total', output_mode: 'content' }),
      toolUse('Glob', { pattern: '**/*.js' }),
      toolUse('Read', { file_path: path }),
    ),
    reply(text('Two things are wrong.'), toolUse('Edit', { file_path: path, old_string: price, new_string: edited })),
    reply(
      text('Now a check.'),
      toolUse('Bash', {
        command: `node --input-type=module -e "import { label } from '${path}'; console.log(label(1000)); process.exit(3)"`,
        description: 'Check the label',
      }),
    ),
    reply(text(answer)),
    httpError(401, 'authentication_error', 'invalid x-api-key'),
  );
  await picture(deft, theme, 'empty');
  await deft.send('The total is wrong and the label lacks digits. Fix both, please.');
  await deft.approval('Approve: Edit src/price.js').waitFor();
  await proposalEditor(deft.window.page).waitFor();
  await picture(deft, theme, 'edit');
  await deft.button('Accept').click();
  await deft.approval(/^Approve: Bash/).waitFor();
  await picture(deft, theme, 'command');
  await deft.button('Accept').click();
  await deft.says('The total counted each item once.');
  await deft.idle();
  await picture(deft, theme, 'answer');
  await deft.button('Mode: Manual').click();
  await deft.chat().getByRole('menuitemradio', { name: 'Edit automatically' }).waitFor();
  await picture(deft, theme, 'menu');
  await deft.window.page.keyboard.press('Escape');
  await deft.send('And once more');
  await deft.card('The API key was not accepted.').waitFor();
  await deft.idle();
  await picture(deft, theme, 'error');
  await deft.window.page.locator('.part.sidebar').getByRole('button', { name: 'Show History' }).click();
  await deft
    .chat()
    .getByRole('main', { name: 'History' })
    .getByRole('button', { name: /^The total is wrong/ })
    .first()
    .waitFor();
  await picture(deft, theme, 'history');
}

/** Pictures at both widths, and what axe finds in each. */
async function picture(deft: DeftWindow, theme: Theme, state: string): Promise<void> {
  for (const [width, pixels] of [
    ['wide', 560],
    ['narrow', 300],
  ] as const) {
    await resizeSideBar(deft.window.page, pixels);
    await deft.window.page.mouse.move(900, 850);
    await deft.window.picture(`e2e-${state}-${theme}-${width}`);
    assert.deepEqual(await seriousProblems(deft.chat()), [], `${state}, ${theme}, ${width}`);
  }
}
