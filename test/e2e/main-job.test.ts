// The main job as a user does it: ask, look, change the proposed edit, accept the rest, let the tests run, read the answer.
import assert from 'node:assert/strict';
import { reply, text, thinking, toolUse } from '../support/messages-api/script';
import { eventually, lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { revertHunk, typeIntoProposal } from './support/proposal';
import { terminalText } from './support/terminal';

const price = `// Prices in cents.
export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}

export function unrelated() {
  return 'nothing';
}

export function label(cents) {
  return '$' + cents / 100;
}
`;
const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './price.js';

test('counts every piece', () => assert.equal(total([{ price: 5, count: 2 }]), 10));
`;
const files = { 'price.js': price, 'price.test.js': test, 'package.json': '{ "type": "module" }\n' };

describe('the main job', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());
  beforeEach(async () => {
    for (const [file, content] of Object.entries(files)) deft.window.write(file, content);
    await deft.newSession();
  });

  it('goes from a prompt over a changed edit and a test run to an answer', async () => {
    const { window } = deft;
    const path = `${window.folder}/price.js`;
    deft.script(
      reply(
        thinking('Where is the total computed?', 'signature-1'),
        text('I look first.'),
        toolUse('Grep', { pattern: 'total', output_mode: 'content' }),
        toolUse('Read', { file_path: path }),
      ),
      reply(
        text('Two things are wrong.'),
        toolUse('Edit', {
          file_path: path,
          old_string: price,
          new_string: price
            .replace('item.price;', 'item.price * item.count;')
            .replace('cents / 100', '(cents / 100).toFixed(2)'),
        }),
      ),
      reply(text('Now the tests.'), toolUse('Bash', { command: 'node --test', description: 'Run the tests' })),
      reply(text('The total is right now. You kept the label as it was.')),
    );

    await deft.send('The total is wrong, fix it');
    await deft.approval('Approve: Edit price.js').waitFor();
    await deft.says('I look first.');
    await deft
      .conversation()
      .getByRole('button', { name: /^Thought/ })
      .waitFor();
    await deft.card(/^Searched/).waitFor();
    await deft.card('Read price.js').waitFor();
    assert.equal(window.read('price.js'), price, 'nothing is written before the decision');

    await typeIntoProposal(window.page, 'item.count', ' // every piece');
    await revertHunk(window.page, 'toFixed');
    // The card says what Accept would do now, not what was proposed.
    await deft.approval().getByText('Changed by you').waitFor();
    await deft.approval().getByText('// every piece').waitFor();
    await eventually(
      async () => (await deft.approval().getByText('toFixed').count()) === 0,
      'The card still shows the hunk that was reverted.',
    );
    await deft.button('Accept').click();

    await deft.approval('Approve: Bash node --test').waitFor();
    const accepted = price.replace('item.price;', 'item.price * item.count; // every piece');
    assert.equal(window.read('price.js'), accepted);
    const sent = lastText(await deft.request(3));
    assert.match(sent, /The user modified your proposed changes/);
    assert.match(sent, /^\+.*\/\/ every piece$/m);
    assert.match(sent, /^-.*toFixed/m);

    await deft.button('Accept').click();
    await deft.says('The total is right now.');
    await deft.idle();
    const command = deft.card('Ran node --test');
    // One that ends at once stays closed.
    const details = command.getByRole('button', { name: 'Details of Ran node --test' });
    if ((await details.getAttribute('aria-expanded')) === 'false') await details.click();
    await command.getByText(/pass 1/).waitFor();
    assert.match(await terminalText(window, 'Deft'), /pass 1/);
    assert.match(textsOf((await deft.request(4)).at(-1)?.content).join('\n'), /pass 1/);
    assert.equal(deft.requests(), 4);
  });
});
