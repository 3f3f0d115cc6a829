// Files in many encodings through Read, Edit, Write and Grep: shown right or refused, and never damaged.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editTool } from '../../../src/core/tools/edit/edit';
import { grepTool } from '../../../src/core/tools/grep/grep';
import { readTool } from '../../../src/core/tools/read/read';
import { writeTool } from '../../../src/core/tools/edit/write';
import { decodeText, encodeText } from '../../../src/node/files/text-encoding';
import { corpusFiles, tally, printFigures } from '../../support/corpus';
import { searchPorts } from '../../support/search-ports';
import { withPlace } from '../../support/tool-table';

describe('encodings of the corpus', () => {
  it('are edited to exactly the bytes that they should have, or left alone', async function () {
    this.timeout(300_000);
    const codes: Record<'Read' | 'Edit' | 'Write' | 'Grep', string[]> = { Read: [], Edit: [], Write: [], Grep: [] };
    for (const { name, bytes } of corpusFiles(this, 'encodings')) {
      await withPlace({ files: { '/w/a.txt': bytes } }, { on: 'folder', ports: searchPorts }, async (place) => {
        const disk = (): Buffer => readFileSync(`${place.root}/a.txt`);
        const read = await place.use(readTool, { file_path: '/w/a.txt' });
        codes.Read.push(read.code);
        const decoded = decodeText(bytes);
        assert.equal(read.code === 'ok', decoded.outcome === 'text', `${name}: ${read.text}`);
        assert.ok(!read.text.includes('\uFFFD'), name);
        codes.Grep.push(
          (await place.use(grepTool, { pattern: '.', path: '/w', output_mode: 'content', head_limit: 5 })).code,
        );

        const old = decoded.outcome === 'text' ? (/[^\r\n]+/.exec(decoded.text)?.[0] ?? '') : 'a';
        const edit = await place.use(editTool, { file_path: '/w/a.txt', old_string: old, new_string: 'ä 漢' });
        codes.Edit.push(edit.code);
        const wanted =
          decoded.outcome === 'text' && edit.code === 'ok'
            ? encodeText(
                decoded.text.replace(old, () => 'ä 漢'),
                decoded.encoding,
              )
            : bytes;
        assert.deepEqual(disk(), wanted, `${name}: ${edit.code}`);

        const write = await place.use(writeTool, { file_path: '/w/a.txt', content: 'new ü\n' });
        codes.Write.push(write.code);
        if (write.code !== 'ok') assert.deepEqual(disk(), wanted, name);
        else if (decoded.outcome === 'text')
          assert.equal(decodeText(disk()).outcome === 'text' && decodeText(disk()).outcome, 'text', name);
        assert.equal(write.code === 'ok', read.code === 'ok' && !/PARTIAL/.test(read.text), `${name}: ${write.text}`);
      });
    }
    for (const [tool, answers] of Object.entries(codes))
      printFigures(`${tool} of ${answers.length} files: ${tally(answers)}`);
    assert.ok(codes.Edit.filter((code) => code === 'ok').length >= 10, tally(codes.Edit));
  });
});
