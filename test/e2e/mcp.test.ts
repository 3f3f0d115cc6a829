// MCP servers as a user meets them: one of the project waits, is approved and used; one is added by hand; a resource is mentioned.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { reply, toolUse } from '../support/messages-api/script';
import { eventually, lastText, mentionOptions, openDeft, textsOf, type DeftWindow } from './support/deft';
import { answers } from './support/replies';

const require = createRequire(path.resolve('package.json'));
const everything = path.join(
  path.dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const project = (...args: string[]): string =>
  JSON.stringify({ mcpServers: { all: { command: process.execPath, args: [everything, ...args], alwaysLoad: true } } });

describe('MCP servers', () => {
  let deft: DeftWindow;
  before(async () => (deft = await openDeft({ files: { 'a.txt': 'alpha\n', '.mcp.json': project() } })));
  after(() => deft.close());

  const server = (name: string) => deft.chat().getByRole('group', { name: `Server ${name}`, exact: true });
  const back = () => deft.button('Back to the conversation').click();

  it('of a project are approved by what would be started, and their tools are asked for', async () => {
    const notice = deft.card('This project names an MCP server.');
    await notice.getByRole('button', { name: 'Review' }).click();
    await server('all').getByText(everything).waitFor();
    await server('all').getByText('Waits for your approval.').waitFor();
    await server('all').getByRole('button', { name: 'Approve' }).click();
    await server('all').getByText('Connected', { exact: true }).waitFor({ timeout: 30_000 });
    await back();
    await notice.waitFor({ state: 'detached' });

    deft.script(reply(toolUse('mcp__all__echo', { message: 'over here' })), answers('It echoed.'));
    await deft.send('Call the echo tool');
    await deft.approval().waitFor();
    await deft.button('Accept').click();
    await deft.says('It echoed.');
    await deft.idle();
    assert.match(lastText(await deft.request(2)), /Echo: over here/);
  });

  it('show their resources behind @, and what is mentioned is attached', async () => {
    await deft.newSession();
    await deft.composer().pressSequentially('Read @all:');
    const option = mentionOptions(deft).first();
    await option.waitFor();
    assert.match((await option.getAttribute('title')) ?? '', /^all:demo:\/\//);
    await option.click();
    deft.script(answers('I have read it.'));
    await deft.composer().press('Enter');
    await deft.says('I have read it.');
    await deft.idle();
    const sent = textsOf((await deft.request(1)).at(-1)?.content).join('\n');
    assert.match(sent, /<attachment resource="demo:\/\/[^"]+" server="all">\n/);
  });

  it('of a project ask again once their entry has changed', async () => {
    deft.window.write('.mcp.json', project('stdio'));
    await deft.card('This project names an MCP server.').waitFor({ timeout: 30_000 });
  });

  it('are added in the manager', async () => {
    await deft.composer().fill('/mcp');
    await deft.composer().press('Escape');
    await deft.composer().press('Enter');
    await deft.button('Add server').click();
    const form = deft.chat().getByRole('form', { name: 'Add server' });
    await form.getByRole('textbox', { name: 'Name' }).fill('mine');
    await form.getByRole('textbox', { name: 'Command line' }).fill(`"${process.execPath}" "${everything}"`);
    await form.getByRole('radio', { name: 'Everybody in this project' }).check();
    await form.getByRole('button', { name: 'Add' }).click();
    await form.waitFor({ state: 'detached' });
    await eventually(() => deft.window.read('.mcp.json').includes('"mine"'), 'The file does not name the server.');
    await server('mine').getByText('Connected', { exact: true }).waitFor({ timeout: 30_000 });
    await deft.window.picture('mcp-manager');
    await server('mine').getByRole('button', { name: 'Disable' }).click();
    await server('mine').getByText('Off. You turned it off.').waitFor();
    await back();
  });

  it('that are late are told of once, and again when they have joined', async () => {
    // Connects once there is a file `go`.
    const waits =
      "const t = setInterval(() => require('fs').existsSync('go') && (clearInterval(t), import(process.argv[1])), 50)";
    const slow = { command: process.execPath, args: ['-e', waits, everything] };
    await deft.newSession();
    deft.window.write('.mcp.json', JSON.stringify({ mcpServers: { slow } }));
    const notice = deft.card('This project names an MCP server.');
    await notice.getByRole('button', { name: 'Review' }).click({ timeout: 30_000 });
    await server('slow').getByRole('button', { name: 'Approve' }).click();
    await server('slow').getByText('Connecting').waitFor();
    await back();

    const late = deft.card('The MCP server slow is still connecting. Its tools join when it is there.');
    deft.script(answers('Without it.'), answers('Still without it.'));
    await deft.send('Hello');
    await late.waitFor();
    await deft.says('Without it.');
    await deft.idle();
    assert.doesNotMatch(JSON.stringify(deft.api.requests.at(-1)?.body['tools']), /mcp__slow/);
    await deft.send('Again');
    await deft.says('Still without it.');
    await deft.idle();
    assert.equal(await late.count(), 1);

    deft.window.write('go', '');
    await deft.card('The MCP server slow has joined.').waitFor({ timeout: 30_000 });
    assert.equal(await late.count(), 0, 'the line says what is true now');
    deft.script(answers('With it.'));
    await deft.send('And now?');
    await deft.says('With it.');
    await deft.idle();
    assert.match(JSON.stringify(await deft.request(1)), /# MCP server slow/);
    assert.equal(await deft.card(/^The MCP server slow/).count(), 1);
  });
});
