// Asks a model for one JSON object: held to its schema where the model takes one, read with patience where it does not.
import { type ModelCapabilities } from '../wire/model-capabilities';
import { type WholeReply, textOf } from './whole-reply';
import { type JsonSchema, type ModelRequest } from '../wire/wire';

type Leaf = { type: 'string' | 'boolean' | 'integer' | 'number'; description?: string };

/** What the API's grammar takes: all fields are required, nothing else may be there, no lengths and no ranges. */
export function answerSchema(properties: Readonly<Record<string, Leaf>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** The same request, where the model cannot be held to a schema. */
export function withAnswerSchema<Request extends Pick<ModelRequest, 'output_config'>>(
  request: Request,
  schema: JsonSchema,
  can: Pick<ModelCapabilities, 'structuredOutput'>,
): Request {
  if (!can.structuredOutput) return request;
  return { ...request, output_config: { ...request.output_config, format: { type: 'json_schema', schema } } };
}

export type JsonAnswer<Value> = { kind: 'answer'; value: Value } | { kind: 'none'; why: string };

/** `read` judges one object and gives undefined for what does not answer. Of several the last one counts: models like to think aloud first. */
export function readJsonAnswer<Value>(
  reply: WholeReply,
  read: (value: Record<string, unknown>) => Value | undefined,
): JsonAnswer<Value> {
  if (reply.stopReason === 'refusal') return { kind: 'none', why: 'The model declined to answer.' };
  const value = lastObject(textOf(reply.content), read);
  if (value !== undefined) return { kind: 'answer', value };
  if (reply.stopReason === 'max_tokens') return { kind: 'none', why: "The model's answer was cut off at its limit." };
  return { kind: 'none', why: "The model's answer was not the requested JSON." };
}

/** The last object in the text that `read` takes. */
export function lastObject<Value>(
  text: string,
  read: (value: Record<string, unknown>) => Value | undefined,
): Value | undefined {
  const end = text.lastIndexOf('}') + 1;
  for (
    let start = text.lastIndexOf('{', end);
    start >= 0;
    start = start === 0 ? -1 : text.lastIndexOf('{', start - 1)
  ) {
    try {
      const value = read(JSON.parse(text.slice(start, end)) as Record<string, unknown>);
      if (value !== undefined) return value;
    } catch {
      continue;
    }
  }
  return undefined;
}
