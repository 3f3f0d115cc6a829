// Sends uncaught errors of the webview to the host's log.
import { post, RequestFailed } from './vscode-api';

const MAX_REPORTS = 20;

/** Reports at most 20 errors a page, so that a failing loop does not flood the log. */
export function reportErrors(target: Window): void {
  let reports = 0;
  const report = (what: string, error: unknown) => {
    if (reports++ >= MAX_REPORTS) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ type: 'log', level: 'error', message: `${what}: ${text}`.slice(0, 10_000) });
  };
  target.addEventListener('error', (event) => {
    // Browsers report this harmless one whenever an observer's callback resizes something.
    if (event.message.startsWith('ResizeObserver loop')) return;
    report('Uncaught error in the chat', event.error ?? event.message);
  });
  target.addEventListener('unhandledrejection', (event) => {
    // The host has logged it.
    if (event.reason instanceof RequestFailed) event.preventDefault();
    else report('Unhandled rejection in the chat', event.reason);
  });
}
