// The chat gets its settings by their names from the host's configuration, and no others.
import assert from 'node:assert/strict';
import { type ChatSettings, chatSettings } from '../../../src/shared/surroundings';

describe('chatSettings', () => {
  it('takes what the chat obeys and leaves the rest', () => {
    const all: ChatSettings & { baseUrl: string } = {
      sendWith: 'ctrlEnter',
      sound: true,
      foldTurns: true,
      baseUrl: 'https://e.test',
    };
    assert.deepEqual(chatSettings(all), { sendWith: 'ctrlEnter', sound: true, foldTurns: true });
  });
});
