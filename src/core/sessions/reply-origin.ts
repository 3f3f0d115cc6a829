// Which reply a folded message comes from: the fold knows it, and later steps on the messages ask.
import { type Message } from '../wire/wire';
import { type AssistantRecord } from '../ports/record';

export interface ReplyOrigin {
  id: string;
  /** The model that the request named, as far as the log says it. */
  model: string;
}

/** Messages are never changed, so that what holds for one holds for good. */
const origins = new WeakMap<Message, ReplyOrigin>();

export function originOf(message: Message): ReplyOrigin | undefined {
  return origins.get(message);
}

export function keepOrigin(message: Message, origin: ReplyOrigin): Message {
  origins.set(message, origin);
  return message;
}

/** Gateways name models as they like: the name that was asked for counts. */
export function askedModel({ message, requestedModel }: AssistantRecord): string {
  return requestedModel ?? message.model;
}
