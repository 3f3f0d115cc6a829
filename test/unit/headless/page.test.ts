// Page in the built runner with a real browser: planted faults, addresses by rules, and nothing that stays behind.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBrowser } from '../../rig/browser';
import { elsewhere, type FaultyApp, plantedFaults, startFaultyApp } from '../../support/faulty-app';
import { type HeadlessPlace, type HeadlessProcess } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { processesWith } from '../../support/machine-processes';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

interface Block {
  type: string;
  text?: string;
  source?: { media_type: string; data: string };
}

describe('Page in a headless run', function () {
  this.timeout(180_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  let app: FaultyApp;
  let browser: string;
  withHeadlessPlace((...opened) => ([place, server] = opened));
  before(async function () {
    browser = ensureBrowser();
    app = await startFaultyApp();
  });
  after(() => app.close());

  type Next = (last: string) => Record<string, unknown> | undefined;

  /** Calls Page with what `next` gives for each result, until it gives nothing. */
  function script(next: Next): { results: string[]; blocks: Block[][] } {
    const results: string[] = [];
    const blocks: Block[][] = [];
    let calls = 0;
    server.setScript((request) => {
      const { messages } = request.body as { messages: { content: { type: string; content?: unknown }[] }[] };
      const last = messages.at(-1)?.content.find(({ type }) => type === 'tool_result')?.content;
      if (last !== undefined) {
        const parts = (typeof last === 'string' ? [{ type: 'text', text: last }] : last) as Block[];
        blocks.push(parts);
        results.push(parts.map(({ text = '' }) => text).join('\n'));
      }
      const input = next(results.at(-1) ?? '');
      return input === undefined ? reply('Done.') : reply(toolUse('Page', input, `toolu_${++calls}`));
    });
    return { results, blocks };
  }
  const start = (...args: string[]): HeadlessProcess =>
    place.start(['-p', 'Go', '--output-format', 'stream-json', '--verbose', ...args], {
      url: server.url,
      env: { CHROME_PATH: browser },
    });
  async function run(inputs: readonly Record<string, unknown>[], ...args: string[]): Promise<string[]> {
    const left = [...inputs];
    const { results } = script(() => left.shift());
    const end = await start(...args).ended;
    assert.equal(end.code, 0, end.stderr);
    return results;
  }

  it('finds planted faults in six calls each', async () => {
    const found: string[] = [];
    const missed: string[] = [];
    let fault = -1;
    let step = 0;
    let seen: string[] = [];
    const finished = (): void => {
      const planted = plantedFaults[fault];
      if (planted === undefined) return;
      const all = seen.join('\n');
      (planted.found.test(all) ? found : missed).push(`${planted.name}\n${all}`);
    };
    script((last) => {
      if (fault >= 0) seen.push(last);
      const doing = plantedFaults[fault]?.steps[step++];
      if (doing !== undefined) return doing(last);
      finished();
      fault++;
      step = 0;
      seen = [];
      const next = plantedFaults[fault];
      return next && { action: 'open', url: `${app.url}${next.page}` };
    });
    const end = await start().ended;
    assert.equal(end.code, 0, end.stderr);
    assert.ok(plantedFaults.length === 20 && plantedFaults.every(({ steps }) => steps.length < 6));
    assert.deepEqual(missed, []);
    assert.equal(found.length, 20);
  });

  it('shows a picture to the model', async () => {
    const left = [{ action: 'open', url: `${app.url}/total` }, { action: 'screenshot' }];
    const { blocks } = script(() => left.shift());
    assert.equal((await start().ended).code, 0);
    const [image, text] = blocks[1] ?? [];
    assert.equal(image?.type, 'image');
    assert.equal(image.source?.media_type, 'image/jpeg');
    assert.deepEqual([...Buffer.from(image.source.data, 'base64').subarray(0, 3)], [0xff, 0xd8, 0xff]);
    assert.match(text?.text ?? '', /^Page: Shop — http\S+\/total\nThe picture is 1280 × 800 pixels\.$/);
  });

  it('opens local addresses unasked, others by permission only, and what a rule denies not at all', async () => {
    const [local = '', other = ''] = await run([
      { action: 'open', url: `${app.url}/total` },
      { action: 'open', url: `http://${elsewhere}/` },
    ]);
    assert.match(local, /^Page: Shop — /);
    assert.match(other, /^Permission denied: /);
    const port = new URL(app.url).port;
    const [allowed = ''] = await run(
      [{ action: 'open', url: `http://${elsewhere}/` }],
      '--allowedTools',
      `Page(domain:${elsewhere})`,
    );
    assert.match(allowed, /could not be opened: ERR_/);
    const [denied = '', stillLocal = ''] = await run(
      [
        { action: 'open', url: `http://localhost:${port}/total` },
        { action: 'open', url: `${app.url}/total` },
      ],
      '--disallowedTools',
      'Page(domain:localhost)',
    );
    assert.match(denied, /^Permission denied: /);
    assert.match(stillLocal, /^Page: Shop — /);
  });

  it('stops at a redirect that leaves, and goes there if a rule allows it', async () => {
    const calls = [{ action: 'open', url: `${app.url}/leave` }];
    const [stopped = ''] = await run(calls);
    assert.match(stopped, new RegExp(`was not opened[^]*stopped: The page wanted to go to http://${elsewhere}/`));
    const [followed = ''] = await run(calls, '--allowedTools', `Page(domain:${elsewhere})`);
    assert.match(followed, /could not be opened: ERR_/);
  });

  it('keeps a WebSocket of a worker from a host that a rule denies', async () => {
    const upgrades: string[] = [];
    const port = (): number => (sockets.address() as AddressInfo).port;
    const sockets = createServer((_request, response) => {
      const code = `new WebSocket('ws://localhost:${port()}/').onclose = () => postMessage('Closed');`;
      const script = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}]))).onmessage = ({ data }) => (p.textContent = data);`;
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><title>Worker</title><p id="p"></p><script>${script}</script>`);
    });
    sockets.on('upgrade', ({ headers }, socket) => (upgrades.push(headers.host ?? ''), socket.destroy()));
    await new Promise<void>((ready) => sockets.listen(0, ready));
    try {
      /** Opens the page and looks at it until its worker has said that the connection is closed. */
      const open = async (...args: string[]): Promise<void> => {
        let looks = 100;
        const { results } = script((last) => {
          if (last === '') return { action: 'open', url: `http://127.0.0.1:${port()}/` };
          return last.includes('Closed') || looks-- === 0 ? undefined : { action: 'snapshot' };
        });
        const end = await start(...args).ended;
        assert.equal(end.code, 0, end.stderr);
        assert.match(results.at(-1) ?? '', /Closed/);
      };
      await open();
      assert.deepEqual(upgrades, [`localhost:${port()}`]);
      await open('--disallowedTools', 'Page(domain:LOCALHOST.)');
      assert.deepEqual(upgrades, [`localhost:${port()}`], 'none but the first');
    } finally {
      sockets.closeAllConnections();
      sockets.close();
    }
  });

  it('opens no files and needs a page', async () => {
    const [file = '', none = ''] = await run([
      { action: 'open', url: 'file:///etc/hostname' },
      { action: 'screenshot' },
    ]);
    assert.match(file, /Files are not opened\. Serve their folder/);
    assert.match(none, /No page is open\. Open one first/);
  });

  it('leaves no process and no profile, whether the run ends, is interrupted or killed', async () => {
    const profiles = async (): Promise<string[]> =>
      (await readdir(place.temporary)).filter((name) => name.startsWith('deft-page-'));
    const browsers = (): number[] => processesWith(place.temporary);
    for (let round = 0; round < 3; round++) {
      await run([{ action: 'open', url: `${app.url}/total` }, { action: 'screenshot' }]);
      assert.deepEqual([browsers(), await profiles()], [[], []], `round ${round}`);
    }
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      let open = (): void => undefined;
      const opened = new Promise<void>((resolve) => (open = resolve));
      let calls = 0;
      server.setScript(() => {
        if (calls++ === 0) return reply(toolUse('Page', { action: 'open', url: `${app.url}/total` }, 'toolu_1'));
        open();
        return reply(toolUse('Bash', { command: 'sleep 60' }, 'toolu_2'));
      });
      const process = start('--allowedTools', 'Bash');
      await opened;
      assert.ok(browsers().length > 0, signal);
      process.child.kill(signal);
      await process.ended;
      // The browser sees that nobody drives it any more.
      for (let tries = 0; tries < 100 && browsers().length > 0; tries++) await sleep(100);
      assert.deepEqual(browsers(), [], signal);
    }
    // What a killed run could not remove, the next browser does.
    await run([{ action: 'open', url: `${app.url}/total` }]);
    assert.deepEqual([browsers(), await profiles()], [[], []]);
  });
});
