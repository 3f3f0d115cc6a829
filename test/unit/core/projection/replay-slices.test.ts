// A log that is replayed in slices ends as one that is replayed at once, whatever was under way when nobody wrote it any more.
import assert from 'node:assert/strict';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { replayInSlices } from '../../../../src/core/projection/replay-slices';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { emptyChat } from '../../../../src/shared/chat';

const empty = emptyChat('session-1', 'default', 'claude-opus-5');
const projection = () => createChatProjection({ registry: createToolRegistry([]), folders: [] });
const base = {
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's',
  cwd: '/w',
  version: '1',
  timestamp: '2026-01-01T00:00:00.000Z',
};
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } };
const records = [
  {
    ...base,
    type: 'assistant',
    message: { id: 'msg_1', role: 'assistant', model: 'claude-opus-5', content: [search] },
  },
] as unknown as SessionRecord[];

describe('a replay in slices', () => {
  it('stops a search of the API that a crash has cut off', async () => {
    const sliced = await replayInSlices(projection(), empty, records, { pause: async () => undefined, now: () => 0 });
    const whole = projection().replay(empty, records);
    assert.deepEqual(sliced.items, whole.items);
    assert.deepEqual(
      sliced.items.map((item) => (item.kind === 'tool' ? item.state : item.kind)),
      ['stopped'],
    );
  });
});
