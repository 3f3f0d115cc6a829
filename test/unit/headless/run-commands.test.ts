// Commands that a run carries out itself, as the message of a program or as the prompt.
import assert from 'node:assert/strict';
import { withControlPrograms } from '../../support/control-suite';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { referenceServer } from '../../support/mcp/run-servers';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless commands', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result, lastSent } = withControlPrograms((...opened) => ([place, server] = opened));

  it('tell context and cost, pick a model and send the prompt of /init', async () => {
    server.setScript([reply('One.'), reply('Written.')]);
    const started = program();
    const say = async (text: string) => {
      started.say(text);
      return result(started);
    };
    await say('Go');
    const init = await started.next(({ subtype }) => subtype === 'init');
    for (const name of ['compact', 'context', 'cost', 'goal', 'init', 'model'])
      assert.ok((init['slash_commands'] as string[]).includes(name), name);
    const context = await say('/context');
    assert.match(String(context['result']), /, estimated[\s\S]*Tools/i);
    assert.deepEqual([context['subtype'], context['num_turns']], ['success', 0]);
    assert.match(String((await say('/cost'))['result']), /Cost/);
    assert.match(String((await say('/model'))['result']), /^The model is /);
    assert.match(String((await say('/model claude-haiku-4-5'))['result']), /Haiku 4\.5.* from now on\.$/);
    assert.equal(server.requests.length, 1);
    assert.equal((await say('/init Mention the tests.'))['result'], 'Written.');
    assert.match(lastSent(), /CLAUDE\.md[\s\S]*The user adds: Mention the tests\./);
    assert.match(String(server.requests[1]?.body['model']), /haiku/);
  });

  it('of MCP servers send what the server says, with --disable-slash-commands nothing is one', async () => {
    server.setScript([reply('Done.'), reply('Text.')]);
    const run = (prompt: string, ...args: string[]) =>
      place.run(['-p', prompt, '--output-format', 'json', ...args], { url: server.url });
    const servers = JSON.stringify({ mcpServers: { all: referenceServer('everything') } });
    const end = await run('/mcp__all__simple-prompt', '--mcp-config', servers);
    assert.equal(jsonLines(end.stdout).at(-1)?.['result'], 'Done.', end.stderr);
    assert.match(lastSent(), /simple prompt/);
    const unknown = await run('/mcp__all__nothing', '--mcp-config', servers);
    assert.match(String(jsonLines(unknown.stdout).at(-1)?.['result']), /No connected MCP server offers/);
    await run('/cost', '--disable-slash-commands');
    assert.match(lastSent(), /\/cost/);
  });
});
