// Texts of cards: links to files, sentences, terminal output, coloured code.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ToolItem } from '../../../src/shared/chat';
import { type TerminalView, type ToolView } from '../../../src/shared/tool-view';
import { shortFile, withShortFiles } from '../../../src/shared/decision-trace';
import { dayOf } from '../../../webview-ui/history/session-time';
import { decodeEntities } from '../../../webview-ui/markdown/entities';
import { fileLinkOfCode, fileLinkOfTarget } from '../../../webview-ui/parts/link-target';
import { languageOf, languageOfPath, plainLines } from '../../../webview-ui/markdown/code-lines';
import { highlightLines, MAX_COLOURED } from '../../../webview-ui/markdown/colours';
import { splitAtPath, splitName } from '../../../webview-ui/tools/path-name';
import { decisionSentence, whyQuestion } from '../../../webview-ui/tools/why-words';
import {
  commandStateText,
  durationText,
  sizeText,
  toolIcon,
  stateWord,
  toolSentence,
} from '../../../webview-ui/tools/tool-words';

describe('a decision in words', () => {
  const decision = { by: 'rule', behavior: 'allow', code: 'rule', reason: 'R.' } as const;

  it('asks why it was allowed, or denied', () => {
    assert.equal(whyQuestion(decision), 'Why was this allowed?');
    assert.equal(whyQuestion({ ...decision, behavior: 'deny' }), 'Why was this denied?');
  });

  it('says who had the last word', () => {
    assert.equal(decisionSentence(decision), 'Allowed: R.');
    assert.equal(decisionSentence({ ...decision, by: 'deft', behavior: 'deny' }), 'Denied: R.');
    assert.equal(decisionSentence({ ...decision, by: 'user' }), 'You accepted it. Deft asked because: R.');
    assert.equal(
      decisionSentence({ ...decision, by: 'user', behavior: 'deny' }),
      'You rejected it. Deft asked because: R.',
    );
    assert.equal(decisionSentence({ ...decision, by: 'hook', behavior: 'deny' }), 'A hook denied it: R.');
  });

  it('names a settings file with its folder, in sentences too', () => {
    const file = '/home/ann/.claude/settings.json';
    assert.equal(shortFile(file), '.claude/settings.json');
    assert.equal(shortFile('C:\\Users\\ann\\.claude\\settings.json'), '.claude/settings.json');
    assert.equal(
      withShortFiles(`The rule \`A\` (${file}) denies this.`, [undefined, file]),
      'The rule `A` (.claude/settings.json) denies this.',
    );
  });
});

describe('file links', () => {
  it('are seen in inline code where it is a path beyond doubt', () => {
    assert.deepEqual(fileLinkOfCode('src/a.ts'), { path: 'src/a.ts' });
    assert.deepEqual(fileLinkOfCode('src/a.ts:12'), { path: 'src/a.ts', line: 12 });
    assert.deepEqual(fileLinkOfCode('./a.test.tsx:12:3'), { path: './a.test.tsx', line: 12 });
    assert.deepEqual(fileLinkOfCode('a.py#L4-L9'), { path: 'a.py', line: 4 });
    assert.deepEqual(fileLinkOfCode('package.json'), { path: 'package.json' });
    for (const text of ['foo.bar', 'a.b()', 'npm test', 'array.map', '1.5', 'https://x.org/a.ts?b'])
      assert.equal(fileLinkOfCode(text), undefined, text);
  });

  it('are seen in the targets of links', () => {
    assert.deepEqual(fileLinkOfTarget('src/a.ts:12'), { path: 'src/a.ts', line: 12 });
    assert.deepEqual(fileLinkOfTarget('a.ts:12'), { path: 'a.ts', line: 12 });
    assert.deepEqual(fileLinkOfTarget('src/my%20file.md#L7'), { path: 'src/my file.md', line: 7 });
    assert.deepEqual(fileLinkOfTarget('file:///w/a.ts'), { path: '/w/a.ts' });
    assert.deepEqual(fileLinkOfTarget('C:\\w\\a.ts:3'), { path: 'C:\\w\\a.ts', line: 3 });
    for (const target of [
      'https://example.org',
      'mailto:a@b.c',
      'javascript:alert(1)',
      'command:x',
      '#part',
      '//host/x',
      '',
      'file:////host/x',
      'file://host/x',
      '\\\\host\\share\\a.ts',
      '%5C%5Chost%5Cshare',
      '/%2Fhost/x',
      '/\\host/x',
      'vscode://x/y',
    ]) {
      assert.equal(fileLinkOfTarget(target), undefined, target);
    }
  });
});

describe('coloured code', () => {
  it('keeps every character, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', "'", '`', '/', '*', '\n', '{', '}', '<', '$', ' ', '#', '=') }),
        fc.constantFrom('ts', 'python', 'html', 'css', 'bash', 'json', 'markdown', 'php'),
        (code, language) => {
          const text = highlightLines(code, language)
            .map((line) => line.map((piece) => piece.text).join(''))
            .join('\n');
          assert.equal(text, code);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('names the tokens', () => {
    const [line] = highlightLines('const a = "b";', 'ts');
    assert.deepEqual(line?.find((piece) => piece.text === 'const')?.className, 'code-keyword');
  });

  it('leaves the end of long code plain, and all of it complete', () => {
    const code = 'const a = 1;\n'.repeat(MAX_COLOURED / 10);
    const lines = highlightLines(code, 'ts');
    assert.equal(lines.length, plainLines(code).length);
    assert.ok(lines.slice(-100).every((line) => line.every((piece) => piece.className === '')));
  });

  it('knows languages by fence and by file', () => {
    assert.equal(languageOf('ts title="a"'), 'ts');
    assert.equal(languageOf(''), undefined);
    assert.deepEqual(highlightLines('const a;', 'no-such-language'), plainLines('const a;'));
    assert.equal(languageOfPath('src/a.tsx'), 'tsx');
    assert.equal(languageOfPath('src/Makefile'), 'makefile');
    assert.deepEqual(highlightLines('const a;', languageOfPath('a.unknown')), plainLines('const a;'));
  });
});

describe('words of cards', () => {
  const tool = (change: Partial<ToolItem>): ToolItem => ({
    kind: 'tool',
    id: 'x',
    name: 'Bash',
    sentence: { now: 'Running x', past: 'Ran x' },
    state: 'done',
    readOnly: false,
    detail: '',
    ...change,
  });
  const terminal = (change: Partial<TerminalView>): TerminalView => ({
    kind: 'terminal',
    command: 'x',
    state: 'exited',
    tail: '',
    bytes: 0,
    ...change,
  });

  it('tell as done only what was done', () => {
    assert.equal(toolSentence(tool({})), 'Ran x');
    assert.equal(toolSentence(tool({ state: 'running' })), 'Running x');
    for (const state of ['waiting', 'denied', 'failed', 'stopped'] as const)
      assert.equal(toolSentence(tool({ state })), 'Run x', state);
    assert.equal(toolSentence(tool({ state: 'stopped', view: terminal({ state: 'interrupted' }) })), 'Ran x');
    assert.equal(toolSentence(tool({ state: 'failed', view: terminal({ exitCode: 1 }) })), 'Ran x');
    assert.equal(toolSentence(tool({ state: 'failed', view: terminal({ state: 'not-started' }) })), 'Run x');
  });

  it('say of a stopped call whether it ran', () => {
    assert.equal(stateWord(tool({ state: 'stopped', message: 'This call was not run: the user stopped.' })), 'not run');
    assert.equal(stateWord(tool({ state: 'stopped', message: 'This call was interrupted by the user.' })), 'stopped');
  });

  it('name every end of a command but a plain success', () => {
    assert.equal(commandStateText(terminal({ exitCode: 0 })), '');
    assert.equal(commandStateText(terminal({ exitCode: 3 })), 'exit code 3');
    assert.equal(commandStateText(terminal({ state: 'lost' })), 'lost, exit code unknown');
    assert.equal(commandStateText(terminal({ state: 'background', taskId: 'b1' })), 'runs in the background as b1');
  });

  it('say times and sizes', () => {
    assert.deepEqual([92, 1_000, 12_400, 65_000, 3_700_000].map(durationText), [
      '0.1s',
      '1.0s',
      '12s',
      '1m 5s',
      '1h 1m',
    ]);
    assert.deepEqual([12, 14_000, 2_400_000].map(sizeText), ['12 B', '14 KB', '2.3 MB']);
  });

  it('find the file in a sentence', () => {
    assert.deepEqual(splitAtPath('Edited src/a.ts', '/w/src/a.ts'), ['Edited ', 'src/a.ts', '']);
    assert.deepEqual(splitAtPath('Read a.ts twice', 'C:\\w\\a.ts'), ['Read ', 'a.ts', ' twice']);
    assert.equal(splitAtPath('Asked db', 'src/a.ts'), undefined);
    assert.deepEqual(splitName('/w/src/a.ts'), { name: 'a.ts', folder: '/w/src' });
    assert.deepEqual(splitName('src/'), { name: 'src', folder: '' });
  });

  it('decode character references', () => {
    assert.equal(decodeEntities('a &amp; b &lt;c&gt; &#39;d&#x27; &unknown; & e'), "a & b <c> 'd' &unknown; & e");
    assert.equal(decodeEntities('&constructor;'), '&constructor;');
  });

  it('name the day of a session', () => {
    const now = new Date(2026, 10, 21, 0, 30);
    assert.equal(dayOf(new Date(2026, 10, 20, 23, 59), now), 'Yesterday');
    assert.equal(dayOf(new Date(2026, 10, 21, 0, 1), now), 'Today');
    assert.equal(dayOf(new Date(2026, 10, 16), now), 'This week');
    assert.equal(dayOf(new Date(2026, 8, 1), now), 'September 2026');
  });
});

describe('pictures of tools', () => {
  const icon = (view: ToolView) =>
    toolIcon({
      kind: 'tool',
      id: 'x',
      name: 'X',
      sentence: { now: '', past: '' },
      state: 'done',
      readOnly: true,
      detail: '',
      view,
    }).name;
  const file = (path: string): ToolView => ({ kind: 'files', items: [{ path }], total: 1, truncated: false });

  it('tells documents, notebooks, the web and code apart', () => {
    assert.deepEqual(
      ['a.PDF', 'b.ipynb', 'c.ts'].map((path) => icon(file(path))),
      ['file-pdf', 'notebook', 'file'],
    );
    assert.equal(icon({ kind: 'markdown', about: 'web', text: 'x' }), 'globe');
    assert.equal(icon({ kind: 'markdown', about: 'code', text: 'x' }), 'code');
    assert.equal(icon({ kind: 'markdown', text: 'x' }), 'tools');
  });
});
