// What a chat shows in addition to its conversation, for tests that need any: as before the host has sent it, with a model.
import { type ChatSurroundings, unknownSurroundings } from '../../src/shared/surroundings';

export function surroundings(own: Partial<ChatSurroundings> = {}): ChatSurroundings {
  return { ...unknownSurroundings, modelLabel: 'Opus 5', ...own };
}
