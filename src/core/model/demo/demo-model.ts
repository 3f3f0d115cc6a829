// A ModelClient without a network: it plays the demo's script as a stream, so that everything around it is the real thing.
import { type Clock } from '../../ports/clock';
import { type ModelClient } from '../../ports/model';
import { demoCapabilities, demoModelId } from '../demo-capabilities';
import { type ModelRequest, type StreamEvent, type Usage } from '../../wire/wire';
import { readHistory } from './demo-history';
import { demoReply } from './demo-story';

export { demoModelId };
export const demoModelName = 'Deft demo (scripted)';

/** Milliseconds: reads like a fast model, and the whole story stays under half a minute. */
const thinkMs = 250;
const deltaMs = 12;

/** A script has no tokens to count. */
const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Pauses between deltas only where a clock is given; without one the reply comes at once. */
export function createDemoModel(clock?: Pick<Clock, 'sleep'>): ModelClient {
  return {
    provider: 'demo',
    capabilities: () => demoCapabilities,
    async *stream(request, signal) {
      let first = true;
      for (const event of replyEvents(request)) {
        signal.throwIfAborted();
        if (first) await clock?.sleep(thinkMs, signal);
        else if (event.type === 'content_block_delta') await clock?.sleep(deltaMs, signal);
        first = false;
        yield event;
      }
    },
    countTokens: async () => 0,
    listModels: async () => [{ id: demoModelId, displayName: demoModelName }],
  };
}

function* replyEvents(request: ModelRequest): Generator<StreamEvent> {
  const history = readHistory(request.messages);
  const { text, calls } = demoReply(history);
  // Ids must differ within a session, also from replies of an earlier part that is no longer in the request.
  const turn = `${history.replies + 1}_${fingerprint(JSON.stringify(request.messages))}`;
  yield { type: 'message_start', message: { id: `msg_demo_${turn}`, model: demoModelId, usage: noUsage } };
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  for (const part of words(text))
    yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } };
  yield { type: 'content_block_stop', index: 0 };
  for (const [at, call] of calls.entries()) {
    const index = at + 1;
    yield {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_demo_${turn}_${index}`, name: call.name, input: {} },
    };
    yield {
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
    };
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage: noUsage };
  yield { type: 'message_stop' };
}

/** Each word with the space before it. */
function words(text: string): string[] {
  return text.match(/\s*\S+/g) ?? [];
}

/** FNV-1a, 32 bits: only has to differ. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
