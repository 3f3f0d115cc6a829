// The plan of commits as text: written, edited, read again, and never carried out where it is unclear.
import assert from 'node:assert/strict';
import {
  applyGitHunks,
  changedLines,
  type FileChange,
  readChanges,
  readRawChanges,
} from '../../../../src/core/commit/changes';
import { planSummary, planText, readPlan } from '../../../../src/core/commit/commit-plan';
import {
  finishedMessage,
  ledgerMessage,
  readSplit,
  sessionOfCommit,
  splitRequest,
} from '../../../../src/core/commit/commit-texts';
import { sessionParts } from '../../../../src/core/commit/session-parts';

const hunk = (newStart: number, lines: string[]) => ({
  ...{ oldStart: newStart, newStart, around: 'function f', lines },
  oldLines: lines.filter((line) => !line.startsWith('+')).length,
  newLines: lines.filter((line) => !line.startsWith('-')).length,
});
const changes: FileChange[] = [
  {
    path: 'src/a.ts',
    kind: 'modified',
    parts: [
      { id: 'h1', hunks: [hunk(2, [' x', '-old', '+new'])] },
      { id: 'h2', hunks: [hunk(20, ['+more', ' y'])] },
    ],
  },
  { path: 'b.ts', kind: 'added', parts: [{ id: 'h3', hunks: [hunk(1, ['+b'])] }] },
];
const ids = ['h1', 'h2', 'h3'];

describe('a plan of commits', () => {
  const text = planText({
    changes,
    commits: [{ message: 'One\n\nh1 is here\n=== Commit of old', parts: ['h1', 'h3'] }],
    notes: ['A note.'],
    marks: ({ path }) => (path === 'b.ts' ? 'staged by you' : ''),
  });

  it('is read as it was written, whatever is in a message', () => {
    assert.match(text, /^h1 {2}src\/a\.ts {2}line 3 {2}\+1 -1 {2}function f$/m);
    assert.match(text, /^h3 {2}b\.ts {2}new file {2}\+1 -0 {2}\(staged by you\)$/m);
    const { commits, left, problems } = readPlan(text, changes);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      commits.map(({ message, parts }) => [message, parts]),
      [['One\n\n h1 is here\n === Commit of old', ['h1', 'h3']]],
    );
    assert.deepEqual(left, ['h2']);
    assert.equal(planSummary({ commits, left }), '1 commit · 2 changes · 1 change stays uncommitted');
  });

  it('can be split by hand, with other line endings', () => {
    const edited = text.replace('=== Not committed\n', '=== Commit 2\nTwo\n--- Changes\n').replaceAll('\n', '\r\n');
    const { commits, left, problems } = readPlan(edited, changes);
    assert.deepEqual([problems, left], [[], []]);
    assert.deepEqual(
      commits.map(({ message, parts }) => [message.split('\n')[0], parts]),
      [
        ['One', ['h1', 'h3']],
        ['Two', ['h2']],
      ],
    );
  });

  const wrong: readonly (readonly [what: string, plan: string, says: RegExp])[] = [
    ['a change twice', '=== Commit\nA\n--- Changes\nh1\nh1\n', /^h1 stands in line 4 already/],
    [
      'a change in two commits',
      '=== Commit\nA\n--- Changes\nh1\n=== Commit\nB\n--- Changes\nh1\nh2\n',
      /^h1 stands in line 4/,
    ],
    ['an unknown change', '=== Commit\nA\n--- Changes\nh1\nh9\n', /^h9 is no change/],
    ['other text among changes', '=== Commit\nA\n--- Changes\nh1\nhello\n', /^This line is no change/],
    ['a change in the message', '=== Commit\nA\nh2  src/a.ts\n--- Changes\nh1\n', /^h2 stands in the message/],
    ['no message', '=== Commit\n\n--- Changes\nh1\n', /has no message/],
    ['no changes', '=== Commit\nA\n--- Changes\n', /has no changes/],
    ['no commit', 'anything\n', /There is no commit/],
    ['nothing', '', /There is no commit/],
  ];
  for (const [what, plan, says] of wrong)
    it(`is refused for ${what}`, () => assert.match(readPlan(plan, changes).problems[0]?.message ?? '', says));
});

describe('changes of git', () => {
  it('are read with what names, modes and contents may hold', () => {
    const zero = '0'.repeat(40);
    const raw = readRawChanges(
      `:100644 100644 ${zero} ${zero} M\0n\xc3\xa4 "x".txt\0:120000 100644 ${zero} ${zero} T\0link\0:100644 100644 ${zero} ${zero} R090\0old\0new\0`,
    );
    assert.deepEqual(
      raw.map(({ path, oldPath }) => [path, oldPath]),
      [
        ['nä "x".txt', undefined],
        ['link', undefined],
        ['new', 'old'],
      ],
    );
    const patch = [
      'diff --git a/x b/x\n@@ -1 +1,2 @@ diff --git a/y b/y\n-a\n+diff --git a/z b/z\n+@@ -1 +1 @@\n\\ No newline at end of file\n',
      'diff --git a/link b/link\ndeleted file mode 120000\n@@ -1 +0,0 @@\n-x\n',
      'diff --git a/link b/link\nnew file mode 100644\n@@ -0,0 +1 @@\n+x\n',
      'diff --git a/old b/new\nsimilarity index 90%\n',
    ].join('');
    const read = readChanges(raw, patch);
    assert.deepEqual(
      read?.map(({ kind, parts }) => [kind, parts.length]),
      [
        ['modified', 1],
        ['type', 1],
        ['renamed', 1],
      ],
    );
    assert.equal(applyGitHunks('a\n', read?.[0]?.parts[0]?.hunks ?? []), 'diff --git a/z b/z\n@@ -1 +1 @@');
    assert.equal(applyGitHunks('other\n', read?.[0]?.parts[0]?.hunks ?? []), undefined);
    assert.equal(readChanges(raw, patch.slice(0, patch.indexOf('diff --git a/old'))), undefined);
  });

  it('belong to a session by the lines that it changed', () => {
    const lines = (change: Record<number, string>) =>
      Array.from({ length: 30 }, (_line, index) => `${change[index + 1] ?? index + 1}\n`).join('');
    // The user had changed line 3 before the session, which changed line 20.
    const own = { path: 'src/a.ts', before: lines({ 3: 'new' }), now: lines({ 3: 'new', 20: 'more\n20' }) };
    assert.deepEqual([...sessionParts(changes, [own]).ids], ['h2']);
    assert.deepEqual([...sessionParts(changes, [{ path: 'b.ts', before: undefined, now: undefined }]).ids], ['h3']);
    const unknown = sessionParts(changes, [{ ...own, before: undefined, unknown: true }]);
    assert.deepEqual([[...unknown.ids], [...unknown.unclear]], [[], ['src/a.ts']]);
    assert.deepEqual(changedLines([hunk(5, [' a', '-b', ' c', '+d', '+e'])]), [
      { start: 6, end: 6 },
      { start: 7, end: 9 },
    ]);
  });
});

describe('the text of a commit', () => {
  const session = '01234567-89ab-cdef-0123-456789abcdef';

  it('ends with how it was checked, the line of the settings and the trailer', () => {
    const settings = { attribution: { commit: 'Signed-off-by: Ann <a@b.c>' } };
    assert.equal(
      finishedMessage('Do it', '2 tests passed after the last edit', { settings, session }),
      `Do it\n\nChecked: 2 tests passed after the last edit.\n\nSigned-off-by: Ann <a@b.c>\nDeft-Session: ${session}`,
    );
    assert.equal(finishedMessage('fix: this', '', { settings: {}, session }), `fix: this\n\nDeft-Session: ${session}`);
    assert.equal(finishedMessage('Do it', '', { settings: {} }), 'Do it');
    assert.equal(sessionOfCommit(`a\n\nDeft-Session: ${session}\n`), session);
    assert.equal(sessionOfCommit('about Deft-Session: nothing'), undefined);
  });

  it('comes from the log without a model', () => {
    assert.equal(
      ledgerMessage({ title: 'Retry requests', requests: ['x'] }, ['a.ts']),
      'Retry requests\n\nChanged:\n- a.ts',
    );
    assert.equal(ledgerMessage({ title: 'New session', requests: ['Fix it\nnow'] }, ['a.ts']).split('\n')[0], 'Fix it');
    assert.equal(ledgerMessage({ title: '', requests: [] }, ['a.ts', 'b.ts']), 'Change a.ts and 1 other file');
  });

  it('is split only where every change is in exactly one commit', () => {
    const commit = (message: unknown, ...of: unknown[]) => ({ message, changes: of });
    const read = (...commits: unknown[]) => readSplit({ commits }, ids);
    assert.deepEqual(read(commit('B', 'h3', 'h2'), commit('A', 'h1')), {
      commits: [
        { message: 'B', parts: ['h2', 'h3'] },
        { message: 'A', parts: ['h1'] },
      ],
    });
    assert.deepEqual(read(commit('A', 'h1', 'h2')), { why: 'it left out 1 change (h3)' });
    assert.deepEqual(read(commit('A', 'h1', 'h1', 'h2', 'h3')), { why: 'it put h1 into several commits' });
    assert.deepEqual(read(commit('A', 'h1', 'h2', 'h3', 'h4')), { why: 'it named a change that does not exist (h4)' });
    assert.deepEqual(read(commit('', 'h1', 'h2', 'h3')), { why: 'it proposed a commit without a message or changes' });
    assert.deepEqual(read(commit('A', 'h1', 'h2', 'h3'), commit('B')), { why: 'it proposed a commit without changes' });
    for (const commits of [null, 7, 'x', [null]])
      assert.ok(!('commits' in (readSplit({ commits }, ids) ?? { why: '' })), JSON.stringify(commits));
  });

  it('is asked for with a bounded diff that says what is cut', () => {
    const { messages } = splitRequest({ diff: 'x'.repeat(200_000), recent: [], requests: ['Why'], proof: 'p' });
    const sent = JSON.stringify(messages);
    assert.ok(sent.length < 130_000);
    assert.match(sent, /cut here: the diff is 200000 characters long/);
    assert.match(sent, /Why/);
  });
});
