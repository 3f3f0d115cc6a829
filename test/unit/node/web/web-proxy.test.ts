// The environment's proxy: for which addresses it is used, and pages that come through it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { isPrivateAddress } from '../../../../src/node/web/web-address';
import { createWebClient } from '../../../../src/node/web/web-client';
import { environmentProxy } from '../../../../src/node/web/web-proxy';
import { selfSigned } from '../../../support/certificate';
import { startProxiedSite } from '../../../support/web-proxy-server';

const never = new AbortController().signal;

describe('environmentProxy', () => {
  const table: [string, Record<string, string>, string, string | undefined][] = [
    ['none', {}, 'https://a.test/', undefined],
    ['one', { HTTPS_PROXY: 'http://p.test:3128' }, 'https://a.test/', 'http://p.test:3128/'],
    ['in small letters', { https_proxy: 'http://p.test:3128' }, 'https://a.test/', 'http://p.test:3128/'],
    ['not for http', { HTTPS_PROXY: 'http://p.test:3128' }, 'http://a.test/', undefined],
    ['that is no address', { HTTPS_PROXY: 'p test' }, 'https://a.test/', undefined],
    ['of another kind', { HTTPS_PROXY: 'socks5://p.test:1080' }, 'https://a.test/', undefined],
    ['but not for a name', { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'b.test, A.TEST' }, 'https://a.test/', undefined],
    ['but not below a name', { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'a.test' }, 'https://x.a.test/', undefined],
    [
      'but not below a name with a dot',
      { HTTPS_PROXY: 'http://p.test', no_proxy: '.a.test' },
      'https://x.a.test/',
      undefined,
    ],
    ['for a look-alike', { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'a.test' }, 'https://nota.test/', 'http://p.test/'],
    [
      'for another port',
      { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'a.test:8443' },
      'https://a.test/',
      'http://p.test/',
    ],
    ['but not for this port', { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'a.test:443' }, 'https://a.test/', undefined],
    ['for nothing', { HTTPS_PROXY: 'http://p.test', NO_PROXY: '*' }, 'https://a.test/', undefined],
  ];
  for (const [name, environment, url, expected] of table)
    it(name, () => assert.equal(environmentProxy(environment)(new URL(url))?.href, expected));
});

describe('web client behind a proxy', () => {
  const get = (url: string, proxy: string) =>
    createWebClient({
      version: '1',
      toMarkdown: async () => undefined,
      proxyFor: environmentProxy({ HTTPS_PROXY: proxy }),
      isPrivate: isPrivateAddress,
      resolve: async () => assert.fail('the proxy resolves names'),
    }).fetch({ url, headers: {}, maxBytes: 1_000, timeoutMs: 10_000 }, never);

  it('goes through it, shows it its own login and nobody else, and checks the certificate', async () => {
    const site = await startProxiedSite(selfSigned(['a.example.test']), (_request, response) => response.end('hello'));
    try {
      const outcome = await get('https://a.example.test/', site.proxy.replace('//', '//me:p%40ss@'));
      assert.match(
        outcome.outcome === 'refused' ? `${outcome.code}: ${outcome.message}` : 'came',
        /^tls: .*SELF_SIGNED/,
      );
      assert.deepEqual(site.tunnels, [
        { target: 'a.example.test:443', authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
      ]);
      assert.equal(site.requests.length, 0);
    } finally {
      site.close();
    }
  });

  it('judges addresses and local names all the same', async () => {
    for (const url of [
      'https://127.0.0.1/',
      'https://localhost/',
      'https://[::1]/',
      'https://metadata.google.internal/',
      'https://router/',
    ]) {
      const outcome = await get(url, 'http://proxy.invalid:1');
      assert.equal(outcome.outcome === 'refused' && outcome.code, 'private', url);
    }
  });

  it('says when the proxy refuses or is not there', async () => {
    const server = createServer();
    server.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const address = server.address();
    const proxy = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const refused = await get('https://a.example.test/', proxy);
    await new Promise((closed) => server.close(closed));
    assert.match(refused.outcome === 'refused' ? refused.message : '', /the proxy 127\.0\.0\.1:\d+ answered 407/);
    const gone = await get('https://a.example.test/', proxy);
    assert.match(gone.outcome === 'refused' ? `${gone.code}: ${gone.message}` : '', /^failed: .*ECONNREFUSED/);
  });
});
