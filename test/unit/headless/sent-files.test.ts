// Images and documents in lines of stream-json: what the wire takes reaches the model, the rest is refused with its line.
import assert from 'node:assert/strict';
import { parseLine } from '../../../src/headless/input';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const lineOf = (...content: object[]): string => JSON.stringify({ type: 'user', message: { role: 'user', content } });
const pdf = Buffer.from('%PDF-1.4 and so on!').toString('base64');
const pdfSource = { type: 'base64', media_type: 'application/pdf', data: pdf };

describe('documents and addresses in lines of stream-json', () => {
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((opened, api) => ([place, server] = [opened, api]));

  it('reach the model, and stand there after a resume', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://pictures.test/a.png' } };
    const report = { type: 'document', source: { type: 'url', url: 'https://pages.test/b.pdf' }, title: 'B' };
    const sent = lineOf(
      {
        type: 'document',
        source: pdfSource,
        title: 'Report',
        context: 'Of last year',
        citations: { enabled: false },
        cache_control: { type: 'ephemeral' },
      },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Plain </attachment> words' },
        title: 'notes.txt',
      },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'In parts' }] } },
      image,
      report,
      { type: 'text', text: 'Compare.' },
    );
    server.setScript([reply('Compared.'), reply('Again.')]);
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const first = await place.run(args, { url: server.url, stdin: `${sent}\n` });
    assert.equal(jsonLines(first.stdout).at(-1)?.['result'], 'Compared.', first.stderr);
    const again = await place.run(['-p', 'Again', '--continue'], { url: server.url });
    assert.equal(again.stdout, 'Again.\n', again.stderr);
    for (const request of server.requests) {
      const text = request.text.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
      for (const block of [
        { type: 'document', source: pdfSource, title: 'Report', context: 'Of last year' },
        image,
        report,
      ])
        assert.ok(text.includes(JSON.stringify(block)), text);
      assert.ok(
        text.includes(JSON.stringify('<attachment document="notes.txt">\nPlain <\\/attachment> words\n</attachment>')),
        text,
      );
      assert.ok(text.includes(JSON.stringify('<attachment document="document 3">\nIn parts\n</attachment>')), text);
    }
  });

  const wrong: [what: string, block: object, sentence: RegExp][] = [
    [
      'the id of an uploaded file',
      { type: 'document', source: { type: 'file', file_id: 'f' } },
      /a document by the id of an uploaded file, which cannot be sent: its source takes base64, text, content or url\.$/,
    ],
    [
      'such an image',
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      /an image by the id .*takes base64 or url\.$/,
    ],
    [
      'an address that is none',
      { type: 'image', source: { type: 'url', url: 'a.png' } },
      /an image whose address the API cannot fetch: give one that begins with https:\/\/\.$/,
    ],
    ['an address without a text', { type: 'document', source: { type: 'url' } }, /a document whose address/],
    [
      'another kind of source',
      { type: 'document', source: { type: 'ftp' } },
      /a document whose source is of the type "ftp": it takes base64, text, content or url/,
    ],
    ['no source', { type: 'image' }, /an image whose source is of the type undefined/],
    [
      'a document that is no PDF',
      { type: 'document', source: { ...pdfSource, data: Buffer.from('hello world!').toString('base64') } },
      /a document whose data is not a PDF/,
    ],
    [
      'another kind of file',
      { type: 'document', source: { ...pdfSource, media_type: 'text/html' } },
      /a document of the type "text\/html": in base64 it takes application\/pdf/,
    ],
    [
      'no base64',
      { type: 'document', source: { ...pdfSource, data: '%PDF' } },
      /a document whose data is not valid base64/,
    ],
    [
      'too much',
      { type: 'document', source: { ...pdfSource, data: pdf.slice(0, 24).padEnd(25 * 1024 * 1024, 'A') } },
      /a document of 25 MB of base64: it takes 24 MB at most/,
    ],
    ['no text', { type: 'document', source: { type: 'text', data: ' ' } }, /a document without text/],
    [
      'an image inside',
      { type: 'document', source: { type: 'content', content: [{ type: 'image' }] } },
      /a document without text/,
    ],
    ['citations', { type: 'document', source: pdfSource, citations: { enabled: true } }, /a document with citations/],
    ['another block', { type: 'tool_result' }, /a block that is neither a text, an image nor a document/],
  ];
  for (const [what, block, sentence] of wrong) {
    it(`are refused: ${what}`, () => {
      assert.throws(
        () => parseLine(lineOf(block), 3),
        ({ message }: Error) => message.startsWith('Line 3 of standard input has ') && sentence.test(message),
      );
    });
  }
});
