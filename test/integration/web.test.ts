// The web client inside VS Code, whose own proxy code is under node:http: the judged address is still what is connected to.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type WebOutcome } from '../../src/core/ports/web';
import { isPrivateAddress } from '../../src/node/web/web-address';
import { createWebClient } from '../../src/node/web/web-client';
import { markdownInThread } from '../../src/node/web/web-markdown-thread';

const never = new AbortController().signal;

describe('the web through VS Code', () => {
  let server: Server;
  let base: string;
  let reached = 0;

  before(async () => {
    server = createServer((_request, response) => {
      reached++;
      response.end('hello');
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://pages.example.test:${(server.address() as AddressInfo).port}/`;
  });
  after(() => new Promise<void>((closed) => server.close(() => closed())));

  const get = (isPrivate: (address: string) => boolean): Promise<WebOutcome> =>
    createWebClient({
      version: '1',
      toMarkdown: async () => undefined,
      isPrivate,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    }).fetch({ url: base, headers: {}, maxBytes: 1_000, timeoutMs: 10_000 }, never);

  it('connects to the address that was judged, and to none that is private', async () => {
    const outcome = await get((address) => address !== '127.0.0.1' && isPrivateAddress(address));
    assert.equal(outcome.outcome === 'response' ? Buffer.from(outcome.bytes).toString() : outcome.message, 'hello');
    assert.equal(reached, 1);
    const refused = await get(isPrivateAddress);
    assert.equal(refused.outcome === 'refused' ? refused.code : 'came', 'private');
    assert.equal(reached, 1);
  });

  it("does so when VS Code's proxy settings rule", async () => {
    const configuration = vscode.workspace.getConfiguration('http');
    await configuration.update('proxySupport', 'override', vscode.ConfigurationTarget.Global);
    try {
      const refused = await get(isPrivateAddress);
      assert.equal(refused.outcome === 'refused' ? refused.code : 'came', 'private');
      const outcome = await get((address) => address !== '127.0.0.1' && isPrivateAddress(address));
      assert.equal(outcome.outcome === 'response' ? Buffer.from(outcome.bytes).toString() : outcome.message, 'hello');
    } finally {
      await configuration.update('proxySupport', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('converts pages in a thread of the file that ships', async () => {
    const extension = vscode.extensions.getExtension('deft-agent.deft');
    assert.ok(extension);
    const convert = markdownInThread(path.join(extension.extensionPath, 'dist/web-markdown.js'));
    assert.equal(
      await convert('<h1>A</h1><a href="b">c</a>', 'https://a.test/', never),
      '# A\n\n[c](https://a.test/b)',
    );
  });
});
