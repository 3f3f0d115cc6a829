// Page, row by row: what the model reads of a page, what is cut, and what an action needs.
import assert from 'node:assert/strict';
import {
  type PageEvent,
  type PageFacts,
  type PageOutcome,
  type PageRequest,
  type Pages,
} from '../../../src/core/ports/pages';
import { pageTool } from '../../../src/core/tools/page/page';
import { type ToolRow, toolTable } from '../../support/tool-table';

const home = 'http://localhost:3000/';
const tree =
  '- main [ref=e1]:\n  - heading "Shop" [level=1] [ref=e2]\n  - list [ref=e3]:\n    - listitem [ref=e4]: Tea\n    - listitem [ref=e5]: Pot\n  - button "Buy" [ref=e6]';
const facts = (more: Partial<PageFacts> = {}): PageOutcome => ({
  outcome: 'done',
  facts: { address: home, title: 'Shop', tree, events: [], dropped: 0, pending: 0, ...more },
});
const event = (kind: PageEvent['kind'], text: string, count = 1): PageEvent => ({ kind, text, count });
const asked: PageRequest[] = [];

function pages(
  outcome: PageOutcome,
  open: string | undefined = home,
  history: PageEvent[] = [],
): Pick<ToolRow, 'ports'> {
  const port: Pages = {
    address: () => open,
    tree: () => tree,
    history: () => history,
    run: async (request) => {
      asked.push(request);
      return outcome;
    },
    end: () => assert.fail(),
    dispose: () => assert.fail(),
  };
  return { ports: { pages: port } };
}
const long = Array.from({ length: 200 }, (_, index) => `- listitem [ref=e${index}]: Thing number ${index}`).join('\n');

const rows: ToolRow[] = [
  {
    name: 'a page and its tree',
    input: { action: 'open', url: 'localhost:3000' },
    ...pages(facts({ status: 200 })),
    text: `Page: Shop — ${home}\n${tree}`,
    detail: '',
    check: () => assert.deepEqual(asked.at(-1)?.step, { action: 'open', url: home }),
  },
  {
    name: 'an answer that is an error',
    input: { action: 'open', url: home },
    ...pages(facts({ status: 500, tree: '', title: '' })),
    text: `Page: ${home} (the server answered 500)\nThe page is empty.`,
  },
  {
    name: 'a tree that is too long',
    input: { action: 'open', url: home },
    ...pages(facts({ tree: long })),
    text: /^Page: [^]*\[12\d more lines not shown: take a snapshot with `ref` for a part of the page, or with `find` for a text\]$/,
    check: ({ text }) => assert.ok(Buffer.byteLength(text) < 3_300),
  },
  {
    name: 'what still loads',
    input: { action: 'snapshot' },
    ...pages(facts({ pending: 2 })),
    text: /^Page: .*\nStill loading: 2 requests not answered yet\.\n- main/,
  },
  {
    name: 'a part of the tree',
    input: { action: 'snapshot', ref: 'e3' },
    ...pages(facts()),
    text: `Page: Shop — ${home}\n- list [ref=e3]:\n  - listitem [ref=e4]: Tea\n  - listitem [ref=e5]: Pot`,
  },
  {
    name: 'a part that is not there',
    input: { action: 'snapshot', ref: 'e99' },
    ...pages(facts()),
    code: 'no-element',
    text: 'The page has no element e99 now. Take a snapshot without `ref`.',
  },
  {
    name: 'lines with a text, below what they are in',
    input: { action: 'snapshot', find: 'POT' },
    ...pages(facts()),
    text: `Page: Shop — ${home}\nLines with "POT":\n- main [ref=e1]:\n  - list [ref=e3]:\n    - listitem [ref=e5]: Pot`,
  },
  {
    name: 'no line with a text',
    input: { action: 'snapshot', find: 'cup' },
    ...pages(facts()),
    text: `Page: Shop — ${home}\nNo line has "cup".`,
  },
  {
    name: 'what a click changes',
    input: { action: 'click', ref: 'e6' },
    ...pages(facts({ before: tree.replace('Pot', 'Cup') })),
    detail: 'button "Buy"',
    text: `Page: Shop — ${home}\nChanged:\n- listitem [ref=e5]: Cup\n+ listitem [ref=e5]: Pot`,
  },
  {
    name: 'a click that changes nothing',
    input: { action: 'click', ref: 'e6' },
    ...pages(facts({ before: tree, tree: tree.replace('"Buy"', '"Buy" [active]') })),
    text: `Page: Shop — ${home}\nNothing that the tree shows has changed.`,
  },
  {
    name: 'a click that leads to another page',
    input: { action: 'click', ref: 'e6' },
    ...pages(facts()),
    text: `Page: Shop — ${home}\nAnother page is open now:\n${tree}`,
  },
  {
    name: 'what happened meanwhile, the weightiest of much',
    input: { action: 'press', key: 'Enter' },
    ...pages(
      facts({
        before: tree,
        events: [
          ...Array.from({ length: 20 }, (_, index) => event('log', `line ${index}`)),
          event('error', 'Uncaught TypeError: no', 3),
          event('request', 'GET /a answered 404'),
        ],
        dropped: 2,
      }),
    ),
    text: /Since the last call:\nlog: line 0\n[^]*log: line 9\nerror: Uncaught TypeError: no \(3 times\)\nrequest: GET \/a answered 404\nand 12 more, which the action `console` shows$/,
    detail: '1 error, 1 failed request, 12 more',
  },
  {
    name: 'a line that ends one and begins another',
    input: { action: 'snapshot' },
    ...pages(facts({ events: [event('log', 'a\n  error: b')] })),
    text: /\nlog: a error: b$/,
  },
  {
    name: 'the console',
    input: { action: 'console' },
    ...pages(facts(), home, [event('warning', 'old'), event('log', 'new')]),
    text: `Page: Shop — ${home}\nAll messages since it was opened:\nwarning: old\nlog: new`,
  },
  {
    name: 'a silent console',
    input: { action: 'console' },
    ...pages(facts()),
    text: `Page: Shop — ${home}\nThe page has logged nothing.`,
  },
  {
    name: 'a long console keeps its end',
    input: { action: 'console' },
    ...pages(
      facts(),
      home,
      Array.from({ length: 150 }, (_, index) => event('log', `message number ${index} of many`)),
    ),
    text: /log: message number 149 of many\n\[\d+ earlier messages not shown\]$/,
  },
  {
    name: 'a picture',
    input: { action: 'screenshot', full: true },
    ...pages(
      facts({ tree: '', picture: { data: '/9j/', mediaType: 'image/jpeg', width: 1280, height: 4000, below: 120 } }),
    ),
    text: /^\[image\]\nPage: Shop — \S+\nThe picture is 1280 × 4000 pixels; 120 pixels of the page below it are not shown\.$/,
    check: ({ content, view }) => {
      assert.ok(Array.isArray(content));
      assert.deepEqual(content[0], {
        type: 'image',
        source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/' },
      });
      assert.deepEqual(view, {
        kind: 'picture',
        data: '/9j/',
        mediaType: 'image/jpeg',
        width: 1280,
        height: 4000,
        words: 'Shop',
      });
    },
  },
  {
    name: 'the end',
    input: { action: 'close' },
    ...pages(facts({ address: 'about:blank', title: '', tree: '' })),
    text: 'The browser is closed.',
  },
  { name: 'the end of nothing', input: { action: 'close' }, ...pages(facts(), ''), text: 'The browser is closed.' },
  {
    name: 'no server',
    input: { action: 'open', url: home },
    ...pages({ outcome: 'refused', code: 'unreachable', message: 'Nothing answers.', events: [] }),
    code: 'unreachable',
    text: /^Nothing answers\. If the server does not run yet, start it with Bash in the background/,
  },
  {
    name: 'what the page said before it was given up',
    input: { action: 'open', url: home },
    ...pages({
      outcome: 'refused',
      code: 'stopped',
      message: 'It was not opened.',
      events: [event('stopped', 'It wanted to go to http://a.test/.')],
    }),
    code: 'stopped',
    text: 'It was not opened.\nThe page said:\nstopped: It wanted to go to http://a.test/.',
  },
  {
    name: 'no browser',
    input: { action: 'open', url: home },
    ...pages({ outcome: 'refused', code: 'no-browser', message: 'There is no browser.', events: [] }),
    code: 'no-browser',
    text: 'There is no browser.',
  },
  {
    name: 'no address',
    input: { action: 'open' },
    ...pages(facts()),
    code: 'missing',
    text: 'The action open needs `url`.',
  },
  {
    name: 'nothing to click on',
    input: { action: 'click' },
    ...pages(facts()),
    code: 'missing',
    text: 'The action click needs `ref`.',
  },
  {
    name: 'a file',
    input: { action: 'open', url: 'file:///w/index.html' },
    ...pages(facts()),
    code: 'address',
    text: /^Files are not opened\./,
  },
  {
    name: 'another scheme',
    input: { action: 'open', url: 'javascript:alert(1)' },
    ...pages(facts()),
    code: 'address',
    text: /not javascript:/,
  },
  {
    name: 'a password in the address',
    input: { action: 'open', url: 'http://a:b@localhost/' },
    ...pages(facts()),
    code: 'address',
    text: /Leave them out/,
  },
  {
    name: 'something else than an address',
    input: { action: 'open', url: 'my page' },
    ...pages(facts()),
    code: 'address',
    text: /^my page is not an address\./,
  },
  {
    name: 'an unknown action',
    input: { action: 'dance' },
    ...pages(facts()),
    code: 'InputValidationError',
    text: /action/,
  },
  {
    name: 'another host is asked about, and may then be moved about in',
    input: { action: 'open', url: 'example.com/a' },
    ...pages(facts({ address: 'https://example.com/a' })),
    answer: {},
    text: /^Page: Shop/,
    check: ({ asked: questions }) => {
      assert.equal(questions.length, 1);
      const { mayGo, mayLoad, deniedHosts } = asked.at(-1)?.rules ?? assert.fail();
      assert.deepEqual(
        ['https://example.com/b', 'https://www.example.com/', 'http://localhost:1/', 'https://other.test/'].map(mayGo),
        [true, false, true, false],
      );
      assert.equal(mayLoad('https://fonts.test/a.woff'), true);
      assert.deepEqual(deniedHosts, []);
    },
  },
  {
    name: 'a click on a page of another host is asked about too',
    input: { action: 'click', ref: 'e6' },
    ...pages(facts({ before: tree }), 'https://example.com/a'),
    answer: {},
    text: /Nothing that the tree shows/,
    check: ({ asked: questions }) => {
      assert.deepEqual(
        questions.map(({ title, view }) => [title, view.kind === 'markdown' && view.text]),
        [['Click button "Buy"?', '```\nPage: https://example.com/a\nElement: button "Buy" (e6)\n```']],
      );
    },
  },
  {
    name: 'the question about typing names the field and has all of the text, without what cannot be seen',
    input: { action: 'type', ref: 'e2', text: `a\u200bb${'c'.repeat(90)}`, submit: true },
    ...pages(facts({ before: tree }), 'https://example.com/a'),
    answer: {},
    text: /Nothing that the tree shows/,
    check: ({ asked: questions }) => {
      const [{ title, view } = assert.fail()] = questions;
      assert.equal(title, 'Type into heading "Shop"?');
      const text = view.kind === 'markdown' ? view.text : assert.fail();
      assert.match(text, /Element: heading "Shop" \(e2\)\nText: a\S+bc{90}\nThen it presses Enter\./);
      assert.ok(!text.includes('\u200b'));
    },
  },
  {
    name: 'the question about a ref that is not there says so, and one about a key names the key',
    input: { action: 'press', key: 'Enter', ref: 'e99' },
    ...pages(facts({ before: tree }), 'https://example.com/a'),
    answer: {},
    text: /Nothing that the tree shows/,
    check: ({ asked: questions }) =>
      assert.equal(questions[0]?.title, 'Press Enter on e99, which the last look did not show?'),
  },
  {
    name: 'a click on a local page is not',
    input: { action: 'click', ref: 'e6' },
    ...pages(facts({ before: tree })),
    answer: {},
    text: /Nothing that the tree shows/,
    check: ({ asked: questions }) => assert.equal(questions.length, 0),
  },
];

describe('Page, row by row', () => toolTable(pageTool, rows));
