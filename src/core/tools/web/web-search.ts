// WebSearch: searches the web through the model's API, in a request of its own.
import { z } from 'zod/v3';
import { shortened } from '../../../shared/cut-text';
import { type ToolView } from '../../../shared/tool-view';
import { isAbort, messageOf } from '../../text/errors';
import { capabilitiesOf } from '../../model/capabilities';
import { defaultModel } from '../../model/models';
import { buildTool, promptOf } from '../../tool/build-tool';
import {
  type ToolContext,
  type ToolFailure,
  type ToolResult,
  type ToolSession,
  type ValidationResult,
} from '../../tool/tool';
import { markdownLink } from '../../text/web-address';
import { webSearchForHooks } from './web-for-hooks';
import { type WebSearchOutput, webSearchOutputSchema } from './web-search-output';
import { search } from './web-search-request';
import prompt from './web-search.md';
import { said, words } from '../../text/words';

const inputSchema = z.strictObject({
  query: z.string().min(2).describe('What to search for'),
  allowed_domains: z.array(z.string()).optional().describe('Only results from these domains'),
  blocked_domains: z.array(z.string()).optional().describe('No results from these domains'),
});

type Input = z.infer<typeof inputSchema>;

const maxSearchesOfCall = 8;
const maxSearchesOfSession = 200;

/** Searches that each session has made since it was opened, those that run included. */
const made = new WeakMap<ToolSession, number>();

export const webSearchTool = buildTool<Input, WebSearchOutput>({
  name: 'WebSearch',
  aliases: ['web_search', 'WebSearchTool'],
  seldom: 'searches the web',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: webSearchOutputSchema,
  hookOutput: webSearchForHooks,
  access: 'DangerFullAccess',
  isEnabled: ({ provider }) => provider !== undefined && capabilitiesOf(provider, defaultModel).webSearch,
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: ({ query }) => ({
    now: `Searching the web for "${shown(query)}"`,
    past: `Searched the web for "${shown(query)}"`,
  }),
  validateInput: async (input) => validate(input),
  call,
  content: resultText,
  view,
  detail: ({ links }) => `${links.length} ${links.length === 1 ? 'link' : 'links'}`,
});

/** As the API takes it: names below it are part of a domain anyway. */
function domainOf(written: string): string {
  return written
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*\./, '')
    .replace(/\/$/, '');
}

function validate({ query, allowed_domains: allowed = [], blocked_domains: blocked = [] }: Input): ValidationResult {
  if (query.trim().length < 2) return { ok: false, code: 'empty-query', message: 'query needs at least 2 characters.' };
  if (allowed.length > 0 && blocked.length > 0) {
    return {
      ok: false,
      code: 'both-lists',
      message: 'allowed_domains and blocked_domains exclude each other: give one of them.',
    };
  }
  const wrong = [...allowed, ...blocked].find(
    (domain) => !/^[^\s:/?#@]+\.[^\s:/?#@]+(?:\/[^\s?#]*)?$/.test(domainOf(domain)),
  );
  if (wrong !== undefined)
    return {
      ok: false,
      code: 'domain',
      message: `${JSON.stringify(wrong)} is not a domain. Write domains like \`example.com\`.`,
    };
  return { ok: true };
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<WebSearchOutput> | ToolFailure> {
  const { session, ports, signal } = context;
  const startedAt = ports.clock.now();
  const query = input.query.trim();
  const before = made.get(session) ?? session.earlierSearches;
  const granted = Math.min(maxSearchesOfCall, maxSearchesOfSession - before);
  const done = (
    found: Pick<WebSearchOutput, 'links' | 'summary' | 'sources' | 'searches' | 'notes'>,
  ): ToolResult<WebSearchOutput> => ({
    data: { query, ...found, durationSeconds: Math.round((ports.clock.now() - startedAt) / 100) / 10 },
  });
  if (granted <= 0) return done({ links: [], summary: '', searches: 0, notes: [said(usedUp, session.offers)] });
  // Taken before the first answer: searches that run side by side share what is left.
  made.set(session, before + granted);
  let searches = 0;
  try {
    const { problems: failures, ...found } = await search(
      {
        query,
        allowed_domains: input.allowed_domains?.map(domainOf),
        blocked_domains: input.blocked_domains?.map(domainOf),
      },
      granted,
      context,
    );
    const problems = failures.map((problem) => said(problem, session.offers));
    searches = Math.min(found.searches, granted);
    if (found.links.length === 0 && problems.length > 0)
      return { failure: { code: 'search-failed', message: problems.join(' ') } };
    return done({ ...found, notes: problems });
  } catch (error) {
    if (signal.aborted || isAbort(error)) throw error;
    return {
      failure: {
        code: 'search-failed',
        message: words`The web could not be searched: ${messageOf(error)}{{WebFetch:  If you know a page that may help, use WebFetch.}}`,
      },
    };
  } finally {
    made.set(session, (made.get(session) ?? 0) - granted + searches);
  }
}

const usedUp = words`The ${maxSearchesOfSession} web searches of this session are used up: nothing was searched. Work with what you have{{WebFetch: , or fetch pages that you know with WebFetch}}.`;

function resultText({ query, links, summary, sources = [], notes }: WebSearchOutput): string {
  const parts = [
    links.length === 0
      ? ''
      : `Links for "${query}":\n${links.map(({ title, url }) => `- ${title}: ${url}`).join('\n')}`,
    summary,
    sources.length === 0
      ? ''
      : `What the summary quotes:\n${sources.map(({ url, quotes }, index) => `[${index + 1}] ${url}${quotes.map((quote) => ` "${quote}"`).join('')}`).join('\n')}`,
    ...notes,
  ].filter((part) => part !== '');
  return parts.length === 0 ? `Nothing was found for "${query}".` : parts.join('\n\n');
}

function view({ links, summary, sources = [], notes }: WebSearchOutput): ToolView {
  // References make links of the numbers in the summary.
  const references = sources
    .map(
      ({ title, url }, index) =>
        `[${index + 1}]: <${new URL(url).href}> "Source ${index + 1}: ${title.replace(/["\\\s]+/g, ' ')}"`,
    )
    .join('\n');
  const list = links.map(({ title, url }) => `- ${markdownLink(title, url)}`).join('\n');
  return {
    kind: 'markdown',
    about: 'web',
    text: [list, summary, references, ...notes].filter((part) => part !== '').join('\n\n') || 'Nothing was found.',
  };
}

function shown(query: string): string {
  const line = query.replace(/\s+/g, ' ').trim();
  return shortened(line, 80);
}
