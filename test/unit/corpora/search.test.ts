// Pattern tables of other projects through Glob and Grep, and every file of the corpus through Read: answers, never a throw.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { globTool } from '../../../src/core/tools/grep/glob';
import { grepTool } from '../../../src/core/tools/grep/grep';
import { readTool } from '../../../src/core/tools/read/read';
import { corpusFiles, corpusPath, tally, printFigures } from '../../support/corpus';
import { searchPorts } from '../../support/search-ports';
import { withPlace } from '../../support/tool-table';

const options = { on: 'folder', ports: searchPorts } as const;

describe('patterns and files of the corpus', () => {
  it('every pattern gets an answer of Glob and of Grep’s glob', async function () {
    this.timeout(300_000);
    const cases = JSON.parse(readFileSync(corpusPath(this, 'glob/ripgrep-globset-cases.json'), 'utf8')) as {
      glob: string;
      path: string;
    }[];
    const ignored = JSON.parse(readFileSync(corpusPath(this, 'gitignore/node-ignore-cases.json'), 'utf8')) as {
      patterns: unknown;
    }[];
    const patterns = new Set([
      ...cases.map(({ glob }) => glob),
      ...ignored.flatMap(({ patterns: lines }) =>
        Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [],
      ),
    ]);
    const files = { '/w/a.rs': 'x\n', '/w/src/lib.rs': 'x\n', '/w/.hidden/b': 'x\n', '/w/node_modules/c/d.js': 'x\n' };
    const codes: Record<'Glob' | 'Grep', string[]> = { Glob: [], Grep: [] };
    await withPlace({ files }, options, async (place, snapshot) => {
      const before = await snapshot();
      for (const pattern of patterns) {
        // What begins at the root would search this machine.
        const inside = pattern.replace(/^(?:\.{0,2}\/)+/, '/w/');
        codes.Glob.push((await place.use(globTool, { pattern: inside, path: '/w' })).code);
        codes.Grep.push((await place.use(grepTool, { pattern: 'x', glob: pattern })).code);
      }
      assert.deepEqual(await snapshot(), before);
    });
    for (const [tool, answers] of Object.entries(codes))
      printFigures(`${tool} with ${answers.length} patterns: ${tally(answers)}`);
    const known = ['ok', 'search-failed', 'empty-pattern', 'nul-character', 'not-found'];
    assert.deepEqual(
      [...codes.Glob, ...codes.Grep].filter((code) => !known.includes(code)),
      [],
    );
  });

  it('every file is shown or refused with a reason', async function () {
    this.timeout(300_000);
    const files = corpusFiles(this, '.');
    const codes: string[] = [];
    for (const { name, bytes } of files) {
      const path = `/w/${name.split('/').at(-1) ?? name}`;
      await withPlace({ files: { [path]: bytes } }, {}, async (place, snapshot) => {
        const before = await snapshot();
        const { code, text } = await place.use(readTool, { file_path: path });
        codes.push(code);
        assert.ok(text.length > 0 && !/failed unexpectedly/.test(text), `${name}: ${text.slice(0, 200)}`);
        assert.deepEqual(await snapshot(), before);
      });
    }
    printFigures(`Read of ${codes.length} files: ${tally(codes)}`);
    assert.ok(codes.length > 100);
    assert.deepEqual(
      codes.filter((code) => !['ok', 'encoding', 'binary'].includes(code)),
      [],
    );
  });
});
