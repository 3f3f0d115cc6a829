// The lines of the control protocol as the SDK's public types have them: what comes in, read field by field, and what goes out.
import { z } from 'zod/v3';

export interface ControlRequest {
  id: string;
  subtype: string;
  /** As it came: each subtype reads its own. */
  fields: Readonly<Record<string, unknown>>;
}

export type ControlLine =
  | ({ kind: 'request' } & ControlRequest)
  /** Of a question that Deft asked. */
  | { kind: 'answer'; id: string; answer: ControlAnswer }
  /** Nothing to do: a sign of life, or the other side no longer wants an answer that it gets at once anyway. */
  | { kind: 'nothing' }
  /** The line says that it is one and is none. `id` where an answer can name it. */
  | { kind: 'malformed'; id?: string; why: string };

/** `closed`: nobody is there who could answer. */
export type ControlAnswer =
  | { kind: 'success'; response: unknown }
  | { kind: 'error'; message: string }
  | { kind: 'malformed' }
  | { kind: 'closed' };

const id = z.string().min(1);
const requestLine = z.object({ request_id: id, request: z.object({ subtype: z.string().min(1) }).passthrough() });
const responseLine = z.object({
  response: z.discriminatedUnion('subtype', [
    z.object({ subtype: z.literal('success'), request_id: id, response: z.unknown() }),
    z.object({ subtype: z.literal('error'), request_id: id, error: z.string() }),
  ]),
});
/** What is left of an answer that is none: enough to end the question which waits for it. */
const namedAnswer = z.object({ response: z.object({ request_id: id }) });
const namedRequest = z.object({ request_id: id });

/** Undefined where the line is not a control message. */
export function readControlLine(value: unknown): ControlLine | undefined {
  const type = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['type'] : undefined;
  switch (type) {
    case 'control_request': {
      const parsed = requestLine.safeParse(value);
      if (parsed.success)
        return {
          kind: 'request',
          id: parsed.data.request_id,
          subtype: parsed.data.request.subtype,
          fields: parsed.data.request,
        };
      const named = namedRequest.safeParse(value);
      return {
        kind: 'malformed',
        ...(named.success ? { id: named.data.request_id } : {}),
        why: 'A control_request needs a request_id and a request with a subtype.',
      };
    }
    case 'control_response': {
      const parsed = responseLine.safeParse(value);
      if (!parsed.success) {
        const named = namedAnswer.safeParse(value);
        return named.success
          ? { kind: 'answer', id: named.data.response.request_id, answer: { kind: 'malformed' } }
          : { kind: 'malformed', why: 'A control_response needs a response with a request_id.' };
      }
      const { response } = parsed.data;
      return {
        kind: 'answer',
        id: response.request_id,
        answer:
          response.subtype === 'success'
            ? { kind: 'success', response: response.response }
            : { kind: 'error', message: response.error },
      };
    }
    case 'control_cancel_request':
    case 'keep_alive':
      return { kind: 'nothing' };
    default:
      return undefined;
  }
}

export function requestMessage(requestId: string, request: Readonly<Record<string, unknown>>): object {
  return { type: 'control_request', request_id: requestId, request };
}

export function cancelMessage(requestId: string): object {
  return { type: 'control_cancel_request', request_id: requestId };
}

export function successMessage(requestId: string, response: Readonly<Record<string, unknown>>): object {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } };
}

export function errorMessage(requestId: string, error: string, code?: string): object {
  const response = {
    subtype: 'error',
    request_id: requestId,
    error,
    ...(code === undefined ? {} : { error_code: code }),
  };
  return { type: 'control_response', response };
}
