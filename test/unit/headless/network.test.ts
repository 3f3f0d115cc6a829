// The built runner on networks as they are: a proxy, a certificate of one's own, a server that goes away, a model that declines.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { selfSigned } from '../../support/certificate';
import { passOn } from '../../support/forward-proxy';
import { createHeadlessPlace, jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { httpError, reply, toolUse, withFields } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { startProxiedSite } from '../../support/web-proxy-server';

describe('headless on the network', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  beforeEach(async () => {
    place = await createHeadlessPlace();
    server = await startMessagesApi([]);
  });
  afterEach(async () => {
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });

  it('goes through HTTPS_PROXY, and trusts what NODE_EXTRA_CA_CERTS holds', async () => {
    server.setScript([reply('Through.')]);
    const certificate = selfSigned(['api.example.test']);
    const ca = path.join(place.home, 'ca.pem');
    await writeFile(ca, certificate.cert);
    const site = await startProxiedSite(
      certificate,
      passOn(() => server.url),
    );
    const url = 'https://api.example.test';
    const refused = await place.run(['-p', 'Hi'], { url, env: { HTTPS_PROXY: site.proxy } });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /The certificate of api\.example\.test is not trusted/);
    const end = await place.run(['-p', 'Hi'], { url, env: { HTTPS_PROXY: site.proxy, NODE_EXTRA_CA_CERTS: ca } });
    assert.deepEqual([end.code, end.stdout.trim()], [0, 'Through.']);
    assert.ok(site.tunnels.every(({ target }) => target === 'api.example.test:443'));
    site.close();
  });

  it('waits for a server that went away in the middle, and runs nothing twice', async () => {
    const { port } = new URL(server.url);
    const log = path.join(place.workspace, 'log.txt');
    server.setScript([
      reply(toolUse('Bash', { command: `echo once >> ${log}; until [ -e ${log}.go ]; do sleep 0.05; done` })),
    ]);
    const run = place.start(['-p', 'Go', '--allowedTools', 'Bash', '--output-format', 'stream-json'], {
      url: server.url,
    });
    await (
      await server.waitForRequest(1)
    ).ended;
    await server.close();
    await writeFile(`${log}.go`, '');
    await run.said('"subtype":"offline"');
    server = await startMessagesApi([reply('Back.')], { port: Number(port) });
    const end = await run.ended;
    assert.equal(end.code, 0, end.stderr);
    assert.match(
      end.stderr,
      /No connection to 127\.0\.0\.1:\d+: nothing answers there \(ECONNREFUSED\)\. The run continues when the connection is back/,
    );
    const lines = jsonLines(end.stdout);
    assert.deepEqual(
      lines.filter(({ subtype }) => subtype === 'api_retry'),
      [],
    );
    assert.equal(lines.at(-1)?.['result'], 'Back.');
    const history = JSON.stringify(server.requests[0]?.body['messages']);
    assert.equal(history.split('"tool_result"').length, 2, 'one call, one result');
  });

  it('asks the models of --fallback-model by itself, and says so', async () => {
    const declined = withFields(reply('I'), {
      stopReason: 'refusal',
      stopDetails: { type: 'refusal', category: 'bio', explanation: null },
    });
    server.setScript([httpError(404, 'not_found_error', 'model: claude-opus-5'), declined, reply('Sure.')]);
    const end = await place.run(
      [
        '-p',
        'Hi',
        '--model',
        'claude-opus-5',
        '--fallback-model',
        'claude-sonnet-5,claude-opus-4-8',
        '--output-format',
        'stream-json',
      ],
      { url: server.url },
    );
    assert.equal(end.code, 0, end.stderr);
    assert.deepEqual(
      server.requests.map(({ body }) => body['model']),
      ['claude-opus-5', 'claude-sonnet-5', 'claude-opus-4-8'],
    );
    const fallbacks = jsonLines(end.stdout).filter(({ subtype }) => subtype === 'model_fallback');
    assert.deepEqual(
      fallbacks.map(({ from_model, to_model, reason }) => [from_model, to_model, reason]),
      [
        ['claude-opus-5', 'claude-sonnet-5', 'not_found'],
        ['claude-sonnet-5', 'claude-opus-4-8', 'refusal'],
      ],
    );
    assert.match(
      end.stderr,
      /The model declined to answer \(bio\)\. claude-opus-4-8 answers instead of claude-sonnet-5/,
    );
  });

  it('prints nothing of what a model began to say before it declined, whatever id the next reply has', async () => {
    const declined = withFields(reply('I will'), { stopReason: 'refusal', id: 'msg_same' });
    server.setScript([
      declined,
      withFields(reply('Hello there.'), { id: 'msg_same' }),
      withFields(reply('I could'), { stopReason: 'refusal' }),
    ]);
    const end = await place.run(['-p', 'Hi', '--fallback-model', 'sonnet', '--output-format', 'json'], {
      url: server.url,
    });
    assert.equal(jsonLines(end.stdout)[0]?.['result'], 'Hello there.', end.stderr);
    const alone = await place.run(['-p', 'Hi', '--output-format', 'json'], { url: server.url });
    assert.equal(jsonLines(alone.stdout)[0]?.['result'], '', alone.stderr);
  });

  it('asks no other model after a refusal where only the settings name one', async () => {
    await writeFile(path.join(place.workspace, 'own.json'), JSON.stringify({ fallbackModel: 'sonnet' }));
    server.setScript([withFields(reply('I'), { stopReason: 'refusal' })]);
    const end = await place.run(['-p', 'Hi', '--settings', 'own.json'], { url: server.url });
    assert.equal(end.code, 1);
    assert.match(end.stderr, /The model declined to answer/);
    assert.equal(server.requests.length, 1);
  });
});
