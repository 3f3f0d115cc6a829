// WebSearch, row by row: what of a reply comes out, and what is refused.
import { webSearchTool } from '../../../src/core/tools/web/web-search';
import {
  citedText,
  rawBlock,
  reply,
  text as words,
  withFields,
  type Reply,
  type ReplyBlock,
} from '../../support/messages-api/script';
import { type ToolRow, toolTable } from '../../support/tool-table';
import { type GivenPorts } from '../../support/unused-ports';
import { webContext } from '../core/tools/web/web-context';

const link = (title: string, url: string) => ({
  type: 'web_search_result',
  title,
  url,
  encrypted_content: 'abc',
  page_age: null,
});
const searchOf = (id: string, ...found: ReturnType<typeof link>[]): ReplyBlock[] => [
  rawBlock({ type: 'server_tool_use', id: `srvtoolu_${id}`, name: 'web_search', input: { query: 'q' } }),
  rawBlock({ type: 'web_search_tool_result', tool_use_id: `srvtoolu_${id}`, content: found }),
];
const failed = (code: string): ReplyBlock[] => [
  rawBlock({ type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'q' } }),
  rawBlock({
    type: 'web_search_tool_result',
    tool_use_id: 'srv',
    content: { type: 'web_search_tool_result_error', error_code: code },
  }),
];
const found = (): Reply =>
  reply(
    'I look.',
    ...searchOf('srv_1', link('Node 22', 'https://nodejs.org/en/blog'), link('A [b]', 'https://a.test/x_(y)')),
    'Node 22 is ',
    words('an LTS.'),
  );

const quoted = (url: string, words: string) => ({
  type: 'web_search_result_location',
  url,
  title: 'A page',
  encrypted_index: 'x',
  cited_text: words,
});
const long = rawBlock({ type: 'server_tool_use', id: 'x', name: 'other', input: {} });
const table: [string, Reply[], string, string | RegExp][] = [
  [
    'links and a summary',
    [found()],
    'ok',
    'Links for "node lts":\n- Node 22: https://nodejs.org/en/blog\n- A [b]: https://a.test/x_(y)\n\nI look.\n\nNode 22 is an LTS.',
  ],
  [
    'what the summary rests on, with its words',
    [
      reply(
        ...searchOf('srv_1', link('Node 22', 'https://nodejs.org/en/blog')),
        'So: ',
        citedText(
          'Node 22 is an LTS. ',
          quoted('https://nodejs.org/en/blog', 'Node 22\n is LTS'),
          quoted('https://a.test/', ''),
        ),
        citedText('It ends in 2027.', quoted('https://nodejs.org/en/blog', 'until 2027')),
      ),
    ],
    'ok',
    'Links for "node lts":\n- Node 22: https://nodejs.org/en/blog\n\nSo: Node 22 is an LTS. [1][2] It ends in 2027. [1]\n\nWhat the summary quotes:\n[1] https://nodejs.org/en/blog "Node 22 is LTS" "until 2027"\n[2] https://a.test/',
  ],
  [
    'each link once',
    [reply(...searchOf('a', link('One', 'https://a.test/')), ...searchOf('b', link('Two', 'https://a.test/')))],
    'ok',
    'Links for "node lts":\n- One: https://a.test/',
  ],
  [
    'only web addresses',
    [reply(...searchOf('a', link('x', 'javascript:alert(1)'), link('', 'https://b.test/')))],
    'ok',
    'Links for "node lts":\n- https://b.test/: https://b.test/',
  ],
  ['nothing', [reply(...searchOf('a'))], 'ok', 'Nothing was found for "node lts".'],
  ['only words', [reply('No results fit.')], 'ok', 'No results fit.'],
  ['another tool of the API', [reply(long, 'Words.')], 'ok', 'Words.'],
  [
    'some links before the searches were used up',
    [reply(...searchOf('a', link('One', 'https://a.test/')), ...failed('max_uses_exceeded'))],
    'ok',
    /One: https:\/\/a\.test\/\n\nThe searches of this call were used up/,
  ],
  ['too many requests', [reply(...failed('too_many_requests'))], 'search-failed', /.*try again in a minute/],
  ['a query that is too long', [reply(...failed('query_too_long'))], 'search-failed', /.*fewer words/],
  ['a query that nobody understands', [reply(...failed('invalid_input'))], 'search-failed', /.*plain words/],
  ['a service that is away', [reply(...failed('unavailable'))], 'search-failed', /.*WebFetch/],
  ['an error of another kind', [reply(...failed('odd'))], 'search-failed', /The search failed \(odd\)\./],
  [
    'a pause',
    [
      withFields(reply(...searchOf('a', link('One', 'https://a.test/'))), { stopReason: 'pause_turn' }),
      reply(...searchOf('b', link('Two', 'https://b.test/')), 'Done.'),
    ],
    'ok',
    /One.*\n.*Two.*\n\nDone\./,
  ],
];

const inputs: [object, string][] = [
  [{}, 'ok'],
  [{ query: ' x ' }, 'empty-query'],
  [{ allowed_domains: ['a.test'], blocked_domains: ['b.test'] }, 'both-lists'],
  [{ allowed_domains: ['a.test/docs'], blocked_domains: [] }, 'ok'],
  [{ allowed_domains: ['https://a.test:80'] }, 'domain'],
  [{ blocked_domains: ['a'] }, 'domain'],
  [{ blocked_domains: ['a b.test'] }, 'domain'],
];

function search(model: Reply[]): Pick<ToolRow, 'ports' | 'session'> {
  const { ports, session } = webContext({ model }).context;
  return { ports: { web: ports.web, clock: ports.clock } as GivenPorts, session: { smallModel: session.smallModel } };
}

const rows: ToolRow[] = [
  ...table.map(([name, model, code, text]): ToolRow => ({
    name,
    input: { query: 'node lts' },
    ...search(model),
    code,
    text,
  })),
  ...inputs.map(([changes, code]): ToolRow => ({
    name: `${JSON.stringify(changes)} is ${code}`,
    input: { query: 'node lts', ...changes },
    ...search([found()]),
    code,
    text: /./,
  })),
  { name: 'no query', input: {}, code: 'InputValidationError', text: /`query`: Required/ },
  { name: 'a query of one character', input: { query: 'x' }, code: 'InputValidationError', text: /`query`/ },
  {
    name: 'domains in a number',
    input: { query: 'node', allowed_domains: 5 },
    code: 'InputValidationError',
    text: /Expected array, received number/,
  },
];

describe('WebSearch, row by row', () => toolTable(webSearchTool, rows));
