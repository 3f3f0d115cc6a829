// Notebooks of every format through Read and NotebookEdit, on real files: each cell replaced, removed, one put behind it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseNotebook } from '../../../src/core/tools/read/notebook';
import { notebookEditTool } from '../../../src/core/tools/notebook/notebook-edit';
import { readTool } from '../../../src/core/tools/read/read';
import { corpusFiles, tally, printFigures } from '../../support/corpus';
import { withPlace } from '../../support/tool-table';

describe('notebooks of the corpus', () => {
  it('keep every other cell as it is', async function () {
    this.timeout(300_000);
    const codes: string[] = [];
    const files = corpusFiles(this, 'notebooks');
    for (const { name, bytes } of files) {
      await withPlace({ files: { '/w/n.ipynb': bytes } }, { on: 'folder' }, async (place, snapshot) => {
        const disk = `${place.root}/n.ipynb`;
        const before = parseNotebook(bytes.toString('utf8')) ?? assert.fail(name);
        const calls = before.cells.flatMap(({ id }, index) => [
          { index, kind: 'replace', input: { cell_id: id, new_source: 'new "é"\n' } },
          { index, kind: 'delete', input: { cell_id: id, edit_mode: 'delete' } },
          {
            index: index + 1,
            kind: 'insert',
            input: { cell_id: id, edit_mode: 'insert', cell_type: 'markdown', new_source: '# New' },
          },
        ]);
        calls.push({
          index: 0,
          kind: 'insert',
          input: { edit_mode: 'insert', cell_type: 'code', new_source: 'x' } as never,
        });
        const untouched = await snapshot();
        for (const { index, kind, input } of calls) {
          writeFileSync(disk, bytes);
          for (let offset = 1; offset <= Math.max(1, before.cells.length); offset += 5)
            await place.use(readTool, { file_path: '/w/n.ipynb', offset, limit: 5 });
          const { code, text } = await place.use(notebookEditTool, { notebook_path: '/w/n.ipynb', ...input });
          codes.push(code);
          const what = `${name}, ${kind} ${index}: ${text}`;
          if (code !== 'ok') assert.deepEqual(await snapshot(), untouched, what);
          else {
            const after = parseNotebook(readFileSync(disk, 'utf8')) ?? assert.fail(what);
            const [had, has] = [before.cells, after.cells].map((cells) => cells.map(({ json }) => json));
            if (kind !== 'insert') had?.splice(index, 1);
            if (kind !== 'delete') has?.splice(index, 1);
            assert.deepEqual(has, had, what);
          }
        }
      });
    }
    printFigures(`${codes.length} changes of ${files.length} notebooks: ${tally(codes)}`);
    assert.ok(codes.filter((code) => code === 'ok').length >= 100, tally(codes));
  });
});
