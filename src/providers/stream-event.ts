// Lets through the stream events that core knows; pings, new event types and new delta types are dropped.
import { type StreamEvent } from '../core/wire/wire';
import { isObject } from '../shared/plain-object';

const deltaTypes = new Set([
  'text_delta',
  'input_json_delta',
  'thinking_delta',
  'signature_delta',
  'citations_delta',
  'compaction_delta',
]);

/** The event as core's type, or undefined where core does not know it. Fields are passed on as they are. */
export function knownStreamEvent(value: unknown): StreamEvent | undefined {
  if (!isObject(value)) return undefined;
  switch (value['type']) {
    case 'message_start':
      return isObject(value['message']) ? (value as StreamEvent) : undefined;
    case 'content_block_start':
      return isObject(value['content_block']) ? (value as StreamEvent) : undefined;
    case 'content_block_delta':
      return isObject(value['delta']) && deltaTypes.has(String(value['delta']['type']))
        ? (value as StreamEvent)
        : undefined;
    case 'message_delta':
      return isObject(value['delta']) ? ({ ...value, usage: value['usage'] ?? {} } as StreamEvent) : undefined;
    case 'content_block_stop':
    case 'message_stop':
      return value as StreamEvent;
    default:
      return undefined;
  }
}
