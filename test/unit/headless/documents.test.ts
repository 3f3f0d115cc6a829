// PDF pages and notebooks in a headless run: real files, the built runner and its workers, a real request.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace } from '../../support/headless-run';
import { reply, toolUse } from '../../support/messages-api/script';
import { startMessagesApi } from '../../support/messages-api/server';
import { codeCell, notebookText } from '../../support/notebooks';
import { pageNumbers, pdfOf } from '../../support/pdf-files';

interface Block {
  type: string;
  content?: unknown;
  source?: { data: string };
}

describe('headless documents', function () {
  this.timeout(60_000);

  it('shows pages of a PDF behind the results, and changes a cell of a notebook', async () => {
    const place = await createHeadlessPlace();
    const pdf = path.join(place.workspace, 'a.pdf');
    const notebook = path.join(place.workspace, 'n.ipynb');
    await writeFile(pdf, await pdfOf(12));
    await writeFile(notebook, notebookText([codeCell('a', 'x')]));
    const server = await startMessagesApi([
      reply(
        toolUse('Read', { file_path: pdf, pages: '11-12' }, 'toolu_p'),
        toolUse('Read', { file_path: notebook }, 'toolu_n'),
      ),
      reply(toolUse('NotebookEdit', { notebook_path: notebook, cell_id: 'a', new_source: 'y' }, 'toolu_e')),
      reply('Done.'),
    ]);
    try {
      const end = await place.run(['-p', 'Go', '--permission-mode', 'acceptEdits'], { url: server.url });
      assert.equal(end.code, 0, end.stderr);
      assert.deepEqual(server.violations, []);
      const blocks = (server.requests[1]?.body['messages'] as { content: Block[] }[]).at(-1)?.content ?? [];
      assert.deepEqual(
        blocks.map(({ type }) => type),
        ['tool_result', 'tool_result', 'document'],
      );
      assert.match(String(blocks[0]?.content), /^PDF file read: .*a\.pdf \(\d+KB\), pages 11-12 of 12$/);
      assert.deepEqual(await pageNumbers(blocks[2]?.source?.data ?? ''), [11, 12]);
      assert.equal(await readFile(notebook, 'utf8'), notebookText([codeCell('a', 'y')]));
    } finally {
      await server.close();
      await place.remove();
    }
  });
});
