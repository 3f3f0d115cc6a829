// Replies that cite: one text in the chat with numbered links, live and from the log, footnotes in Markdown, and the API's own citations sent back.
import assert from 'node:assert/strict';
import { sourcesOf } from '../../../../src/core/model/cited-sources';
import { type TextBlock } from '../../../../src/core/wire/wire';
import { exportMarkdown } from '../../../../src/core/projection/export-markdown';
import {
  citedText,
  dropAfter,
  type Json,
  rawBlock,
  reply,
  type ReplyBlock,
  serverToolUse,
} from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const web = (url: string, title: string, words = 'As it is written.'): Json => ({
  type: 'web_search_result_location',
  url,
  title,
  encrypted_index: 'Eo8B',
  cited_text: words,
});
const page: Json = {
  type: 'page_location',
  cited_text: 'In short.',
  document_index: 0,
  document_title: '/w/paper.pdf',
  start_page_number: 2,
  end_page_number: 4,
  file_id: null,
};
const chars: Json = {
  type: 'char_location',
  cited_text: 'x',
  document_index: 1,
  document_title: null,
  start_char_index: 0,
  end_char_index: 1,
  file_id: null,
};

const searched: ReplyBlock[] = [
  serverToolUse('web_search', { query: 'node lts' }, 'srvtoolu_1'),
  rawBlock({
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [
      { type: 'web_search_result', url: 'https://nodejs.org/', title: 'Node', encrypted_content: 'Eq', page_age: null },
    ],
  }),
];

async function run(...blocks: (ReplyBlock | string)[]): Promise<{ harness: Harness; model: ScriptedModel }> {
  const model = createScriptedModel([reply(...blocks), reply('On.')], { deltaSize: 4 });
  const harness = createHarness({ model });
  await harness.run('Ask');
  return { harness, model };
}

const texts = (items: { kind: string; text?: string }[]): (string | undefined)[] =>
  items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));

describe('a reply that cites', () => {
  const cited = [
    citedText('Node 24 is an LTS', web('https://nodejs.org/', 'Node "LTS"')),
    citedText(', and ', ...[]),
    citedText('26 is current.', web('https://nodejs.org/', 'Node'), web('https://a.test/(x)', 'A')),
  ];
  const expected =
    'Node 24 is an LTS [1](<https://nodejs.org/> "Source 1: Node ”LTS” – “As it is written.”"), and 26 is current. [1](<https://nodejs.org/> "Source 1: Node – “As it is written.”") [2](<https://a.test/(x)> "Source 2: A – “As it is written.”")';

  it('is one text with numbered links, live and from the log', async () => {
    const { harness } = await run('I look.', ...searched, ...cited);
    assert.deepEqual(texts(harness.chat().items), ['I look.', expected]);
    assert.deepEqual(texts(harness.replayed().items), ['I look.', expected]);
    assert.ok(harness.chat().items.every((item) => item.kind !== 'text' || !item.streaming));
    const search = harness.chat().items.find(({ id }) => id === 'srvtoolu_1');
    assert.ok(search?.kind === 'tool');
    assert.deepEqual(
      [search.sentence.past, search.detail, search.state],
      ['Searched the web for "node lts"', '1 link', 'done'],
    );
  });

  it('is sent back with its citations as they came', async () => {
    const { harness, model } = await run(...searched, ...cited);
    await harness.run('And?');
    assert.deepEqual(model.violations, []);
    const sent = model.requests[1]?.messages
      .find(({ role }) => role === 'assistant')
      ?.content.flatMap((block) => (block.type === 'text' ? [block.citations] : []));
    assert.deepEqual(sent, [
      [web('https://nodejs.org/', 'Node "LTS"')],
      [],
      [web('https://nodejs.org/', 'Node'), web('https://a.test/(x)', 'A')],
    ]);
  });

  it('links files, and names what cannot be opened', async () => {
    const { harness } = await run(
      citedText('So it is.', page, chars, web('javascript:alert(1)', 'Bad'), { type: 'newer_location', title: 'x' }),
    );
    assert.deepEqual(texts(harness.chat().items), [
      'So it is. [1](</w/paper.pdf> "Source 1: /w/paper.pdf, pages 2–3 – “In short.”") (Document 2) (Bad)',
    ]);
  });

  it('is asked for again without the half that was shown where the stream breaks in it', async () => {
    // message_start, ping; a text of start, citation, one delta and stop; the next one's start, citation and one delta.
    const model = createScriptedModel(
      [
        dropAfter(
          reply(citedText('One.', web('https://a.test/', 'A')), citedText('Two.', web('https://a.test/', 'A'))),
          { events: 9 },
        ),
        reply('On.'),
      ],
      { deltaSize: 4 },
    );
    const harness = createHarness({ model });
    await harness.run('Ask');
    assert.deepEqual(texts(harness.chat().items), [
      'One. [1](<https://a.test/> "Source 1: A – “As it is written.”")',
      'On.',
    ]);
    assert.deepEqual(texts(harness.chat().items), texts(harness.replayed().items));
  });

  it('has footnotes in Markdown', async () => {
    const { harness } = await run('I look.', ...searched, ...cited, citedText(' Done.', page));
    const markdown = exportMarkdown(harness.stored(), { title: 'T' });
    assert.ok(markdown.includes('\n\nNode 24 is an LTS[^1], and 26 is current.[^1][^2] Done.[^3]\n'), markdown);
    assert.ok(
      markdown.endsWith(
        '[^1]: [Node "LTS"](https://nodejs.org/) – “As it is written.”\n[^2]: [A](https://a.test/%28x%29) – “As it is written.”\n[^3]: /w/paper.pdf, pages 2–3 (`/w/paper.pdf`) – “In short.”\n',
      ),
      markdown,
    );
  });

  it('has sources of every kind', () => {
    const block = {
      type: 'text',
      text: 'x',
      citations: [
        {
          type: 'search_result_location',
          source: '/w/notes.md',
          title: 'Notes',
          cited_text: ' a\n b ',
          search_result_index: 0,
          start_block_index: 0,
          end_block_index: 1,
        },
        { type: 'content_block_location', document_title: null, document_index: 2, cited_text: '' },
        { ...(page as object), end_page_number: 3 },
        null,
        'x',
        {},
      ],
    } as TextBlock;
    assert.deepEqual(sourcesOf(block), [
      { title: 'Notes', file: '/w/notes.md', quote: 'a b' },
      { title: 'Document 3', quote: '' },
      { title: '/w/paper.pdf, page 2', file: '/w/paper.pdf', quote: 'In short.' },
    ]);
    assert.deepEqual(sourcesOf({ type: 'text', text: 'x', citations: null }), []);
  });
});
