// Web pages and searches as hooks see them, and as they may replace them.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { hookOutput } from '../../tool/hook-output';
import { type WebFetchOutput } from './web-fetch-output';
import { type WebSearchOutput } from './web-search-output';

const fetchGiven = z.object({
  result: z.string(),
  url: z.string().nullish(),
  code: z.number().nullish(),
  codeText: z.string().nullish(),
  bytes: z.number().nullish(),
  durationMs: z.number().nullish(),
});

export const webFetchForHooks = hookOutput<unknown, WebFetchOutput, z.infer<typeof fetchGiven>>({
  shape: fetchGiven,
  show: ({ data: { bytes, code, codeText, result, durationMs, url } }) => ({
    bytes,
    code,
    codeText,
    result,
    durationMs,
    url,
  }),
  read({ result, url, code, codeText, bytes, durationMs }, { data }) {
    const { redirectUrl, ...own } = data;
    return {
      data: {
        ...own,
        result,
        url: url ?? own.url,
        code: code ?? own.code,
        codeText: codeText ?? own.codeText,
        bytes: bytes ?? own.bytes,
        durationMs: durationMs ?? own.durationMs,
        // The chat shows it, so it has to be in what the hook left.
        ...(redirectUrl !== undefined && result.includes(redirectUrl) ? { redirectUrl } : {}),
      },
    };
  },
});

const hit = z.object({ title: z.string(), url: z.string(), snippet: z.string().nullish() });
const searchGiven = z.object({
  query: z.string().nullish(),
  results: z.array(z.union([z.string(), z.object({ content: z.array(hit) })])),
  durationSeconds: z.number().nullish(),
  searchCount: z.number().nullish(),
  /** What no other agent has: what did not work. */
  notes: z.array(z.string()).nullish(),
});

export const webSearchForHooks = hookOutput<unknown, WebSearchOutput, z.infer<typeof searchGiven>>({
  shape: searchGiven,
  show: ({ data: { query, links, summary, sources = [], searches, durationSeconds, notes } }, { toolUseId }) => ({
    query,
    results: [
      { tool_use_id: toolUseId, content: links },
      ...(summary === '' ? [] : [summary]),
      // What the summary quotes.
      ...(sources.length === 0
        ? []
        : [
            {
              tool_use_id: toolUseId,
              content: sources.map(({ title, url, quotes }) => ({ title, url, snippet: quotes.join('\n') })),
            },
          ]),
    ],
    durationSeconds,
    searchCount: searches,
    ...(notes.length === 0 ? {} : { notes }),
  }),
  read({ query, results, durationSeconds, searchCount, notes }, { data }) {
    const { sources: _, ...own } = data;
    const hits = results.flatMap((result) => (typeof result === 'string' ? [] : result.content));
    const sources = hits.flatMap(({ title, url, snippet }) =>
      snippet == null ? [] : [{ title, url, quotes: snippet === '' ? [] : snippet.split('\n') }],
    );
    const wrong = hits.find(({ url }) => !URL.canParse(url));
    if (wrong !== undefined) return `\`results\`: ${JSON.stringify(wrong.url)} is not an address.`;
    return {
      data: {
        ...own,
        query: query ?? own.query,
        links: hits.flatMap(({ title, url, snippet }) => (snippet == null ? [{ title, url }] : [])),
        summary: results.filter((result) => typeof result === 'string').join('\n\n'),
        ...defined({ sources: sources.length === 0 ? undefined : sources }),
        searches: searchCount ?? own.searches,
        notes: notes ?? [],
        durationSeconds: durationSeconds ?? own.durationSeconds,
      },
    };
  },
});
