// The model's requests inside VS Code: its own fetch knows the proxy of the settings, and what goes wrong on the way has its sentence.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { type ModelRequest } from '../../src/core/wire/wire';
import { ModelError } from '../../src/core/text/errors';
import { createAnthropicClient } from '../../src/providers/anthropic-client';
import { selfSigned } from '../support/certificate';
import { startForwardProxy, type ForwardProxy } from '../support/forward-proxy';
import { reply } from '../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../support/messages-api/server';

const url = 'http://model.example.test';
const request: ModelRequest = {
  model: 'claude-opus-5',
  max_tokens: 100,
  system: [],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
};
const signal = new AbortController().signal;

/** What its stream ends with. */
async function ask(baseUrl: string): Promise<unknown> {
  let last: unknown;
  try {
    for await (const event of createAnthropicClient({ apiKey: 'key', baseUrl }).stream(request, signal))
      last = event.type;
  } catch (error) {
    last = error;
  }
  return last;
}

describe('the network through VS Code', () => {
  let server: MessagesApi;
  let proxy: ForwardProxy;
  let secure: Server;
  const http = vscode.workspace.getConfiguration('http');
  before(async () => {
    server = await startMessagesApi(() => reply('Hello'));
    proxy = await startForwardProxy(() => server.url, undefined, true);
    secure = createServer(selfSigned(['localhost']), (_request, response) => response.end('{}'));
    await new Promise<void>((ready) => secure.listen(0, '127.0.0.1', ready));
  });
  after(async () => {
    await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    proxy.close();
    secure.close();
    await server.close();
  });

  it('goes to the model, counts and lists through http.proxy', async () => {
    await http.update('proxy', proxy.url, vscode.ConfigurationTarget.Global);
    const client = createAnthropicClient({ apiKey: 'key', baseUrl: url });
    const before = server.requests.length;
    assert.equal(await ask(url), 'message_stop');
    assert.ok((await client.countTokens(request, signal)) > 0);
    assert.ok((await client.listModels(signal)).length > 0);
    assert.equal(server.requests.length, before + 1);
    // One connection may serve them all.
    assert.ok(
      proxy.asked.length > 0 && proxy.asked.every((asked) => asked.includes('model.example.test')),
      proxy.asked.join(' '),
    );
  });

  it('has no connection to that host without the proxy', async () => {
    await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    const before = proxy.asked.length;
    const error = await ask(url);
    assert.ok(error instanceof ModelError);
    assert.match(error.message, /^No connection to model\.example\.test: the host name is not known/);
    assert.equal(proxy.asked.length, before);
  });

  it('does not trust a certificate that signs itself, and says so', async () => {
    const error = await ask(`https://localhost:${(secure.address() as AddressInfo).port}`);
    assert.ok(error instanceof ModelError);
    assert.match(error.message, /^The certificate of localhost:\d+ is not trusted \(\w+\)\. /);
    assert.equal(error.retryable, false);
  });
});
