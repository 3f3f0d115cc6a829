// The pictures of docs/editor-*.md: each sense of the editor at work in a real window, in both default themes.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { openDeft, type DeftWindow } from '../e2e/support/deft';
import { answers } from '../e2e/support/replies';
import { type Reply, reply, toolUse } from '../support/messages-api/script';
import { codeCell, notebookText } from '../support/notebooks';
import { type Theme } from './settings';
import { resizeSideBar } from './workbench';

const folder = 'docs/media';
const width = 440;
/** Around what is in the picture. */
const margin = 8;

const files = {
  'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }\n',
  'src/price.ts': 'export function price(cents: number) {\n  return (cents / 100).toFixed(2);\n}\n',
  'src/bill.ts':
    "import { price } from './price';\n\nexport const line = (name: string, cents: number) => `${name}: ${price(cents)}`;\n",
  'src/cart.js': `export function total(items) {
  let sum = 0;
  for (const { price } of items) sum += price;
  return sum;
}
`,
  'src/main.js': "import { total } from './cart.js';\n\nconsole.log(total([{ price: 2 }, { price: '4' }]));\n",
  'test/cart.test.js': `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { total } from '../src/cart.js';

describe('the cart', () => {
  it('adds prices', () => assert.equal(total([{ price: 2 }, { price: 4 }]), 6));
  it('adds prices that are texts', () => assert.equal(total([{ price: 2 }, { price: '4' }]), 6));
  it('costs nothing while it is empty', () => assert.equal(total([]), 0));
});
`,
  'lint.js': `console.log("src/main.js:3:44: error: The price is a text.");
console.log("src/cart.js:3:3: warning: The loop can be a reduce.");
process.exitCode = 1;
`,
  'prices.ipynb': notebookText(
    [
      codeCell('load', "const prices = [2, '4'];\nconsole.log(prices.length, 'prices');"),
      codeCell('sum', 'prices.reduce((sum, price) => sum + price, 0)'),
    ],
    {
      metadata: {
        kernelspec: { display_name: 'JavaScript', language: 'javascript', name: 'javascript' },
        language_info: { name: 'javascript', file_extension: '.js' },
      },
    },
  ),
  '.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [
      {
        label: 'lint',
        type: 'shell',
        command: 'node lint.js',
        presentation: { reveal: 'never' },
        problemMatcher: {
          owner: 'lint',
          source: 'lint',
          fileLocation: ['relative', '${workspaceFolder}'],
          pattern: {
            regexp: '^(.*):(\\d+):(\\d+): (error|warning): (.*)$',
            file: 1,
            line: 2,
            column: 3,
            severity: 4,
            message: 5,
          },
        },
      },
    ],
  }),
};

const shop = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Cart</title><style>
body { margin: 60px 90px; font: 40px system-ui, sans-serif; color: #1f2933 }
td { padding: 14px 90px 14px 0 } td + td { text-align: right } tr:last-child { font-weight: bold; border-top: 3px solid }
table { border-collapse: collapse } button { margin-top: 40px; padding: 16px 48px; font: inherit; color: #fff; background: #0b6bcb; border: 0; border-radius: 8px }
</style></head><body><h1>Your cart</h1><table><tr><td>Tea</td><td>12.00</td></tr><tr><td>Pot</td><td>30.00</td></tr>
<tr><td>Total</td><td>41.00</td></tr></table><button>Pay</button></body></html>`;

interface Sense {
  readonly name: string;
  /** Shows it, and returns what is in the picture, from top to bottom. */
  show(deft: DeftWindow, shopUrl: string): Promise<Locator[]>;
}

/** A turn whose calls are accepted, with its cards unfolded. */
async function turn(deft: DeftWindow, message: string, replies: readonly Reply[], cards: RegExp[]): Promise<Locator[]> {
  deft.script(...replies);
  await deft.send(message);
  const accept = deft.button('Accept');
  const isOver = deft.button('Stop');
  await isOver.waitFor();
  while ((await isOver.count()) > 0) {
    if (await accept.isEnabled({ timeout: 200 }).catch(() => false)) await accept.click();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  for (const name of cards) {
    const folded = deft.card(name).getByRole('button', { name: /^Details of /, expanded: false });
    if ((await folded.count()) > 0) await folded.click();
  }
  return [deft.conversation().locator('[data-row]').first(), deft.conversation().locator('[data-row]').last()];
}

const senses: readonly Sense[] = [
  {
    name: 'refactor',
    async show(deft) {
      deft.script(
        reply(
          toolUse('Refactor', {
            action: 'rename',
            filePath: 'src/price.ts',
            lineContent: 'export function price(',
            symbol: 'price',
            newName: 'priceText',
          }),
        ),
        answers('As you wish.'),
      );
      await deft.send('Rename price to priceText');
      const approval = deft.approval('Approve: Rename price to priceText in 2 files');
      await approval.waitFor({ timeout: 60_000 });
      return [approval];
    },
  },
  {
    name: 'tests',
    show: (deft) =>
      turn(
        deft,
        'Do the tests pass?',
        [reply(toolUse('Tests', {})), answers('One fails: a price that is a text is not added, but appended.')],
        [/^Ran all tests/],
      ),
  },
  {
    name: 'tasks',
    show: (deft) =>
      turn(
        deft,
        'Run the lint task',
        [reply(toolUse('RunTask', { task: 'lint' })), answers('It has found one error and one warning.')],
        [/^Ran the task/],
      ),
  },
  {
    name: 'debugger',
    show: (deft) =>
      turn(
        deft,
        'Why is the total wrong?',
        [
          reply(toolUse('Debug', { action: 'start', program: 'src/main.js', breakpoints: [{ at: 'src/cart.js:4' }] })),
          answers('`sum` is the text `24`: the second price is a text.'),
        ],
        [/^Debugged/],
      ),
  },
  {
    name: 'notebooks',
    async show(deft) {
      await deft.window.command('Test: Offer a Kernel');
      return turn(
        deft,
        'Run the notebook',
        [
          reply(toolUse('RunCells', { notebook_path: `${deft.window.folder}/prices.ipynb` })),
          answers('The sum is a text, as the second price is one.'),
        ],
        [/^Ran the cells/],
      );
    },
  },
  {
    name: 'page',
    show: (deft, url) =>
      turn(
        deft,
        'Does the cart add up?',
        [
          reply(toolUse('Page', { action: 'open', url })),
          reply(toolUse('Page', { action: 'screenshot' })),
          answers('No: 12 and 30 are 42, and the cart says 41.'),
        ],
        [],
      ),
  },
];

/** Saves <name>-light.png and <name>-dark.png for each of them that is wanted. */
export async function takeSenses(isWanted: (name: string) => boolean): Promise<void> {
  const wanted = senses.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return;
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(shop));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cart`;
  try {
    for (const theme of ['light', 'dark'] as const) await takeAll(wanted, theme, url);
  } finally {
    server.close();
  }
}

async function takeAll(wanted: readonly Sense[], theme: Theme, url: string): Promise<void> {
  const deft = await openDeft({
    files,
    theme,
    extraExtension: 'test/support/tool-extension',
    viewport: { width: 1200, height: 1000 },
  });
  const { page } = deft.window;
  await resizeSideBar(page, width);
  for (const [index, { name, show }] of wanted.entries()) {
    if (index > 0) await deft.newSession();
    const shown = await show(deft, url);
    await deft.composer().focus();
    await page.mouse.move(900, 700);
    // Nor the tooltip of the button that was clicked before.
    await page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    for (const picture of await deft
      .conversation()
      .getByRole('img', { name: /^Picture of / })
      .all())
      await picture.evaluate((image) => (image as HTMLImageElement).decode());
    await page.evaluate(() => document.fonts.ready);
    const boxes = await Promise.all(shown.map((part) => part.boundingBox()));
    const sideBar = await page.locator('.part.sidebar').boundingBox();
    const [first, last] = [boxes[0], boxes.at(-1)];
    if (!sideBar || !first || !last) throw new Error(`Nothing of ${name} is shown.`);
    const top = first.y - margin;
    const file = `${folder}/${name}-${theme}.png`;
    await page.screenshot({
      path: file,
      animations: 'disabled',
      clip: { x: sideBar.x, y: top, width: sideBar.width, height: last.y + last.height + margin - top },
    });
    console.log(file);
    const reject = deft.button('Reject');
    if ((await reject.count()) > 0) await reject.click();
    await deft.idle();
  }
  await deft.close();
}
