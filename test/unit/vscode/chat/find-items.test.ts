// What the find bar's search counts: the words that the chat shows, in all items, without holding the host up.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type ChatItem, type ToolItem } from '../../../../src/shared/chat';
import { type ToolView } from '../../../../src/shared/tool-view';
import { findItems } from '../../../../src/vscode/chat/find/find-items';
import { findText } from '../../../../src/vscode/chat/find/find-text';
import { plainMarkdown } from '../../../../src/shared/plain-markdown';

const text = (id: string, words: string): ChatItem => ({ kind: 'text', id, text: words, streaming: false });
const user = (id: string, words: string): ChatItem => ({
  kind: 'user',
  id,
  text: words,
  attachments: ['src/part.ts'],
  images: 0,
  steering: false,
});
const tool = (view?: ToolView, change: Partial<ToolItem> = {}): ChatItem => ({
  kind: 'tool',
  id: 'tool',
  name: 'Tool',
  sentence: { now: 'Running the check', past: 'Ran the check' },
  state: 'done',
  readOnly: false,
  detail: '',
  ...defined({ view }),
  ...change,
});
const command = (change: Partial<Extract<ToolView, { kind: 'terminal' }>>): ToolView => ({
  kind: 'terminal',
  command: 'npm test',
  state: 'exited',
  exitCode: 0,
  tail: '',
  bytes: 0,
  ...change,
});

function find(items: readonly ChatItem[], words: string, options: Partial<Parameters<typeof findItems>[2]> = {}) {
  return findItems(items, words, {
    signal: new AbortController().signal,
    counts: new WeakMap(),
    pause: async () => undefined,
    now: () => 0,
    ...options,
  });
}

describe('the search of the find bar', () => {
  it('gives the items that hold the words, the oldest first, and how often', async () => {
    const items = [
      user('u', 'Where is the Parser?'),
      text('t1', 'The parser is here. A PARSER reads.'),
      text('t2', 'Nothing.'),
      { kind: 'thinking', id: 'h', text: 'the parser', streaming: false } as const,
    ];
    assert.deepEqual(await find(items, 'parser'), [
      { id: 'u', hits: 1 },
      { id: 't1', hits: 2 },
      { id: 'h', hits: 1 },
    ]);
    assert.deepEqual(await find(items, ' '), []);
    assert.deepEqual(await find(items, 'part.ts'), [{ id: 'u', hits: 1 }]);
  });

  it('takes the words as they are, and any white space between them', async () => {
    assert.deepEqual(await find([text('t', 'f(a.*b)\nis {5} of C:\\x')], '(A.*B) is {5}'), [{ id: 't', hits: 1 }]);
    assert.deepEqual(await find([text('t', 'abc')], 'a.c'), []);
    assert.deepEqual(await find([text('t', 'x-y/z C:\\x')], 'y/z c:\\X'), [{ id: 't', hits: 1 }]);
  });

  it('finds what an answer shows and not how it is written', async () => {
    assert.equal(
      plainMarkdown(
        '# A **bold** *word*, `code_of_it`, a_b_c and [a link](https://x.y/z)\n- one\n1. two\n```ts\nconst a = b ** c;\n```',
      ),
      'A bold word, code_of_it, a_b_c and a link\none\ntwo\nconst a = b ** c;',
    );
    assert.deepEqual(await find([text('t', '| a | b |\n|---|---|\n| one | **two** |')], 'one two'), [
      { id: 't', hits: 1 },
    ]);
    assert.deepEqual(await find([text('t', '[docs](https://hidden.example)')], 'hidden'), []);
  });

  it('finds what the cards of tools show', async () => {
    const hits = async (item: ChatItem, words: string) => (await find([item], words))?.[0]?.hits ?? 0;
    assert.equal(await hits(tool(), 'ran the check'), 1);
    assert.equal(
      await hits(tool(undefined, { state: 'denied', message: 'A rule says no.' }), 'running the check rule'),
      0,
    );
    assert.equal(await hits(tool(undefined, { state: 'denied', message: 'A rule says no.' }), 'rule says'), 1);
    assert.equal(
      await hits(tool(command({ tail: `early\n${'line\n'.repeat(8)}` })), 'early'),
      0,
      'the card shows the last lines',
    );
    assert.equal(await hits(tool(command({ tail: '\u001b[31mred\u001b[0m words' })), 'red words'), 1);
    assert.equal(
      await hits(tool(command({}), { sentence: { now: 'Running npm test', past: 'Ran npm test' } }), 'npm test'),
      1,
      'the command stands there once',
    );
    assert.equal(
      await hits(
        tool({
          kind: 'diff',
          path: 'a',
          created: false,
          added: 1,
          removed: 0,
          truncated: false,
          hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+const added = 1;'] }],
        }),
        'const added',
      ),
      1,
    );
    assert.equal(
      await hits(
        tool({
          kind: 'matches',
          pattern: 'p',
          matches: 1,
          files: 1,
          truncated: false,
          items: [{ path: 'src/a.ts', line: 3, text: 'found it' }],
        }),
        'src/a.ts:3',
      ),
      1,
    );
    assert.equal(
      await hits({ kind: 'notice', id: 'n', level: 'error', title: 'No key', detail: 'Set one.' }, 'set one'),
      1,
    );
    assert.equal(findText({ kind: 'compaction', id: 'c', state: 'done', holds: true, automatic: false }), '');
  });

  it('lets the host do other things every few milliseconds', async () => {
    let time = 0;
    let since = 0;
    let longest = 0;
    let pauses = 0;
    const pause = async (): Promise<void> => {
      longest = Math.max(longest, time - since);
      since = time;
      pauses++;
    };
    const items = Array.from({ length: 500 }, (_, index) => text(`t${index}`, 'some words'));
    // Each look at the clock takes a millisecond, and so does each item.
    const found = await find(items, 'words', { pause, now: () => time++ });
    assert.equal(found?.length, 500);
    assert.ok(pauses > 40 && longest <= 20, `${pauses} pauses, the longest work ${longest} ms`);
  });

  it('ends where a newer search begins', async () => {
    const abort = new AbortController();
    let time = 0;
    const found = await find(
      Array.from({ length: 50 }, (_, index) => text(`t${index}`, 'words')),
      'words',
      { signal: abort.signal, now: () => (time += 5), pause: async () => abort.abort() },
    );
    assert.equal(found, undefined);
  });

  it('looks a second time only at items that have changed', async () => {
    const counts = new WeakMap<ChatItem, number>();
    const same = text('same', 'words');
    await find([same], 'words', { counts });
    counts.set(same, 7);
    assert.deepEqual(await find([same, text('new', 'words')], 'words', { counts }), [
      { id: 'same', hits: 7 },
      { id: 'new', hits: 1 },
    ]);
  });
});
