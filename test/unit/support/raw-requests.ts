// Requests to the scripted Messages API as plain JSON, right or wrong, without the SDK in between.
import { type MessagesApi } from '../../support/messages-api/server';

export type Body = Record<string, unknown>;
export type Message = { role: string; content: unknown } & Record<string, unknown>;

export const headers = {
  'x-api-key': 'test-key',
  'anthropic-version': '2023-06-01',
  'content-type': 'application/json',
};
export const user = (content: unknown): Message => ({ role: 'user', content });
export const assistant = (content: unknown): Message => ({ role: 'assistant', content });
export const use = (id: string): Body => ({ type: 'tool_use', id, name: 'Read', input: {} });
export const result = (id: string, extra: Body = {}): Body => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...extra,
});
export const tool = (name: string, extra: Body = {}): Body => ({
  name,
  description: 'd',
  input_schema: { type: 'object' },
  ...extra,
});
export const image = (mediaType: string, data: string): Body => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
});
export const mark = { cache_control: { type: 'ephemeral' } };

export function body(messages: unknown, extra: Body = {}): Body {
  return { model: 'claude-opus-5', max_tokens: 100, messages, ...extra };
}

export async function post(
  server: MessagesApi,
  payload: unknown,
  sent: Record<string, string> = headers,
  path = '/v1/messages',
) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: sent,
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  const answer = (await response.json()) as { error?: { type: string; message: string }; content?: unknown[] };
  return { status: response.status, answer };
}
