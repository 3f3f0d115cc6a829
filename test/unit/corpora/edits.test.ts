// Another agent's edits through our Edit, on real files in every encoding and line ending: exactly that is written, or nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editTool } from '../../../src/core/tools/edit/edit';
import { readTool } from '../../../src/core/tools/read/read';
import { encodeText } from '../../../src/node/files/text-encoding';
import { corpusPath, tally, printFigures } from '../../support/corpus';
import { withPlace } from '../../support/tool-table';

interface Corpus {
  applyReplacement: { name: string; current: string; oldStr: string; newStr: string; expected: string }[];
  calculateReplacement: { name: string; content: string; old_string: string; new_string: string; expected: string }[];
}

const endings: [name: string, around: (line: number) => string][] = [
  ['LF', () => '\n'],
  ['CRLF', () => '\r\n'],
  ['CR', () => '\r'],
  ['mixed', (line) => ['\r\n', '\n', '\r'][line % 3] ?? '\n'],
];
const encodings = ['utf8', 'utf8bom', 'utf16le', 'utf16be'];

describe('edits of the corpus', () => {
  it('are made in every encoding and line ending, and change no other byte', async function () {
    const corpus = JSON.parse(
      readFileSync(corpusPath(this, 'edit-cases/gemini-cli/edit-cases.json'), 'utf8'),
    ) as Corpus;
    const cases = [
      ...corpus.applyReplacement.map(({ name, current, oldStr, newStr, expected }) => ({
        name,
        before: current,
        old: oldStr,
        text: newStr,
        expected,
      })),
      ...corpus.calculateReplacement.map(({ name, content, old_string, new_string, expected }) => ({
        name,
        before: content,
        old: old_string,
        text: new_string,
        expected,
      })),
    ];
    const codes: string[] = [];
    for (const { name, before, old, text, expected } of cases) {
      for (const [ending, kind] of endings) {
        for (const encoding of encodings) {
          const bytes = (middle: string): Buffer => {
            let line = 0;
            const whole = `erste Zeile é\n${middle}\nlast 漢\n`.replaceAll('\n', () => kind(line++));
            return encodeText(whole, encoding) ?? assert.fail(encoding);
          };
          const what = `${name}, ${ending}, ${encoding}`;
          const [start, wanted] = [bytes(before), bytes(expected)];
          await withPlace(
            { files: { '/w/a.txt': start, '/w/b.txt': start } },
            { on: 'folder' },
            async (place, snapshot) => {
              await place.use(readTool, { file_path: '/w/a.txt' });
              const whole = await snapshot();
              const { code } = await place.use(editTool, {
                file_path: '/w/a.txt',
                old_string: old,
                new_string: text,
                replace_all: true,
              });
              codes.push(code);
              if (code !== 'ok') return assert.deepEqual(await snapshot(), whole, what);
              assert.deepEqual(readFileSync(`${place.root}/a.txt`), wanted, what);
              assert.deepEqual({ ...(await snapshot()), '/w/a.txt': '' }, { ...whole, '/w/a.txt': '' }, what);
            },
          );
        }
      }
    }
    printFigures(`${codes.length} edits: ${tally(codes)}`);
    assert.ok(codes.filter((code) => code === 'ok').length >= 160, tally(codes));
  });
});
