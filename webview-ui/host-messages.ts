// What the page does with each message of the host.
import type { HostMessage, HostMessageHandlers } from '../src/shared/host-messages';
import { takeInserted } from './composer/take-files';
import { showWritten, takeGivenBack } from './composer/take-back';
import { goToItem } from './find/go-to-item';
import { listAgain, takeMatches } from './history/listed';
import { takeAnswer, takeFailure } from './host/vscode-api';
import { listServers } from './mcp/servers';
import { playEndSound } from './parts/sound';
import { page, received } from './state/chat';
import { focusComposer } from './state/draft';
import { showBackground } from './strip/background';
import { openUsage, refreshUsage } from './usage/usage';

export const hostMessageHandlers: HostMessageHandlers = {
  snapshot: (message) => received.takeSnapshot(message),
  events: (message) => received.takeEvents(message),
  surroundings: (message) => received.takeSurroundings(message),
  older: (message) => received.takeOlder(message),
  answered: takeAnswer,
  failed: takeFailure,
  sessionMatches: takeMatches,
  givenBack: takeGivenBack,
  writeAnew: showWritten,
  insert: (message) => inConversation(() => void takeInserted(message)),
  focus: () => inConversation(focusComposer),
  goToItem: ({ id }) => inConversation(() => goToItem(id)),
  showHistory: () => void (page.value = 'history'),
  showMcp: () => void (page.value = 'servers'),
  showUsage: ({ part }) => openUsage(part),
  showBackground,
  mcpChanged: () => {
    if (page.peek() === 'servers') void listServers();
  },
  sessionsChanged: () => {
    if (page.peek() === 'history') void listAgain();
  },
  ended: ({ notify }) => {
    refreshUsage();
    if (notify && received.surroundings.peek().sound) playEndSound();
  },
};

export function takeHostMessage(message: HostMessage): void {
  const handler = hostMessageHandlers[message.type] as (message: HostMessage) => void;
  handler(message);
}

/** Once it is drawn. */
function inConversation(act: () => void): void {
  page.value = 'conversation';
  requestAnimationFrame(act);
}
