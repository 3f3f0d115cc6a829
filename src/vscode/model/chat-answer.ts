// The answer of one of VS Code's models as stream events of the Messages API.
import { type AssistantBlock, type StreamEvent } from '../../core/wire/wire';

/** What an answer's stream contains; parts that Deft does not know are left out before. */
export type AnswerPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; id: string; name: string; input: unknown };

export interface AnswerFacts {
  id: string;
  model: string;
  /** Estimated: VS Code reports no usage. */
  inputTokens: number;
  /** False: calls are left out, since the request wanted none. */
  calls: boolean;
}

export const charactersPerToken = 3.5;

/** Whole messages only: where the answer's stream fails, so does this one. */
export async function* answerEvents(parts: AsyncIterable<AnswerPart>, facts: AnswerFacts): AsyncGenerator<StreamEvent> {
  yield {
    type: 'message_start',
    message: { id: facts.id, model: facts.model, usage: { input_tokens: facts.inputTokens } },
  };
  let index = -1;
  let open: 'text' | 'thinking' | undefined;
  let characters = 0;
  let called = false;
  for await (const part of parts) {
    if (part.type === 'call') {
      if (!facts.calls) continue;
      called = true;
      const json = JSON.stringify(part.input ?? {});
      characters += json.length + part.name.length;
      if (open !== undefined) yield { type: 'content_block_stop', index };
      open = undefined;
      index++;
      yield {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: part.id, name: part.name, input: {} },
      };
      yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } };
      yield { type: 'content_block_stop', index };
      continue;
    }
    if (part.text === '') continue;
    characters += part.text.length;
    if (open !== part.type) {
      if (open !== undefined) yield { type: 'content_block_stop', index };
      open = part.type;
      index++;
      yield { type: 'content_block_start', index, content_block: emptyBlock(part.type) };
    }
    yield {
      type: 'content_block_delta',
      index,
      delta:
        part.type === 'text'
          ? { type: 'text_delta', text: part.text }
          : { type: 'thinking_delta', thinking: part.text },
    };
  }
  if (open !== undefined) yield { type: 'content_block_stop', index };
  yield {
    type: 'message_delta',
    delta: { stop_reason: called ? 'tool_use' : 'end_turn' },
    usage: { output_tokens: Math.ceil(characters / charactersPerToken) },
  };
  yield { type: 'message_stop' };
}

/** Thinking stays without a signature: no API gets it back as its own. */
function emptyBlock(type: 'text' | 'thinking'): AssistantBlock {
  return type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' };
}
