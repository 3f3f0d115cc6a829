// Sends errors of the webview to the host's log.
import { post, RequestFailed } from './vscode-api';

const MAX_REPORTS = 20;

let reports = 0;

/** At most 20 a page, so that a failing loop does not flood the log. */
export function reportError(what: string, error: unknown): void {
  if (reports++ >= MAX_REPORTS) return;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  post({ type: 'log', level: 'error', message: `${what}: ${text}`.slice(0, 10_000) });
}

export function reportErrors(target: Window): void {
  target.addEventListener('error', (event) => {
    // Browsers report this harmless one whenever an observer's callback resizes something.
    if (event.message.startsWith('ResizeObserver loop')) return;
    reportError('Uncaught error in the chat', event.error ?? event.message);
  });
  target.addEventListener('unhandledrejection', (event) => {
    // The host has logged it.
    if (event.reason instanceof RequestFailed) event.preventDefault();
    else reportError('Unhandled rejection in the chat', event.reason);
  });
}
