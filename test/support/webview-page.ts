// The host's side of the webview's page for tests of its parts: what it posts, and what it keeps for a reload. One for all tests, since VS Code hands its API out once.
import { type WebviewMessage } from '../../src/shared/protocol';

export type Posted = WebviewMessage & { request?: number };

export const webviewPage: { posted: Posted[]; state: unknown } = { posted: [], state: undefined };

/** A page that was never open before. */
export function openWebviewPage(): void {
  Object.assign(webviewPage, { posted: [], state: undefined });
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage: (message: Posted) => webviewPage.posted.push(message),
      getState: () => webviewPage.state,
      setState: (next: unknown) => (webviewPage.state = JSON.parse(JSON.stringify(next))),
    }),
  });
}
