// Lets through the stream events that core knows; pings and new event types are dropped. New deltas pass: they may belong to a new kind of block.
import { type StreamEvent } from '../core/wire/wire';
import { isObject } from '../shared/plain-object';

/** The event as core's type, or undefined where core does not know it. Fields are passed on as they are. */
export function knownStreamEvent(value: unknown): StreamEvent | undefined {
  if (!isObject(value)) return undefined;
  switch (value['type']) {
    case 'message_start':
      return isObject(value['message']) ? (value as StreamEvent) : undefined;
    case 'content_block_start':
      return isObject(value['content_block']) && typeof value['content_block']['type'] === 'string'
        ? (value as StreamEvent)
        : undefined;
    case 'content_block_delta':
      return isObject(value['delta']) && typeof value['delta']['type'] === 'string'
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
