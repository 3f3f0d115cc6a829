// What a chat needs of a window, where there is none: nothing is selected, no editor opens and nobody is told.
import assert from 'node:assert/strict';
import { createManualClock } from './manual-clock';
import { createToolRegistry } from '../../src/core/tools/registry';
import { type ChatSurroundings } from '../../src/shared/protocol';
import { type ChatServices } from '../../src/vscode/chat/conversation/chat-needs';

const surroundings: ChatSurroundings = {
  needsSetup: false,
  demo: false,
  trusted: true,
  sendWith: 'enter',
  sound: false,
  suggestions: [],
  modes: [],
  modelLabel: 'Opus 5',
  selection: null,
  platform: 'other',
};

export function quietChatServices(own: Pick<ChatServices, 'openSession'> & Partial<ChatServices>): ChatServices {
  return {
    clock: createManualClock(),
    statusChanged: () => undefined,
    readForeign: async () => undefined,
    readOwn: async () => [],
    followOwn: async () => ({ records: [], stop: () => undefined }),
    copyCheckpoints: async () => undefined,
    sessionEnd: async () => undefined,
    projection: () => ({ registry: createToolRegistry([]), folders: [] }),
    proposals: { open: async () => undefined, textOf: async () => undefined, close: async () => undefined },
    folders: () => [],
    surroundings: () => surroundings,
    changes: () => [],
    selection: () => undefined,
    initialMode: () => 'default',
    initialModel: () => 'm',
    provider: () => 'anthropic',
    fitModel: async (wanted) => ({ id: wanted, replaced: false }),
    settingsNotices: () => [],
    modePicked: () => undefined,
    notify: () => undefined,
    waitingChanged: () => undefined,
    titleChanged: () => undefined,
    sessionChanged: () => undefined,
    turnCompleted: () => undefined,
    unsent: () => undefined,
    servers: () => assert.fail('no server is mentioned'),
    ...own,
  };
}
