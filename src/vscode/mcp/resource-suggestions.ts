// Suggestions behind "@" for what MCP servers have listed: by the server's name, the address or the title.
import { type McpResource } from '../../core/ports/mcp';
import { type MentionSuggestion } from '../../shared/answers';

/** They are below the files, which are meant more often; a server's name that is typed puts its own first. */
const maxResourceSuggestions = 5;

export function rankResources(
  resources: readonly McpResource[],
  query: string,
): { first: boolean; items: MentionSuggestion[] } {
  const wanted = query.toLowerCase();
  const named = wanted.includes(':');
  const fits = resources.filter(({ server, uri, name }) =>
    [`${server}:${uri}`, name].some((text) => text.toLowerCase().includes(wanted)),
  );
  const starts = ({ server, uri }: McpResource): number =>
    `${server}:${uri}`.toLowerCase().startsWith(wanted) ? 0 : 1;
  const items = fits
    .sort((a, b) => starts(a) - starts(b))
    .slice(0, named ? maxResourceSuggestions * 3 : maxResourceSuggestions)
    .map(({ server, uri }): MentionSuggestion => ({ path: `${server}:${uri}`, kind: 'resource' }));
  return { first: named, items };
}
