// The web tools in the built runner: asked for, allowed by a rule, kept out of the local network.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { selfSigned } from '../../support/certificate';
import { createHeadlessPlace, jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { rawBlock, reply, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { startProxiedSite, type ProxiedSite } from '../../support/web-proxy-server';

describe('headless web tools', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  let site: ProxiedSite;

  beforeEach(async () => {
    place = await createHeadlessPlace();
    server = await startMessagesApi([]);
    const certificate = selfSigned(['docs.example.test', 'www.docs.example.test', 'docs.python.org']);
    await writeFile(path.join(place.home, 'ca.pem'), certificate.cert);
    site = await startProxiedSite(certificate, (request, response) => {
      if (request.url === '/moved')
        return response.writeHead(301, { location: `https://www.${request.headers.host}/guide` }).end();
      return response
        .setHeader('content-type', 'text/html')
        .end(`<title>Guide</title><h1>Of ${request.headers.host}</h1><a href="/next">next</a>`);
    });
  });
  afterEach(async () => {
    site.close();
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });

  /** What the main model asks for, then what the small one answers, by the tools that a request contains. */
  async function call(
    name: string,
    input: unknown,
    ...args: string[]
  ): Promise<{ end: HeadlessEnd; result: string; small: string[] }> {
    const small: string[] = [];
    let result = '';
    let started = false;
    server.setScript((request) => {
      const { model, messages } = request.body as {
        model: string;
        messages: { content: { type: string; content?: unknown }[] }[];
      };
      if (model.includes('small') || model.includes('haiku')) {
        small.push(JSON.stringify(request.body));
        return name === 'WebFetch'
          ? reply('It is a guide.')
          : reply(
              rawBlock({ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
              rawBlock({
                type: 'web_search_tool_result',
                tool_use_id: 'srv_1',
                content: [{ type: 'web_search_result', url: 'https://a.test/', title: 'A' }],
              }),
              'Found A.',
            );
      }
      const last = messages.at(-1)?.content.find(({ type }) => type === 'tool_result');
      if (last !== undefined) result = String(last.content);
      if (started) return reply('Done.');
      started = true;
      return reply(toolUse(name, input, 'toolu_web'));
    });
    const env = {
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'small-of-the-gateway',
      HTTPS_PROXY: site.proxy,
      NODE_EXTRA_CA_CERTS: path.join(place.home, 'ca.pem'),
    };
    const end = await place.run(
      ['-p', 'Go', '--output-format', 'stream-json', '--verbose', '--include-partial-messages', ...args],
      { url: server.url, env },
    );
    return { end, result, small };
  }

  const guide = { url: 'http://docs.example.test/guide#top', prompt: 'What is it?' };

  it('asks before it fetches, and names the rule for the domain', async () => {
    const { result, small } = await call('WebFetch', guide);
    assert.match(result, /nobody can be asked.*--allowedTools "WebFetch\(domain:docs\.example\.test\)"/s);
    assert.deepEqual([site.tunnels, small], [[], []]);
  });

  it('fetches with that rule: over https, as Markdown, answered by the small model', async () => {
    const { result, small, end } = await call(
      'WebFetch',
      guide,
      '--allowedTools',
      'WebFetch(domain:docs.example.test)',
    );
    assert.equal(result, 'It is a guide.');
    assert.deepEqual(
      site.tunnels.map(({ target }) => target),
      ['docs.example.test:443'],
    );
    assert.deepEqual(Object.keys(site.requests[0]?.headers ?? {}).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    assert.match(site.requests[0]?.headers['user-agent'] ?? '', /^Deft\/\d+\.\d+\.\d+$/);
    assert.equal((JSON.parse(small[0] ?? '{}') as { model?: string }).model, 'small-of-the-gateway');
    assert.ok('small-of-the-gateway' in (jsonLines(end.stdout).at(-1)?.['modelUsage'] as object));
    assert.match(
      small[0] ?? '',
      /Title: Guide\\n\\n# Of docs\.example\.test\\n\\n\[next\]\(https:\/\/docs\.example\.test\/next\)/,
    );
    const streamed = jsonLines(end.stdout).filter(({ type }) => type === 'stream_event');
    assert.ok(streamed.length > 0);
    assert.doesNotMatch(
      JSON.stringify(streamed),
      /It is a guide/,
      'what the small model streams is no part of the reply',
    );
  });

  it('fetches well-known documentation unasked', async () => {
    assert.equal((await call('WebFetch', { ...guide, url: 'https://docs.python.org/3/' })).result, 'It is a guide.');
  });

  it('follows to www, unless a rule denies that name', async () => {
    const moved = { ...guide, url: 'https://docs.example.test/moved' };
    assert.equal(
      (await call('WebFetch', moved, '--allowedTools', 'WebFetch(domain:docs.example.test)')).result,
      'It is a guide.',
    );
    const { result } = await call(
      'WebFetch',
      moved,
      '--allowedTools',
      'WebFetch(domain:docs.example.test)',
      '--disallowedTools',
      'WebFetch(domain:*.docs.example.test)',
    );
    assert.match(result, /redirects \(301\) to another host: https:\/\/www\.docs\.example\.test\/guide/);
  });

  it('fetches nothing of this machine, whatever rules allow', async () => {
    const { result } = await call(
      'WebFetch',
      { ...guide, url: `https://127.0.0.1:${new URL(server.url).port}/` },
      '--permission-mode',
      'bypassPermissions',
    );
    assert.match(result, /127\.0\.0\.1 is an address of this machine or of the local network/);
    assert.deepEqual(site.tunnels, []);
  });

  it('searches with a rule, and asks without one', async () => {
    assert.match((await call('WebSearch', { query: 'guides' })).result, /--allowedTools "WebSearch"/);
    const { result, small } = await call('WebSearch', { query: 'guides' }, '--allowedTools', 'WebSearch');
    assert.equal(result, 'Links for "guides":\n- A: https://a.test/\n\nFound A.');
    assert.equal(small.length, 1);
  });
});
