// Signing in to a real server that wants it: codes with PKCE, the state that is checked, refresh, and where tokens are kept.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type McpServerEntry } from '../../../../src/core/ports/mcp';
import { createMcpServers, type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import { mcpTimes, type McpTimes } from '../../../../src/core/mcp/limits';
import { createSignIns, type SignIns, type SignInWindow } from '../../../../src/vscode/mcp/sign-in';
import { type OAuthServer, startOAuthServer, visitSignIn } from '../../../support/mcp/oauth-server';

const never = new AbortController().signal;
const redirect = 'vscode://deft-agent.deft/mcp-sign-in';

describe('signing in to an MCP server', () => {
  let server: OAuthServer;
  let running: RunningMcpServers;
  let signIns: SignIns;
  let stored: Map<string, string>;
  let entry: McpServerEntry;
  let folder: string;
  let times: McpTimes;
  /** What the browser does with the page. */
  let browse: (url: string) => Promise<void>;

  const open = (way: Partial<SignInWindow> = {}): void => {
    const window: SignInWindow = {
      plainRedirect: redirect,
      folder: () => folder,
      open: async (url) => void browse(url).catch(assert.fail),
      wayBack: async (_server, _port, _cameBack, signal) => ({ redirect, signal, dispose: () => undefined }),
      discovery: async () => undefined,
      ...way,
    };
    signIns = createSignIns({
      secrets: {
        get: async (key) => stored.get(key),
        store: async (key, value) => void stored.set(key, value),
        delete: async (key) => void stored.delete(key),
      },
      window,
    });
    running = createMcpServers({
      configuration: async () => ({ entries: [entry], problems: [] }),
      standing: () => ({ kind: 'allowed' }),
      times,
      projectFolder: undefined,
      folders: () => [],
      environment: async () => process.env,
      version: '1',
      auth: signIns.of,
    });
  };
  const state = (): string | undefined => running.list()[0]?.state.kind;
  const signIn = (signal = never): Promise<string | undefined> =>
    signIns.during(entry, signal, (cancel) => running.signIn('private', cancel));
  const call = async (): Promise<unknown> => running.callTool('private', 'whoami', {}, { signal: never });
  const answered = { outcome: 'answered', content: [{ type: 'text', text: 'You are signed in.' }], isError: false };

  beforeEach(async () => {
    server = await startOAuthServer();
    stored = new Map();
    folder = 'file:///one';
    times = mcpTimes;
    entry = {
      name: 'private',
      scope: 'user',
      config: { type: 'http', url: server.url, headers: {} },
      alwaysLoad: false,
      written: '{}',
    };
    browse = async (url) => signIns.cameBack((await visitSignIn(url)).search.slice(1));
    open();
    await running.settled(10_000, never);
  });
  afterEach(async () => {
    await running.dispose();
    await server.close();
  });

  it('is asked for, registers, and comes back with a code', async () => {
    assert.equal(state(), 'needs-sign-in');
    assert.equal(await signIn(), undefined);
    assert.equal(state(), 'connected');
    assert.deepEqual(
      server.registrations.map(({ redirect_uris: uris }) => uris),
      [[redirect]],
    );
    assert.deepEqual(await call(), answered);
    assert.equal(signIns.isSignedIn(entry), true);
    // For redaction: nothing may show them.
    assert.ok(signIns.secrets().some((token) => token.startsWith('access-')));
  });

  it('holds in the next window, and refreshes a token that ran out', async () => {
    await signIn();
    await running.dispose();
    browse = async () => assert.fail('the browser is not needed');
    open();
    await running.settled(10_000, never);
    assert.equal(state(), 'connected');
    server.expireTokens();
    assert.deepEqual(await call(), answered);
    assert.deepEqual(server.grants, ['authorization_code', 'refresh_token']);
  });

  it('takes no answer with another state', async () => {
    let wrong = '';
    browse = async (url) => {
      const back = await visitSignIn(url);
      const right = back.search.slice(1);
      back.searchParams.set('state', 'x'.repeat(32));
      wrong = back.search.slice(1);
      signIns.cameBack(wrong);
      signIns.cameBack('code=stolen');
      assert.equal(state(), 'connecting');
      signIns.cameBack(right);
    };
    assert.equal(await signIn(), undefined);
    assert.notEqual(wrong, '');
    assert.equal(state(), 'connected');
  });

  it('says that it was refused', async () => {
    server.refuseNext();
    assert.match((await signIn()) ?? '', /refused: access_denied/);
    const status = running.list()[0]?.state;
    assert.ok(status?.kind === 'failed' && /refused: access_denied/.test(status.why), JSON.stringify(status));
    assert.equal(signIns.isSignedIn(entry), false);
  });

  it('ends when the user gives up', async () => {
    const abort = new AbortController();
    browse = async () => abort.abort();
    assert.notEqual(await signIn(abort.signal), undefined);
    assert.equal(signIns.isSignedIn(entry), false);
  });

  it('is forgotten on signing out', async () => {
    await signIn();
    await running.signOut('private');
    assert.equal(state(), 'needs-sign-in');
    assert.equal(signIns.isSignedIn(entry), false);
    assert.doesNotMatch(JSON.stringify([...stored]), /access-|refresh-/);
  });

  it('is offered again for a call that needs more rights, while the others work', async () => {
    await signIn();
    server.callsNeed('write');
    const refused = await call();
    assert.match(JSON.stringify(refused), /more rights than the sign-in granted \(write\).*Sign in/);
    assert.deepEqual(running.list()[0]?.state, { kind: 'connected', wantsRights: true });
    assert.equal(await signIn(), undefined);
    assert.deepEqual(running.list()[0]?.state, { kind: 'connected' });
    assert.deepEqual(await call(), answered);
    assert.equal(server.registrations.length, 1);
  });

  it('is asked for where a token that held so far is refused in the middle', async () => {
    await signIn();
    server.revokeAll();
    assert.match(JSON.stringify(await call()), /must sign in/);
    assert.equal(state(), 'needs-sign-in');
    assert.equal(await signIn(), undefined);
    assert.deepEqual(await call(), answered);
  });

  it('alone registers a client: never a connection in the background, also where what is stored belongs to another place', async () => {
    await signIn();
    const [key, text] = [...stored][0] ?? assert.fail('nothing is stored');
    const kept = JSON.parse(text) as { client: { information: object }; tokens: object };
    const elsewhere = { issuer: 'https://elsewhere.example' };
    stored.set(
      key,
      JSON.stringify({
        ...kept,
        client: { ...kept.client, information: { ...kept.client.information, ...elsewhere } },
      }),
    );
    server.expireTokens();
    browse = async () => assert.fail('the browser is not opened');
    await running.reconnect('private');
    assert.equal(state(), 'needs-sign-in');
    assert.equal(server.registrations.length, 1);
    browse = async (url) => signIns.cameBack((await visitSignIn(url)).search.slice(1));
    assert.equal(await signIn(), undefined);
    assert.equal(server.registrations.length, 2);
  });

  it('is asked for again once the server knows no token any more', async () => {
    await signIn();
    server.revokeAll();
    await running.reconnect('private');
    assert.equal(state(), 'needs-sign-in');
  });

  it('gives nothing of it to the same address in another scope, another project, or with another sign-in', async () => {
    await signIn();
    const { config } = entry;
    assert.ok(config.type === 'http');
    const tokensOf = (other: Partial<McpServerEntry>): unknown => signIns.of({ ...entry, ...other })?.tokens();
    assert.notEqual(await tokensOf({}), undefined);
    assert.notEqual(await tokensOf({ name: 'renamed' }), undefined);
    assert.equal(await tokensOf({ scope: 'project' }), undefined);
    assert.equal(
      await tokensOf({ config: { ...config, oauth: { authServerMetadataUrl: 'https://evil.example/metadata' } } }),
      undefined,
    );
    await signIns
      .of({ ...entry, scope: 'project' })
      ?.saveTokens({ access_token: 'access-project', token_type: 'Bearer' });
    assert.notEqual(await tokensOf({ scope: 'project' }), undefined);
    folder = 'file:///two';
    assert.equal(await tokensOf({ scope: 'project' }), undefined);
    assert.notEqual(await tokensOf({}), undefined);
  });

  it('registers no client and opens no browser from the background', async () => {
    await signIn();
    await signIns.of(entry)?.invalidateCredentials?.('client');
    server.expireTokens();
    browse = async () => assert.fail('nobody asked for the browser');
    await running.reconnect('private');
    assert.equal(state(), 'needs-sign-in');
    assert.equal(server.registrations.length, 1);
  });

  it('keeps two sign-ins at once apart', async () => {
    await running.dispose();
    open({
      wayBack: async (_server, _port, _cameBack, signal) => ({
        redirect: 'https://tunnel.example/callback',
        signal,
        dispose: () => undefined,
      }),
    });
    const other: McpServerEntry = { ...entry, scope: 'project' };
    const both = [entry, other].map((one) => signIns.of(one)).filter((one) => one !== undefined);
    const states = await Promise.all(both.map((one) => one.state?.()));
    both.forEach((one, index) => void one.saveCodeVerifier(`verifier-${index}`));
    assert.deepEqual(await Promise.all(both.map((one) => one.codeVerifier())), ['verifier-0', 'verifier-1']);
    states.forEach((text, index) => signIns.cameBack(`state=${text}&code=code-${index}`));
    assert.deepEqual(await Promise.all(both.map((one) => one.authorizationCode(never))), ['code-0', 'code-1']);
    await signIns.during(other, never, async () => {
      assert.deepEqual(
        [other, entry].map((one) => signIns.of(one)?.redirectUrl),
        ['https://tunnel.example/callback', redirect],
      );
      return undefined;
    });
  });

  it('waits for the user beyond the time to connect', async () => {
    await running.dispose();
    times = { ...mcpTimes, connectMs: 1_500 };
    let opened = 0;
    open({
      open: async (url) => {
        opened++;
        // The editor asks first, and the user reads: longer than the limit, which is what is tested.
        await pause(2_000);
        await browse(url);
      },
    });
    await running.settled(10_000, never);
    assert.equal(await signIn(), undefined);
    assert.equal(opened, 1);
    assert.equal(state(), 'connected');
  });

  it('is not tried again where the browser was not opened, and says why', async () => {
    await running.dispose();
    let opened = 0;
    open({ open: async () => Promise.reject(new Error(`The browser was not opened ${++opened}.`)) });
    await running.settled(10_000, never);
    assert.equal(await signIn(), 'The browser was not opened 1.');
    assert.deepEqual(running.list()[0]?.state, { kind: 'failed', why: 'The browser was not opened 1.' });
    assert.equal(opened, 1);
  });

  it('registers anew where the browser comes back to another address', async () => {
    await signIn();
    await running.signOut('private');
    await running.dispose();
    const other = 'https://tunnel.example/callback';
    open({
      wayBack: async (_server, _port, _cameBack, signal) => ({ redirect: other, signal, dispose: () => undefined }),
    });
    await running.settled(10_000, never);
    assert.equal(await signIn(), undefined);
    assert.deepEqual(
      server.registrations.map(({ redirect_uris: uris }) => uris),
      [[redirect], [other]],
    );
  });
});
