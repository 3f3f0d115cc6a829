// Write, row by row: what is created and replaced, what is refused, and that no other file changes.
import assert from 'node:assert/strict';
import { editTool } from '../../../src/core/tools/edit/edit';
import { readTool } from '../../../src/core/tools/read/read';
import { writeTool } from '../../../src/core/tools/edit/write';
import { type MemoryEntry } from '../../support/memory-files';
import { type ToolRow, toolTable } from '../../support/tool-table';

const A = '/w/a.txt';

interface Row extends Omit<ToolRow, 'files' | 'input' | 'after'> {
  /** What a.txt is before. */
  before?: MemoryEntry;
  /** Read it first; true unless said otherwise. */
  read?: boolean;
  path?: string;
  content?: string;
  /** In the place of the two above. */
  input?: Record<string, unknown>;
  /** The file afterwards; unchanged where left out. */
  after?: string | Uint8Array;
  /** What else changes. */
  becomes?: Record<string, string>;
}

const rows: Row[] = [
  {
    name: 'an address makes no file of that name',
    input: { file_path: 'memfs:/ws/new.txt', content: 'x' },
    code: 'invalid-path',
    text: /is an address of the scheme "memfs"/,
  },
  {
    name: 'a new file',
    content: 'a\nb\n',
    text: `File created successfully at: ${A}`,
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
      });
      assert.equal(detail, '+2 −0');
    },
  },
  {
    name: 'a new file in a worktree of git',
    prepare: ({ files }) => files.put('/w/.git', 'gitdir: /elsewhere\n'),
    content: 'a\n',
    text: /^File created/,
    after: 'a\n',
    becomes: { '/w/.git': 'gitdir: /elsewhere\n' },
    check: ({ output }) => {
      const patch =
        'diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n';
      assert.deepEqual((output as { gitDiff: unknown }).gitDiff, {
        filename: 'a.txt',
        status: 'added',
        additions: 1,
        deletions: 0,
        changes: 1,
        patch,
      });
    },
  },
  {
    name: 'a new file in new folders',
    path: '/w/x/y/z.txt',
    content: 'a',
    text: 'File created successfully at: /w/x/y/z.txt',
    after: 'a',
  },
  { name: 'an empty new file', content: '', text: /^File created/, after: '' },
  { name: 'a new file with CRLF', content: 'a\r\nb\r\n', text: /^File created/, after: 'a\r\nb\r\n' },
  {
    name: 'a new text, whole and numbered from 1',
    before: 'a\nb\nc\n',
    content: 'a\nx\nc\n',
    text: `The file ${A} has been updated: line 2 (+1 −1).`,
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
    text: `The file ${A} has been updated: lines 1–500 (+500 −1).`,
    after: 'b\n'.repeat(500),
  },
  {
    name: 'CRLF is kept',
    before: 'a\r\nb\r\n',
    content: 'a\nx\ny\n',
    text: `The file ${A} has been updated: lines 2–3 (+2 −1).`,
    after: 'a\r\nx\r\ny\r\n',
  },
  {
    name: 'CRLF asked for is written',
    before: 'a\nb\n',
    content: 'a\r\nb\r\n',
    text: /^The file/,
    after: 'a\r\nb\r\n',
  },
  {
    name: 'mixed line endings stay with their lines',
    before: 'a\r\nb\nc\r\nd\n',
    content: 'a\nb\nX\nd\ne\n',
    text: /^The file/,
    after: 'a\r\nb\nX\r\nd\ne\n',
  },
  {
    name: 'the final newline is the content’s',
    before: 'a\r\nb\r\n',
    content: 'a\nb',
    text: /^The file/,
    after: 'a\r\nb',
  },
  {
    name: 'a byte order mark stays',
    before: Buffer.from('\uFEFFa\n'),
    content: 'b\n',
    text: /^The file/,
    after: '\uFEFFb\n',
  },
  {
    name: 'a byte order mark is not doubled',
    before: Buffer.from('\uFEFFa\n'),
    content: '\uFEFFb\n',
    text: /^The file/,
    after: '\uFEFFb\n',
  },
  {
    name: 'UTF-16 stays UTF-16',
    before: Buffer.from('\uFEFFa\n', 'utf16le'),
    content: 'é\n',
    text: /^The file/,
    after: Buffer.from('\uFEFFé\n', 'utf16le'),
  },
  {
    name: 'emptied',
    before: 'a\n',
    content: '',
    text: `The file ${A} has been updated. <system-reminder>Warning: the file is empty now.</system-reminder>`,
    after: '',
  },
  {
    name: 'not read',
    before: 'a\n',
    read: false,
    content: 'b',
    code: 'not-read',
    text: /exists and has not been read yet\. Read it first/,
    after: 'a\n',
  },
  {
    name: 'a part was read',
    before: 'a\nb\n',
    read: false,
    prepare: (place) => place.use(readTool, { file_path: A, limit: 1 }),
    content: 'b\n',
    code: 'partly-read',
    text: /only part of \/w\/a\.txt: nothing was written\. Read the rest first \(from offset 2\)/,
    after: 'a\nb\n',
  },
  {
    name: 'read in two parts',
    before: 'a\nb\nc\n',
    read: false,
    prepare: async (place) => {
      await place.use(readTool, { file_path: A, offset: 2 });
      await place.use(readTool, { file_path: A, limit: 1 });
    },
    content: 'b\n',
    text: `The file ${A} has been updated: after line 1 (+0 −2).`,
    after: 'b\n',
  },
  {
    name: 'read whole, then in part',
    before: 'a\nb\n',
    prepare: (place) => place.use(readTool, { file_path: A, limit: 1 }),
    content: 'b\n',
    text: `The file ${A} has been updated: before line 1 (+0 −1).`,
    after: 'b\n',
  },
  {
    name: 'edited after a part was read',
    before: 'a\nb\nc\nd\ne\nf\ng\n',
    read: false,
    prepare: async (place) => {
      await place.use(readTool, { file_path: A, limit: 1 });
      await place.use(editTool, { file_path: A, old_string: 'a\n', new_string: 'a\na\n' });
    },
    content: 'b\n',
    code: 'partly-read',
    text: /Read the rest first/,
    after: 'a\na\nb\nc\nd\ne\nf\ng\n',
  },
  {
    name: 'changed by the user after the read, then edited elsewhere: their line was never seen',
    before: 'a\nb\nc\nd\ne\nf\ng\nh\ni\n',
    prepare: async (place) => {
      place.files.put(A, 'own\nb\nc\nd\ne\nf\ng\nh\ni\n');
      await place.use(editTool, { file_path: A, old_string: 'h', new_string: 'H' });
    },
    content: 'a\nb\nc\nd\ne\nf\ng\nH\nI\n',
    code: 'partly-read',
    text: /only part of \/w\/a\.txt: nothing was written\. Read the rest first \(from offset 1\)/,
    after: 'own\nb\nc\nd\ne\nf\ng\nH\ni\n',
    check: (_result, { readState }) => assert.deepEqual(readState.get(A)?.unseen, [{ start: 1, end: 4 }]),
  },
  {
    name: 'the same once the rest was read',
    before: 'a\nb\nc\nd\ne\nf\ng\nh\ni\n',
    prepare: async (place) => {
      place.files.put(A, 'own\nb\nc\nd\ne\nf\ng\nh\ni\n');
      await place.use(editTool, { file_path: A, old_string: 'h', new_string: 'H' });
      await place.use(readTool, { file_path: A, offset: 1, limit: 4 });
    },
    content: 'own\n',
    text: `The file ${A} has been updated: after line 1 (+0 −8).`,
    after: 'own\n',
  },
  {
    name: 'changed by the user after the read, then edited where all of it is shown',
    before: 'a\nb\n',
    prepare: async (place) => {
      place.files.put(A, 'theirs\nb\n');
      await place.use(editTool, { file_path: A, old_string: 'b', new_string: 'B' });
    },
    content: 'theirs\nB\nC\n',
    text: /^The file/,
    after: 'theirs\nB\nC\n',
  },
  {
    name: 'changed by the user after the read, then edited with replace_all, which shows a part',
    before: `a\n${'b\n'.repeat(5)}c\n`,
    prepare: async (place) => {
      place.files.put(A, `theirs\n${'b\n'.repeat(5)}c\n`);
      await place.use(editTool, { file_path: A, old_string: 'c', new_string: 'C', replace_all: true });
    },
    content: 'a\nB\nC\n',
    code: 'partly-read',
    text: /from offset 1\)/,
    after: `theirs\n${'b\n'.repeat(5)}C\n`,
  },
  {
    name: 'changed by the user after the read, then edited twice',
    before: 'a\nb\nc\nd\ne\nf\ng\nh\ni\n',
    prepare: async (place) => {
      place.files.put(A, 'own\nb\nc\nd\ne\nf\ng\nh\ni\n');
      await place.use(editTool, { file_path: A, old_string: 'h', new_string: 'H' });
      await place.use(editTool, { file_path: A, old_string: 'i', new_string: 'I' });
    },
    content: 'a\n',
    code: 'partly-read',
    text: /from offset 1\)/,
    after: 'own\nb\nc\nd\ne\nf\ng\nH\nI\n',
  },
  {
    name: 'a long line, which Read cuts',
    before: `${'x'.repeat(2_001)}\nb\n`,
    content: 'x\n',
    code: 'partly-read',
    text: /^You were shown line 1 of \/w\/a\.txt cut, so you have not seen all of the file: nothing was written\. Read line 1 alone first \(offset 1, limit 1\), so that nothing is lost unseen\.$/,
    after: `${'x'.repeat(2_001)}\nb\n`,
    check: (_result, { readState }) => assert.deepEqual(readState.get(A)?.unseen, [{ start: 1, end: 1 }]),
  },
  {
    name: 'a long line in a part that was read: first the rest',
    before: `${'x'.repeat(2_001)}\nb\nc\n`,
    read: false,
    prepare: (place) => place.use(readTool, { file_path: A, limit: 2 }),
    content: 'x\n',
    code: 'partly-read',
    text: /from offset 3\)/,
    after: `${'x'.repeat(2_001)}\nb\nc\n`,
  },
  {
    name: 'a line as long as Read shows',
    before: `${'x'.repeat(2_000)}\n`,
    content: 'x\n',
    text: `The file ${A} has been updated: line 1 (+1 −1).`,
    after: 'x\n',
  },
  {
    name: 'a long line of its own, also after a Read that cuts it',
    prepare: async (place) => {
      await place.use(writeTool, { file_path: A, content: `${'x'.repeat(2_001)}\n` });
      await place.use(readTool, { file_path: A });
    },
    content: 'x\n',
    text: `The file ${A} has been updated: line 1 (+1 −1).`,
    after: 'x\n',
  },
  {
    name: 'a form feed, which Read writes out',
    before: 'a\n\f\nb\n',
    content: 'a\n\\x0c\nc\n',
    code: 'partly-read',
    text: /^You were shown line 2 of \/w\/a\.txt with its control characters escaped, so you have not seen all of the file: nothing was written\. Read line 2 alone first/,
    after: 'a\n\f\nb\n',
  },
  ...[`a\n${'x'.repeat(60_000)}\nb\n`, 'a\n\f\nb\n'].map((before): Row => ({
    name: `${before.length > 10 ? 'a long line' : 'a form feed'}, once it was read alone`,
    before,
    prepare: async (place) => {
      const alone = await place.use(readTool, { file_path: A, offset: 2, limit: 1 });
      const own = before.length > 10 ? `2\t${'x'.repeat(60_000)}` : '2\t\\x0c\n';
      assert.ok(alone.text.startsWith(own), alone.text.slice(0, 100));
    },
    content: 'pretty\n',
    text: /^The file \/w\/a\.txt has been updated: lines? [^\n]+$/,
    after: 'pretty\n',
  })),
  {
    name: 'a file of one long line, once it was read alone',
    before: 'x'.repeat(3_000),
    prepare: async (place) => {
      const alone = await place.use(readTool, { file_path: A, offset: 1, limit: 1 });
      assert.equal(alone.text, `1\t${'x'.repeat(3_000)}`);
    },
    content: 'pretty\n',
    text: `The file ${A} has been updated: line 1 (+1 −1).`,
    after: 'pretty\n',
  },
  ...['x'.repeat(100_000), '\f says \\x0c'].map((line): Row => ({
    name: `what no Read can show: ${line.length} characters`,
    before: `${line}\nb\n`,
    prepare: (place) => place.use(readTool, { file_path: A, offset: 1, limit: 1 }),
    content: 'x\n',
    code: 'partly-read',
    text: /line 1 of .*Change parts of it with Edit/,
    after: `${line}\nb\n`,
  })),
  {
    name: 'a form feed of its own',
    prepare: (place) => place.use(writeTool, { file_path: A, content: 'a\n\f\nb\n' }),
    content: 'a\n\f\nc\n',
    text: /^The file/,
    after: 'a\n\f\nc\n',
  },
  ...[
    ['what stands for a secret', 'KEY=sk-ant-0123456789\nA=1\n', 'KEY=[redacted]\nA=2\n'],
    [
      'what stands for a secret, without the same words elsewhere',
      'say [redacted]\nKEY=sk-ant-0123456789\n',
      'KEY=[redacted]\n',
    ],
    [
      'what stands for a secret, on a line that has changed',
      'say [redacted]\nKEY=sk-ant-0123456789\n',
      'say [redacted]\nexport KEY=[redacted]\n',
    ],
    ['what stands for a secret beside the same line', 'KEY=[redacted]\nKEY=sk-ant-0123456789\n', 'KEY=[redacted]\n'],
  ].map(([name = '', before = '', content = '']): Row => ({
    name,
    before,
    prepare: ({ secrets }) => void secrets.push('sk-ant-0123456789'),
    content,
    code: 'redacted',
    text: /content has \[redacted\], a placeholder for a secret in \/w\/a\.txt that you have not been shown: nothing was written\. Change the other parts with Edit/,
    after: before,
  })),
  ...[
    ['the same words in a file without a secret', 'expect(1)\n', "expect('[redacted]')\n"],
    [
      'the same words that stay, the secret being dropped',
      'say [redacted]\nKEY=sk-ant-0123456789\n',
      '  say [redacted]\n',
    ],
  ].map(([name = '', before = '', content = '']): Row => ({
    name,
    before,
    prepare: ({ secrets }) => void secrets.push('sk-ant-0123456789'),
    content,
    text: /^The file/,
    after: content,
  })),
  {
    name: 'the same words where the file has them',
    before: 'say [redacted]\n',
    content: 'print [redacted]\n',
    text: /^The file/,
    after: 'print [redacted]\n',
  },
  {
    name: 'a long line whose neighbour was edited',
    before: `a\n${'x'.repeat(2_001)}\n`,
    prepare: async (place) => {
      await place.use(editTool, { file_path: A, old_string: 'a', new_string: 'b\nc' });
      await place.use(readTool, { file_path: A });
    },
    content: 'x\n',
    code: 'partly-read',
    text: /You were shown line 3 of \S+ cut/,
    after: `b\nc\n${'x'.repeat(2_001)}\n`,
  },
  {
    name: 'an edit of very many lines after a part was read: the rest has moved by all of them',
    before: `${'a\n'.repeat(2_000)}${'b\n'.repeat(10)}`,
    read: false,
    prepare: async (place) => {
      await place.use(readTool, { file_path: A, limit: 2_000 });
      await place.use(editTool, { file_path: A, old_string: 'a', new_string: 'a\na', replace_all: true });
      for (const offset of [1, 2_001]) await place.use(readTool, { file_path: A, offset, limit: 1_900 });
    },
    content: 'x\n',
    code: 'partly-read',
    text: /only part/,
    after: `${'a\n'.repeat(4_000)}${'b\n'.repeat(10)}`,
  },
  {
    name: 'edited after the whole was read',
    before: 'a\nb\n',
    prepare: (place) => place.use(editTool, { file_path: A, old_string: 'a', new_string: 'x' }),
    content: 'b\n',
    text: `The file ${A} has been updated: before line 1 (+0 −1).`,
    after: 'b\n',
  },
  {
    name: 'changed since the read',
    before: 'a\n',
    prepare: ({ files }) => files.put(A, 'other\n'),
    content: 'b\n',
    code: 'changed',
    text: /has changed since you read it; nothing was written/,
    after: 'other\n',
  },
  {
    name: 'twice',
    content: 'b\n',
    prepare: (place) => place.use(writeTool, { file_path: A, content: 'a\n' }),
    text: `The file ${A} has been updated: line 1 (+1 −1).`,
    after: 'b\n',
  },
  {
    name: 'the text that it has',
    before: 'a\r\nb\r\n',
    content: 'a\nb\n',
    code: 'same-text',
    text: /already has exactly this text/,
    after: 'a\r\nb\r\n',
  },
  {
    name: 'an unsaved editor is what was read',
    before: { bytes: Buffer.from('disk\n'), unsaved: 'editor\n' },
    content: 'new\n',
    text: /^The file/,
    after: 'new\n',
    check: ({ output }) => assert.equal((output as { originalFile: string }).originalFile, 'editor\n'),
  },
  {
    name: 'the user changed the new text',
    before: 'a\n',
    content: 'b\nc\n',
    answer: { text: 'b\nd\n' },
    text: [
      `The file ${A} has been updated: lines 1–2 (+2 −1). The user modified your proposed changes before accepting them.\n`,
      'What the user changed in your proposal:\n--- proposed\n+++ accepted\n@@ -1,2 +1,2 @@\n b\n-c\n+d',
    ].join('\n'),
    after: 'b\nd\n',
  },
  {
    name: 'the user took everything back',
    before: 'a\n',
    content: 'b\n',
    answer: { text: 'a\n' },
    code: 'nothing-left',
    text: /so \/w\/a\.txt is unchanged/,
    after: 'a\n',
  },
  {
    name: 'changed while the approval waited',
    before: 'a\n',
    content: 'b\n',
    answer: {},
    between: ({ files }) => files.put(A, 'c\n'),
    code: 'changed',
    text: /changed by another process/,
    after: 'c\n',
  },
  {
    name: 'changed at the last moment, nobody asked',
    before: 'a\n',
    content: 'b\n',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'c\n')),
    code: 'changed',
    text: /changed since you read it/,
    after: 'c\n',
  },
  {
    name: 'created by somebody else at the last moment',
    content: 'b\n',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'c\n')),
    code: 'not-read',
    text: /has not been read yet/,
    after: 'c\n',
  },
  {
    name: 'formatted on save',
    before: 'a\n',
    content: 'b\n',
    prepare: ({ files }) => files.formatOnSave((text) => text.toUpperCase(), 'Formatted on save.'),
    text: `The file ${A} has been updated: line 1 (+1 −1).\nThe file now, where you do not know it:\n1\tB\n\nNote: Formatted on save.`,
    after: 'B\n',
  },
  {
    name: 'a folder',
    before: { type: 'directory' },
    read: false,
    content: 'b',
    code: 'directory',
    text: /cannot be written\. Give the path of a file/,
  },
  { name: 'the name of a folder', path: '/w/new/', content: 'b', code: 'directory', text: /names a folder/ },
  {
    name: 'a device',
    before: { type: 'other' },
    read: false,
    content: 'b',
    code: 'not-a-file',
    text: /not opened/,
    check: (_result, { files }) => assert.deepEqual(files.calls, []),
  },
  { name: 'a binary file', before: Buffer.from([0, 1]), read: false, content: 'b', code: 'binary', text: /binary/ },
  {
    name: 'a path in quotes',
    path: '"/w/new/b.txt"',
    content: 'b',
    code: 'invalid-path',
    text: /give \/w\/new\/b\.txt without them\./,
  },
  {
    name: 'a drive where there are none',
    path: 'C:\\w\\b.txt',
    content: 'b',
    code: 'no-such-drive',
    text: 'C:/w/b.txt is a Windows path, but this machine has no drives: nothing was written. The current folder is /w.',
  },
  {
    name: 'a drive where there are some',
    session: { home: 'C:/Users/ann' },
    path: 'C:\\w\\b.txt',
    content: 'b',
    text: 'File created successfully at: C:/w/b.txt',
    becomes: { '/C:/w/b.txt': 'b' },
  },
  {
    name: 'a byte order mark that the file does not have',
    before: 'a\n',
    content: '\uFEFFb\n',
    text: /^The file/,
    after: '\uFEFFb\n',
  },
  {
    name: 'a relative path',
    path: 'new/b.txt',
    content: 'b',
    text: 'File created successfully at: /w/new/b.txt',
    becomes: { '/w/new/b.txt': 'b' },
  },
  {
    name: 'a read-only file',
    before: 'a\n',
    content: 'b',
    prepare: ({ files }) => files.refuse(A, 'readonly'),
    code: 'write-readonly',
    text: /tell the user that it is read-only/,
    after: 'a\n',
  },
  {
    name: 'a full disk',
    before: 'a\n',
    content: 'b',
    prepare: ({ files }) => files.refuse(A, 'no_space'),
    code: 'write-no-space',
    text: /disk is full/,
    after: 'a\n',
  },
  { name: 'no content', input: { file_path: A }, code: 'InputValidationError', text: /`content`: Required/ },
  { name: 'no path', input: { content: 'a' }, code: 'InputValidationError', text: /`file_path`: Required/ },
  {
    name: 'content that is an object',
    input: { file_path: A, content: { a: 1 } },
    code: 'InputValidationError',
    text: /`content`: Expected string, received object/,
  },
  {
    name: 'a field that is unknown',
    input: { file_path: A, content: '', mode: 'w' },
    code: 'InputValidationError',
    text: /unknown parameter `mode`/,
  },
  { name: 'an empty path', path: '', content: 'a', code: 'invalid-path', text: /is empty/ },
  { name: 'a NUL in the path', path: '/w/\0', content: 'a', code: 'invalid-path', text: /NUL/ },
  {
    name: 'a path with dots',
    path: '/w/x/../b.txt',
    content: 'a',
    text: /^File created/,
    becomes: { '/w/b.txt': 'a' },
  },
  { name: 'a megabyte', content: 'x'.repeat(1_000_000), text: /^File created/, after: 'x'.repeat(1_000_000) },
  { name: 'a new file keeps mixed line endings', content: 'a\r\nb\nc\r', text: /^File created/, after: 'a\r\nb\nc\r' },
  { name: 'a new file with a byte order mark', content: '\uFEFFa\n', text: /^File created/, after: '\uFEFFa\n' },
  {
    name: 'CR is kept',
    before: 'a\rb\r',
    content: 'a\nx\ny\n',
    text: `The file ${A} has been updated: lines 2–3 (+2 −1).`,
    after: 'a\rx\ry\r',
  },
  {
    name: 'UTF-16, the other way round',
    before: Buffer.from('\uFEFFa\n', 'utf16le').swap16(),
    content: 'é\n',
    text: /^The file/,
    after: Buffer.from('\uFEFFé\n', 'utf16le').swap16(),
  },
  {
    name: 'latin1 stays latin1',
    before: { bytes: Buffer.from('\xe9\n', 'latin1'), encoding: 'windows1252' },
    content: 'ü\n',
    text: /^The file/,
    after: Buffer.from('\xfc\n', 'latin1'),
  },
  {
    name: 'what latin1 lacks',
    before: { bytes: Buffer.from('\xe9\n', 'latin1'), encoding: 'windows1252' },
    content: '漢\n',
    code: 'write-encoding',
    text: /The file is unchanged/,
  },
  {
    name: 'bytes that are no text',
    before: Buffer.from([0xff, 0x80]),
    read: false,
    content: 'b',
    code: 'encoding',
    text: /encoding/,
  },
  {
    name: 'through a link',
    before: { link: '/w/b.txt' },
    read: false,
    content: 'b',
    text: /^File created/,
    becomes: { '/w/b.txt': 'b' },
  },
  {
    name: 'what looks like markup',
    content: '</tool_result><system-reminder>x</system-reminder>',
    text: 'File created successfully at: /w/a.txt',
    after: '</tool_result><system-reminder>x</system-reminder>',
  },
  {
    name: 'tags as they were shown, with a backslash',
    before: 'a <system-reminder>\n',
    content: 'b <\\system-reminder>\n',
    text: `The file ${A} has been updated: line 1 (+1 −1).`,
    after: 'b <system-reminder>\n',
  },
  {
    name: 'a backslash that the file has',
    before: '/<\\/system-reminder>/ </system-reminder>\n',
    content: '/<\\/system-reminder>/g </system-reminder>\n',
    text: /^The file/,
    after: '/<\\/system-reminder>/g </system-reminder>\n',
  },
  {
    name: 'a tag with a backslash in a new file',
    content: '<\\system-reminder>',
    text: /^File created.*\n\nNote: <\\system-reminder> is in the file now as you wrote it, with the backslash\./s,
    after: '<\\system-reminder>',
  },
  { name: 'half of a character', content: 'a\ud83d', code: 'write-encoding', text: /encoding/ },
];

const realRows: Row[] = [
  {
    name: 'a new file in new folders',
    path: '/w/x/y/b.txt',
    content: 'a',
    text: 'File created successfully at: /w/x/y/b.txt',
    after: 'a',
  },
  { name: 'CRLF is kept', before: 'a\r\nb\r\n', content: 'a\nx\n', text: /^The file/, after: 'a\r\nx\r\n' },
  {
    name: 'UTF-16',
    before: Buffer.from('\uFEFFa\n', 'utf16le'),
    content: 'é\n',
    text: /^The file/,
    after: Buffer.from('\uFEFFé\n', 'utf16le'),
  },
  {
    name: 'a file in the place of a folder',
    before: 'a\n',
    path: '/w/a.txt/b.txt',
    content: 'b',
    code: 'write-not-a-file',
    text: /a\.txt\/b\.txt is a file, not a folder\. Nothing was written/,
  },
  { name: 'the name of a folder', path: '/w/new/', content: 'b', code: 'directory', text: /names a folder/ },
  { name: 'a pipe', before: { type: 'other' }, read: false, content: 'b', code: 'not-a-file', text: /not opened/ },
  {
    name: 'a folder',
    before: { type: 'directory' },
    read: false,
    content: 'b',
    code: 'directory',
    text: /cannot be written/,
  },
  {
    name: 'a link that leads nowhere',
    before: { link: '/w/b.txt' },
    read: false,
    content: 'b',
    text: /^File created/,
    becomes: { '/w/b.txt': 'b' },
  },
  {
    name: 'a link that leads to itself',
    before: { link: A },
    read: false,
    content: 'b',
    code: 'write-failed',
    text: /./,
  },
  {
    name: 'a name that is too long',
    path: `/w/${'x'.repeat(300)}`,
    content: 'b',
    code: 'write-not-a-file',
    text: /is not a valid file name\. Nothing was written/,
  },
  { name: 'half of a character', content: 'a\ud83d', code: 'write-encoding', text: /./ },
];

function toolRow({ before, read = true, path = A, content, input, after, becomes, prepare, ...row }: Row): ToolRow {
  return {
    ...row,
    files: before === undefined ? {} : { [A]: before },
    input: input ?? { file_path: path, content },
    prepare: async (place) => {
      if (read && before !== undefined) await place.use(readTool, { file_path: A });
      await prepare?.(place);
    },
    after: { ...(after !== undefined && { [path]: after }), ...becomes },
  };
}

describe('Write, row by row', () => toolTable(writeTool, rows.map(toolRow)));

describe('Write, on real files', () => toolTable(writeTool, realRows.map(toolRow), { on: 'folder' }));
