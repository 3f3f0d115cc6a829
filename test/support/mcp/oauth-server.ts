// An MCP server over HTTP that wants a sign-in, with its authorisation server: registration, codes with PKCE, tokens that expire.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface OAuthServer {
  /** Of the MCP server. */
  readonly url: string;
  readonly registrations: Record<string, unknown>[];
  /** The kinds of grants that tokens were given for. */
  readonly grants: string[];
  /** All access tokens are refused from now on. */
  expireTokens(): void;
  /** Refresh tokens too. */
  revokeAll(): void;
  /** Tools may be called only with this scope from now on: others get 403. */
  callsNeed(scope: string): void;
  /** What the next user says at the page. */
  refuseNext(): void;
  close(): Promise<void>;
}

/** Plays the browser: the address that the sign-in page leads back to. */
export async function visitSignIn(url: string): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (response.status !== 302 || location === null)
    throw new Error(`The page answers ${response.status}: ${await response.text()}`);
  return new URL(location);
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const signIn = new SignInServer();
  const server = createServer((request, response) => void signIn.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  signIn.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${signIn.base}/mcp`,
    registrations: signIn.registrations,
    grants: signIn.grants,
    expireTokens: () => signIn.expireTokens(),
    revokeAll: () => signIn.revokeAll(),
    callsNeed: (scope) => signIn.callsNeed(scope),
    refuseNext: () => signIn.refuseNext(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The MCP server and its authorisation server; both answer at `base`. */
class SignInServer {
  readonly registrations: Record<string, unknown>[] = [];
  readonly grants: string[] = [];
  base = '';
  /** Their redirect addresses. */
  readonly #clients = new Map<string, string[]>();
  readonly #codes = new Map<string, { challenge: string; client: string; redirect: string; scope: string }>();
  /** Tokens and their scope. */
  readonly #access = new Map<string, string>();
  readonly #refresh = new Set<string>();
  #refused = false;
  #neededForCalls = '';

  expireTokens(): void {
    this.#access.clear();
  }

  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  callsNeed(scope: string): void {
    this.#neededForCalls = scope;
  }

  refuseNext(): void {
    this.#refused = true;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.base);
    switch (url.pathname) {
      case '/mcp':
        return this.#mcp(request, response);
      case '/.well-known/oauth-protected-resource/mcp':
        return json(response, 200, { resource: `${this.base}/mcp`, authorization_servers: [this.base] });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: this.base,
          authorization_endpoint: `${this.base}/authorize`,
          token_endpoint: `${this.base}/token`,
          registration_endpoint: `${this.base}/register`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      case '/register': {
        const registration = JSON.parse(await bodyOf(request)) as { redirect_uris: string[] };
        this.registrations.push(registration);
        const client = randomUUID();
        this.#clients.set(client, registration.redirect_uris);
        return json(response, 201, { ...registration, client_id: client });
      }
      case '/authorize':
        return this.#authorize(url.searchParams, response);
      case '/token':
        return this.#token(new URLSearchParams(await bodyOf(request)), response);
      default:
        response.writeHead(404).end();
    }
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirect = query.get('redirect_uri') ?? '';
    const client = query.get('client_id') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    if (this.#clients.get(client)?.includes(redirect) !== true)
      return json(response, 400, { error: 'The client did not register this address.' });
    if (query.get('code_challenge_method') !== 'S256' || challenge === '' || query.get('response_type') !== 'code')
      return json(response, 400, { error: 'PKCE is needed.' });
    const back = new URL(redirect);
    back.searchParams.set('state', query.get('state') ?? '');
    if (this.#refused) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.#codes.set(code, { challenge, client, redirect, scope: query.get('scope') ?? '' });
      back.searchParams.set('code', code);
    }
    this.#refused = false;
    response.writeHead(302, { location: back.href }).end();
  }

  #token(form: URLSearchParams, response: ServerResponse): void {
    if (form.get('grant_type') === 'refresh_token') {
      return this.#refresh.delete(form.get('refresh_token') ?? '')
        ? this.#grant(response, 'refresh_token')
        : json(response, 400, { error: 'invalid_grant' });
    }
    const found = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      found === undefined ||
      found.challenge !== challenge ||
      found.client !== form.get('client_id') ||
      found.redirect !== form.get('redirect_uri')
    )
      return json(response, 400, { error: 'invalid_grant' });
    this.#grant(response, 'authorization_code', found.scope);
  }

  #grant(response: ServerResponse, grant: string, scope = ''): void {
    this.grants.push(grant);
    const [token, again] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.set(token, scope);
    this.#refresh.add(again);
    json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: again });
  }

  async #mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const scope = this.#access.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    const metadata = `resource_metadata="${this.base}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined)
      return json(response, 401, { error: 'invalid_token' }, { 'www-authenticate': `Bearer ${metadata}` });
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await bodyOf(request)) as {
      id?: number;
      method: string;
      params: { protocolVersion?: string };
    };
    if (method === 'tools/call' && !scope.includes(this.#neededForCalls))
      return json(
        response,
        403,
        { error: 'insufficient_scope' },
        { 'www-authenticate': `Bearer error="insufficient_scope", scope="${this.#neededForCalls}", ${metadata}` },
      );
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'private', version: '1' },
      },
      'tools/list': {
        tools: [{ name: 'whoami', description: 'Says who is signed in.', inputSchema: { type: 'object' } }],
      },
      'tools/call': { content: [{ type: 'text', text: 'You are signed in.' }] },
      ping: {},
    };
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      ...(results[method] === undefined
        ? { error: { code: -32601, message: 'No such method' } }
        : { result: results[method] }),
    });
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
