// The model's requests through a proxy: streams, counts and lists, by http and by a tunnel; what a proxy refuses has its sentence.
import assert from 'node:assert/strict';
import { fetchThroughProxy } from '../../../../src/node/web/proxied-fetch';
import { reply, stall } from '../../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../../support/messages-api/server';
import { passOn, startForwardProxy, type ForwardProxy } from '../../../support/forward-proxy';
import { selfSigned } from '../../../support/certificate';
import { startProxiedSite } from '../../../support/web-proxy-server';
import { clientFor, readStream, request } from '../../providers/client-under-test';

const signal = new AbortController().signal;
const url = 'http://api.example.test';

describe('model requests through a proxy', () => {
  let server: MessagesApi;
  let proxy: ForwardProxy;
  const start = async (login?: string): Promise<void> => {
    server = await startMessagesApi([reply('Hello'), reply('Again')]);
    proxy = await startForwardProxy(() => server.url, login);
  };
  const through = (environment: Record<string, string>): typeof fetch =>
    fetchThroughProxy(environment, fetch) ?? assert.fail('no proxy');
  afterEach(async () => {
    proxy.close();
    await server.close();
    assert.deepEqual(server.violations, []);
  });

  it('takes streams, counts and lists by http through HTTP_PROXY, with its login', async () => {
    await start('ann:p w');
    const address = new URL(proxy.url);
    const client = clientFor({ url }, { fetch: through({ HTTP_PROXY: `http://ann:p%20w@${address.host}` }) });
    const { events, error } = await readStream(client);
    assert.equal(error, undefined);
    assert.equal(events.at(-1)?.type, 'message_stop');
    assert.ok((await client.countTokens(request, signal)) > 0);
    assert.ok((await client.listModels(signal)).length > 0);
    assert.deepEqual(
      proxy.asked.map((asked) => asked.replace(/\?.*/, '')),
      [`${url}/v1/messages`, `${url}/v1/messages/count_tokens`, `${url}/v1/models`],
    );
  });

  it('takes https through a tunnel, and does not trust a certificate that signs itself', async () => {
    await start();
    const site = await startProxiedSite(
      selfSigned(['api.example.test']),
      passOn(() => server.url),
    );
    const { error } = await readStream(
      clientFor({ url: 'https://api.example.test' }, { fetch: through({ https_proxy: site.proxy }) }),
    );
    assert.deepEqual(
      [error?.details.kind, error?.retryable, site.tunnels[0]?.target],
      ['network', false, 'api.example.test:443'],
    );
    assert.match(
      error?.message ?? '',
      /^The certificate of api\.example\.test is not trusted \(\w+\)\. Set NODE_EXTRA_CA_CERTS to the certificate file of the authority that signed it/,
    );
    site.close();
  });

  for (const scheme of ['http', 'https'] as const) {
    it(`says that the proxy wants a login, by ${scheme}`, async () => {
      await start('ann:secret');
      const { error } = await readStream(
        clientFor(
          { url: `${scheme}://api.example.test` },
          { fetch: through({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }) },
        ),
      );
      assert.deepEqual([error?.details.kind, error?.retryable], ['network', false]);
      assert.equal(
        error?.message,
        'The proxy on the way to api.example.test requires a name and a password (407). Put them into the address of the proxy (http://name:password@host:port).',
      );
    });
  }

  it('says that the proxy refuses the host, or does not answer', async () => {
    await start();
    const refused = await readStream(
      clientFor({ url: 'https://api.example.test' }, { fetch: through({ HTTPS_PROXY: proxy.url }) }),
    );
    assert.match(
      refused.error?.message ?? '',
      /^The proxy did not connect to api\.example\.test \(the proxy 127\.0\.0\.1:\d+ answered 403\)\. Check the proxy, or add api\.example\.test to NO_PROXY\.$/,
    );
    proxy.close();
    const gone = await readStream(
      clientFor({ url: 'https://api.example.test' }, { fetch: through({ HTTPS_PROXY: proxy.url }) }),
    );
    assert.match(
      gone.error?.message ?? '',
      /^The proxy at 127\.0\.0\.1:\d+ on the way to api\.example\.test does not answer \(ECONNREFUSED\)\./,
    );
    assert.equal(gone.error?.details.kind, 'network');
  });

  it('goes around it for this machine and for NO_PROXY', async () => {
    await start();
    const local = await readStream(clientFor(server, { fetch: through({ HTTP_PROXY: proxy.url }) }));
    assert.equal(local.error, undefined);
    const direct: string[] = [];
    const spared =
      fetchThroughProxy(
        { HTTP_PROXY: proxy.url, NO_PROXY: 'example.test' },
        (input, init) => (direct.push(String(input)), fetch(`${server.url}/v1/messages`, init)),
      ) ?? assert.fail();
    assert.equal((await readStream(clientFor({ url }, { fetch: spared }))).error, undefined);
    assert.deepEqual([direct, proxy.asked], [[`${url}/v1/messages`], []]);
  });

  it('is not there where no proxy is named', async () => {
    await start();
    assert.equal(fetchThroughProxy({ NO_PROXY: 'x', HTTPS_PROXY: ' ' }, fetch), undefined);
  });

  it('is stopped in the middle of a stream', async () => {
    await start();
    server.setScript([stall(reply('Hello'), 1, 'forever')]);
    const controller = new AbortController();
    const client = clientFor({ url }, { fetch: through({ HTTP_PROXY: proxy.url }) });
    const events: string[] = [];
    await assert.rejects(
      async () => {
        for await (const event of client.stream(request, controller.signal)) {
          events.push(event.type);
          controller.abort();
        }
      },
      { name: 'AbortError' },
    );
    assert.deepEqual(events, ['message_start']);
    assert.equal(await server.requests[0]?.ended, 'client-closed');
  });
});
