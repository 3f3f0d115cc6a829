// The small model, for jobs outside the conversation: the tokens it uses count towards the session's cost.
import { type Clock } from '../ports/clock';
import { type ModelClient } from '../ports/model';
import { type JsonAnswer, readJsonAnswer, withAnswerSchema } from './json-answer';
import { neutralValue } from '../text/system-reminder';
import { quickRequest } from './quick-request';
import { type WholeReply, wholeReply } from './whole-reply';
import { type JsonSchema, type ModelRequest, type Usage } from '../wire/wire';

export interface SmallModel {
  id: string;
  /** Throws what the last try threw. With a schema the answer is held to it, where the model can be. */
  ask(request: Omit<ModelRequest, 'model'>, signal: AbortSignal, schema?: JsonSchema): Promise<WholeReply>;
}

/** `used` receives the tokens of each try, also of one that failed half way. */
export function createSmallModel(
  id: string,
  ports: { model: Pick<ModelClient, 'stream' | 'capabilities'>; clock: Pick<Clock, 'sleep'> },
  used: (usage: Usage) => void,
): SmallModel {
  return {
    id,
    ask(request, signal, schema) {
      const can = ports.model.capabilities(id);
      // Its questions are made of what others wrote.
      const messages = request.messages.map((message) => (message.role === 'user' ? neutralValue(message) : message));
      const quick = quickRequest({ ...request, messages, model: id }, can);
      return wholeReply(ports, schema === undefined ? quick : withAnswerSchema(quick, schema, can), signal, used);
    },
  };
}

/** One JSON object from the small model. Throws what the last try threw. */
export async function askForJson<Value>(
  small: Pick<SmallModel, 'ask'>,
  request: Omit<ModelRequest, 'model'>,
  answer: { schema: JsonSchema; read: (value: Record<string, unknown>) => Value | undefined },
  signal: AbortSignal,
): Promise<JsonAnswer<Value>> {
  return readJsonAnswer(await small.ask(request, signal, answer.schema), answer.read);
}
