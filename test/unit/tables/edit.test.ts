// Edit, row by row: what is replaced, what is refused, and that no other byte changes.
import assert from 'node:assert/strict';
import { editTool } from '../../../src/core/tools/edit';
import { readTool } from '../../../src/core/tools/read';
import { type MemoryEntry } from '../../support/memory-files';
import { type ToolRow, toolTable } from '../../support/tool-table';

const A = '/w/a.txt';
const SNIPPET = `The file ${A} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n`;

interface Row extends Omit<ToolRow, 'files' | 'input' | 'after'> {
  /** What a.txt is before, or all files. */
  before?: string | Uint8Array | Record<string, MemoryEntry>;
  /** Read a.txt first; true unless said otherwise. */
  read?: boolean;
  old?: string;
  new?: string;
  all?: boolean;
  path?: string;
  /** In the place of the four above. */
  input?: Record<string, unknown>;
  /** The file afterwards, null where it is gone, or all that change; unchanged where left out. */
  after?: string | Uint8Array | null | Record<string, string>;
}

const lines = (...numbers: number[]): string => numbers.map((number) => `line ${number}\n`).join('');
const nine = lines(1, 2, 3, 4, 5, 6, 7, 8, 9);

const rows: Row[] = [
  {
    name: 'one line, with its surroundings and real numbers',
    before: nine,
    old: 'line 5',
    new: 'five',
    text: `${SNIPPET}2\tline 2\n3\tline 3\n4\tline 4\n5\tfive\n6\tline 6\n7\tline 7\n8\tline 8`,
    after: nine.replace('line 5', 'five'),
    check: ({ output, detail, view }, { readState }) => {
      const hunk = { oldStart: 2, oldLines: 7, newStart: 2, newLines: 7, lines: [' line 2', ' line 3', ' line 4', '-line 5', '+five', ' line 6', ' line 7', ' line 8'] };
      const { hash, snippet, ...rest } = output as Record<string, unknown>;
      assert.equal(typeof snippet, 'string');
      assert.deepEqual(rest, {
        filePath: A,
        created: false,
        originalFile: nine,
        structuredPatch: [hunk],
        added: 1,
        removed: 1,
        userModified: false,
        notes: [],
        newDiagnostics: [],
        oldString: 'line 5',
        newString: 'five',
        replaceAll: false,
      });
      assert.equal(detail, '+1 −1');
      assert.deepEqual(view, { kind: 'diff', path: A, created: false, added: 1, removed: 1, hunks: [hunk], truncated: false });
      assert.deepEqual(readState.get(A), { hash, range: { start: 2, end: 8 } });
    },
  },
  {
    name: 'in a checkout of git',
    before: { '/w/.git/HEAD': 'ref: refs/heads/main\n', '/w/src/a.txt': 'a\nb' },
    path: '/w/src/a.txt',
    prepare: (place) => place.use(readTool, { file_path: '/w/src/a.txt' }),
    old: 'a',
    new: 'x',
    text: /1\tx\n2\tb$/,
    after: 'x\nb',
    check: ({ output }) => {
      const patch = 'diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n';
      assert.deepEqual((output as { gitDiff: unknown }).gitDiff, { filename: 'src/a.txt', status: 'modified', additions: 1, deletions: 1, changes: 2, patch });
    },
  },
  { name: 'several lines', before: 'a\nb\nc\n', old: 'a\nb', new: 'x\ny\nz', text: `${SNIPPET}1\tx\n2\ty\n3\tz\n4\tc`, after: 'x\ny\nz\nc\n' },
  { name: 'a deletion', before: 'a\nb\nc\n', old: 'b\n', new: '', text: `${SNIPPET}1\ta\n2\tc`, after: 'a\nc\n' },
  {
    name: 'a deletion of everything',
    before: 'a\n',
    old: 'a\n',
    new: '',
    text: `${SNIPPET}<system-reminder>Warning: the file is empty now.</system-reminder>`,
    after: '',
  },
  {
    name: 'all places',
    before: 'a b a\na\n',
    old: 'a',
    new: 'c',
    all: true,
    text: `The file ${A} has been updated. All occurrences of 'a' were successfully replaced with 'c'.`,
    after: 'c b c\nc\n',
    check: ({ detail, output }) => {
      assert.equal(detail, '+2 −2');
      assert.equal((output as { replaceAll: boolean }).replaceAll, true);
    },
  },
  { name: 'CRLF', before: 'a\r\nb\r\n', old: 'a\nb', new: 'x\ny\nz', text: `${SNIPPET}1\tx\n2\ty\n3\tz`, after: 'x\r\ny\r\nz\r\n' },
  { name: 'a CRLF old_string in an LF file', before: 'a\nb\n', old: 'a\r\nb', new: 'x\r\ny', text: /^The file/, after: 'x\ny\n' },
  { name: 'mixed line endings', before: 'a\r\nb\nc\rd', old: 'b\nc', new: 'B\nc', text: /^The file/, after: 'a\r\nB\nc\rd' },
  { name: 'a byte order mark', before: Buffer.from('\uFEFFa\n'), old: 'a', new: 'b', text: /^The file/, after: '\uFEFFb\n' },
  { name: 'dollar signs', before: 'a\n', old: 'a', new: "$&$1$'$`$$", text: /^The file/, after: "$&$1$'$`$$\n" },
  {
    name: 'UTF-16 stays UTF-16',
    before: { [A]: Buffer.from('\uFEFFé\n', 'utf16le') },
    old: 'é',
    new: 'è',
    text: /^The file/,
    after: Buffer.from('\uFEFFè\n', 'utf16le'),
  },
  {
    name: 'characters that the encoding lacks',
    before: { [A]: { bytes: Buffer.from([0xe9, 0x0a]), encoding: 'windows1252' } },
    old: 'é',
    new: '漢',
    code: 'write-encoding',
    text: /The file is as it was\. Use only characters that its encoding has/,
  },
  {
    name: 'not read',
    before: 'a\n',
    read: false,
    old: 'a',
    new: 'b',
    code: 'not-read',
    text: /has not been read yet\. Read it first/,
    after: 'a\n',
  },
  {
    name: 'a part was read',
    before: nine,
    read: false,
    prepare: (place) => place.use(readTool, { file_path: A, offset: 1, limit: 2 }),
    old: 'line 9',
    new: 'nine',
    text: /9\tnine$/,
    after: nine.replace('line 9', 'nine'),
  },
  {
    name: 'again after an edit',
    before: 'a\nb\n',
    prepare: (place) => place.use(editTool, { file_path: A, old_string: 'a', new_string: 'x' }),
    old: 'b',
    new: 'y',
    text: `${SNIPPET}1\tx\n2\ty`,
    after: 'x\ny\n',
  },
  {
    name: 'all places: a Read of exactly the changed lines still shows them',
    before: `${nine}mark\nmark\n${nine}`,
    old: 'mark',
    new: 'row',
    all: true,
    text: /successfully replaced/,
    after: `${nine}row\nrow\n${nine}`,
    check: async (_result, place) => assert.match((await place.use(readTool, { file_path: A, offset: 7, limit: 8 })).text, /\n10\trow\n11\trow\n/),
  },
  {
    name: 'so many lines that not all are shown: a Read of them shows them',
    before: `a\n${nine}`,
    old: 'a\n',
    new: 'x\n'.repeat(300),
    text: /the rest of the edited region is left out/,
    after: `${'x\n'.repeat(300)}${nine}`,
    check: async (_result, place) => {
      assert.match((await place.use(readTool, { file_path: A, offset: 1, limit: 303 })).text, /\n300\tx\n/);
      assert.match((await place.use(readTool, { file_path: A, offset: 1, limit: 303 })).text, /is unchanged/);
    },
  },
  {
    name: 'one place: a Read of exactly the lines that were shown says so',
    before: nine,
    old: 'line 5',
    new: 'five',
    text: /5\tfive/,
    after: nine.replace('line 5', 'five'),
    check: async (_result, place) => assert.match((await place.use(readTool, { file_path: A, offset: 2, limit: 7 })).text, /is unchanged/),
  },
  { name: 'not there', before: 'alpha beta\n', old: 'zzz', new: 'b', code: 'not-found-in-file', text: /was not found in \/w\/a\.txt; nothing was changed\. Nothing in the file is alike: read it again, or find the text with Grep\.$/, after: 'alpha beta\n' },
  {
    name: 'nearly there',
    before: 'function f() {\n\treturn 1;\n}\n',
    old: 'function f() {\n  return 1;\n}',
    new: 'x',
    code: 'not-found-in-file',
    text: /nearest text is at lines 1–3 and differs only in whitespace: line 2 of the file is indented by 1 tab, old_string by 2 spaces/,
  },
  {
    name: 'made before',
    before: 'const value = 2;\n',
    old: 'const value = 1;',
    new: 'const value = 2;',
    code: 'not-found-in-file',
    text: /new_string already stands in the file/,
  },
  { name: 'in an empty file', before: '', old: 'a', new: 'b', code: 'not-found-in-file', text: /The file is empty/ },
  {
    name: 'not unique',
    before: 'a\nb\na\n',
    old: 'a',
    new: 'c',
    code: 'not-unique',
    text: /stands 2 times in \/w\/a\.txt \(lines 1, 3\); nothing was changed\. Add surrounding lines/,
    after: 'a\nb\na\n',
  },
  { name: 'old is new', before: 'a\n', old: 'a', new: 'a', code: 'same-text', text: /are the same/ },
  { name: 'only line endings differ', before: 'a\nb\n', old: 'a\nb', new: 'a\r\nb', code: 'same-text', text: /differ only in line endings/ },
  {
    name: 'changed since the read, still exact',
    before: nine,
    prepare: ({ files }) => files.put(A, `new\n${nine}`),
    old: 'line 9',
    new: 'nine',
    text: /10\tnine\n\nNote: \/w\/a\.txt had changed since you read it; this edit still fitted exactly\.$/,
    after: `new\n${nine}`.replace('line 9', 'nine'),
  },
  {
    name: 'changed since the read, no longer unique',
    before: 'a\nb\n',
    prepare: ({ files }) => files.put(A, 'a\na\n'),
    old: 'a',
    new: 'x',
    code: 'not-unique',
    text: /changed since you read it: read it again/,
    after: 'a\na\n',
  },
  {
    name: 'changed since the read, replace_all with several places',
    before: 'a\nb\n',
    prepare: ({ files }) => files.put(A, 'a\na\n'),
    old: 'a',
    new: 'x',
    all: true,
    code: 'changed',
    text: /stands there 2 times\. Read it again/,
    after: 'a\na\n',
  },
  {
    name: 'changed while the approval waited',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    answer: {},
    between: ({ files }) => files.put(A, 'a\nc\n'),
    code: 'changed',
    text: /was changed by somebody else while this change was waiting; nothing was written\. Read it again/,
    after: 'a\nc\n',
  },
  {
    name: 'changed at the last moment, nobody asked: made anew',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'a\nc\n')),
    text: /1\tx\n2\tc\n\nNote: .* had changed since you read it/,
    after: 'x\nc\n',
  },
  {
    name: 'changed at the last moment so that it no longer fits',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'c\n')),
    code: 'not-found-in-file',
    text: /changed since you read it/,
    after: 'c\n',
  },
  {
    name: 'removed while the approval waited',
    before: 'a\n',
    old: 'a',
    new: 'x',
    answer: {},
    between: ({ files }) => files.remove(A),
    code: 'changed',
    text: /was removed while this change was waiting/,
    after: null,
  },
  {
    name: 'the person changed the proposal',
    before: 'a\nb\nc\n',
    old: 'b',
    new: 'x',
    answer: { text: 'a\nX\nc\n' },
    text: [
      `The file ${A} has been updated.  The user modified your proposed changes before accepting them. Here's the result of running \`cat -n\` on a snippet of the edited file:`,
      '1\ta\n2\tX\n3\tc\n',
      'What the user changed in your proposal:\n--- proposed\n+++ accepted\n@@ -1,3 +1,3 @@\n a\n-x\n+X\n c',
    ].join('\n'),
    after: 'a\nX\nc\n',
    check: ({ output }) => assert.equal((output as { userModified: boolean }).userModified, true),
  },
  {
    name: 'the person changed a replacement everywhere',
    before: 'a\na\n',
    old: 'a',
    new: 'x',
    all: true,
    answer: { text: 'x\na\n' },
    text: /^The file \/w\/a\.txt has been updated\. {2}The user modified your proposed changes before accepting them\. All occurrences of 'a' were successfully replaced with 'x'\.\n\nWhat the user changed[^]*\n x\n-x\n\+a$/,
    after: 'x\na\n',
  },
  {
    name: 'the person took everything back',
    before: 'a\n',
    old: 'a',
    new: 'x',
    answer: { text: 'a\n' },
    code: 'nothing-left',
    text: /took back every change .*\n\n--- proposed\n\+\+\+ accepted\n@@ -1,1 \+1,1 @@\n-x\n\+a$/,
    after: 'a\n',
    check: ({ stopped }, { files }) => {
      assert.equal(stopped, true);
      assert.ok(!files.calls.some((call) => call.startsWith('writeText')));
    },
  },
  {
    name: 'formatted on save',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    prepare: ({ files }) => files.formatOnSave((text) => text.replace('x', 'x;'), 'Formatted on save.'),
    text: `${SNIPPET}1\tx;\n2\tb\n\nNote: Formatted on save.`,
    after: 'x;\nb\n',
  },
  { name: 'a new file', before: {}, path: '/w/new/b.txt', old: '', new: 'a\n', text: 'File created successfully at: /w/new/b.txt', after: 'a\n', check: ({ view }) => assert.equal((view as { created: boolean }).created, true) },
  {
    name: 'a new file that the person changed',
    before: {},
    read: false,
    old: '',
    new: 'a\n',
    answer: { text: 'b\n' },
    text: /^File created successfully at: \/w\/a\.txt\nThe user modified your proposed changes before accepting them\.\n\nWhat the user changed[^]*-a\n\+b$/,
    after: 'b\n',
  },
  { name: 'an empty file is filled', before: '', read: false, old: '', new: 'a\n', text: `${SNIPPET}1\ta`, after: 'a\n' },
  { name: 'a file that is there is not created', before: 'a\n', old: '', new: 'b', code: 'exists', text: /exists and is not empty/, after: 'a\n' },
  {
    name: 'somebody else created it meanwhile',
    before: {},
    read: false,
    old: '',
    new: 'mine\n',
    answer: {},
    between: ({ files }) => files.put(A, 'theirs\n'),
    code: 'changed',
    text: /was created by somebody else/,
    after: 'theirs\n',
  },
  {
    name: 'somebody else changed the file under a proposal that the person had changed',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    answer: { text: 'typed by the person\nb\n' },
    between: ({ files }) => files.put(A, 'a\nb\nc\n'),
    code: 'changed',
    text: /was changed by somebody else.*\n\nThe user had changed your proposal before accepting it\. [^]*-x\n\+typed by the person\n/,
    after: 'a\nb\nc\n',
  },
  {
    name: 'a host that refuses what the person had changed',
    before: 'a\n',
    old: 'a',
    new: 'x',
    answer: { text: 'typed by the person\n' },
    prepare: ({ files }) => files.refuse(A, 'no_space'),
    code: 'write-no-space',
    text: /keep what they changed:\n[^]*\+typed by the person$/,
    after: 'a\n',
  },
  { name: 'a missing file', before: { '/w/b.txt': '' }, old: 'a', new: 'b', code: 'not-found', text: /^File does not exist: \/w\/a\.txt\. Did you mean \/w\/b\.txt\?/, read: false },
  { name: 'the line numbers of Read, in both texts', before: nine, old: '     4\tline 4\n     5\tline 5', new: '     4\tline 4\n     5\tfive\n     6\tsix', text: /has been updated/, after: nine.replace('line 5', 'five\nsix') },
  { name: 'the line numbers of Read, in the old text', before: nine, old: '5\tline 5\n', new: 'five\n', text: /has been updated/, after: nine.replace('line 5', 'five') },
  { name: 'line numbers of other lines', before: nine, old: '6\tline 5', new: 'five', code: 'not-found-in-file', text: /Without the line numbers it stands at line 5: leave out the number and the tab that Read puts first\.$/, after: nine },
  { name: 'line numbers with a gap', before: nine, old: '4\tline 4\n6\tline 5', new: 'x', code: 'not-found-in-file', text: /Without the line numbers/, after: nine },
  { name: 'line numbers on some lines of the new text', before: nine, old: '5\tline 5', new: '5\tfive\nsix', code: 'not-found-in-file', text: /Without the line numbers/, after: nine },
  { name: 'numbers that are the text itself', before: '1\ta\n2\tb\n', old: '2\tb', new: '2\tc', text: /has been updated/, after: '1\ta\n2\tc\n' },
  { name: 'a new file on a drive where there are none', before: 'a\n', input: { file_path: 'D:/b.txt', old_string: '', new_string: 'b' }, code: 'no-such-drive', text: /^D:\/b\.txt is a path of Windows/ },
  { name: 'a relative path', before: 'a\n', input: { file_path: 'a.txt', old_string: 'a', new_string: 'b' }, text: /^The file \/w\/a\.txt has been updated/, after: 'b\n' },
  { name: 'a path from the home folder', before: {}, path: '~/a.txt', old: 'a', new: 'b', code: 'invalid-path', text: /Did you mean \/home\/ann\/a\.txt\?/ },
  { name: 'a folder', before: { '/w/a.txt/b': '' }, read: false, old: 'a', new: 'b', code: 'directory', text: /is a folder, so it cannot be edited/ },
  { name: 'a pipe', before: { [A]: { type: 'other' } }, read: false, old: 'a', new: 'b', code: 'not-a-file', text: /not opened/, check: (_result, { files }) => assert.deepEqual(files.calls, []) },
  { name: 'a binary file', before: { [A]: Buffer.from([0, 1]) }, read: false, old: 'a', new: 'b', code: 'binary', text: /binary/ },
  ...(['readonly', 'no_space', 'permission', 'not_a_file', 'unsaved', 'untrusted', 'failed'] as const).map(
    (code): Row => ({
      name: `a host that refuses: ${code}`,
      before: 'a\n',
      old: 'a',
      new: 'b',
      prepare: ({ files }) => files.refuse(A, code),
      code: `write-${code.replaceAll('_', '-')}`, text: new RegExp(`cannot be written \\(${code}\\)\\. [A-Z]`),
      after: 'a\n',
    }),
  ),
  { name: 'no old_string', input: { file_path: A, new_string: 'b' }, before: 'a\n', code: 'InputValidationError', text: /`old_string`: Required/ },
  { name: 'no new_string', input: { file_path: A, old_string: 'a' }, before: 'a\n', code: 'InputValidationError', text: /`new_string`: Required/ },
  { name: 'nothing at all', input: {}, code: 'InputValidationError', text: /`file_path`: Required\n- `old_string`: Required\n- `new_string`: Required/ },
  { name: 'a text that is a number', input: { file_path: A, old_string: 1, new_string: 'b' }, before: '1\n', code: 'InputValidationError', text: /`old_string`: Expected string, received number/ },
  { name: 'replace_all in words', input: { file_path: A, old_string: 'a', new_string: 'b', replace_all: 'yes' }, before: 'a\n', code: 'InputValidationError', text: /replace_all/ },
  { name: 'a field that is unknown', input: { file_path: A, old_string: 'a', new_string: 'b', count: 1 }, before: 'a\n', code: 'InputValidationError', text: /unknown parameter `count`/ },
  { name: 'an empty path', before: 'a\n', path: '', old: 'a', new: 'b', code: 'invalid-path', text: /is empty/ },
  { name: 'a NUL in the path', before: 'a\n', path: '/w/\0', old: 'a', new: 'b', code: 'invalid-path', text: /NUL/ },
  { name: 'the name of a folder', before: {}, path: '/w/new/', old: '', new: 'b', code: 'directory', text: /names a folder/ },
  { name: 'a path below a file', before: 'a\n', path: '/w/a.txt/b', old: 'a', new: 'b', code: 'not-found', text: /does not exist/ },
  { name: 'a huge old_string', before: 'a\n', old: 'x'.repeat(1_000_000), new: 'b', code: 'not-found-in-file', text: /was not found/ },
  { name: 'a huge new_string', before: 'a b\n', old: 'a', new: 'x'.repeat(1_000_000), text: /^The file/, after: `${'x'.repeat(1_000_000)} b\n` },
  { name: 'a huge file', before: `${'line\n'.repeat(200_000)}end\n`, old: 'end', new: 'END', text: /200001\tEND$/, after: `${'line\n'.repeat(200_000)}END\n` },
  { name: 'CR alone', before: 'a\rb\rc\r', old: 'a\nb', new: 'x\ny\nz', text: `${SNIPPET}1\tx\n2\ty\n3\tz\n4\tc`, after: 'x\ry\rz\rc\r' },
  { name: 'a file without any line break', before: 'abc', old: 'b', new: 'x', text: `${SNIPPET}1\taxc`, after: 'axc' },
  { name: 'UTF-16, the other way round', before: Buffer.from('\uFEFFé\r\nb\r\n', 'utf16le').swap16(), old: 'é\nb', new: 'è\nc', text: /^The file/, after: Buffer.from('\uFEFFè\r\nc\r\n', 'utf16le').swap16() },
  { name: 'latin1 stays latin1', before: { [A]: { bytes: Buffer.from('caf\xe9 \xfc\r\nx\n', 'latin1'), encoding: 'windows1252' } }, old: 'x', new: 'ß', text: /^The file/, after: Buffer.from('caf\xe9 \xfc\r\n\xdf\n', 'latin1') },
  { name: 'bytes that are no text', before: Buffer.from([0xff, 0x80]), read: false, old: 'a', new: 'b', code: 'encoding', text: /encoding/ },
  { name: 'through a link', before: { [A]: 'a\n', '/w/link': { link: A } }, prepare: (place) => place.use(readTool, { file_path: '/w/link' }), path: '/w/link', old: 'a', new: 'b', text: /^The file \/w\/link has been updated/, after: { [A]: 'b\n' } },
  { name: 'a link that leads nowhere', before: { '/w/link': { link: '/w/gone' } }, path: '/w/link', old: 'a', new: 'b', code: 'not-found', text: /does not exist/ },
  { name: 'other files with the same text stay', before: { [A]: 'a\n', '/w/b.txt': 'a\n', '/w/c/a.txt': 'a\n' }, old: 'a', new: 'b', text: /^The file/, after: 'b\n' },
  { name: 'a text that is all patterns', before: 'a.*(b)[c]\\d+\n', old: '.*(b)[c]\\d+', new: '$1\\1', text: /^The file/, after: 'a$1\\1\n' },
  { name: 'emoji and marks that combine', before: 'e\u0301 👩‍👩‍👧 x\n', old: '👩‍👩‍👧', new: '👨‍👦', text: /^The file/, after: 'e\u0301 👨‍👦 x\n' },
  { name: 'half of a character', before: 'a😀b\n', old: '\ud83d', new: 'x', code: 'write-encoding', text: /The file is as it was/ },
];

const realRows: Row[] = [
  { name: 'CRLF', before: 'a\r\nb\r\n', old: 'a\nb', new: 'x\ny\nz', text: `${SNIPPET}1\tx\n2\ty\n3\tz`, after: 'x\r\ny\r\nz\r\n' },
  { name: 'mixed line endings', before: 'a\r\nb\nc\rd', old: 'b\nc', new: 'B\nc', text: /^The file/, after: 'a\r\nB\nc\rd' },
  { name: 'UTF-16', before: Buffer.from('\uFEFFé\r\nx\n', 'utf16le'), old: 'é', new: 'è', text: /^The file/, after: Buffer.from('\uFEFFè\r\nx\n', 'utf16le') },
  { name: 'UTF-16, the other way round', before: Buffer.from('\uFEFFé\r\nx\n', 'utf16le').swap16(), old: 'é', new: 'è', text: /^The file/, after: Buffer.from('\uFEFFè\r\nx\n', 'utf16le').swap16() },
  { name: 'latin1', before: Buffer.from('caf\xe9\n', 'latin1'), read: false, old: 'caf', new: 'CAF', code: 'encoding', text: /./ },
  { name: 'half of a character', before: 'a😀b\n', old: '\ud83d', new: 'x', code: 'write-encoding', text: /The file is as it was/ },
  { name: 'through a link, which stays one', before: { [A]: 'a\n', '/w/link': { link: A } }, prepare: (place) => place.use(readTool, { file_path: '/w/link' }), path: '/w/link', old: 'a', new: 'b', text: /^The file \/w\/link has been updated/, after: { [A]: 'b\n' } },
  { name: 'a link that leads to itself', before: { [A]: { link: A } }, read: false, old: 'a', new: 'b', code: 'failed', text: /leads in a circle\.$/ },
  { name: 'a pipe', before: { [A]: { type: 'other' } }, read: false, old: 'a', new: 'b', code: 'not-a-file', text: /not opened/ },
  { name: 'a folder', before: { '/w/a.txt/b': '' }, read: false, old: 'a', new: 'b', code: 'directory', text: /is a folder/ },
  { name: 'a new file in new folders', before: {}, path: '/w/x/y/b.txt', old: '', new: 'a\n', text: 'File created successfully at: /w/x/y/b.txt', after: 'a\n' },
  { name: 'a new file below a file', before: 'a\n', path: '/w/a.txt/b.txt', old: '', new: 'b', code: 'write-not-a-file', text: /a\.txt\/b\.txt is a file, not a folder\. Nothing was written/ },
  { name: 'the name of a folder', before: {}, path: '/w/new/', old: '', new: 'b', code: 'directory', text: /names a folder/ },
];

function toolRow({ before = {}, read = true, old, new: text, all, path = A, input, after, prepare, ...row }: Row): ToolRow {
  const files = typeof before === 'string' || before instanceof Uint8Array ? { [A]: before } : before;
  return {
    ...row,
    files,
    input: input ?? { file_path: path, old_string: old, new_string: text, ...(all && { replace_all: true }) },
    prepare: async (place) => {
      if (read && files[A] !== undefined) await place.use(readTool, { file_path: A });
      await prepare?.(place);
    },
    after: after === undefined ? {} : isFile(after) ? { [path]: after ?? undefined } : after,
  };
}

function isFile<Other>(content: string | Uint8Array | null | Other): content is string | Uint8Array | null {
  return typeof content === 'string' || content instanceof Uint8Array || content === null;
}

describe('Edit, row by row', () => toolTable(editTool, rows.map(toolRow)));

describe('Edit, on real files', () => toolTable(editTool, realRows.map(toolRow), { on: 'folder' }));
