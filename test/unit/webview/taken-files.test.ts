// What the composer makes of drags and files before anybody else looks at them.
import assert from 'node:assert/strict';
import { resourceUris, uriLines } from '../../../webview-ui/composer/dragged';
import { decoded, fileBlock, textBlock } from '../../../webview-ui/composer/text-file';
import { fittingImages, imageTypeOf, MAX_IMAGES, MAX_IMAGES_LENGTH } from '../../../webview-ui/state/image-limits';

const bytes = (...all: number[]): ArrayBuffer => new Uint8Array(all).buffer;

describe('what is dragged', () => {
  it('is read in both forms in which VS Code writes it', () => {
    assert.deepEqual(
      uriLines('# comment\r\nfile:///w/a%20b.ts\r\nvscode-remote://ssh+host/w/c.ts\nuntitled:Untitled-1\n\nno uri'),
      ['file:///w/a%20b.ts', 'vscode-remote://ssh+host/w/c.ts', 'untitled:Untitled-1'],
    );
    assert.deepEqual(resourceUris('["file:///w/a.ts",1]'), ['file:///w/a.ts']);
    for (const json of ['', '{', '{"a":1}', 'null']) assert.deepEqual(resourceUris(json), []);
  });
});

describe('a text file of the system', () => {
  it('is a block of the message, whatever stands in it', () => {
    assert.equal(textBlock('a.md', 'one\r\n```js\ntwo\n```\r\n'), '\na.md:\n````\none\n```js\ntwo\n```\n````\n');
  });

  it('is text in UTF-8, and in UTF-16 with a mark', () => {
    assert.equal(decoded(new TextEncoder().encode('\uFEFFgrün').buffer), 'grün');
    assert.equal(decoded(bytes(0xff, 0xfe, 0x41, 0)), 'A');
    assert.equal(decoded(bytes(0xfe, 0xff, 0, 0x41)), 'A');
    assert.equal(decoded(bytes()), '');
    assert.equal(decoded(bytes(0xff, 0xd8, 0xff)), undefined);
    assert.equal(decoded(bytes(0x41, 0, 0x42)), undefined, 'no text has zeros');
  });

  it('is refused with the reason and what helps', async () => {
    const helps = 'Copy it into the workspace and mention it with @.';
    assert.deepEqual(await fileBlock(new Blob(['x'.repeat(5_000_000)]), 'all.log'), {
      outcome: 'refused',
      message: `all.log is too large for a message (4.8 MB, 98 KB fit). ${helps}`,
    });
    assert.deepEqual(await fileBlock(new Blob([bytes(0x50, 0x4b, 0, 1)]), 'a.zip'), {
      outcome: 'refused',
      message: `a.zip is neither text nor a picture. ${helps}`,
    });
    assert.deepEqual(await fileBlock(new Blob(['hello\n']), 'a.txt'), {
      outcome: 'read',
      text: '\na.txt:\n```\nhello\n```\n',
    });
  });
});

describe('images of a message', () => {
  it('are what their bytes say', () => {
    const type = (text: string) => imageTypeOf(Uint8Array.from(text, (sign) => sign.charCodeAt(0)));
    assert.deepEqual(
      ['\x89PNG\r\n\x1a\n....', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF1234WEBP', 'RIFF1234WAVE', 'BM12', ''].map(type),
      ['image/png', 'image/jpeg', 'image/gif', 'image/webp', undefined, undefined, undefined],
    );
  });

  it('are as many and as large as one request can have', () => {
    const image = (length: number) => ({ data: 'x'.repeat(length) });
    assert.equal(fittingImages([]), 0);
    assert.equal(fittingImages(Array.from({ length: MAX_IMAGES + 3 }, () => image(1))), MAX_IMAGES);
    const third = image(MAX_IMAGES_LENGTH / 2.5);
    assert.equal(fittingImages([third, third, third]), 2);
  });
});
