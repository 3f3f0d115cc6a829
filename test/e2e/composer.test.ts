// The composer: mentions, images, the selection chip, attached and dropped files, new lines, mode and model.
import assert from 'node:assert/strict';
import { quickInput, quickPickRow } from '../rig/workbench';
import {
  eventually,
  lastText,
  openChat,
  mentionOptions,
  openDeft,
  type DeftWindow,
  type SentMessage,
} from './support/deft';
import { openAndFocus } from './support/editor';
import { answers } from './support/replies';

const files = {
  'src/price.js': 'export const price = 1;\nexport const second = 2;\nexport const third = 3;\n',
  'src/deep/tax.js': 'export const tax = 0.2;\n',
  'README.md': '# Shop\n',
};
/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the composer', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files })));
  after(() => deft.close());
  beforeEach(async () => {
    await deft.newSession();
    await deft.composer().fill('');
    deft.script(answers('Seen.'));
  });

  const options = () => mentionOptions(deft);

  async function sent(): Promise<SentMessage[]> {
    await deft.composer().press('Enter');
    await deft.says('Seen.');
    await deft.idle();
    return deft.request(1);
  }

  it('mentions a file by keyboard; the request has its content', async () => {
    await deft.composer().pressSequentially('Look at @pri');
    await options().filter({ hasText: 'price.js' }).waitFor();
    await deft.composer().press('Enter');
    await eventually(
      async () => (await deft.composer().inputValue()) === 'Look at @src/price.js ',
      'The mention is not written out.',
    );
    await deft.composer().pressSequentially('please');
    const last = lastText(await sent());
    assert.match(last, /export const second = 2;/);
    assert.match(last, /Look at @src\/price\.js please/);
    await deft.chat().getByRole('list', { name: 'Attached' }).getByText('src/price.js').waitFor();
  });

  it('mentions a folder by keyboard; the request has what is in it', async () => {
    await deft.composer().pressSequentially('What is in @de');
    await options().filter({ hasText: 'deep' }).first().waitFor();
    const deep = async () => (await options().filter({ hasText: /^deep/ }).getAttribute('aria-selected')) === 'true';
    for (let moves = 0; moves < 10 && !(await deep()); moves++) await deft.composer().press('ArrowDown');
    await deft.composer().press('Tab');
    await eventually(
      async () => (await deft.composer().inputValue()) === 'What is in @src/deep/',
      'The mention is not written out.',
    );
    await deft.composer().press('Escape');
    assert.match(lastText(await sent()), /tax\.js/);
  });

  it('closes the suggestions by Escape and keeps what was typed', async () => {
    await deft.composer().pressSequentially('Mail @pri');
    await options().first().waitFor();
    await deft.composer().press('Escape');
    await options().first().waitFor({ state: 'detached' });
    assert.equal(await deft.composer().inputValue(), 'Mail @pri');
    assert.match(lastText(await sent()), /Mail @pri/);
  });

  it('sends a pasted image', async () => {
    await deft.composer().click();
    await deft.composer().evaluate((textbox, base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'pixel.png', { type: 'image/png' }));
      textbox.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, png);
    await deft.chat().getByRole('list', { name: 'Attached images' }).getByRole('img', { name: 'pixel.png' }).waitFor();
    await deft.composer().pressSequentially('What is this?');
    const content = (await sent()).at(-1)?.content as { type: string; source?: { media_type: string; data: string } }[];
    const image = content.find(({ type }) => type === 'image');
    assert.equal(image?.source?.media_type, 'image/png');
    assert.ok(image.source.data.length > 0);
    await deft.conversation().getByText('1 image').waitFor();
  });

  it('keeps images of any size, and the last word, while the view is hidden', async () => {
    const { page } = deft.window;
    const thumbnails = deft.chat().getByRole('list', { name: 'Attached images' }).getByRole('img');
    for (const name of ['one.png', 'two.png', 'three.png']) {
      await deft.composer().evaluate(async (textbox, name) => {
        // Noise, which no format makes small.
        const canvas = Object.assign(document.createElement('canvas'), { width: 1500, height: 700 });
        const drawing = canvas.getContext('2d') as CanvasRenderingContext2D;
        const pixels = drawing.createImageData(1500, 700);
        for (let at = 0; at < pixels.data.length; at++) pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
        drawing.putImageData(pixels, 0, 0);
        const data = new DataTransfer();
        data.items.add(
          new File([await new Promise<BlobPart>((resolve) => canvas.toBlob((blob) => resolve(blob as Blob)))], name, {
            type: 'image/png',
          }),
        );
        textbox.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      }, name);
      await deft.chat().getByRole('img', { name }).waitFor();
    }
    await deft.composer().pressSequentially('What are these?');
    await page.keyboard.press('Control+Shift+e');
    await page.locator('.explorer-viewlet').waitFor();
    await openChat(deft);
    await eventually(async () => (await thumbnails.count()) === 3, 'The images are gone with the view.');
    assert.equal(await deft.composer().inputValue(), 'What are these?');
    const content = (await sent()).at(-1)?.content as { type: string }[];
    assert.equal(content.filter(({ type }) => type === 'image').length, 3);
  });

  it('inserts what is dropped from the Explorer', async () => {
    await deft.composer().evaluate((textbox, path) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', `file://${path}`);
      textbox.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, `${deft.window.folder}/src/price.js`);
    await eventually(
      async () => (await deft.composer().inputValue()) === '@src/price.js ',
      'Nothing was inserted, or not the path from the workspace on.',
    );
    assert.match(lastText(await sent()), /export const third = 3;/);
  });

  it('mentions what is dragged by its tab with Shift held', async () => {
    const { page } = deft.window;
    await openAndFocus(page, 'src/deep/tax.js');
    const tab = await page.locator('.tab[data-resource-name="tax.js"]').boundingBox();
    const target = await deft.composer().boundingBox();
    assert.ok(tab && target);
    await page.mouse.move(tab.x + tab.width / 3, tab.y + tab.height / 2);
    await page.mouse.down();
    await page.keyboard.down('Shift');
    await page.mouse.move(tab.x + tab.width / 3 + 20, tab.y + tab.height / 2 + 4, { steps: 4 });
    await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 12 });
    await deft
      .chat()
      .getByText(/^Drop with Shift held/)
      .waitFor();
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await eventually(
      async () => (await deft.composer().inputValue()) === '@src/deep/tax.js ',
      'The file of the tab is not mentioned.',
    );
    assert.match(lastText(await sent()), /export const tax = 0\.2;/);
    await deft.window.command('View: Close All Editors');
  });

  it('sends the selection along, and not when its chip is hidden', async () => {
    const { page } = deft.window;
    await openAndFocus(page, 'src/price.js');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await deft.composer().click();
    const hide = deft.button('Do not send src/price.js:2-2');
    await hide.waitFor();
    await deft.composer().fill('Explain');
    assert.match(lastText(await sent()), /price\.js" lines="2-2">\nexport const second = 2;/);

    deft.script(answers('Seen.'));
    await deft.newSession();
    await hide.click();
    await hide.waitFor({ state: 'detached' });
    await deft.composer().fill('Explain');
    assert.doesNotMatch(lastText(await sent()), /export const second/);
    await deft.window.command('View: Close All Editors');
  });

  it('attaches a file by the button', async () => {
    await deft.button('Attach').click();
    // The dialog writes a folder into its field first.
    await quickPickRow(deft.window.page, '..').waitFor();
    await quickInput(deft.window.page).fill(`${deft.window.folder}/README.md`);
    await quickPickRow(deft.window.page, 'README.md').waitFor();
    await deft.window.page.getByRole('button', { name: 'Attach', exact: true }).click();
    await eventually(async () => (await deft.composer().inputValue()).includes('@README.md'), 'Nothing was attached.');
    assert.match(lastText(await sent()), /# Shop/);
  });

  it('starts a new line by Shift+Enter', async () => {
    await deft.composer().pressSequentially('one');
    await deft.composer().press('Shift+Enter');
    await deft.composer().pressSequentially('two');
    assert.match(lastText(await sent()), /one\ntwo/);
  });

  it('writes the last message again by the up key', async () => {
    await deft.composer().fill('Say it once');
    await sent();
    await deft.composer().press('ArrowUp');
    assert.equal(await deft.composer().inputValue(), 'Say it once');
  });

  it('changes the mode by keyboard', async () => {
    await deft.button('Mode: Manual').focus();
    await deft.window.page.keyboard.press('Enter');
    await deft.chat().getByRole('menuitemradio', { name: 'Plan' }).waitFor();
    await deft.window.page.keyboard.press('ArrowDown');
    await deft.window.page.keyboard.press('ArrowDown');
    await deft.window.page.keyboard.press('Enter');
    await deft.button('Mode: Plan').waitFor();
    await deft.composer().fill('Plan it');
    const texts = JSON.stringify(await sent());
    assert.match(texts, /permission mode is now Plan/);
  });

  it('changes the model', async () => {
    await deft.button(/^Model: /).click();
    await quickPickRow(deft.window.page, 'claude-haiku-4-5').click();
    await deft.button(/^Model: .*Haiku/).waitFor();
    await deft.composer().fill('Which model are you?');
    await sent();
    assert.equal(deft.api.requests.at(-1)?.body['model'], 'claude-haiku-4-5-20251001');
  });
});
