// Token counts of replies: taken from the stream, and added up over several replies.
import { type Usage, type UsageCounts, type WireUsage } from '../wire/wire';

export function noUsage(): Usage {
  return { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
}

/** Counts are cumulative within a reply: later ones replace earlier ones. */
export function addUsage(usage: Usage, more: WireUsage | null | undefined): void {
  if (more === null || more === undefined) return;
  for (const key of counts) {
    const value = more[key];
    if (typeof value === 'number') usage[key] = value;
  }
  const { cache_creation: written, server_tool_use: server, speed } = more;
  if (written) {
    usage.cache_creation = {
      ephemeral_5m_input_tokens: written.ephemeral_5m_input_tokens ?? 0,
      ephemeral_1h_input_tokens: written.ephemeral_1h_input_tokens ?? 0,
    };
  }
  const searches = server?.web_search_requests;
  if (typeof searches === 'number' && searches > 0) usage.server_tool_use = { web_search_requests: searches };
  if (speed === 'fast') usage.speed = 'fast';
}

/** The sum for several replies. What they cost in total is the sum of their costs, not the cost of this sum. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const sum = noUsage();
  for (const key of counts) sum[key] = a[key] + b[key];
  const written = [a.cache_creation, b.cache_creation].filter((one) => one !== undefined);
  const searches = (a.server_tool_use?.web_search_requests ?? 0) + (b.server_tool_use?.web_search_requests ?? 0);
  return {
    ...sum,
    ...(written.length === 0
      ? {}
      : {
          cache_creation: written.reduce((all, one) => ({
            ephemeral_5m_input_tokens: all.ephemeral_5m_input_tokens + one.ephemeral_5m_input_tokens,
            ephemeral_1h_input_tokens: all.ephemeral_1h_input_tokens + one.ephemeral_1h_input_tokens,
          })),
        }),
    ...(searches === 0 ? {} : { server_tool_use: { web_search_requests: searches } }),
  };
}

const counts = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const satisfies readonly (keyof UsageCounts)[];
