// Holds each request of a browser to the permission rules, redirects and frames included, before it is sent.
import { type Browser, type CDPSession } from 'playwright-core';
import { type PageRules } from '../../core/ports/pages';

interface PausedRequest {
  requestId: string;
  request: { url: string };
  frameId: string;
  resourceType: string;
}

export interface AddressGuard {
  /** Where the page wanted to go. */
  onStopped(listener: (url: string) => void): void;
}

/** `rules` are asked at each request. The browser itself pauses requests: a route of a page would not see what it is redirected to. */
export async function guardAddresses(browser: Browser, rules: () => PageRules): Promise<AddressGuard> {
  const session = await browser.newBrowserCDPSession();
  const listeners: ((url: string) => void)[] = [];
  const judge = async (paused: PausedRequest): Promise<boolean> => {
    const { url } = paused.request;
    const scheme = /^[a-z][a-z\d+.-]*:/i.exec(url)?.[0].toLowerCase() ?? '';
    // These are parts of the page that names them.
    if (scheme === 'data:' || scheme === 'blob:' || scheme === 'about:') return true;
    if (scheme !== 'http:' && scheme !== 'https:') return false;
    if (paused.resourceType !== 'Document' || !(await isPage(session, paused.frameId))) return rules().mayLoad(url);
    if (rules().mayGo(url)) return true;
    listeners.forEach((listener) => listener(url));
    return false;
  };
  session.on('Fetch.requestPaused', (paused: PausedRequest) => {
    const { requestId } = paused;
    judge(paused)
      .catch(() => false)
      .then((passes) =>
        passes
          ? session.send('Fetch.continueRequest', { requestId })
          : // As if it had been given up: the page stays where it is.
            session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }),
      )
      // The page, or all of the browser, is gone meanwhile.
      .catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
  return { onStopped: (listener) => void listeners.push(listener) };
}

/** A frame in a page is a part of it. What cannot be told counts as a page, for which the rules are stricter. */
async function isPage(session: CDPSession, frameId: string): Promise<boolean> {
  try {
    const { targetInfo } = await session.send('Target.getTargetInfo', { targetId: frameId });
    return targetInfo.type !== 'iframe';
  } catch (error) {
    return !/no target/i.test(String(error));
  }
}
