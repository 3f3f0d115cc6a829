// WebFetch, row by row: which pages it gets, how far it follows, and what is refused.
import assert from 'node:assert/strict';
import { type WebOutcome } from '../../../src/core/ports/web';
import { createWebFetchTool } from '../../../src/core/tools/web/web-fetch';
import { reply } from '../../support/messages-api/script';
import { type ToolRow, toolTable } from '../../support/tool-table';
import { type GivenPorts } from '../../support/unused-ports';
import { page, redirect, webContext } from '../core/tools/web/web-context';

const start = 'https://docs.example.test/guide';
const question = 'What is it?';

const table: [string, Record<string, WebOutcome>, string, RegExp, string[]][] = [
  ['a page', { [start]: page('<p>x') }, 'ok', /^The answer\.$/, [start]],
  ['Markdown', { [start]: page('# x', 'text/markdown') }, 'ok', /^The answer/, [start]],
  [
    'a redirect on the host',
    { [start]: redirect('/b?c#d', 301), 'https://docs.example.test/b?c': page('x') },
    'ok',
    /^The answer/,
    [start, 'https://docs.example.test/b?c'],
  ],
  [
    'a redirect to http is upgraded',
    { [start]: redirect('http://docs.example.test/b'), 'https://docs.example.test/b': page('x') },
    'ok',
    /^The answer/,
    [start, 'https://docs.example.test/b'],
  ],
  [
    'a redirect to www',
    { [start]: redirect('https://www.docs.example.test/b', 308), 'https://www.docs.example.test/b': page('x') },
    'ok',
    /^The answer/,
    [start, 'https://www.docs.example.test/b'],
  ],
  [
    'a redirect to another host',
    { [start]: redirect('http://other.test/b') },
    'ok',
    /^The page redirects \(302\) to another host: https:\/\/other\.test\/b\n.*call WebFetch again/,
    [start],
  ],
  [
    'a redirect to a name below',
    { [start]: redirect('https://a.docs.example.test/') },
    'ok',
    /to another host: https:\/\/a\.docs\.example\.test\//,
    [start],
  ],
  [
    'a redirect to another port',
    { [start]: redirect('https://docs.example.test:8443/') },
    'ok',
    /to another host: https:\/\/docs\.example\.test:8443\//,
    [start],
  ],
  [
    'a redirect to this machine is another host',
    { [start]: redirect('http://127.0.0.1/') },
    'ok',
    /to another host: https:\/\/127\.0\.0\.1\//,
    [start],
  ],
  [
    'a redirect with a name in it',
    { [start]: redirect('https://me:x@docs.example.test/') },
    'ok',
    /to another host/,
    [start],
  ],
  [
    'a redirect in protocol-relative form',
    { [start]: redirect('//evil.test/') },
    'ok',
    /to another host: https:\/\/evil\.test\//,
    [start],
  ],
  ['a redirect to a file', { [start]: redirect('file:///etc/passwd') }, 'status', /not a web URL/, [start]],
  ['a redirect without a target', { [start]: page('', '', { status: 302 }) }, 'status', /302 Found/, [start]],
  [
    'no such page',
    { [start]: page('gone', '', { status: 404 }) },
    'status',
    /^https:\/\/docs\.example\.test\/guide answered 404 Not Found: .*search for it/,
    [start],
  ],
  ['a login', { [start]: page('', '', { status: 403 }) }, 'status', /sends no credentials/, [start]],
  [
    'a broken server',
    { [start]: page('', '', { status: 503 }) },
    'status',
    /503 Service Unavailable.*Try again later/,
    [start],
  ],
  [
    'an odd status',
    { [start]: page('', '', { status: 418 }) },
    'status',
    /answered 418: no page was returned/,
    [start],
  ],
  [
    'a private address',
    { [start]: { outcome: 'refused', code: 'private', message: 'It is private.' } },
    'private',
    /^It is private\. Nothing was fetched\.$/,
    [start],
  ],
  ['a name that is not there', {}, 'not-found', /./, [start]],
  ['a PDF', { [start]: page('%PDF-1.7', 'application/pdf') }, 'pdf', /curl -o/, [start]],
  ['a PDF that says it is text', { [start]: page('%PDF-1.7', 'text/plain') }, 'pdf', /./, [start]],
  ['a picture', { [start]: page('x', 'image/png') }, 'binary', /is image\/png, not a text page/, [start]],
  ['bytes', { [start]: page(new Uint8Array([1, 0, 2]), 'application/octet-stream') }, 'binary', /./, [start]],
  [
    'bytes that say they are text',
    { [start]: page(new Uint8Array([80, 75, 0, 2]), 'text/plain') },
    'binary',
    /./,
    [start],
  ],
  ['an empty page', { [start]: page(' \n', 'text/plain') }, 'empty', /rendered by scripts/, [start]],
];

const inputs: [object, string][] = [
  [{}, 'ok'],
  [{ url: ' http://example.com ' }, 'ok'],
  [{ url: 'example com' }, 'address'],
  [{ url: 'example.com' }, 'ok'],
  [{ url: '<https://example.com/>' }, 'ok'],
  [{ url: 'example.com:8080/x?y#z' }, 'not-found'],
  [{ url: 'localhost:3000' }, 'address'],
  [{ url: '169.254.169.254/latest' }, 'address'],
  [{ url: '' }, 'address'],
  [{ url: 'file:///etc/passwd' }, 'address'],
  [{ url: 'javascript:alert(1)' }, 'address'],
  [{ url: 'https://me:secret@example.com/' }, 'address'],
  [{ url: `https://example.com/${'x'.repeat(2_000)}` }, 'address'],
  [{ prompt: ' ' }, 'empty-prompt'],
];

function web(pages: Record<string, WebOutcome>) {
  const { context, asked } = webContext({ pages, model: [reply('The answer.')] });
  return {
    ports: { web: context.ports.web, clock: context.ports.clock } as GivenPorts,
    session: { smallModel: context.session.smallModel },
    asked,
  };
}

const rows: ToolRow[] = [
  ...table.map(([name, pages, code, text, hops]): ToolRow => {
    const { asked, ...place } = web(pages);
    return {
      name,
      input: { url: start, prompt: question },
      ...place,
      code,
      text,
      check: () =>
        assert.deepEqual(
          asked.map(({ url }) => url),
          hops,
        ),
    };
  }),
  ...inputs.map(([changes, code]): ToolRow => {
    const { ports, session } = web({ [start]: page('x'), 'https://example.com/': page('x') });
    const name = `${JSON.stringify(changes).slice(0, 60)} is ${code}`;
    return { name, input: { url: start, prompt: question, ...changes }, ports, session, code, text: /./ };
  }),
  { name: 'no prompt', input: { url: start }, code: 'InputValidationError', text: /`prompt`: Required/ },
  { name: 'no address', input: { prompt: question }, code: 'InputValidationError', text: /`url`: Required/ },
  {
    name: 'a list of addresses',
    input: { url: [start, start], prompt: question },
    code: 'InputValidationError',
    text: /Expected string, received array/,
  },
];

describe('WebFetch, row by row', () => {
  for (const row of rows) toolTable(createWebFetchTool(), [row]);
});
