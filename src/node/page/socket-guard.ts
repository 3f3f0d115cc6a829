// Holds the WebSockets of pages and their frames to the permission rules, before they connect: the browser's Fetch domain does not see them.
import { type BrowserContext } from 'playwright-core';
import { type PageRules } from '../../core/ports/pages';

/** What RFC 6455 has for a peer that breaks a rule of the other one. */
const policyViolation = 1008;

/** `rules` are asked at each connection. One that may not be is closed without a byte to its server. */
export async function guardSockets(
  context: BrowserContext,
  rules: () => PageRules,
  onStopped: (url: string) => void,
): Promise<void> {
  await context.routeWebSocket(
    ({ href }) => !mayConnect(href, rules()),
    async (socket) => {
      onStopped(socket.url());
      await socket.close({ code: policyViolation, reason: 'Denied by a permission rule.' });
    },
  );
}

/** A rule names a host: it holds for ws and wss as for http and https. */
function mayConnect(url: string, rules: PageRules): boolean {
  return /^wss?:/i.test(url) && rules.mayLoad(url.replace(/^ws/i, 'http'));
}
