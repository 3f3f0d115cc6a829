// Refactor, row by row: what a language server's edits make of the files, what is refused, and what the user's own changes break.
import assert from 'node:assert/strict';
import { type LanguageAnswer } from '../../../src/core/ports/languages';
import { type FileReplacements, type Refactoring, type Refactorings } from '../../../src/core/ports/refactorings';
import { refactorTool } from '../../../src/core/tools/refactor/refactor';
import { type Place, type ToolRow, toolTable } from '../../support/tool-table';

const A = '/w/a.ts';
const B = '/w/b.ts';
const C = '/w/c.ts';
const a = 'export function sum(x: number) {\n  return x;\n}\n';
const b = "import { sum } from './a';\r\nsum(1);\r\nsum(2);\r\n";
const c = "import { sum } from './a';\n\n\n\n\n\n\n\nconsole.log(sum(3));\n";
const files = { [A]: a, [B]: b, [C]: c, '/w/other.ts': 'sum();\n' };
const call = {
  action: 'rename',
  filePath: A,
  lineContent: 'export function sum(x: number) {',
  symbol: 'sum',
  newName: 'total',
};

/** All names in a text, as a server would give them. */
function edits(path: string, text: string, name: string, newText: string): FileReplacements {
  return {
    path,
    edits: text.split(/\r\n|\n/).flatMap((line, index) =>
      [...line.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].map(({ index: at }) => ({
        range: { start: { line: index, character: at }, end: { line: index, character: at + name.length } },
        newText,
      })),
    ),
  };
}
const renamed = [edits(A, a, 'sum', 'total'), edits(B, b, 'sum', 'total'), edits(C, c, 'sum', 'total')];
const answer = (value: Partial<Refactoring>): LanguageAnswer<Refactoring> => ({
  outcome: 'answer',
  value: { files: [], ...value },
});
const server = (more: Partial<Refactorings> = {}): Refactorings => ({
  rename: async () => answer({ files: renamed, declaration: { path: A, line: 1, column: 17 } }),
  organizeImports: async () => answer({}),
  format: async () => answer({}),
  fixes: async () => ({ fixes: [], notes: [] }),
  fix: async () => answer({}),
  ...more,
});
const after = {
  [A]: a.replace('sum', 'total'),
  [B]: b.replaceAll('sum', 'total'),
  [C]: c.replaceAll('sum', 'total'),
};
const done = 'Done: rename sum to total. 6 lines in 3 files';
const listed = 'a.ts: line 1\nb.ts: lines 1–3\nc.ts: line 1, line 9';

interface Row extends Omit<ToolRow, 'files' | 'input'> {
  call?: Record<string, unknown>;
  server?: Partial<Refactorings>;
}

const rows: Row[] = [
  {
    name: 'a rename in all its files, line endings and all else kept',
    text: `${done}\n${listed}`,
    after,
    detail: '3 files, +6 −6',
    check: ({ view }) => {
      assert.ok(view?.kind === 'changes');
      assert.deepEqual([view.total, view.added, view.removed], [3, 6, 6]);
      assert.deepEqual(
        view.files.map(({ path, added }) => [path, added]),
        [
          [A, 1],
          [B, 3],
          [C, 2],
        ],
      );
    },
  },
  {
    name: 'the user is asked once about all files, with their texts',
    answer: {},
    text: `${done}\n${listed}`,
    after,
    check: ({ asked }) => {
      const [request] = asked;
      assert.equal(asked.length, 1);
      assert.equal(request?.title, 'Rename sum to total in 3 files');
      const { others = [], ...first } = request?.proposal ?? assert.fail();
      assert.deepEqual(
        [first, ...others].map(({ path, text }) => [path, text]),
        Object.entries(after),
      );
    },
  },
  {
    name: 'a use that the user leaves out is named, as it breaks',
    answer: { texts: { [C]: c.replace('sum', 'total') } },
    text: /^Done: rename sum to total\. 5 lines in 3 files\. The user modified[^]*\nc\.ts: line 1\n\nWhat the user changed in your proposal:\n\/w\/c\.ts\n[^]*-console\.log\(total\(3\)\);\n\+console\.log\(sum\(3\)\);[^]*\n\nThese uses no longer fit what was renamed:\nc\.ts:9 console\.log\(sum\(3\)\);$/,
    after: { ...after, [C]: c.replace('sum', 'total') },
    detail: '3 files, +5 −5, 1 use left behind',
  },
  {
    name: 'without the declaration, all renamed uses break',
    answer: { text: a },
    text: /These uses no longer fit what was renamed:\nb\.ts:1 import \{ total \} from '\.\/a';\nb\.ts:2 total\(1\);\nb\.ts:3 total\(2\);\nc\.ts:1 import[^\n]*\nc\.ts:9 console\.log\(total\(3\)\);$/,
    after: { [B]: after[B], [C]: after[C] },
  },
  {
    name: 'nothing is written where the user undid all of it',
    answer: { text: a, texts: { [B]: b, [C]: c } },
    code: 'nothing-left',
    text: /^The user undid every change of the proposal before accepting it, so nothing was changed: rename sum to total\.\n\n\/w\/a\.ts\n/,
  },
  {
    name: 'a file that changed while the user looked stops all of it',
    answer: {},
    between: ({ files: place }) => place.put(C, `${c}// more\n`),
    code: 'changed',
    text: /^\/w\/c\.ts was changed by another process while this change was waiting; nothing was written\./,
    after: { [C]: `${c}// more\n` },
  },
  {
    name: 'a file that cannot be written puts back those before it',
    prepare: ({ files: place }) => place.refuse(C, 'readonly'),
    code: 'write-readonly',
    text: /c\.ts.* 2 files that had been written before are as before again\.$/,
  },
  {
    name: 'a file that the model has read stays read, with what it knows of it',
    prepare: async (place) => remember(place, A, a),
    text: `${done}\n${listed}`,
    after,
    check: (_result, { readState }) => {
      assert.deepEqual(readState.get(A)?.unseen, undefined);
      assert.equal(readState.get(B), undefined);
    },
  },
  {
    name: 'new problems are told',
    prepare: (place) => {
      place.problems = [
        { path: B, line: 2, column: 1, severity: 'error', message: 'Cannot find total.', source: 'ts' },
      ];
    },
    text: `${done}\n${listed}\n\n<new-diagnostics>\n/w/b.ts:2:1 error: Cannot find total. (ts)\n</new-diagnostics>`,
    after,
  },
  {
    name: 'files outside the workspace refuse all of it',
    server: { rename: async () => answer({ files: [...renamed, edits('/lib/x.ts', 'sum', 'sum', 'total')] }) },
    code: 'outside-workspace',
    text: 'This would also change files outside the workspace, so nothing was changed: /lib/x.ts. Tell the user.',
  },
  {
    name: 'files that rules hide refuse all of it, without their names',
    prepare: ({ hidden }) => void hidden.add(B),
    code: 'hidden',
    text: 'This would also change 1 file that permission rules hide from you, so nothing was changed. Tell the user.',
  },
  {
    name: 'a hidden file is not looked into',
    prepare: ({ hidden }) => void hidden.add(A),
    code: 'hidden',
    text: 'Permission rules hide /w/a.ts from you. Tell the user.',
  },
  {
    name: 'edits that overlap',
    server: {
      rename: async () =>
        answer({ files: [{ path: A, edits: [...(renamed[0]?.edits ?? []), ...(renamed[0]?.edits ?? [])] }] }),
    },
    code: 'overlapping',
    text: "The language server's edits of a.ts overlap; nothing was changed.",
  },
  {
    name: 'what the server refuses, in its words',
    server: { rename: async () => ({ outcome: 'refused', message: 'You cannot rename this element.' }) },
    code: 'refused',
    text: 'You cannot rename this element.',
  },
  {
    name: 'no server',
    server: { rename: async () => ({ outcome: 'none', message: 'No language server answers for /w/a.ts.' }) },
    code: 'no-language-server',
    text: 'No language server answers for /w/a.ts. Make the changes with Edit instead.',
  },
  {
    name: 'nothing to change',
    call: { action: 'organizeImports', filePath: A },
    code: 'nothing-to-change',
    text: 'There is nothing to change: to organize the imports of a.ts changes no text.',
  },
  {
    name: 'imports',
    call: { action: 'organizeImports', filePath: 'b.ts' },
    server: {
      organizeImports: async (path) =>
        answer({
          files: [
            {
              path,
              edits: [{ range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, newText: '' }],
            },
          ],
        }),
    },
    text: 'Done: organize the imports of b.ts. 1 line in 1 file\nb.ts: before line 1',
    after: { [B]: b.slice(b.indexOf('\n') + 1) },
  },
  {
    name: 'a formatted file, with line endings of its own',
    call: { action: 'format', filePath: B },
    server: {
      format: async (path) =>
        answer({
          files: [
            {
              path,
              edits: [{ range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, newText: '\n' }],
            },
          ],
        }),
    },
    text: 'Done: format b.ts. 1 line in 1 file\nb.ts: line 2',
    after: { [B]: b.replace('sum(1)', '\r\nsum(1)') },
  },
  {
    name: 'a quick fix by its id',
    call: { action: 'applyFix', id: 'fix-2' },
    server: {
      fix: async (id) => answer({ title: `Add ${id}`, files: [edits(A, a, 'x', 'y')] }),
    },
    text: 'Done: apply “Add fix-2”. 2 lines in 1 file\na.ts: lines 1–2',
    after: { [A]: a.replaceAll(/\bx\b/g, 'y') },
  },
  {
    name: 'a line that is not there',
    call: { ...call, lineContent: 'function none() {' },
    code: 'symbol-not-found',
    text: 'lineContent was not found in the file. Copy one of its lines exactly.',
  },
  {
    name: 'a name that is not in the line',
    call: { ...call, symbol: 'su' },
    code: 'symbol-not-found',
    text: 'lineContent is in the file, but "su" is not a name in it.',
  },
  {
    name: 'no such file',
    call: { ...call, filePath: '/w/none.ts' },
    code: 'not-found',
    text: /^File does not exist: \/w\/none\.ts\. /,
  },
  {
    name: 'a field that the action needs',
    call: { action: 'rename', filePath: A, symbol: 'sum' },
    code: 'missing-input',
    text: /rename needs lineContent, newName\./,
  },
  {
    name: 'the same name',
    call: { ...call, newName: 'sum' },
    code: 'same-name',
    text: /newName is the name that the symbol has/,
  },
];

async function remember(place: Place, path: string, text: string): Promise<void> {
  const read = await place.files.readText(path, 1_000);
  assert.ok(read.outcome === 'read' && read.file.text === text);
  place.readState.set(path, { hash: read.file.hash });
}

describe('Refactor', () => {
  toolTable(
    refactorTool,
    rows.map(({ call: input = call, server: own, ...row }) => ({
      ...row,
      files,
      input,
      ports: { refactorings: server(own) },
    })),
  );
});
