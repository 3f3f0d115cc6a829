// Starts the chat's page: errors to the log, messages from the host into state, the page into the document.
import { render } from 'preact';
import { type HostMessage } from '../src/shared/host-messages';
import { App } from './app';
import { takeHostMessage } from './host-messages';
import { moveToDraft } from './approvals/decide';
import { askForImages, restoreDraft } from './state/draft';
import { reportErrors } from './host/report-errors';
import { reportFocus } from './host/report-focus';
import { post } from './host/vscode-api';
import { keepFocus } from './parts/keep-focus';
import { followCards, restoreHalfMade } from './state/half-made';

reportErrors(window);
reportFocus(window);
restoreDraft();
restoreHalfMade();
followCards(moveToDraft);
// Only the host can post to this page: VS Code gives every webview an origin of its own.
window.addEventListener('message', (event: MessageEvent<HostMessage>) => takeHostMessage(event.data));
const root = document.getElementById('root');
if (root) {
  render(<App />, root);
  keepFocus(root);
}
void askForImages();
post({ type: 'ready' });
