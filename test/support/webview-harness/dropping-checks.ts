// Files that are dropped, pasted or picked: all of them are taken, or a sentence at the composer says why one is not.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Page } from 'playwright-core';
import { type Check, inOwnPage, posts } from './checks';
import { approvals, finished, snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';

const textbox = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const attached = (page: Page) => page.getByRole('list', { name: 'Attached images' }).getByRole('img');
const told = (page: Page) => page.locator('.composer-problem');
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface DragData {
  items?: { mimeType: string; data: string }[];
  files?: string[];
}

/** As the browser's own drag does it, from outside the page. `before` runs while it is over the page. */
async function dragIn(page: Page, { items = [], files = [] }: DragData, before?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items, files, dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data, modifiers: 8 });
  await send('dragEnter');
  await send('dragOver');
  await before?.();
  await send('drop');
  await session.detach();
}

/** Files of the system for as long as `run` takes. */
async function withFiles(
  files: Readonly<Record<string, string | Buffer>>,
  run: (at: (name: string) => string) => Promise<void>,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'deft-drop-'));
  const at = (name: string): string => path.join(folder, name);
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
    }
    await run(at);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the page made of a paste: whether it was left to the browser. */
function paste(
  page: Page,
  make: 'office' | 'empty' | 'noise' | 'named wrongly' | 'broken',
  into = textbox(page),
): Promise<boolean> {
  return into.evaluate(async (element, what) => {
    const data = new DataTransfer();
    const canvas = document.createElement('canvas');
    const picture = (type: string) =>
      new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob ?? new Blob()), type));
    const add = (blob: Blob, name: string) => data.items.add(new File([blob], name, { type: 'image/png' }));
    if (what === 'office') {
      data.setData('text/plain', 'one\ttwo');
      data.setData('text/html', '<table></table>');
      add(await picture('image/png'), 'image.png');
    }
    if (what === 'named wrongly') add(await picture('image/jpeg'), 'photo.png');
    if (what === 'broken') add(new Blob([(await picture('image/png')).slice(0, 40)]), 'broken.png');
    if (what === 'noise') {
      // What no format makes small: more than 20 MB.
      canvas.width = canvas.height = 2_700;
      const drawing = canvas.getContext('2d') as CanvasRenderingContext2D;
      const pixels = drawing.createImageData(canvas.width, canvas.height);
      const words = new Uint32Array(pixels.data.buffer);
      let seed = 1;
      for (let at = 0; at < words.length; at++)
        words[at] = (seed = Math.imul(seed, 1_664_525) + 1_013_904_223) | 0xff000000;
      drawing.putImageData(pixels, 0, 0);
      add(await picture('image/png'), 'noise.png');
    }
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    element.dispatchEvent(event);
    return !event.defaultPrevented;
  }, make);
}

async function located(harness: Harness, known: Readonly<Record<string, string>>): Promise<void> {
  const { files } = await posts<{ files: { name: string; size: number; modified: number }[] }>(harness, 'locate');
  assert.ok(files.every(({ size, modified }) => size > 0 && modified > 0));
  await harness.answer(
    'locate',
    files.map(({ name }) => known[name] ?? null),
  );
}

const all: Check[] = [
  {
    name: 'drop: files of the system, several at once: pictures, text, files of the workspace, and a reason for each other one',
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot(finished));
      await page.getByTitle(/hold Shift to drop files/).waitFor();
      const files = {
        'one.png': Buffer.from(pixel, 'base64'),
        'two.png': Buffer.from(pixel, 'base64'),
        'notes.txt': 'remember\n',
        'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
        'known.ts': 'export {};\n',
        'a.pdf': Buffer.from('%PDF-1.4\n\0\0'),
        'all.log': 'x'.repeat(200_000),
        'assets/a.txt': 'a\n',
      };
      await withFiles(files, async (at) => {
        const names = [...Object.keys(files).filter((name) => !name.startsWith('assets')), 'assets'];
        await dragIn(page, { files: names.map(at) }, () => page.getByText(/^Drop with Shift held/).waitFor());
        await located(harness, { 'known.ts': 'file:///w/src/known.ts' });
        await told(page).waitFor();
      });
      assert.equal(await page.getByText(/^Drop with Shift held/).count(), 0);
      assert.equal(await attached(page).count(), 2);
      assert.deepEqual(await posts(harness, 'dropped'), { type: 'dropped', uris: ['file:///w/src/known.ts'] });
      const written = await textbox(page).inputValue();
      assert.match(written, /notes\.txt:\n```\nremember\n```/);
      assert.match(written, /logo\.svg:\n```\n<svg/);
      const why = (await told(page).textContent()) ?? '';
      assert.match(why, /assets is a folder from outside VS Code, which does not tell where it is/);
      assert.match(why, /a\.pdf is neither text nor a picture\. Copy it into the workspace/);
      assert.match(why, /all\.log is too large for a message \(195 KB, 98 KB fit\)/);
      await page
        .getByRole('status')
        .getByText(/assets is a folder/)
        .waitFor({ state: 'attached' });
    },
  },
  {
    name: 'drop: from the Explorer and editor tabs, the host names them; what it tells is shown and spoken',
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot({}));
      const uris = ['file:///w/src/a%20b.ts', 'file:///w/shot.png', 'untitled:Untitled-1'];
      await dragIn(page, {
        items: [
          { mimeType: 'application/vnd.code.uri-list', data: uris.join('\r\n') },
          { mimeType: 'text/uri-list', data: uris[0] ?? '' },
          { mimeType: 'text/plain', data: '/w/src/a b.ts' },
        ],
      });
      assert.deepEqual(await posts(harness, 'dropped'), { type: 'dropped', uris });
      assert.equal(await textbox(page).inputValue(), '');
      await send({
        type: 'insert',
        text: '@"src/a b.ts" ',
        pictures: [{ name: 'shot.png', mediaType: 'image/png', data: pixel }],
        problems: ['Untitled-1 is not a file: save it first, or paste its text.'],
      });
      await page.getByRole('img', { name: 'shot.png' }).waitFor();
      assert.equal(await textbox(page).inputValue(), '@"src/a b.ts" ');
      await told(page).getByText('Untitled-1 is not a file').waitFor();
      await page
        .getByRole('status')
        .getByText(/Untitled-1 is not a file/)
        .waitFor({ state: 'attached' });
      await page.getByRole('status').getByText('shot.png is attached.').waitFor({ state: 'attached' });

      await dragIn(page, { items: [{ mimeType: 'resourceurls', data: '["file:///w/c.ts"]' }] });
      await page.waitForFunction(() =>
        JSON.stringify((window as unknown as { posted: unknown[] }).posted).includes('"uris":["file:///w/c.ts"]'),
      );
      assert.equal(await told(page).count(), 0, 'what was told of the drop before is over');
      await textbox(page).fill('');
      await dragIn(page, {
        items: [
          { mimeType: 'text/uri-list', data: 'https://example.org/a' },
          { mimeType: 'text/plain', data: 'https://example.org/a' },
        ],
      });
      assert.equal(await textbox(page).inputValue(), 'https://example.org/a');
      await dragIn(page, { items: [{ mimeType: 'application/x-other', data: 'x' }] });
      await told(page)
        .getByText(/no file, no picture and no text/)
        .waitFor();
      const many = Array.from({ length: 203 }, (_, index) => `file:///w/${index}.ts`).join('\n');
      await dragIn(page, { items: [{ mimeType: 'application/vnd.code.uri-list', data: many }] });
      await told(page).getByText('Only the first 200 are taken: 3 are left out.').waitFor();
      await page.keyboard.press('Enter');
      await told(page).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'drop: text that is dragged within the message moves there',
    run: async ({ page, send }) => {
      await send(snapshot({}));
      await textbox(page).fill('one two');
      const box = await textbox(page).boundingBox();
      assert.ok(box);
      const y = box.y + 18;
      await page.mouse.dblclick(box.x + 16, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 120, y, { steps: 4 });
      await page.mouse.move(box.x + 200, y, { steps: 4 });
      await page.mouse.up();
      await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('one') === false);
      assert.equal((await textbox(page).inputValue()).replaceAll(' ', ''), 'twoone');
    },
  },
  {
    name: 'paste: a message waits for a picture of more than 20 MB; text of Office stays text; names that lie and pictures that break are told apart',
    run: async (harness) => {
      const { page, send } = harness;
      await send(snapshot({}));
      assert.equal(await paste(page, 'office'), true);
      assert.equal(await attached(page).count(), 0);
      assert.equal(await paste(page, 'office', page.getByRole('log')), false);
      assert.equal(await textbox(page).inputValue(), 'one\ttwo', 'also where the focus is elsewhere');
      assert.equal(await attached(page).count(), 0);
      assert.equal(await paste(page, 'empty'), true);
      await told(page)
        .getByText(/^There is no text and no picture on the clipboard/)
        .waitFor();
      await send(snapshot({ ...working, status: 'waiting', approvals: approvals.slice(1) }, {}, 2));
      await paste(page, 'broken', page.getByRole('textbox', { name: 'Tell the agent why' }));
      await told(page).getByText('Pictures and files go with the message: paste them there.').waitFor();
      await paste(page, 'broken');
      await told(page).getByText('broken.png cannot be shown here: save it as PNG or JPEG.').waitFor();
      await paste(page, 'named wrongly');
      await page.getByRole('img', { name: 'photo.png' }).waitFor();
      await textbox(page).fill('Look');
      await paste(page, 'noise');
      await page.keyboard.press('Enter');
      await page.getByText('Reading noise.png').waitFor();
      await page.keyboard.press('Enter');
      const sent = await posts<{ text: string; images: { name: string; mediaType: string; data: string }[] }>(
        harness,
        'send',
      );
      assert.deepEqual(
        sent.images.map(({ name, mediaType }) => [name, mediaType]),
        [
          ['photo.png', 'image/jpeg'],
          ['noise.png', 'image/jpeg'],
        ],
      );
      assert.equal(sent.text, 'Look');
      await drawn(page);
      assert.equal((await harness.posted()).filter(({ type }) => type === 'send').length, 1);
      assert.equal(await attached(page).count(), 0);
    },
  },
];

export const droppingChecks: readonly Check[] = all.map(inOwnPage);
