// Bodies that are sent piece by piece: their length is sent, none of their bytes is copied, and redirects are followed.
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { streamedBody } from '../../../src/providers/streamed-body';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { reply } from '../../support/messages-api/script';
import { clientFor, readStream, testKey } from './client-under-test';

describe('streamedBody', () => {
  let api: MessagesApi;
  let gateway: Server | undefined;
  afterEach(async () => {
    gateway?.closeAllConnections();
    gateway?.close();
    gateway = undefined;
    await api.close();
    assert.deepEqual(api.violations, []);
  });

  const gatewayUrl = async (answer: RequestListener): Promise<string> => {
    const server = (gateway = createServer((incoming, response) => {
      incoming.resume();
      incoming.once('end', () => answer(incoming, response));
    }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('gives its pieces as they are', async () => {
    api = await startMessagesApi([]);
    const pieces = [Buffer.from('{"a":'), Buffer.from('1}')];
    const { body, headers } = streamedBody(pieces);
    const seen: Uint8Array[] = [];
    for await (const piece of body) seen.push(piece);
    assert.deepEqual(headers, { 'content-length': '7' });
    assert.ok(seen.length === pieces.length && seen.every((piece, index) => piece === pieces[index]));
  });

  it('says how long it is, in place of chunks', async () => {
    api = await startMessagesApi([reply('ok')]);
    assert.equal((await readStream(clientFor(api))).error, undefined);
    const headers = api.requests[0]?.headers;
    assert.equal(headers?.['transfer-encoding'], undefined);
    assert.ok(Number(headers?.['content-length']) > 100);
  });

  for (const status of [307, 308]) {
    it(`goes along where a gateway answers ${status}, with the key`, async () => {
      api = await startMessagesApi([reply('ok')], { expectedKey: testKey });
      const url = await gatewayUrl((incoming, response) =>
        response.writeHead(status, { location: `${api.url}${incoming.url ?? ''}` }).end(),
      );
      const { events, error } = await readStream(clientFor({ url }));
      assert.equal(error, undefined);
      assert.equal(events.at(-1)?.type, 'message_stop');
      assert.equal(api.requests.length, 1);
    });
  }

  it('names a refused key, and no network error in its place', async () => {
    api = await startMessagesApi([]);
    const url = await gatewayUrl((_incoming, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end('{}'),
    );
    const { error } = await readStream(clientFor({ url }));
    assert.equal(error?.details.kind, 'authentication');
  });
});
