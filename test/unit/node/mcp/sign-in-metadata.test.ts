// What is taken from the address that an entry names for its sign-in.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { readSignInMetadata } from '../../../../src/node/mcp/sign-in-metadata';

describe('the metadata of an MCP sign-in (sign-in-metadata)', () => {
  let server: Server;
  let origin: string;
  let issuer: string;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/elsewhere') return void response.writeHead(302, { location: '/metadata' }).end();
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('binds to the origin that it was read from, and refuses an issuer elsewhere', async () => {
    issuer = `${origin}/tenant`;
    assert.equal((await readSignInMetadata('docs', `${origin}/metadata`)).authorizationServerUrl, origin);
    for (const other of ['https://login.example', 'no address']) {
      issuer = other;
      await assert.rejects(
        readSignInMetadata('docs', `${origin}/metadata`),
        /names an issuer that is not at http:.*Fix/,
      );
    }
  });

  it('follows no way that leads elsewhere, and takes no plain http but of this machine', async () => {
    issuer = origin;
    await assert.rejects(readSignInMetadata('docs', `${origin}/elsewhere`), /status 302/);
    for (const url of ['http://login.example/', 'http://localhost:x@login.example/', 'https://', 'file:///x'])
      await assert.rejects(readSignInMetadata('docs', url), /must begin with https/);
  });
});
