// What the provider's tests share: a client on the scripted server, a request, and a way to read a stream to its end.
import { type ModelError } from '../../../src/core/text/errors';
import { type ModelRequest, type StreamEvent } from '../../../src/core/wire/wire';
import { type ModelClient } from '../../../src/core/ports/model';
import { createAnthropicClient, type AnthropicClientOptions } from '../../../src/providers/anthropic-client';
import { type MessagesApi } from '../../support/messages-api/server';

export const testKey = 'sk-ant-test-0123456789';

export const request: ModelRequest = {
  model: 'claude-opus-5',
  max_tokens: 1000,
  system: [{ type: 'text', text: 'Be short.' }],
  tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
};

export function clientFor(server: Pick<MessagesApi, 'url'>, options: AnthropicClientOptions = {}): ModelClient {
  return createAnthropicClient({ apiKey: testKey, baseUrl: server.url, ...options });
}

/** All events of a stream, and what it threw. */
export async function readStream(
  client: ModelClient,
  signal: AbortSignal = new AbortController().signal,
  sent: ModelRequest = request,
): Promise<{ events: StreamEvent[]; error: ModelError | undefined }> {
  const events: StreamEvent[] = [];
  try {
    for await (const event of client.stream(sent, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error: error as ModelError };
  }
}
