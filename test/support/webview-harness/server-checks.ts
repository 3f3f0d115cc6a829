// MCP servers in the panel: the manager by keyboard, its form, and what servers ask of the user.
import assert from 'node:assert/strict';
import { type McpRequest, type McpServerRow } from '../../../src/shared/mcp-view';
import { type Check, focused, posts, axeFindings } from './checks';
import { snapshot, working } from './conversations';
import { drawn, type Harness } from './harness';

const row = (name: string, more: Partial<McpServerRow> = {}): McpServerRow => ({
  name,
  fingerprint: `seen-${name}`,
  scope: 'This project',
  file: '.mcp.json',
  kind: 'command',
  target: 'npx -y @modelcontextprotocol/server-everything',
  env: [],
  headers: [],
  state: 'connected',
  stateText: 'Connected',
  tools: [],
  prompts: 0,
  resources: 0,
  log: [],
  actions: ['reconnect', 'disable', 'open', 'remove'],
  ...more,
});

export const serverRows: McpServerRow[] = [
  row('deploy', {
    state: 'unapproved',
    stateText: 'Waits for your approval. It is not started until then.',
    target: "node tools/deploy-server.js --region eu-central-1 'two words'",
    env: ['NODE_OPTIONS=--max-old-space-size=4096', 'DEPLOY_TOKEN=…'],
    actions: ['approve', 'disable', 'open', 'remove'],
  }),
  row('everything', {
    tools: [
      { name: 'echo', description: 'Echoes back the input string' },
      { name: 'get-sum', description: 'Returns the sum of two numbers' },
    ],
    resources: 7,
    prompts: 4,
    instructions: 'Try the tools one by one.',
    log: ['Starting the server', '[info] Ready'],
  }),
  row('issues', {
    scope: 'You, everywhere',
    file: '~/.claude.json',
    kind: 'url',
    target: 'https://mcp.example.com/issues',
    headers: ['X-Team'],
    state: 'needs-sign-in',
    stateText: 'Sign in to use it.',
    actions: ['signIn', 'disable', 'open', 'remove'],
  }),
  row('search', {
    scope: 'You, in this project',
    file: '~/.claude.json',
    state: 'failed',
    stateText: 'Failed. It ended with exit code 1. It wrote: Error: Cannot find module /srv/search/index.js',
    log: ['Error: Cannot find module /srv/search/index.js'],
  }),
  row('notes', {
    scope: 'You, everywhere',
    file: '~/.claude.json',
    state: 'reconnecting',
    stateText: 'Connection lost. Trying again (2)…',
  }),
  row('old', { state: 'disabled', stateText: 'Off. You have switched it off.', actions: ['enable', 'open', 'remove'] }),
];

export const serverForm: McpRequest = {
  id: 'r1',
  kind: 'form',
  server: 'deploy',
  message: 'Where should the release go?',
  fields: [
    {
      name: 'version',
      title: 'Version',
      description: 'As in the changelog.',
      required: true,
      type: 'text',
      choices: [],
    },
    { name: 'count', title: 'Machines', description: '', required: true, type: 'integer', choices: [], initial: 2 },
    {
      name: 'stage',
      title: 'Stage',
      description: '',
      required: true,
      type: 'choice',
      choices: [
        { value: 'test', label: 'Test' },
        { value: 'live', label: 'Live' },
      ],
    },
    {
      name: 'parts',
      title: 'Parts',
      description: '',
      required: false,
      type: 'choices',
      choices: [
        { value: 'web', label: 'Web' },
        { value: 'api', label: 'API' },
      ],
    },
    {
      name: 'notify',
      title: 'Tell the team',
      description: '',
      required: false,
      type: 'boolean',
      choices: [],
      initial: true,
    },
  ],
};
export const serverPage: McpRequest = {
  id: 'r2',
  kind: 'url',
  server: 'issues',
  message: 'Connect your account to go on.',
  url: 'https://mcp.example.com/connect?session=4f1c2a9e7b&return=https%3A%2F%2Feditor.example.com',
};
export const serverSampling: McpRequest = {
  id: 'r3',
  kind: 'sampling',
  server: 'everything',
  message: 'user: Sum up what changed this week.',
};

export async function showServers({ send, answer }: Harness): Promise<void> {
  await send(snapshot(working));
  await send({ type: 'showMcp' });
  await answer('listMcp', {
    servers: serverRows,
    problems: [
      '.mcp.json:14:7: server "x": it has a "url" but no "type". Add "type": "http" (or "sse" for an older server).',
    ],
  });
}

export const serverChecks: readonly Check[] = [
  {
    name: 'servers: are shown with their state, opened and acted on by keyboard alone',
    run: async (harness) => {
      const { send, page, posted, answer } = harness;
      await send(snapshot(working));
      await send({ type: 'showMcp' });
      await answer('listMcp', { servers: serverRows, problems: [] });
      const deploy = page.getByRole('group', { name: 'Server deploy' });
      // What would be started is there before anything is opened.
      await deploy.getByText("node tools/deploy-server.js --region eu-central-1 'two words'").waitFor();
      await deploy.getByText('DEPLOY_TOKEN=…').waitFor();
      assert.equal(await focused(page), 'Add server');
      await deploy.getByRole('button', { name: 'Approve' }).focus();
      await page.keyboard.press('Enter');
      assert.deepEqual(await posts(harness, 'mcp'), {
        type: 'mcp',
        server: 'deploy',
        seen: 'seen-deploy',
        action: 'approve',
      });
      // The button goes with the answer: the focus stays with the server.
      await answer('mcp', {
        servers: serverRows.map((one) =>
          one.name === 'deploy' ? { ...one, state: 'connecting', stateText: 'Connecting…', actions: ['disable'] } : one,
        ),
        problems: [],
      });
      await drawn(page);
      assert.equal(await focused(page), 'Details of deploy');
      const details = page.getByRole('button', { name: 'Details of everything' });
      await details.focus();
      await page.keyboard.press('Enter');
      assert.equal(await details.getAttribute('aria-expanded'), 'true');
      assert.deepEqual(
        await page.getByRole('list', { name: 'Tools of everything' }).getByRole('listitem').allInnerTexts(),
        ['echo Echoes back the input string', 'get-sum Returns the sum of two numbers'],
      );
      assert.match(await page.getByRole('region', { name: 'Log of everything' }).innerText(), /Ready/);
      const asked = (await posted()).filter(({ type }) => type === 'listMcp').length;
      await send({ type: 'mcpChanged' });
      await page.waitForFunction(
        (before) =>
          (window as unknown as { posted: { type: string }[] }).posted.filter(({ type }) => type === 'listMcp').length >
          before,
        asked,
      );
      await page.keyboard.press('Escape');
      await page.getByRole('main', { name: 'MCP servers' }).waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Message');
    },
  },
  {
    name: 'servers: a new one is typed into the form, which says what is wrong',
    run: async (harness) => {
      const { page, answer } = harness;
      await showServers(harness);
      await page.getByRole('button', { name: 'Add server' }).press('Enter');
      const form = page.getByRole('form', { name: 'Add server' });
      await form.getByRole('textbox', { name: 'Name' }).fill('docs');
      await form.getByRole('radio', { name: 'URL' }).check();
      await form.getByRole('textbox', { name: 'URL' }).fill('docs.example');
      await form.getByRole('radio', { name: 'Everybody in this project' }).check();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.deepEqual(await posts(harness, 'addMcp'), {
        type: 'addMcp',
        name: 'docs',
        kind: 'url',
        target: 'docs.example',
        scope: 'project',
      });
      const list = { servers: serverRows, problems: [] };
      await answer('addMcp', { problem: 'Write a whole URL, such as https://example.com/mcp.', list });
      assert.equal(await form.getByRole('alert').innerText(), 'Write a whole URL, such as https://example.com/mcp.');
      await page.keyboard.press('Enter');
      await answer('addMcp', { problem: null, list });
      await form.waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'Add server');
    },
  },
  {
    name: 'servers: a form of a server is checked, filled in and sent',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({ ...working, status: 'waiting', mcpRequests: [serverForm] }));
      const card = page.getByRole('group', { name: 'The server deploy asks you' });
      await card.getByRole('textbox', { name: 'Machines' }).fill('two');
      await card.getByRole('button', { name: 'Send' }).click();
      assert.deepEqual(await card.getByRole('alert').allInnerTexts(), [
        'This field is required.',
        'Write a whole number.',
        'Choose one.',
      ]);
      assert.equal(
        await page.evaluate(() => document.activeElement?.closest('label')?.innerText.startsWith('Version')),
        true,
      );
      await page.keyboard.type('1.2');
      await card.getByRole('textbox', { name: 'Machines' }).fill('3');
      await card.getByRole('radio', { name: 'Live' }).check();
      await card.getByRole('checkbox', { name: 'API' }).check();
      await card.getByRole('textbox', { name: 'Version' }).press('Enter');
      assert.deepEqual(await posts(harness, 'answerMcp'), {
        type: 'answerMcp',
        requestId: 'r1',
        answer: {
          action: 'accept',
          content: { version: '1.2', count: 3, stage: 'live', parts: ['api'], notify: true },
        },
      });
    },
  },
  {
    name: 'servers: a page is shown whole before it opens, and Escape cancels',
    run: async (harness) => {
      const { send, page } = harness;
      await send(snapshot({ ...working, status: 'waiting', mcpRequests: [serverPage] }));
      const card = page.getByRole('group', { name: 'The server issues wants you to open a page' });
      await card.getByText(serverPage.kind === 'url' ? serverPage.url : '').waitFor();
      await card.getByRole('button', { name: 'Decline' }).focus();
      await page.keyboard.press('Escape');
      assert.deepEqual(await posts(harness, 'answerMcp'), {
        type: 'answerMcp',
        requestId: 'r2',
        answer: { action: 'cancel' },
      });
    },
  },
  ...(['light', 'dark', 'contrast'] as const).map((theme): Check => ({
    name: `servers: no serious accessibility problem in ${theme}, nothing wider than 300 px`,
    options: { theme, width: 300 },
    run: async (harness) => {
      const { page, send } = harness;
      await showServers(harness);
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByRole('button', { name: 'Details of everything' }).click();
      assert.deepEqual(await axeFindings(page), []);
      assert.ok(
        await page.evaluate(
          () =>
            document.documentElement.scrollWidth <= 300 &&
            [...document.querySelectorAll('.page *')].every((element) => element.getBoundingClientRect().right <= 301),
        ),
      );
      await send(snapshot({ ...working, sessionId: 'other', status: 'waiting', mcpRequests: [serverForm] }));
      await page.getByRole('group', { name: 'The server deploy asks you' }).waitFor();
      assert.deepEqual(await axeFindings(page), []);
    },
  })),
];
