// Edit, row by row: a workspace and a call give a result and the files afterwards.
import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../../src/core/ports';
import { editTool } from '../../../../src/core/tools/edit';
import { readTool } from '../../../../src/core/tools/read';
import { jsonSchemaOf } from '../../../../src/core/tools/tool-schema';
import { createWorkspace, run, toolContext, type Answer, type Run, type Workspace } from '../../../support/file-tool-runs';
import { type MemoryEntry } from '../../../support/memory-files';

const A = '/w/a.txt';
const SNIPPET = `The file ${A} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n`;

interface Row {
  name: string;
  /** The text of a.txt before, or all files. */
  before?: string | Uint8Array | Record<string, MemoryEntry>;
  /** Read a.txt first; true unless said otherwise. */
  read?: boolean;
  old: string;
  new: string;
  all?: boolean;
  path?: string;
  prepare?: (workspace: Workspace) => void | Promise<unknown>;
  answer?: Answer;
  between?: (workspace: Workspace) => void;
  expected: string | RegExp | { failed: string; text: RegExp };
  /** The text of the file afterwards; unchanged where left out with a failure. */
  after?: string;
  check?: (result: Run, workspace: Workspace) => void;
}

const lines = (...numbers: number[]): string => numbers.map((number) => `line ${number}\n`).join('');
const nine = lines(1, 2, 3, 4, 5, 6, 7, 8, 9);

const rows: Row[] = [
  {
    name: 'one line, with its surroundings and real numbers',
    before: nine,
    old: 'line 5',
    new: 'five',
    expected: `${SNIPPET}2\tline 2\n3\tline 3\n4\tline 4\n5\tfive\n6\tline 6\n7\tline 7\n8\tline 8`,
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
  { name: 'several lines', before: 'a\nb\nc\n', old: 'a\nb', new: 'x\ny\nz', expected: `${SNIPPET}1\tx\n2\ty\n3\tz\n4\tc`, after: 'x\ny\nz\nc\n' },
  { name: 'a deletion', before: 'a\nb\nc\n', old: 'b\n', new: '', expected: `${SNIPPET}1\ta\n2\tc`, after: 'a\nc\n' },
  {
    name: 'a deletion of everything',
    before: 'a\n',
    old: 'a\n',
    new: '',
    expected: `${SNIPPET}<system-reminder>Warning: the file is empty now.</system-reminder>`,
    after: '',
  },
  {
    name: 'all places',
    before: 'a b a\na\n',
    old: 'a',
    new: 'c',
    all: true,
    expected: `The file ${A} has been updated. All occurrences of 'a' were successfully replaced with 'c'.`,
    after: 'c b c\nc\n',
    check: ({ detail, output }) => {
      assert.equal(detail, '+2 −2');
      assert.equal((output as { replaceAll: boolean }).replaceAll, true);
    },
  },
  { name: 'CRLF', before: 'a\r\nb\r\n', old: 'a\nb', new: 'x\ny\nz', expected: `${SNIPPET}1\tx\n2\ty\n3\tz`, after: 'x\r\ny\r\nz\r\n' },
  { name: 'a CRLF old_string in an LF file', before: 'a\nb\n', old: 'a\r\nb', new: 'x\r\ny', expected: /^The file/, after: 'x\ny\n' },
  { name: 'mixed line endings', before: 'a\r\nb\nc\rd', old: 'b\nc', new: 'B\nc', expected: /^The file/, after: 'a\r\nB\nc\rd' },
  { name: 'a byte order mark', before: Buffer.from('\uFEFFa\n'), old: 'a', new: 'b', expected: /^The file/, after: '\uFEFFb\n' },
  { name: 'dollar signs', before: 'a\n', old: 'a', new: "$&$1$'$`$$", expected: /^The file/, after: "$&$1$'$`$$\n" },
  {
    name: 'UTF-16 stays UTF-16',
    before: { [A]: Buffer.from('\uFEFFé\n', 'utf16le') },
    old: 'é',
    new: 'è',
    expected: /^The file/,
    check: (_result, { files }) => assert.deepEqual(Buffer.from(files.bytes(A) ?? []), Buffer.from('\uFEFFè\n', 'utf16le')),
  },
  {
    name: 'characters that the encoding lacks',
    before: { [A]: { bytes: Buffer.from([0xe9, 0x0a]), encoding: 'windows1252' } },
    old: 'é',
    new: '漢',
    expected: { failed: 'write-encoding', text: /The file is as it was\. Use only characters that its encoding has/ },
  },
  {
    name: 'not read',
    before: 'a\n',
    read: false,
    old: 'a',
    new: 'b',
    expected: { failed: 'not-read', text: /has not been read yet\. Read it first/ },
    after: 'a\n',
  },
  {
    name: 'a part was read',
    before: nine,
    read: false,
    prepare: (workspace) => run(workspace, readTool, { file_path: A, offset: 1, limit: 2 }),
    old: 'line 9',
    new: 'nine',
    expected: /9\tnine$/,
  },
  {
    name: 'again after an edit',
    before: 'a\nb\n',
    prepare: (workspace) => run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'x' }),
    old: 'b',
    new: 'y',
    expected: `${SNIPPET}1\tx\n2\ty`,
    after: 'x\ny\n',
  },
  { name: 'not there', before: 'alpha beta\n', old: 'zzz', new: 'b', expected: { failed: 'not-found-in-file', text: /was not found in \/w\/a\.txt; nothing was changed\. Nothing in the file is alike\. Copy the text exactly/ }, after: 'alpha beta\n' },
  {
    name: 'nearly there',
    before: 'function f() {\n\treturn 1;\n}\n',
    old: 'function f() {\n  return 1;\n}',
    new: 'x',
    expected: { failed: 'not-found-in-file', text: /nearest text is at lines 1–3 and differs only in whitespace: line 2 of the file is indented by 1 tab, old_string by 2 spaces/ },
  },
  {
    name: 'made before',
    before: 'const value = 2;\n',
    old: 'const value = 1;',
    new: 'const value = 2;',
    expected: { failed: 'not-found-in-file', text: /new_string already stands in the file/ },
  },
  { name: 'in an empty file', before: '', old: 'a', new: 'b', expected: { failed: 'not-found-in-file', text: /The file is empty/ } },
  {
    name: 'not unique',
    before: 'a\nb\na\n',
    old: 'a',
    new: 'c',
    expected: { failed: 'not-unique', text: /stands 2 times in \/w\/a\.txt \(lines 1, 3\); nothing was changed\. Add surrounding lines/ },
    after: 'a\nb\na\n',
  },
  { name: 'old is new', before: 'a\n', old: 'a', new: 'a', expected: { failed: 'same-text', text: /are the same/ } },
  { name: 'only line endings differ', before: 'a\nb\n', old: 'a\nb', new: 'a\r\nb', expected: { failed: 'same-text', text: /differ only in line endings/ } },
  {
    name: 'changed since the read, still exact',
    before: nine,
    prepare: ({ files }) => files.put(A, `new\n${nine}`),
    old: 'line 9',
    new: 'nine',
    expected: /10\tnine\n\nNote: \/w\/a\.txt had changed since you read it; this edit still fitted exactly\.$/,
    after: `new\n${nine}`.replace('line 9', 'nine'),
  },
  {
    name: 'changed since the read, no longer unique',
    before: 'a\nb\n',
    prepare: ({ files }) => files.put(A, 'a\na\n'),
    old: 'a',
    new: 'x',
    expected: { failed: 'not-unique', text: /changed since you read it: read it again/ },
    after: 'a\na\n',
  },
  {
    name: 'changed since the read, replace_all with several places',
    before: 'a\nb\n',
    prepare: ({ files }) => files.put(A, 'a\na\n'),
    old: 'a',
    new: 'x',
    all: true,
    expected: { failed: 'changed', text: /stands there 2 times\. Read it again/ },
    after: 'a\na\n',
  },
  {
    name: 'changed while the approval waited',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    answer: { approved: true },
    between: ({ files }) => files.put(A, 'a\nc\n'),
    expected: { failed: 'changed', text: /was changed by somebody else while this change was waiting; nothing was written\. Read it again/ },
    after: 'a\nc\n',
  },
  {
    name: 'changed at the last moment, nobody asked: made anew',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'a\nc\n')),
    expected: /1\tx\n2\tc\n\nNote: .* had changed since you read it/,
    after: 'x\nc\n',
  },
  {
    name: 'changed at the last moment so that it no longer fits',
    before: 'a\nb\n',
    old: 'a',
    new: 'x',
    prepare: ({ files }) => files.beforeWrite(() => files.put(A, 'c\n')),
    expected: { failed: 'not-found-in-file', text: /changed since you read it/ },
    after: 'c\n',
  },
  {
    name: 'removed while the approval waited',
    before: 'a\n',
    old: 'a',
    new: 'x',
    answer: { approved: true },
    between: ({ files }) => files.remove(A),
    expected: { failed: 'changed', text: /was removed while this change was waiting/ },
    check: (_result, { files }) => assert.equal(files.text(A), undefined),
  },
  {
    name: 'the person changed the proposal',
    before: 'a\nb\nc\n',
    old: 'b',
    new: 'x',
    answer: { approved: true, text: 'a\nX\nc\n' },
    expected: [
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
    answer: { approved: true, text: 'x\na\n' },
    expected: /^The file \/w\/a\.txt has been updated\. {2}The user modified your proposed changes before accepting them\. All occurrences of 'a' were successfully replaced with 'x'\.\n\nWhat the user changed[^]*\n x\n-x\n\+a$/,
    after: 'x\na\n',
  },
  {
    name: 'the person took everything back',
    before: 'a\n',
    old: 'a',
    new: 'x',
    answer: { approved: true, text: 'a\n' },
    expected: { failed: 'nothing-left', text: /took back every change .*\n\n--- proposed\n\+\+\+ accepted\n@@ -1,1 \+1,1 @@\n-x\n\+a$/ },
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
    expected: `${SNIPPET}1\tx;\n2\tb\n\nNote: Formatted on save.`,
    after: 'x;\nb\n',
  },
  { name: 'a new file', before: {}, path: '/w/new/b.txt', old: '', new: 'a\n', expected: 'File created successfully at: /w/new/b.txt', after: 'a\n', check: ({ view }) => assert.equal((view as { created: boolean }).created, true) },
  {
    name: 'a new file that the person changed',
    before: {},
    read: false,
    old: '',
    new: 'a\n',
    answer: { approved: true, text: 'b\n' },
    expected: /^File created successfully at: \/w\/a\.txt\nThe user modified your proposed changes before accepting them\.\n\nWhat the user changed[^]*-a\n\+b$/,
    after: 'b\n',
  },
  { name: 'an empty file is filled', before: '', read: false, old: '', new: 'a\n', expected: `${SNIPPET}1\ta`, after: 'a\n' },
  { name: 'a file that is there is not created', before: 'a\n', old: '', new: 'b', expected: { failed: 'exists', text: /exists and is not empty/ }, after: 'a\n' },
  {
    name: 'somebody else created it meanwhile',
    before: {},
    read: false,
    old: '',
    new: 'mine\n',
    answer: { approved: true },
    between: ({ files }) => files.put(A, 'theirs\n'),
    expected: { failed: 'changed', text: /was created by somebody else/ },
    after: 'theirs\n',
  },
  { name: 'a missing file', before: { '/w/b.txt': '' }, old: 'a', new: 'b', expected: { failed: 'not-found', text: /^File does not exist: \/w\/a\.txt\. Did you mean \/w\/b\.txt\?/ }, read: false },
  { name: 'a relative path', before: {}, path: 'a.txt', old: 'a', new: 'b', expected: { failed: 'invalid-path', text: /Did you mean \/w\/a\.txt\?/ } },
  { name: 'a folder', before: { '/w/a.txt/b': '' }, read: false, old: 'a', new: 'b', expected: { failed: 'directory', text: /is a folder, so it cannot be edited/ } },
  { name: 'a pipe', before: { [A]: { type: 'other' } }, read: false, old: 'a', new: 'b', expected: { failed: 'not-a-file', text: /not opened/ }, check: (_result, { files }) => assert.deepEqual(files.calls, []) },
  { name: 'a binary file', before: { [A]: Buffer.from([0, 1]) }, read: false, old: 'a', new: 'b', expected: { failed: 'binary', text: /binary/ } },
  ...(['readonly', 'no_space', 'permission', 'not_a_file', 'unsaved', 'untrusted', 'failed'] as const).map(
    (code): Row => ({
      name: `a host that refuses: ${code}`,
      before: 'a\n',
      old: 'a',
      new: 'b',
      prepare: ({ files }) => files.refuse(A, code),
      expected: { failed: `write-${code.replaceAll('_', '-')}`, text: new RegExp(`cannot be written \\(${code}\\)\\. [A-Z]`) },
      after: 'a\n',
    }),
  ),
];

describe('Edit', () => {
  for (const row of rows) {
    it(row.name, async () => {
      const isText = typeof row.before === 'string' || row.before instanceof Uint8Array;
      const entries = (isText ? { [A]: row.before } : row.before) as Record<string, MemoryEntry>;
      const workspace = createWorkspace(entries);
      if (row.read !== false && entries[A] !== undefined) await run(workspace, readTool, { file_path: A });
      await row.prepare?.(workspace);
      const path = row.path ?? A;
      const input = { file_path: path, old_string: row.old, new_string: row.new, ...(row.all ? { replace_all: true } : {}) };
      const untouched = workspace.files.bytes(path);
      const result = await run(workspace, editTool, input, row.answer, () => row.between?.(workspace));
      if (typeof row.expected === 'string') assert.equal(result.text, row.expected);
      else if (row.expected instanceof RegExp) {
        assert.equal(result.failed, undefined, result.text);
        assert.match(result.text, row.expected);
      } else {
        assert.equal(result.failed, row.expected.failed, result.text);
        assert.match(result.text, row.expected.text);
        if (row.after === undefined && !row.between) assert.deepEqual(workspace.files.bytes(path), untouched);
      }
      if (row.after !== undefined) assert.equal(workspace.files.text(path), row.after);
      if (result.output !== undefined) assert.ok(editTool.outputSchema?.safeParse(result.output).success);
      row.check?.(result, workspace);
    });
  }

  const problem = (line: number, severity: Diagnostic['severity'], message = 'wrong'): Diagnostic => ({ path: A, line, column: 3, severity, message });

  it('tells new problems, errors first', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    workspace.problems = [
      problem(1, 'hint'),
      problem(9, 'warning'),
      problem(7, 'error', 'first line\n  second line'),
      { ...problem(2, 'error'), source: 'ts', code: '2322' },
    ];
    const { text } = await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' });
    assert.equal(
      text,
      `${SNIPPET}1\tb\n\n<new-diagnostics>\n${A}:2:3 error: wrong (ts 2322)\n${A}:7:3 error: first line second line\n${A}:9:3 warning: wrong\n</new-diagnostics>`,
    );
    assert.deepEqual(workspace.diagnosticCalls, ['current', 'newSince']);
  });

  it('tells at most twenty problems', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    workspace.problems = Array.from({ length: 25 }, (_, index) => problem(25 - index, index < 12 ? 'warning' : 'error'));
    const { output } = await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' });
    const { newDiagnostics } = output as { newDiagnostics: string[] };
    assert.equal(newDiagnostics.length, 21);
    assert.match(newDiagnostics[0] ?? '', /:1:3 error/);
    assert.equal(newDiagnostics[20], '… and 5 more');
  });

  it('reports what is written also when Stop comes while it waits for problems', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    const context = toolContext(workspace);
    context.ports.diagnostics.newSince = async (_before, _paths, signal) => {
      workspace.controller.abort();
      signal.throwIfAborted();
      return [];
    };
    const result = await editTool.call({ file_path: A, old_string: 'a', new_string: 'b' }, context);
    assert.ok('data' in result && result.data.newDiagnostics.length === 0);
    assert.equal(workspace.files.text(A), 'b\n');
  });

  it('writes nothing after Stop', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    await run(workspace, readTool, { file_path: A });
    workspace.controller.abort();
    await assert.rejects(run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' }), { name: 'AbortError' });
    assert.equal(workspace.files.text(A), 'a\n');
  });

  it('makes its proposal itself where the pipeline made none', async () => {
    const workspace = createWorkspace({ [A]: 'a\n' });
    const input = { file_path: A, old_string: 'a', new_string: 'b' };
    const early = await editTool.call(input, toolContext(workspace));
    assert.ok('failure' in early && early.failure.code === 'not-read');
    await run(workspace, readTool, { file_path: A });
    assert.ok('data' in (await editTool.call(input, toolContext(workspace))));
    assert.equal(workspace.files.text(A), 'b\n');
  });

  it('passes on whether a person accepted the text', async () => {
    for (const approved of [true, false]) {
      const workspace = createWorkspace({ [A]: 'a\n' });
      await run(workspace, readTool, { file_path: A });
      const write = workspace.files.writeText;
      let seen: boolean | undefined;
      workspace.files.writeText = (change) => {
        seen = change.approved;
        return write(change);
      };
      await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'b' }, { approved });
      assert.equal(seen, approved);
    }
  });

  it('shows the proposal before anything is written', async () => {
    const workspace = createWorkspace({ [A]: 'a\r\n' });
    await run(workspace, readTool, { file_path: A });
    const preview = await editTool.preview?.({ file_path: A, old_string: 'a', new_string: 'b\nc' }, toolContext(workspace));
    assert.ok(preview && 'view' in preview);
    assert.deepEqual(preview.view.kind === 'diff' && preview.view.hunks[0]?.lines, ['-a', '+b', '+c']);
    assert.equal(preview.proposal?.text, 'b\r\nc\r\n');
    assert.equal(workspace.files.text(A), 'a\r\n');
  });

  it('lets Read show the whole file again after an edit', async () => {
    const workspace = createWorkspace({ [A]: 'a\nb\n' });
    await run(workspace, readTool, { file_path: A });
    await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'x' });
    assert.match((await run(workspace, readTool, { file_path: A })).text, /^1\tx\n2\tb\n/);
  });

  it('leaves long texts out of its structured result', async () => {
    const workspace = createWorkspace({ [A]: `a\n${'b\n'.repeat(60_000)}` });
    await run(workspace, readTool, { file_path: A });
    const { output } = await run(workspace, editTool, { file_path: A, old_string: 'a', new_string: 'x' });
    assert.ok(!('originalFile' in (output as object)));
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(editTool.access, 'WorkspaceWrite');
    const input = { file_path: '/w/../x', old_string: '', new_string: '' };
    assert.ok(!editTool.isReadOnly(input) && !editTool.isConcurrencySafe(input));
    assert.deepEqual(editTool.targets(input, '/w'), [{ kind: 'file', access: 'write', path: '/x' }]);
    assert.deepEqual(Object.keys(jsonSchemaOf(editTool.inputSchema).properties ?? {}), ['file_path', 'old_string', 'new_string', 'replace_all']);
  });
});
