// What a chat needs of a window, where there is none: nothing is selected, no editor opens and nobody is notified.
import assert from 'node:assert/strict';
import { createManualClock } from './manual-clock';
import { createToolRegistry } from '../../src/core/tools/registry';
import { type ChatServices } from '../../src/vscode/chat/conversation/chat-needs';
import { surroundings } from './surroundings';

export function quietChatServices(own: Pick<ChatServices, 'openSession'> & Partial<ChatServices>): ChatServices {
  return {
    clock: createManualClock(),
    statusChanged: () => undefined,
    readExternal: async () => undefined,
    readOwn: async () => [],
    followOwn: async () => ({ records: [], stop: () => undefined }),
    windowAnswers: async () => true,
    copyCheckpoints: async () => undefined,
    sessionEnd: async () => undefined,
    projection: () => ({ registry: createToolRegistry([]), folders: [] }),
    proposals: { open: async () => undefined, textOf: async () => undefined, close: async () => undefined },
    folders: () => [],
    surroundings,
    changes: () => [],
    selection: () => undefined,
    terminalText: async () => 'No terminal is open.',
    symbolText: async () => 'No such symbol.',
    initialMode: () => 'default',
    initialModel: () => 'm',
    provider: () => 'anthropic',
    fitModel: async (wanted) => ({ id: wanted, replaced: false }),
    settingsNotices: () => [],
    modePicked: () => undefined,
    notify: () => undefined,
    confirmLeaving: async () => true,
    workChanged: () => undefined,
    titleChanged: () => undefined,
    sessionChanged: () => undefined,
    turnCompleted: () => undefined,
    unsent: () => undefined,
    servers: () => assert.fail('no server is mentioned'),
    ...own,
  };
}
