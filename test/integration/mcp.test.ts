// MCP servers in a real window: those of a project wait for the user, a changed entry asks again, and what a server asks reaches the chat that called.
import { defined } from '../../src/shared/defined';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type McpElicitation, type McpPeople } from '../../src/core/ports/mcp';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { createSystemClock } from '../../src/node/system-clock';
import { editorTools, leftOutTools } from '../../src/vscode/mcp/editor-tools';
import { createMcpConsent } from '../../src/vscode/mcp/mcp-consent';
import { createMcpFiles } from '../../src/vscode/mcp/mcp-files';
import { createSignIns } from '../../src/vscode/mcp/sign-in';
import { createSignInWindow, type PasteField } from '../../src/vscode/mcp/sign-in-window';
import { createMcpInputs } from '../../src/vscode/mcp/mcp-inputs';
import { WindowMcp } from '../../src/vscode/mcp/window-mcp';
import { createAgreements } from '../../src/vscode/session/agreements';
import { RuleSource } from '../../src/vscode/session/rule-source';
import { type McpServerRow } from '../../src/shared/mcp-view';
import { getTools } from '../../src/core/tools/registry';
import { REQUEST_VARIABLE } from '../rig/in-host-records';
import { startOAuthServer, visitSignIn } from '../support/mcp/oauth-server';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { reply, text, toolUse } from '../support/messages-api/script';
import { closeAll, until } from './workspace-file';

const never = new AbortController().signal;
/** The request of the run lies inside the project, where the reference servers are installed. */
const require = createRequire(process.env[REQUEST_VARIABLE] ?? assert.fail('the run has no request'));
const everything = path.join(
  path.dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

describe('MCP servers of a window', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('the window has no folder');
  const projectFile = path.join(root, '.mcp.json');
  const editorFile = path.join(root, '.vscode', 'mcp.json');
  const home = mkdtempSync(path.join(os.tmpdir(), 'deft-mcp-'));
  const shared = path.join(home, '.claude.json');
  const memory = () => {
    const values = new Map<string, unknown>();
    return {
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  };
  const secrets = () => {
    const values = new Map<string, string>();
    return {
      get: async (key: string) => values.get(key),
      store: async (key: string, value: string) => void values.set(key, value),
      delete: async (key: string) => void values.delete(key),
    };
  };
  /** What the user types into VS Code's boxes. */
  let answers: Record<string, string> = {};
  let storage = secrets();
  let consent = createMcpConsent(memory(), memory());
  const opened: { dispose(): unknown }[] = [];
  let trusted = true;
  let opensInBrowser = (_url: string): void => assert.fail('nothing opens the browser');
  const confirmed: string[] = [];
  let paste: PasteField | undefined;

  const openWindow = (managedFolder?: string): WindowMcp => {
    const rules = new RuleSource({
      files: createNodeFileSystem(),
      agreements: createAgreements(memory()),
      ...defined({ managedFolder }),
    });
    const mcp = new WindowMcp({
      rules,
      consent,
      files: createMcpFiles({
        files: createNodeFileSystem(),
        home,
        environment: {},
        folders: () => [root],
        localSettings: () => rules.current().savesTo,
        confirm: async (question) => {
          confirmed.push(question);
          return true;
        },
      }),
      signIns: createSignIns({
        secrets: secrets(),
        window: { ...createSignInWindow('deft-agent.deft', paste), open: async (url) => opensInBrowser(url) },
      }),
      inputs: createMcpInputs(storage, async (_server, { id }) => answers[id]),
      environment: async () => process.env,
      secrets: () => [],
      model: createScriptedModel([reply(text('The model says hello.'))]),
      clock: createSystemClock(),
      smallModel: () => 'small',
      version: '1',
      trusted: () => trusted,
      home,
      variables: { ...process.env, CLAUDE_CONFIG_DIR: undefined },
    });
    opened.push(mcp, rules);
    return mcp;
  };
  const row = (mcp: WindowMcp, name: string): McpServerRow | undefined => mcp.rows().find((one) => one.name === name);
  const state = (mcp: WindowMcp, name: string): string | undefined => row(mcp, name)?.state;
  const reaches = (mcp: WindowMcp, name: string, wanted: string | undefined): Promise<void> =>
    until(`${name} is ${wanted}`, () => state(mcp, name) === wanted);
  const act = async (
    mcp: WindowMcp,
    name: string,
    action: Parameters<WindowMcp['act']>[2],
  ): Promise<string | undefined> => mcp.act(name, row(mcp, name)?.fingerprint ?? '', action);
  const project = (...args: string[]): void =>
    writeFileSync(
      projectFile,
      JSON.stringify({
        mcpServers: {
          all: {
            command: process.execPath,
            args: [everything, ...args],
            env: { ELECTRON_RUN_AS_NODE: '1' },
            alwaysLoad: true,
          },
        },
      }),
    );
  const nobody: McpPeople = {
    elicit: async () => assert.fail('nobody is asked'),
    allowSampling: async () => assert.fail('nobody is asked'),
  };

  beforeEach(() => {
    consent = createMcpConsent(memory(), memory());
    storage = secrets();
    answers = {};
    paste = undefined;
    trusted = true;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.dispose()));
    for (const file of [projectFile, shared, editorFile]) rmSync(file, { force: true });
    await closeAll();
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it('of a project wait for approval, run then, and ask again once their entry has changed', async () => {
    project();
    const mcp = openWindow();
    assert.deepEqual(mcp.rows(), [], 'nothing is read before the first session');
    mcp.start();
    await reaches(mcp, 'all', 'unapproved');
    const seen = row(mcp, 'all') ?? assert.fail();
    assert.ok(seen.target.includes(everything), 'the whole command is shown');
    assert.deepEqual(
      mcp.notices().map(({ title }) => title),
      ['This project names an MCP server.'],
    );
    assert.match((await mcp.act('all', 'of another entry', 'approve')) ?? '', /has changed since you looked/);
    assert.equal(state(mcp, 'all'), 'unapproved');

    assert.equal(await act(mcp, 'all', 'approve'), undefined);
    await reaches(mcp, 'all', 'connected');
    assert.deepEqual(mcp.notices(), []);
    const { session, run, approvals } = createHarness({
      model: createScriptedModel([reply(toolUse('mcp__all__echo', { message: 'over here' })), reply(text('Done.'))]),
      ports: { mcp: mcp.of(nobody) },
      answer: () => ({ behavior: 'allow' }) as never,
    });
    await run('Say it');
    assert.equal(approvals.length, 1, 'a tool of a server asks first');
    assert.match(JSON.stringify(session.records), /Echo: over here/);

    // Another window knows of the approval.
    const other = openWindow();
    other.start();
    await reaches(other, 'all', 'connected');

    project('stdio');
    await reaches(mcp, 'all', 'unapproved');
    const refused = await mcp.servers.callTool('all', 'echo', { message: 'x' }, { signal: never });
    assert.equal(refused.outcome, 'failed');
    project();
    await reaches(mcp, 'all', 'connected');
  });

  it('are waited for as long as `env` of a settings file says, from then on', async () => {
    const managed = mkdtempSync(path.join(os.tmpdir(), 'deft-managed-'));
    try {
      project();
      const mcp = openWindow(managed);
      mcp.start();
      await reaches(mcp, 'all', 'unapproved');
      await act(mcp, 'all', 'approve');
      await reaches(mcp, 'all', 'connected');
      // The servers stand already: nothing of them is made anew.
      writeFileSync(path.join(managed, 'managed-settings.json'), JSON.stringify({ env: { MCP_TOOL_TIMEOUT: '300' } }));
      const slow = (): Promise<unknown> =>
        mcp.servers.callTool('all', 'trigger-long-running-operation', { duration: 2, steps: 1 }, { signal: never });
      await until('the call is given up', async () => /timed out/i.test(JSON.stringify(await slow())));
    } finally {
      rmSync(managed, { recursive: true, force: true });
    }
  });

  it('of a project stay inert in a workspace that is not trusted, whatever was approved', async () => {
    project();
    const first = openWindow();
    first.start();
    await reaches(first, 'all', 'unapproved');
    trusted = false;
    const mcp = openWindow();
    mcp.start();
    await reaches(mcp, 'all', 'unapproved');
    assert.match((await act(mcp, 'all', 'approve')) ?? '', /Trust this workspace first/);
    assert.deepEqual(row(mcp, 'all')?.actions, ['open', 'remove']);
    assert.deepEqual(mcp.notices(), []);
  });

  it('are added, switched off and on, and removed where they stand; other programs keep the rest of their file', async () => {
    writeFileSync(shared, '{\n  "numStartups": 7,\n  "projects": {}\n}\n');
    const mcp = openWindow();
    mcp.start();
    await mcp.servers.settled(10_000, never);
    const target = `"${process.execPath}" "${everything}"`;
    assert.match((await mcp.add({ name: 'no name', kind: 'command', target, scope: 'local' })) ?? '', /letters/);
    assert.equal(await mcp.add({ name: 'mine', kind: 'command', target, scope: 'local' }), undefined);
    assert.deepEqual(JSON.parse(readFileSync(shared, 'utf8')), {
      numStartups: 7,
      projects: { [root]: { mcpServers: { mine: { type: 'stdio', command: process.execPath, args: [everything] } } } },
    });
    await until('it is listed', () => row(mcp, 'mine') !== undefined);
    assert.equal(row(mcp, 'mine')?.scope, 'You, in this project');
    assert.match((await mcp.add({ name: 'mine', kind: 'command', target, scope: 'local' })) ?? '', /already/);
    await act(mcp, 'mine', 'disable');
    await reaches(mcp, 'mine', 'disabled');
    assert.deepEqual(row(mcp, 'mine')?.actions, ['enable', 'open', 'remove']);
    await act(mcp, 'mine', 'enable');
    await until('it is on', () => state(mcp, 'mine') !== 'disabled');
    await act(mcp, 'mine', 'open');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, shared);
    assert.match(
      vscode.window.activeTextEditor.document.lineAt(vscode.window.activeTextEditor.selection.active.line).text,
      /"mine"/,
    );
    await act(mcp, 'mine', 'remove');
    assert.deepEqual(confirmed, ['Remove the server mine?']);
    await reaches(mcp, 'mine', undefined);
    assert.deepEqual(JSON.parse(readFileSync(shared, 'utf8')).numStartups, 7);

    // What the user writes down for the project needs no approval of theirs.
    assert.equal(
      await mcp.add({ name: 'ours', kind: 'url', target: 'http://127.0.0.1:9/mcp', scope: 'project' }),
      undefined,
    );
    await until('it is tried', () => ['connecting', 'reconnecting', 'failed'].includes(state(mcp, 'ours') ?? ''));
  });

  it('that are marked as needed are waited for: their tools are in the first request', async () => {
    const go = path.join(home, 'go');
    rmSync(go, { force: true });
    // A server that says hello only once it may.
    const late = `const { existsSync } = require('node:fs'); const wait = setInterval(() => { if (existsSync(${JSON.stringify(go)})) { clearInterval(wait); process.argv.splice(1, 0, ${JSON.stringify(everything)}); import(${JSON.stringify(everything)}); } }, 50);`;
    const entry = (more: object) => ({
      ...{ command: process.execPath, args: ['-e', late, 'stdio'], env: { ELECTRON_RUN_AS_NODE: '1' } },
      ...more,
    });
    const tools = getTools({
      ...{ isDenied: () => false, simple: false },
      availability: { has: (port) => port === 'mcp', interactive: true, platform: 'linux', names: () => false },
    });
    const begin = () => {
      const model = createScriptedModel([reply(text('Hello.'))]);
      const harness = createHarness({ model, tools, ports: { mcp: mcp.of(nobody) } });
      return { model, harness, turn: harness.run('Hello') };
    };
    const named = async (servers: Record<string, object>, name: string): Promise<void> => {
      writeFileSync(projectFile, JSON.stringify({ mcpServers: servers }));
      await reaches(mcp, name, 'unapproved');
      await act(mcp, name, 'approve');
      await reaches(mcp, name, 'connecting');
    };
    const mcp = openWindow();
    mcp.start();
    await named({ other: entry({}) }, 'other');
    const first = begin();
    await first.turn;
    assert.equal(state(mcp, 'other'), 'connecting', 'nobody waits for a server that is not marked');

    await named({ other: entry({}), needed: entry({ alwaysLoad: true }) }, 'needed');
    const { model, harness, turn } = begin();
    const told = () => harness.events.filter(({ type }) => type === 'servers_awaited' || type === 'servers_settled');
    // Longer than a request would take.
    await mcp.servers.settled(500, never);
    assert.equal(model.requests.length, 0, 'the request waits');
    assert.deepEqual(told(), [{ type: 'servers_awaited', names: ['needed'] }]);
    writeFileSync(go, '');
    await turn;
    assert.deepEqual(told().at(-1), { type: 'servers_settled' });
    const names = model.requests[0]?.tools.map(({ name }) => name) ?? [];
    assert.ok(
      names.some((name) => name.startsWith('mcp__needed__')),
      names.join(),
    );
  });

  it('ask the user of the chat that calls', async () => {
    project();
    const mcp = openWindow();
    mcp.start();
    await reaches(mcp, 'all', 'unapproved');
    await act(mcp, 'all', 'approve');
    await reaches(mcp, 'all', 'connected');
    const asked: McpElicitation[] = [];
    const user: McpPeople = {
      elicit: async (request) => {
        asked.push(request);
        return { action: 'decline' };
      },
      allowSampling: async ({ text: wanted }) => /Tell me/.test(wanted),
    };
    const tools = row(mcp, 'all')?.tools.map(({ name }) => name) ?? [];
    const called = async (tool: RegExp, input: Record<string, unknown>): Promise<string> => {
      const status = mcp.servers.list().find(({ entry }) => entry.name === 'all');
      const name =
        status?.tools.find((one) => tool.test(one.name))?.name ?? assert.fail(`no tool ${tool} among ${tools.join()}`);
      return JSON.stringify(await mcp.of(user).callTool('all', name, input, { signal: never }));
    };
    await called(/elicitation/i, {});
    assert.equal(asked[0]?.kind, 'form');
    assert.equal(asked[0].server, 'all');
    assert.match(await called(/sampl/i, { prompt: 'Tell me', maxTokens: 10 }), /The model says hello/);
  });

  it("of VS Code's own file ask for their inputs once, and keep the answers to themselves", async () => {
    mkdirSync(path.dirname(editorFile), { recursive: true });
    const inputs = [
      { id: 'key', type: 'promptString', description: 'API key', password: true },
      { id: 'kind', type: 'pickString', options: ['stdio', 'other'] },
    ];
    const env = {
      ELECTRON_RUN_AS_NODE: '1',
      GIVEN_KEY: '${input:key}',
      WHERE: '${workspaceFolder}',
      FROM: '${env:PATH}',
    };
    writeFileSync(
      editorFile,
      JSON.stringify({
        inputs,
        servers: { own: { command: process.execPath, args: [everything, '${input:kind}'], env } },
      }),
    );
    const mcp = openWindow();
    mcp.start();
    await reaches(mcp, 'own', 'unapproved');
    // The user approves, and gives up at the first box.
    await act(mcp, 'own', 'approve');
    await reaches(mcp, 'own', 'failed');
    assert.match(row(mcp, 'own')?.stateText ?? '', /needs values for “kind”, “key” \(API key\): reconnect it/);
    answers = { key: 'the-very-key-of-mine', kind: 'stdio' };
    assert.equal(await act(mcp, 'own', 'reconnect'), undefined);
    await reaches(mcp, 'own', 'connected');
    const outcome = await mcp.servers.callTool('own', 'get-env', {}, { signal: never });
    assert.ok(outcome.outcome === 'answered');
    const [block] = outcome.content;
    const environment = JSON.parse(block?.type === 'text' ? block.text : '{}') as Record<string, string>;
    assert.deepEqual(
      [environment['GIVEN_KEY'], environment['WHERE'], environment['FROM']],
      ['the-very-key-of-mine', root, process.env['PATH']],
    );
    assert.ok(mcp.secrets().includes('the-very-key-of-mine'), 'what goes to the model is redacted');
    assert.doesNotMatch(JSON.stringify(mcp.rows()), /the-very-key/);

    // Another window asks nobody.
    answers = {};
    const other = openWindow();
    other.start();
    await reaches(other, 'own', 'connected');
  });

  const offer = async (which: unknown, listed?: string[]): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('deft');
    await settings.update('extensionTools', which, vscode.ConfigurationTarget.Global);
    await settings.update('listedExtensionTools', listed, vscode.ConfigurationTarget.Global);
  };
  const ofExtensions = (mcp: WindowMcp) =>
    mcp.servers.list().find(({ entry }) => entry.name === 'vscode-extensions')?.tools;
  const names = (mcp: WindowMcp): string[] =>
    (ofExtensions(mcp) ?? []).map(({ name }) => name).sort((one, other) => (one < other ? -1 : 1));

  it('offer tools of other extensions as the setting says: none, those that are named, or all', async () => {
    const mcp = openWindow();
    mcp.start();
    try {
      assert.deepEqual(names(mcp), [], 'none by default');
      await offer('listed', ['deft-test_shout', 'testFailure', 'run_in_terminal', 'deft_rewind']);
      assert.deepEqual(names(mcp), ['deft-test_shout', 'testFailure'], 'what is left out by name stays out');
      await offer('listed');
      assert.deepEqual(names(mcp), []);
      const others = ['deft-test_fail', 'deft-test_hang', 'deft-test_shout'];
      await offer('all');
      assert.deepEqual(
        names(mcp),
        [...others, ...editorTools].sort((one, other) => (one < other ? -1 : 1)),
      );
      assert.deepEqual(ofExtensions(mcp)?.find(({ name }) => name === 'deft-test_shout')?.shownAs, {
        server: 'An extension with tools and models',
        tool: 'Shout',
      });
      await offer('something else');
      assert.deepEqual(names(mcp), [], 'what is not known means none');
      await offer('off');
      assert.deepEqual(names(mcp), []);
    } finally {
      await offer(undefined);
    }
  });

  it("know each tool of VS Code's own by its name", async () => {
    const contributed = new Set(
      vscode.extensions.all.flatMap(({ packageJSON }) =>
        (
          (packageJSON as { contributes?: { languageModelTools?: { name: string }[] } }).contributes
            ?.languageModelTools ?? []
        ).map(({ name }) => name),
      ),
    );
    const own = vscode.lm.tools.map(({ name }) => name).filter((name) => !contributed.has(name));
    assert.ok(own.length > 10, own.join());
    const known: readonly string[] = [...editorTools, ...Object.keys(leftOutTools)];
    assert.deepEqual(
      own.filter((name) => !known.includes(name)),
      [],
    );
    const mcp = openWindow();
    mcp.start();
    await offer('all');
    try {
      for (const name of editorTools) {
        const answer = await mcp.servers.callTool('vscode-extensions', name, {}, { signal: never });
        assert.equal(answer.outcome, 'answered', `${name}: ${JSON.stringify(answer)}`);
      }
    } finally {
      await offer(undefined);
    }
  });

  it('have the tools of other extensions beside them, deferred, asked for at each call, and switched off by a setting', async () => {
    await offer('listed', ['deft-test_fail', 'deft-test_hang', 'deft-test_shout']);
    const mcp = openWindow();
    mcp.start();
    await mcp.servers.settled(10_000, never);
    const own = () => mcp.servers.list().find(({ entry }) => entry.name === 'vscode-extensions');
    assert.deepEqual(
      own()
        ?.tools.map(({ name }) => name)
        .sort(),
      ['deft-test_fail', 'deft-test_hang', 'deft-test_shout'],
    );
    assert.equal(own()?.tools, own()?.tools, 'the list stays the same while nothing changes');
    assert.deepEqual(mcp.rows(), [], 'it is no server that could be managed');
    const [shout, fail] = ['mcp__vscode-extensions__deft-test_shout', 'mcp__vscode-extensions__deft-test_fail'];
    const tools = getTools({
      isDenied: () => false,
      simple: false,
      availability: { has: (port) => port === 'mcp', interactive: true, platform: 'linux', names: () => false },
    });
    const model = createScriptedModel(
      [
        reply(toolUse('ToolSearch', { query: `select:${shout},${fail}` })),
        reply(toolUse(shout, { text: 'over here' }), toolUse(fail, {})),
        reply(text('Done.')),
      ],
      { provider: 'anthropic' },
    );
    const { run, approvals } = createHarness({ model, tools, ports: { mcp: mcp.of(nobody) } });
    await run('Shout');
    assert.deepEqual(model.violations, []);
    assert.deepEqual(
      model.requests[0]?.tools
        .filter((tool) => 'defer_loading' in tool)
        .map(({ name }) => name)
        .includes(shout),
      true,
    );
    assert.deepEqual(
      approvals.map(({ toolName }) => toolName),
      [shout, fail],
      'other code runs only when the user agrees',
    );
    const results = JSON.stringify(model.requests[2]?.messages.at(-1));
    assert.match(results, /OVER HERE!/);
    assert.match(results, /The tool deft-test_fail failed: .*It cannot do that\./);
    if ('LanguageModelDataPart' in vscode) assert.match(results, /"media_type":"image\/png"/);

    const stop = new AbortController();
    const hanging = mcp.servers.callTool('vscode-extensions', 'deft-test_hang', {}, { signal: stop.signal });
    stop.abort();
    await assert.rejects(hanging);

    await offer('off');
    try {
      assert.equal(own(), undefined);
      assert.match(
        JSON.stringify(
          await mcp.servers.callTool('vscode-extensions', 'deft-test_shout', { text: 'x' }, { signal: never }),
        ),
        /No extension offers/,
      );
    } finally {
      await offer('all');
    }
    trusted = false;
    assert.equal(own(), undefined, 'nothing of it in Restricted Mode');
    await offer(undefined);
  });

  it('are signed in to with the browser', async () => {
    const server = await startOAuthServer();
    try {
      const mcp = openWindow();
      mcp.start();
      await mcp.servers.settled(10_000, never);
      await mcp.add({ name: 'private', kind: 'url', target: server.url, scope: 'user' });
      await reaches(mcp, 'private', 'needs-sign-in');
      assert.deepEqual(row(mcp, 'private')?.actions.slice(0, 1), ['signIn']);
      // The redirect leads to the extension, through VS Code's own handler of links.
      opensInBrowser = (url) => void visitSignIn(url).then((back) => mcp.signedIn(back.search.slice(1)));
      assert.equal(await act(mcp, 'private', 'signIn'), undefined);
      await reaches(mcp, 'private', 'connected');
      assert.deepEqual(
        row(mcp, 'private')?.tools.map(({ name }) => name),
        ['whoami'],
      );
      server.expireTokens();
      const answer = await mcp.servers.callTool('private', 'whoami', {}, { signal: never });
      assert.match(JSON.stringify(answer), /You are signed in/);
      assert.deepEqual(server.grants, ['authorization_code', 'refresh_token']);
      await act(mcp, 'private', 'signOut');
      await reaches(mcp, 'private', 'needs-sign-in');
    } finally {
      await server.close();
    }
  });

  it('are signed in to by way of this machine, where the entry names a port', async () => {
    const server = await startOAuthServer();
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    writeFileSync(
      shared,
      JSON.stringify({ mcpServers: { private: { type: 'http', url: server.url, oauth: { callbackPort: port } } } }),
    );
    try {
      const mcp = openWindow();
      mcp.start();
      await reaches(mcp, 'private', 'needs-sign-in');
      let page = '';
      opensInBrowser = (url) => void visitSignIn(url).then(async (back) => (page = await (await fetch(back)).text()));
      assert.equal(await act(mcp, 'private', 'signIn'), undefined);
      await reaches(mcp, 'private', 'connected');
      await until('the browser has its page', () => page.startsWith('Back to the editor'));
      assert.deepEqual(
        server.registrations.map(({ redirect_uris: uris }) => uris),
        [[`http://localhost:${port}/callback`]],
      );
      await assert.rejects(fetch(`http://127.0.0.1:${port}/callback`), 'nobody listens once it is over');
    } finally {
      await server.close();
    }
  });

  it('are signed in to with the address that the user pastes, where the browser cannot come back', async () => {
    const server = await startOAuthServer();
    let address = (_href: string): void => undefined;
    const ended = new Promise<string>((resolve) => (address = resolve));
    const offered: string[] = [];
    const problems: (string | undefined)[] = [];
    paste = {
      afterMs: 0,
      offer: async (name) => {
        await ended;
        return offered.push(name) > 0;
      },
      ask: async (_name, problemOf) => {
        problems.push(problemOf('nothing of it'), problemOf('https://a.example/?code=1'), problemOf(await ended));
        return `  ${await ended} `;
      },
    };
    writeFileSync(shared, JSON.stringify({ mcpServers: { private: { type: 'http', url: server.url } } }));
    try {
      const mcp = openWindow();
      mcp.start();
      await reaches(mcp, 'private', 'needs-sign-in');
      opensInBrowser = (url) => void visitSignIn(url).then(({ href }) => address(href));
      assert.equal(await act(mcp, 'private', 'signIn'), undefined);
      await reaches(mcp, 'private', 'connected');
      assert.deepEqual(offered, ['private']);
      assert.deepEqual(problems, [
        'This address has no code and state in it.',
        'This address has no code and state in it.',
        undefined,
      ]);
    } finally {
      await server.close();
    }
  });

  it('have a command that shows them', async () => {
    await vscode.commands.executeCommand('deft.manageMcpServers');
  });
});
