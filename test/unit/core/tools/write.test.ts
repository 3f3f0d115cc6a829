// Write, row by row: a workspace and a call give a result and the files afterwards.
import assert from 'node:assert/strict';
import { editTool } from '../../../../src/core/tools/edit';
import { readTool } from '../../../../src/core/tools/read';
import { writeTool } from '../../../../src/core/tools/write';
import { jsonSchemaOf } from '../../../../src/core/tools/tool-schema';
import { createWorkspace, run, type Answer, type Run, type Workspace } from '../../../support/file-tool-runs';
import { type MemoryEntry } from '../../../support/memory-files';

const A = '/w/a.txt';
const UPDATED = `The file ${A} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n`;

interface Row {
  name: string;
  before?: MemoryEntry;
  read?: boolean;
  path?: string;
  content: string;
  prepare?: (workspace: Workspace) => void | Promise<unknown>;
  answer?: Answer;
  between?: (workspace: Workspace) => void;
  expected: string | RegExp | { failed: string; text: RegExp };
  after?: string;
  check?: (result: Run, workspace: Workspace) => void;
}

const rows: Row[] = [
  {
    name: 'a new file',
    content: 'a\nb\n',
    expected: `File created successfully at: ${A}`,
    after: 'a\nb\n',
    check: ({ output, detail }) => {
      const { hash, ...rest } = output as Record<string, unknown>;
      assert.equal(typeof hash, 'string');
      assert.deepEqual(rest, {
        filePath: A,
        created: true,
        type: 'create',
        content: 'a\nb\n',
        structuredPatch: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ['+a', '+b'] }],
        added: 2,
        removed: 0,
        userModified: false,
        notes: [],
        newDiagnostics: [],
        snippet: '',
      });
      assert.equal(detail, '+2 −0');
    },
  },
  { name: 'a new file in new folders', path: '/w/x/y/z.txt', content: 'a', expected: 'File created successfully at: /w/x/y/z.txt', after: 'a' },
  { name: 'an empty new file', content: '', expected: /^File created/, after: '' },
  { name: 'a new file with CRLF', content: 'a\r\nb\r\n', expected: /^File created/, after: 'a\r\nb\r\n' },
  {
    name: 'a new text, whole and numbered from 1',
    before: 'a\nb\nc\n',
    content: 'a\nx\nc\n',
    expected: `${UPDATED}1\ta\n2\tx\n3\tc`,
    after: 'a\nx\nc\n',
    check: ({ output, detail }) => {
      assert.equal((output as { type: string }).type, 'update');
      assert.equal((output as { originalFile: string }).originalFile, 'a\nb\nc\n');
      assert.equal(detail, '+1 −1');
    },
  },
  {
    name: 'a long new text, cut in the middle',
    before: 'a\n',
    content: 'b\n'.repeat(500),
    expected: /^The file [^\n]*\n1\tb\n[^]*\n100\tb\n… \[300 lines left out\] …\n401\tb\n[^]*\n500\tb$/,
  },
  { name: 'CRLF is kept', before: 'a\r\nb\r\n', content: 'a\nx\ny\n', expected: `${UPDATED}1\ta\n2\tx\n3\ty`, after: 'a\r\nx\r\ny\r\n' },
  { name: 'CRLF asked for is written', before: 'a\nb\n', content: 'a\r\nb\r\n', expected: /^The file/, after: 'a\r\nb\r\n' },
  { name: 'mixed line endings stay with their lines', before: 'a\r\nb\nc\r\nd\n', content: 'a\nb\nX\nd\ne\n', expected: /^The file/, after: 'a\r\nb\nX\r\nd\ne\n' },
  { name: 'the final newline is the content’s', before: 'a\r\nb\r\n', content: 'a\nb', expected: /^The file/, after: 'a\r\nb' },
  { name: 'a byte order mark stays', before: Buffer.from('\uFEFFa\n'), content: 'b\n', expected: /^The file/, after: '\uFEFFb\n' },
  { name: 'a byte order mark is not doubled', before: Buffer.from('\uFEFFa\n'), content: '\uFEFFb\n', expected: /^The file/, after: '\uFEFFb\n' },
  {
    name: 'UTF-16 stays UTF-16',
    before: Buffer.from('\uFEFFa\n', 'utf16le'),
    content: 'é\n',
    expected: /^The file/,
    check: (_result, { files }) => assert.deepEqual(Buffer.from(files.bytes(A) ?? []), Buffer.from('\uFEFFé\n', 'utf16le')),
  },
  { name: 'emptied', before: 'a\n', content: '', expected: `${UPDATED}<system-reminder>Warning: the file is empty now.</system-reminder>`, after: '' },
  { name: 'not read', before: 'a\n', read: false, content: 'b', expected: { failed: 'not-read', text: /exists and has not been read yet\. Read it first/ }, after: 'a\n' },
  {
    name: 'a part was read',
    before: 'a\nb\n',
    read: false,
    prepare: (workspace) => run(workspace, readTool, { file_path: A, limit: 1 }),
    content: 'b\n',
    expected: { failed: 'partly-read', text: /only a part of \/w\/a\.txt: nothing was written\. Read the rest first \(from offset 2\)/ },
    after: 'a\nb\n',
  },
  {
    name: 'read in two parts',
    before: 'a\nb\nc\n',
    read: false,
    prepare: async (workspace) => {
      await run(workspace, readTool, { file_path: A, offset: 2 });
      await run(workspace, readTool, { file_path: A, limit: 1 });
    },
    content: 'b\n',
    expected: `${UPDATED}1\tb`,
    after: 'b\n',
  },
  {
    name: 'read whole, then in part',
    before: 'a\nb\n',
    prepare: (workspace) => run(workspace, readTool, { file_path: A, limit: 1 }),
    content: 'b\n',
    expected: `${UPDATED}1\tb`,
    after: 'b\n',
  },
  {
    name: 'edited after a part was read',
    before: 'a\nb\nc\nd\ne\nf\ng\n',
    read: false,
    prepare: async (workspace) => {
      await run(workspace, readTool, { file_path: A, limit: 1 });
      await run(workspace, editTool, { file_path: A, old_string: 'a\n', new_string: 'a\na\n' });
    },
    content: 'b\n',
    expected: { failed: 'partly-read', text: /Read the rest first/ },
    after: 'a\na\nb\nc\nd\ne\nf\ng\n',
  },
  {
    name: 'edited after the whole was read',
    before: 'a\nb\n',
    prepare: (workspace) => run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'x' }),
    content: 'b\n',
    expected: `${UPDATED}1\tb`,
    after: 'b\n',
  },
  {
    name: 'changed since the read',
    before: 'a\n',
    prepare: ({ files }) => files.put(A, 'other\n'),
    content: 'b\n',
    expected: { failed: 'changed', text: /has changed since you read it; nothing was written/ },
    after: 'other\n',
  },
  {
    name: 'twice',
    content: 'b\n',
    prepare: (workspace) => run(workspace, writeTool, { file_path: A, content: 'a\n' }),
    expected: `${UPDATED}1\tb`,
    after: 'b\n',
  },
  { name: 'the text that it has', before: 'a\r\nb\r\n', content: 'a\nb\n', expected: { failed: 'same-text', text: /already has exactly this text/ }, after: 'a\r\nb\r\n' },
  {
    name: 'an unsaved editor is what was read',
    before: { bytes: Buffer.from('disk\n'), unsaved: 'editor\n' },
    content: 'new\n',
    expected: /^The file/,
    after: 'new\n',
    check: ({ output }) => assert.equal((output as { originalFile: string }).originalFile, 'editor\n'),
  },
  {
    name: 'the person changed the new text',
    before: 'a\n',
    content: 'b\nc\n',
    answer: { approved: true, text: 'b\nd\n' },
    expected: [
      `The file ${A} has been updated.  The user modified your proposed changes before accepting them. Here's the result of running \`cat -n\` on a snippet of the edited file:`,
      '1\tb\n2\td\n',
      'What the user changed in your proposal:\n--- proposed\n+++ accepted\n@@ -1,2 +1,2 @@\n b\n-c\n+d',
    ].join('\n'),
    after: 'b\nd\n',
  },
  {
    name: 'the person took everything back',
    before: 'a\n',
    content: 'b\n',
    answer: { approved: true, text: 'a\n' },
    expected: { failed: 'nothing-left', text: /so \/w\/a\.txt is as it was/ },
    after: 'a\n',
  },
  {
    name: 'changed while the approval waited',
    before: 'a\n',
    content: 'b\n',
    answer: { approved: true },
    between: ({ files }) => files.put(A, 'c\n'),
    expected: { failed: 'changed', text: /changed by somebody else/ },
    after: 'c\n',
  },
  {
    name: 'changed at the last moment, nobody asked',
    before: 'a\n',
    content: 'b\n',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'c\n')),
    expected: { failed: 'changed', text: /changed since you read it/ },
    after: 'c\n',
  },
  {
    name: 'created by somebody else at the last moment',
    content: 'b\n',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'c\n')),
    expected: { failed: 'not-read', text: /has not been read yet/ },
    after: 'c\n',
  },
  {
    name: 'formatted on save',
    before: 'a\n',
    content: 'b\n',
    prepare: ({ files }) => files.formatOnSave((text) => text.toUpperCase(), 'Formatted on save.'),
    expected: `${UPDATED}1\tB\n\nNote: Formatted on save.`,
    after: 'B\n',
  },
  { name: 'a folder', before: { type: 'directory' }, read: false, content: 'b', expected: { failed: 'directory', text: /cannot be written\. Give the path of a file/ } },
  { name: 'the name of a folder', path: '/w/new/', content: 'b', expected: { failed: 'directory', text: /names a folder/ } },
  { name: 'a device', before: { type: 'other' }, read: false, content: 'b', expected: { failed: 'not-a-file', text: /not opened/ }, check: (_result, { files }) => assert.deepEqual(files.calls, []) },
  { name: 'a binary file', before: Buffer.from([0, 1]), read: false, content: 'b', expected: { failed: 'binary', text: /binary/ } },
  { name: 'a relative path', path: 'a.txt', content: 'b', expected: { failed: 'invalid-path', text: /Did you mean \/w\/a\.txt\?/ } },
  { name: 'a read-only file', before: 'a\n', content: 'b', prepare: ({ files }) => files.refuse(A, 'readonly'), expected: { failed: 'write-readonly', text: /tell the user that it is read-only/ }, after: 'a\n' },
  { name: 'a full disk', before: 'a\n', content: 'b', prepare: ({ files }) => files.refuse(A, 'no_space'), expected: { failed: 'write-no-space', text: /disk is full/ }, after: 'a\n' },
];

describe('Write', () => {
  for (const row of rows) {
    it(row.name, async () => {
      const workspace = createWorkspace(row.before === undefined ? {} : { [A]: row.before });
      if (row.read !== false && row.before !== undefined) await run(workspace, readTool, { file_path: A });
      await row.prepare?.(workspace);
      const path = row.path ?? A;
      const result = await run(workspace, writeTool, { file_path: path, content: row.content }, row.answer, () => row.between?.(workspace));
      if (typeof row.expected === 'string') assert.equal(result.text, row.expected);
      else if (row.expected instanceof RegExp) {
        assert.equal(result.failed, undefined, result.text);
        assert.match(result.text, row.expected);
      } else {
        assert.equal(result.failed, row.expected.failed, result.text);
        assert.match(result.text, row.expected.text);
      }
      if (row.after !== undefined) assert.equal(workspace.files.text(path), row.after);
      if (result.output !== undefined) assert.ok(writeTool.outputSchema?.safeParse(result.output).success);
      row.check?.(result, workspace);
    });
  }

  it('leaves long texts out of its structured result, and caps its patch', async () => {
    const workspace = createWorkspace();
    const { output, view } = await run(workspace, writeTool, { file_path: A, content: 'a line of text\n'.repeat(20_000) });
    const { content, structuredPatch, added } = output as { content?: string; structuredPatch: { lines: string[] }[]; added: number };
    assert.equal(content, undefined);
    assert.deepEqual([structuredPatch[0]?.lines.length, added], [2_000, 20_000]);
    assert.equal((view as { truncated: boolean }).truncated, true);
  });

  it('lets Read show the file after it was written', async () => {
    const workspace = createWorkspace();
    await run(workspace, writeTool, { file_path: A, content: 'a\n' });
    assert.match((await run(workspace, readTool, { file_path: A })).text, /^1\ta\n/);
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(writeTool.access, 'WorkspaceWrite');
    const input = { file_path: '/w/a', content: '' };
    assert.ok(!writeTool.isReadOnly(input) && !writeTool.isConcurrencySafe(input));
    assert.deepEqual(writeTool.targets(input, '/w'), [{ kind: 'file', access: 'write', path: '/w/a' }]);
    assert.deepEqual(Object.keys(jsonSchemaOf(writeTool.inputSchema).properties ?? {}), ['file_path', 'content']);
  });
});
