// Gets a page: from hop to hop as long as it stays on its site, then its text, whatever form that has.
import { fail } from '../../tool/file-failure';
import { headOf } from '../../../shared/cut-text';
import { type WebClient, type WebOutcome } from '../../ports/web';
import { decodePage, kindOf } from './web-fetch-text';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { words } from '../../text/words';

export interface Page {
  /** Where it was found. */
  url: string;
  status: number;
  /** As they came, decoded from their content encoding. */
  bytes: number;
  text: string;
  /** There was more. */
  truncated: boolean;
}

export type PageOutcome =
  { outcome: 'page'; page: Page } | { outcome: 'redirect'; status: number; url: string } | ToolFailure;

type Surroundings = Pick<ToolContext, 'signal' | 'mayReach'> & { web: WebClient };
type Response = Extract<WebOutcome, { outcome: 'response' }>;

const maxHops = 10;
const maxBytes = 5_000_000;
const timeoutMs = 30_000;
/** A quarter of what the small model can read. */
const maxChars = 200_000;
const accept =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.8, text/plain;q=0.8, application/json;q=0.7, */*;q=0.5';

export async function readPage(start: URL, { web, signal, mayReach }: Surroundings): Promise<PageOutcome> {
  let url = start;
  for (let hop = 0; hop <= maxHops; hop++) {
    const response = await web.fetch({ url: url.href, headers: { accept }, maxBytes, timeoutMs }, signal);
    if (response.outcome === 'refused')
      return fail(response.code.replace('_', '-'), `${response.message} Nothing was fetched.`);
    const { status, headers } = response;
    if (status >= 200 && status < 300) return readText(url, response, web, signal);
    const location = headers['location'];
    if (!redirects.has(status) || location === undefined) return fail('status', statusText(url, status));
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    if (next?.protocol !== 'https:' && next?.protocol !== 'http:')
      return fail('status', `${url.href} redirects (${status}) to something that is not a web URL.`);
    next.protocol = 'https:';
    next.hash = '';
    if (!staysOnSite(url, next, mayReach)) return { outcome: 'redirect', status, url: next.href };
    url = next;
  }
  return fail('redirects', `${start.href} redirects more than ${maxHops} times. Look for another address of the page.`);
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** The same host; or the same but for `www.`, where no rule speaks against that name. */
function staysOnSite(from: URL, to: URL, mayReach: Surroundings['mayReach']): boolean {
  if (to.username !== '' || to.password !== '') return false;
  if (to.host === from.host) return true;
  return withoutWww(to.host) === withoutWww(from.host) && mayReach?.(to.href) === true;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

async function readText(
  url: URL,
  { status, headers, bytes, truncated }: Response,
  web: WebClient,
  signal: AbortSignal,
): Promise<PageOutcome> {
  const kind = kindOf(headers['content-type'], bytes);
  if (kind === 'pdf') {
    return fail(
      'pdf',
      words`${url.href} is a PDF, which WebFetch does not read. {{Bash, Read: If commands are allowed, download it with Bash (curl -o file.pdf) and open it with Read; otherwise look}}{{!Bash|!Read: Look}} for an HTML version.`,
    );
  }
  if (kind === 'binary') {
    const type = /^[\w.+/-]+/.exec(headers['content-type'] ?? '')?.[0] ?? 'no text';
    return fail('binary', `${url.href} is ${type}, not a text page: there is nothing to read.`);
  }
  const decoded = decodePage(bytes, headers['content-type'], kind);
  const text = kind === 'html' ? await web.toMarkdown(decoded, url.href, signal) : decoded;
  if (text === undefined)
    return fail(
      'unreadable',
      `${url.href} is too large or too deeply nested to be read. Look for a plainer version, such as the raw source or a Markdown file.`,
    );
  if (text.trim() === '')
    return fail(
      'empty',
      `${url.href} has no text: it may be rendered by scripts, which WebFetch does not run. Look for its source or its API.`,
    );
  return {
    outcome: 'page',
    page: {
      url: url.href,
      status,
      bytes: bytes.length,
      text: headOf(text, maxChars),
      truncated: truncated || text.length > maxChars,
    },
  };
}

function statusText(url: URL, status: number): string {
  const answered = `${url.href} answered ${status} ${statusName(status)}`.trim();
  if (status === 404 || status === 410) return `${answered}: there is no such page. Check the URL, or search for it.`;
  if (status === 401 || status === 403)
    return `${answered}: the page needs a login or blocks programs. Deft sends no credentials. Look for another source.`;
  if (status === 429 || status >= 500)
    return `${answered}: the server is busy or failing. Try again later, or look for another source.`;
  return `${answered}: no page was returned.`;
}

const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function statusName(status: number): string {
  return statusNames[status] ?? '';
}
