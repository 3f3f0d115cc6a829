// The address on this machine that a sign-in comes back to, asked over real HTTP.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { listenForSignIn } from '../../../../src/vscode/mcp/sign-in-listener';

describe('the address that a sign-in comes back to', () => {
  let server: Server;
  const heard: string[] = [];
  before(async () => (server = await listenForSignIn(0, (query) => heard.push(query))));
  after(() => server.close());
  const statusOf = async (path: string): Promise<number | undefined> => {
    const asking = request({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      path,
      agent: false,
    }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  it('outlives an address that is none, and hears the browser after it', async () => {
    assert.equal(await statusOf('//'), 400);
    assert.equal(await statusOf('/other'), 404);
    assert.equal(await statusOf('/callback?code=c&state=s'), 200);
    assert.deepEqual(heard, ['code=c&state=s']);
  });
});
