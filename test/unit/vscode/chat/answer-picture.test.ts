// Pictures of answers: judged by their bytes and their size.
import assert from 'node:assert/strict';
import { readPicture } from '../../../../src/vscode/chat/messages/picture-file';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('pictures of answers', () => {
  const read = (bytes: Uint8Array) => readPicture('/w/a.png', { readBytes: async () => ({ outcome: 'read', bytes }) });

  it('are sent with their size', async () => {
    assert.deepEqual(await read(png), { data: png.toString('base64'), mediaType: 'image/png', width: 1, height: 1 });
  });

  it('are none where the bytes are none, whatever the name says', async () => {
    assert.deepEqual(await read(Buffer.from('<svg onload="x()"/>')), {
      problem: 'it is no PNG, JPEG, GIF or WebP image',
    });
  });

  it('are not shown where they are too large or cannot be read', async () => {
    const refused = (code: 'too_large' | 'permission') =>
      readPicture('/w/a.png', { readBytes: async () => ({ outcome: 'refused', code, message: '' }) });
    assert.deepEqual(await refused('too_large'), { problem: 'it is larger than 5 MB' });
    assert.deepEqual(await refused('permission'), { problem: 'it could not be read' });
  });
});
