// Images in lines of stream-json: one that is none is refused with its line, before anything is sent.
import assert from 'node:assert/strict';
import { parseLine } from '../../../src/headless/input';

const line = (source: object): string =>
  JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'image', source }] } });
const base64 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('base64');
const good: [type: string, data: string][] = [
  ['image/png', base64('\x89PNG\r\n\x1a\n1234')],
  ['image/jpeg', base64('\xff\xd8\xff\xe01234')],
  ['image/gif', base64('GIF89a1234')],
  ['image/webp', base64('RIFF\x01\n\x02\x03WEBPVP8 ')],
];

describe('images in lines of stream-json', () => {
  for (const [media_type, data] of good) {
    it(`are taken as ${media_type}`, () => {
      const read = parseLine(line({ type: 'base64', media_type, data }), 1);
      assert.ok(read.kind === 'message');
      assert.deepEqual(read.prompt.images, [{ name: 'image 1', mediaType: media_type, data }]);
    });
  }

  const wrong: [what: string, source: object, sentence: RegExp][] = [
    [
      'a text',
      { type: 'base64', media_type: 'image/png', data: base64('hello world!') },
      /^Line 3 of standard input has an image whose data is not image\/png\.$/,
    ],
    ['another kind than it says', { type: 'base64', media_type: 'image/jpeg', data: good[0]?.[1] }, /not image\/jpeg/],
    ['no base64', { type: 'base64', media_type: 'image/png', data: 'not base64!' }, /is not valid base64/],
    [
      'half of base64',
      { type: 'base64', media_type: 'image/png', data: good[0]?.[1].slice(0, -1) + '=' + '=' },
      /is not valid base64/,
    ],
    ['nothing', { type: 'base64', media_type: 'image/png', data: '' }, /is not valid base64/],
    ['left out', { type: 'base64', media_type: 'image/png' }, /is not valid base64/],
    [
      'of a kind that the model does not take',
      { type: 'base64', media_type: 'image/bmp', data: 'Qk0=' },
      /of the type "image\/bmp": it takes image\/png/,
    ],
    ['of no kind', { type: 'base64', data: 'Qk0=' }, /of the type undefined/],
  ];
  for (const [what, source, sentence] of wrong) {
    it(`are refused where their data is ${what}`, () => {
      assert.throws(
        () => parseLine(line(source), 3),
        (error: Error) => sentence.test(error.message),
      );
    });
  }
});
