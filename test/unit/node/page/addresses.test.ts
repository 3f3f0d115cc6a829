// Where a page may go and what it may load: rules are held at every request, however it comes about.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type PageFacts, type PageRules, type PageStep, type Pages } from '../../../../src/core/ports/pages';
import { createNodePages } from '../../../../src/node/page/node-pages';
import { ensureBrowser } from '../../../rig/browser';
import { refOf } from '../../../support/faulty-app';

const never = new AbortController().signal;

describe('the addresses of a page', function () {
  this.timeout(120_000);
  let pages: Pages;
  let own: Server;
  let other: Server;
  /** Of the other server, by path. */
  let reached: string[];
  let home = '';
  let away = '';

  const sockets = (): string => away.replace('http', 'ws');
  const socketPage = (): string => `<p id="p">Waits</p><script>
    const socket = new WebSocket('${sockets()}/socket');
    socket.onmessage = ({ data }) => (p.textContent = 'Got ' + data);
    socket.onclose = ({ code }) => (p.textContent = 'Closed ' + code);</script>`;

  const workerCode = (): string => `const socket = new WebSocket('${sockets()}/worker-socket');
    socket.onmessage = ({ data }) => postMessage('Got ' + data);
    socket.onclose = ({ code }) => postMessage('Closed ' + code);`;

  const bodies = (): Record<string, string> => ({
    '/link': `<a href="${away}/link">Go</a>`,
    '/tab': `<a target="_blank" href="${away}/tab">Go</a>`,
    '/script': `<button onclick="location.href='${away}/script'">Go</button>`,
    '/form': `<form method="post" action="${away}/form"><button>Go</button></form>`,
    '/later': `<button onclick="setTimeout(() => location.assign('${away}/later'), 100)">Go</button>`,
    '/refresh': `<meta http-equiv="refresh" content="0;url=${away}/refresh">Wait`,
    '/top': `<iframe src="${home}/inner-top"></iframe>`,
    '/inner-top': `<script>top.location = '${away}/top';</script>`,
    '/frame': `<iframe title="inner" src="${away}/frame"></iframe>`,
    '/image': `<img alt="x" src="${away}/image.png">`,
    '/fetch': `<script>fetch('${away}/fetch', { mode: 'no-cors' });</script>`,
    '/worker': `<script>new Worker('/worker.js');</script>`,
    '/socket-worker': `<p id="p">Waits</p><script>
      new Worker('/socket-worker.js').onmessage = ({ data }) => (p.textContent = data);</script>`,
    '/socket-blob': `<p id="p">Waits</p><script>
      const code = new Blob([${JSON.stringify(workerCode())}]);
      new Worker(URL.createObjectURL(code)).onmessage = ({ data }) => (p.textContent = data);</script>`,
    '/socket': socketPage(),
    '/socket-frame': `<iframe title="inner" src="/socket"></iframe>`,
    '/socket-late': `<script>onload = () => document.body.append(document.createElement('iframe'));
      setTimeout(() => new frames[0].WebSocket('${sockets()}/late'), 100);</script>`,
  });

  const listen = async (server: Server): Promise<number> => {
    await new Promise<void>((ready) => server.listen(0, ready));
    return (server.address() as AddressInfo).port;
  };

  before(async () => {
    const chosen = ensureBrowser();
    pages = createNodePages({ search: async () => ({ chosen, environment: process.env }) });
    own = createServer((request, response) => {
      const path = request.url ?? '/';
      if (path === '/redirect') return response.writeHead(302, { location: `${away}/redirect` }).end();
      if (path === '/worker.js')
        return response
          .setHeader('content-type', 'text/javascript')
          .end(`fetch('${away}/worker', { mode: 'no-cors' });`);
      if (path === '/socket-worker.js') return response.setHeader('content-type', 'text/javascript').end(workerCode());
      const body = bodies()[path] ?? 'Nothing';
      return response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Own</title>${body}`);
    });
    other = createServer((request, response) => {
      reached.push(request.url ?? '');
      response
        .setHeader('content-type', 'text/html')
        .end(`<title>Other</title>Elsewhere<script>fetch('/inner-fetch');</script>`);
    });
    // The handshake of RFC 6455, and one text.
    other.on('upgrade', (request, socket) => {
      reached.push(request.url ?? '');
      const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.on('error', () => undefined);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.write(Buffer.from([0x81, 5, ...Buffer.from('hello')]));
    });
    home = `http://127.0.0.1:${await listen(own)}`;
    // Another site, so that its frames are processes of their own.
    away = `http://localhost:${await listen(other)}`;
  });
  beforeEach(() => (reached = []));
  after(async () => {
    await pages.dispose();
    for (const server of [own, other]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const isAway = (url: string): boolean => url.startsWith(away);
  const homeOnly: PageRules = { mayGo: (url) => !isAway(url), mayLoad: () => true, deniedHosts: [] };
  const denied: PageRules = { mayGo: (url) => !isAway(url), mayLoad: (url) => !isAway(url), deniedHosts: [] };
  const free: PageRules = { mayGo: () => true, mayLoad: () => true, deniedHosts: [] };

  async function step(one: PageStep, rules: PageRules): Promise<PageFacts> {
    const outcome = await pages.run({ session: 's', step: one, rules }, never);
    return outcome.outcome === 'done' ? outcome.facts : assert.fail(JSON.stringify(outcome));
  }
  const go = (path: string, rules: PageRules): Promise<PageFacts> =>
    step({ action: 'open', url: `${home}${path}` }, rules);
  /** Workers take their time, and no request of theirs is waited for. */
  const says = async (text: RegExp, rules: PageRules): Promise<void> => {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const { tree } = await step({ action: 'look' }, rules);
      if (text.test(tree)) return;
      if (Date.now() > deadline) assert.fail(tree);
    }
  };
  const stopped = ({ events }: PageFacts): string[] =>
    events.flatMap(({ kind, text }) => (kind === 'stopped' ? [text] : []));

  for (const path of ['/link', '/tab', '/script', '/form', '/later'])
    it(`a click that leaves is stopped: ${path}`, async () => {
      const { tree } = await go(path, homeOnly);
      const facts = await step({ action: 'click', ref: refOf(tree, /"Go"/) }, homeOnly);
      assert.equal(stopped(facts).length, 1, JSON.stringify(facts));
      assert.match(stopped(facts)[0] ?? '', new RegExp(`${away}${path}, which no rule allows`));
      assert.deepEqual(reached, []);
      assert.equal(facts.address, `${home}${path}`, 'the page is still there');
    });

  it('a click that leaves goes there where the rules allow it', async () => {
    const { tree } = await go('/link', homeOnly);
    const facts = await step({ action: 'click', ref: refOf(tree, /"Go"/) }, free);
    assert.deepEqual([stopped(facts), facts.address, reached[0]], [[], `${away}/link`, '/link']);
  });

  for (const path of ['/refresh', '/top'])
    it(`a page that leaves by itself is stopped: ${path}`, async () => {
      const facts = await go(path, homeOnly);
      assert.equal(stopped(facts).length, 1, JSON.stringify(facts));
      assert.deepEqual([reached, facts.address], [[], `${home}${path}`]);
    });

  it('a redirect that leaves is stopped before it is followed', async () => {
    const outcome = await pages.run(
      { session: 's', step: { action: 'open', url: `${home}/redirect` }, rules: homeOnly },
      never,
    );
    assert.equal(outcome.outcome === 'refused' && outcome.code, 'stopped');
    assert.deepEqual(reached, []);
  });

  for (const [path, wanted] of Object.entries({
    '/frame': ['/frame', '/inner-fetch'],
    '/image': ['/image.png'],
    '/fetch': ['/fetch'],
    '/worker': ['/worker'],
  }))
    it(`parts of a page are loaded unless a rule denies their host: ${path}`, async () => {
      const facts = await go(path, homeOnly);
      assert.deepEqual([reached, stopped(facts)], [wanted, []]);
      reached = [];
      await go(path, denied);
      assert.deepEqual(reached, []);
    });

  for (const path of ['/socket', '/socket-frame'])
    it(`a WebSocket connects unless a rule denies its host: ${path}`, async () => {
      await go(path, homeOnly);
      const { tree } = await step({ action: 'look' }, homeOnly);
      assert.match(tree, /Got hello/);
      assert.deepEqual(reached, ['/socket']);
      reached = [];
      const facts = await go(path, denied);
      assert.deepEqual(stopped(facts), [
        `The page wanted to connect to ${sockets()}/socket, which a rule denies: it was stopped.`,
      ]);
      assert.match((await step({ action: 'look' }, denied)).tree, /Closed 1008/);
      assert.deepEqual(reached, []);
    });

  for (const path of ['/socket-worker', '/socket-blob'])
    it(`a WebSocket of a worker connects unless a rule denies its host: ${path}`, async () => {
      await go(path, homeOnly);
      await says(/Got hello/, homeOnly);
      assert.deepEqual(reached, ['/worker-socket']);
      reached = [];
      const hostDenied = { ...denied, deniedHosts: ['localhost'] };
      await go(path, hostDenied);
      await says(/Closed 1006/, hostDenied);
      assert.deepEqual(reached, []);
    });

  it('rules that deny hosts hold for a page that is open: its browser is ended, and the next one has them', async () => {
    await go('/socket-worker', homeOnly);
    await says(/Got hello/, homeOnly);
    const hostDenied = { ...denied, deniedHosts: ['*.example.test', 'localhost'] };
    const outcome = await pages.run({ session: 's', step: { action: 'look' }, rules: hostDenied }, never);
    assert.deepEqual(outcome, {
      outcome: 'refused',
      code: 'no-page',
      message: 'Rules that deny hosts have changed, so the browser was ended. Open the page again.',
      events: [],
    });
    reached = [];
    await go('/socket-worker', hostDenied);
    await says(/Closed 1006/, hostDenied);
    assert.deepEqual(reached, []);
  });

  it('a WebSocket of a frame that a script has made is held to the rules too', async () => {
    await go('/socket-late', denied);
    await step({ action: 'look' }, denied);
    assert.deepEqual(reached, []);
    await go('/socket-late', free);
    await step({ action: 'look' }, free);
    assert.deepEqual(reached, ['/late']);
  });

  it('a frame of another site is held to the rules in all that it loads itself', async () => {
    await go('/frame', { ...homeOnly, mayLoad: (url) => !url.endsWith('/inner-fetch') });
    assert.deepEqual(reached, ['/frame']);
  });
});
