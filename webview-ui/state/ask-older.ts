// Asks the host for the page before the first item, once for each: scrolling up and finding words may both want it.
import { post } from '../host/vscode-api';
import { chat, received } from './chat';

let asked = '';

export function askOlder(): void {
  const first = chat.turns.peek()[0]?.ids[0];
  const request = `${received.opened.peek()} ${first}`;
  if (first === undefined || asked === request) return;
  asked = request;
  post({ type: 'loadOlder', before: first });
}
