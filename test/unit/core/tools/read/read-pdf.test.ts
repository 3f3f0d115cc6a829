// Read of PDF files, row by row, with the worker threads that ship.
import { defined } from '../../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type Documents } from '../../../../../src/core/ports/documents';
import { readTool } from '../../../../../src/core/tools/read/read';
import { readOutputSchema } from '../../../../../src/core/tools/read/read-output';
import { createNodeDocuments } from '../../../../../src/node/documents/node-documents';
import { documentWorkers } from '../../../../support/document-workers';
import { createWorkspace, run, type Run } from '../../../../support/file-tool-runs';
import { pageNumbers, pdfOf } from '../../../../support/pdf-files';

const P = '/w/a.pdf';

interface Row {
  name: string;
  pages: number;
  ask?: string;
  /** The result's text, the detail, and the pages of the document behind it. */
  expected: { text: RegExp; detail: string; shown: number[]; title: string } | { failed: string; text: RegExp };
}

const rows: Row[] = [
  {
    name: 'one page',
    pages: 1,
    expected: { text: /^PDF file read: \/w\/a\.pdf \(\d+B\)$/, detail: '1 page', shown: [1], title: 'a.pdf' },
  },
  {
    name: 'ten pages',
    pages: 10,
    expected: {
      text: /^PDF file read: \/w\/a\.pdf \(\dKB\)$/,
      detail: '10 pages',
      shown: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      title: 'a.pdf',
    },
  },
  {
    name: 'eleven pages',
    pages: 11,
    expected: {
      failed: 'pdf-pages',
      text: /^\/w\/a\.pdf has 11 pages, more than the 10 that are shown at once\. Give pages, at most 20 at a time: pages "1-11"\.$/,
    },
  },
  {
    name: 'a page',
    pages: 25,
    ask: '3',
    expected: {
      text: /^PDF file read: \/w\/a\.pdf \(\d+KB\), page 3 of 25$/,
      detail: 'page 3 of 25',
      shown: [3],
      title: 'a.pdf (page 3 of 25)',
    },
  },
  {
    name: 'a range',
    pages: 25,
    ask: '4-6',
    expected: {
      text: /, pages 4-6 of 25$/,
      detail: 'pages 4-6 of 25',
      shown: [4, 5, 6],
      title: 'a.pdf (pages 4-6 of 25)',
    },
  },
  {
    name: 'a range with spaces',
    pages: 5,
    ask: ' 1 – 2 ',
    expected: { text: /, pages 1-2 of 5$/, detail: 'pages 1-2 of 5', shown: [1, 2], title: 'a.pdf (pages 1-2 of 5)' },
  },
  {
    name: 'a range over the end',
    pages: 12,
    ask: '11-20',
    expected: {
      text: /, pages 11-12 of 12$/,
      detail: 'pages 11-12 of 12',
      shown: [11, 12],
      title: 'a.pdf (pages 11-12 of 12)',
    },
  },
  {
    name: 'an empty range is none',
    pages: 2,
    ask: '',
    expected: { text: /^PDF file read: [^,]*$/, detail: '2 pages', shown: [1, 2], title: 'a.pdf' },
  },
  {
    name: 'a page behind the end',
    pages: 12,
    ask: '13',
    expected: { failed: 'pdf-no-such-page', text: /has 12 pages, so there is no page 13/ },
  },
  {
    name: 'twenty pages',
    pages: 25,
    ask: '2-21',
    expected: {
      text: /, pages 2-21 of 25$/,
      detail: 'pages 2-21 of 25',
      shown: Array.from({ length: 20 }, (_, index) => index + 2),
      title: 'a.pdf (pages 2-21 of 25)',
    },
  },
  {
    name: 'twenty-one pages',
    pages: 25,
    ask: '2-22',
    expected: { failed: 'invalid-pages', text: /are 21 pages; one call returns at most 20\. Ask for "2-21" first/ },
  },
  { name: 'page zero', pages: 25, ask: '0-2', expected: { failed: 'invalid-pages', text: /is not a page range/ } },
  {
    name: 'a range backwards',
    pages: 25,
    ask: '5-2',
    expected: { failed: 'invalid-pages', text: /is not a page range/ },
  },
  {
    name: 'a list',
    pages: 25,
    ask: '1,3',
    expected: { failed: 'invalid-pages', text: /pages is "1,3", .* \("3"\) or a range \("1-5"\)/ },
  },
];

describe('Read of PDF files', () => {
  let documents: Documents;
  before(async function () {
    this.timeout(60_000);
    documents = createNodeDocuments({ workers: await documentWorkers() });
  });
  const read = async (files: Record<string, Uint8Array>, input: Record<string, unknown>): Promise<Run> =>
    run({ ...createWorkspace(files), documents }, readTool, input);

  for (const row of rows) {
    it(row.name, async () => {
      const result = await read({ [P]: await pdfOf(row.pages) }, { file_path: P, ...defined({ pages: row.ask }) });
      assert.match(result.text, row.expected.text);
      if ('failed' in row.expected) return assert.equal(result.failed, row.expected.failed);
      assert.equal(result.detail, row.expected.detail);
      assert.ok(readOutputSchema.safeParse(result.output).success);
      assert.deepEqual(result.view, { kind: 'files', items: [{ path: P }], total: 1, truncated: false });
      const [document, ...more] = result.newMessages ?? [];
      assert.ok(document?.type === 'document' && document.source.type === 'base64' && more.length === 0);
      assert.equal(document.title, row.expected.title);
      assert.deepEqual(await pageNumbers(document.source.data), row.expected.shown);
    });
  }

  it('by its content, whatever its name', async () => {
    const pdf = await pdfOf(2);
    for (const file_path of ['/w/paper', '/w/paper.png'])
      assert.match((await read({ [file_path]: pdf }, { file_path })).text, /^PDF file read/);
    assert.match((await read({ [P]: Buffer.from('a note\n') }, { file_path: P })).text, /^1\ta note/);
  });

  it('refuses an encrypted, a broken and a huge one, and pages of a text', async () => {
    const encrypted = await read({ [P]: await pdfOf(2, { password: 'secret' }) }, { file_path: P });
    assert.deepEqual(
      [encrypted.failed, encrypted.text],
      [
        'pdf-encrypted',
        `${P} cannot be shown: the PDF is encrypted. Tell the user, who may have a copy without a password.`,
      ],
    );
    const broken = await read({ [P]: Buffer.from('%PDF-1.7') }, { file_path: P });
    assert.deepEqual(
      [broken.failed, broken.text],
      [
        'pdf-broken',
        `${P} cannot be shown: the PDF is damaged or its end is missing. Tell the user, or get the file again.`,
      ],
    );
    const huge = createWorkspace({ [P]: Buffer.alloc(101 * 1024 * 1024) });
    assert.match(
      (await run({ ...huge, documents }, readTool, { file_path: P })).text,
      /is a PDF of 101\.0MB; at most 100\.0MB can be opened\. Convert it to text/,
    );
    assert.deepEqual(huge.files.calls, [], 'unopened');
    const text = await read({ '/w/a.txt': Buffer.from('one\n') }, { file_path: '/w/a.txt', pages: '1' });
    assert.deepEqual(
      [text.failed, text.text],
      ['no-pages', '/w/a.txt is not a PDF, so it has no pages. Use offset and limit.'],
    );
  });

  it('says what to do where a request cannot carry it', async () => {
    const large: Documents = {
      ...documents,
      readPdf: async () => ({ outcome: 'read', total: 9, data: 'A'.repeat(30 * 1024 * 1024) }),
    };
    const ask = async (input: object): Promise<string> =>
      (
        await run({ ...createWorkspace({ [P]: await pdfOf(1) }), documents: large }, readTool, {
          file_path: P,
          ...input,
        })
      ).text;
    assert.match(
      await ask({}),
      /would take 30\.0MB of a request, which is limited to 32MB in total\. Ask for fewer pages with `pages`/,
    );
    assert.match(await ask({ pages: '2-4' }), /pages 2-4 would take 30\.0MB .* Ask for fewer pages/);
    assert.match(await ask({ pages: '2' }), /would take 30\.0MB .* Convert it to text/);
  });
});
