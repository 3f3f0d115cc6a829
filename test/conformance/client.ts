// The program that the conformance suite starts as its client: connects by Deft's own code and does what the scenario asks. Its last argument is the server's address.
import { mcpTimes } from '../../src/core/mcp/limits';
import { type McpOAuthConfig, type McpServerEntry } from '../../src/core/ports/mcp';
import { createMcpServers } from '../../src/node/mcp/create-mcp-servers';
import { createSignIns } from '../../src/vscode/mcp/sign-in';

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, unknown>;
const url = process.argv.at(-1) ?? '';
const signal = AbortSignal.timeout(25_000);
const name = 'subject';

/** What a user would write into the entry: the registration that they made beforehand. */
function registered(): { oauth?: McpOAuthConfig } {
  const { client_id: clientId, client_secret: clientSecret } = context;
  return typeof clientId === 'string' && typeof clientSecret === 'string' ? { oauth: { clientId, clientSecret } } : {};
}

const config: McpServerEntry['config'] = { type: 'http', url, headers: {}, ...registered() };
const entry: McpServerEntry = { name, scope: 'user', config, alwaysLoad: false, written: JSON.stringify(config) };

/** The window's part, where a user would be: the browser follows the address at once, and comes back. */
const signIns = createSignIns({
  secrets: memory(),
  window: {
    plainRedirect: 'http://localhost:3917/callback',
    folder: () => undefined,
    async open(address) {
      const location = (await fetch(address, { redirect: 'manual' })).headers.get('location');
      if (location === null) throw new Error(`The page led nowhere: ${address}`);
      signIns.cameBack(new URL(location).search.slice(1));
    },
    wayBack: async () => ({ redirect: 'http://localhost:3917/callback', signal, dispose: () => undefined }),
    discovery: async () => undefined,
  },
});

const servers = createMcpServers({
  configuration: async () => ({ entries: [entry], problems: [] }),
  standing: () => ({ kind: 'allowed' }),
  times: { ...mcpTimes, retryMs: 200 },
  projectFolder: undefined,
  folders: () => [],
  environment: async () => process.env,
  version: '1.0.0',
  // The user takes every form as it is: what has a default keeps it.
  people: { elicit: async () => ({ action: 'accept', content: {} }), allowSampling: async () => true },
  sample: async () => ({ text: 'A short answer.', model: 'small' }),
  auth: (one) => signIns.of(one),
});

const state = (): string => {
  const now = servers.list()[0]?.state ?? { kind: 'connecting' };
  return now.kind === 'connected' && now.wantsRights === true ? 'wants-rights' : now.kind;
};

async function call(): Promise<void> {
  for (const tool of servers.list()[0]?.tools ?? []) {
    const outcome = await servers.callTool(name, tool.name, inputs[tool.name] ?? {}, { signal });
    console.log(tool.name, JSON.stringify(outcome));
  }
}

const inputs: Readonly<Record<string, Record<string, unknown>>> = { add_numbers: { a: 2, b: 3 } };

const signIn = (): Promise<string | undefined> =>
  signIns.during(entry, signal, (cancel) => servers.signIn(name, cancel));

await servers.settled(20_000, signal);
if (state() === 'needs-sign-in') console.log('sign-in:', (await signIn()) ?? 'done');
if (state() === 'connected') await call();
// A call may want more than the first sign-in gave: the user signs in once more.
if (state() === 'wants-rights') {
  console.log('sign-in:', (await signIn()) ?? 'done');
  if (state() === 'connected') await call();
}
console.log(`${scenario}: ${state()}`, servers.log(name).join('\n'));
const ended = state();
await servers.dispose();
process.exit(ended === 'connected' ? 0 : 1);

function memory(): Parameters<typeof createSignIns>[0]['secrets'] {
  const values = new Map<string, string>();
  return {
    get: async (key) => values.get(key),
    store: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
  };
}
