// Debug from the chat: the approval shows what starts, the card says where it stands, and the user's editor and typing stay where they are.
import assert from 'node:assert/strict';
import { reply, toolUse } from '../support/messages-api/script';
import { lastText, openDeft, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

const files = {
  'src/total.js': `function total(list) {
  let sum = 0;
  for (const { price } of list) sum += price;
  return sum;
}
console.log(total([{ price: 2 }, { price: '4' }]));
`,
};

describe('Debug in the chat', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());

  it('is asked about with what starts, stops without opening a file, and ends with the turn', async () => {
    deft.script(
      reply(toolUse('ToolSearch', { query: 'select:Debug' })),
      reply(toolUse('Debug', { action: 'start', program: 'src/total.js', breakpoints: [{ at: 'src/total.js:4' }] })),
      answers('The price is a text.'),
    );
    await deft.send('Why is the total wrong?');
    const approval = deft.approval('Approve: Debug src/total.js (node)');
    await approval.waitFor({ timeout: 60_000 });
    await approval.getByText('src/total.js:4').waitFor();
    await deft.window.picture('debug-approval');
    await deft.button('Accept').click();
    await deft.says('The price is a text.');
    await deft.idle();
    const sent = await deft.request(deft.requests());
    assert.match(lastText(sent), /^Stopped at src\/total\.js:4 in total \(breakpoint\)\.[^]*sum = '24'/);
    const card = deft.card(/Debugged src\/total\.js/);
    await card.waitFor();
    await deft.window.picture('debug-card');
    assert.equal(await deft.window.page.locator('.part.editor .tab', { hasText: 'total.js' }).count(), 0);
    await deft.window.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });
});
