// Whom a run asks in place of a user: the program that drives it, or a tool of an MCP server; and a run of which nothing stays.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Message } from '../../support/control-program';
import { withControlPrograms } from '../../support/control-suite';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { referenceServer } from '../../support/mcp/run-servers';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless people', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const asks = ['--permission-prompt-tool', 'stdio'];
  const { program, result, there, lastSent } = withControlPrograms((...opened) => ([place, server] = opened));
  const offered = (request = 0): string[] =>
    (server.requests[request]?.body['tools'] as { name: string }[]).map(({ name }) => name);

  const question = {
    question: 'Which one?',
    header: 'Choice',
    options: [
      { label: 'A', description: 'The first' },
      { label: 'B', description: 'The second' },
    ],
  };

  it('the program answers the questions of the agent, or says why not', async () => {
    const ask = reply(toolUse('AskUserQuestion', { questions: [question] }));
    server.setScript([ask, reply('Done.'), ask, reply('Done.'), ask, reply('Done.')]);
    const started = program(...asks);
    started.say('Go');
    const first = await started.question();
    assert.deepEqual([first.request['subtype'], first.request['tool_name']], ['can_use_tool', 'AskUserQuestion']);
    const { questions } = first.request['input'] as { questions: Message[] };
    assert.deepEqual([questions[0]?.['question'], questions[0]?.['multiSelect']], ['Which one?', false]);
    started.answer(first.request_id, {
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which one?': ['A', 'B'] } },
    });
    await result(started);
    assert.ok(offered().includes('AskUserQuestion') && offered().includes('EnterPlanMode'));
    assert.match(lastSent(), /"Which one\?\\+": A, B/);

    started.say('Again');
    started.answer((await started.question()).request_id, { behavior: 'deny', message: 'Decide yourself.' });
    await result(started);
    assert.match(lastSent(), /The user wrote this instead of choosing:.*Decide yourself\./);

    started.say('Once more');
    const third = await started.question();
    started.answer(third.request_id, { behavior: 'allow', updatedInput: third.request['input'] });
    await result(started);
    assert.match(lastSent(), /closed the questions without an answer/);
  });

  it('without a program that answers, nothing is offered that asks', async () => {
    server.setScript([reply('Done.')]);
    const started = program();
    started.say('Go');
    await result(started);
    assert.deepEqual(
      offered().filter((name) => ['AskUserQuestion', 'EnterPlanMode'].includes(name)),
      [],
    );
  });

  it('the program accepts a plan, and may choose the mode that follows', async () => {
    server.setScript([
      reply(toolUse('EnterPlanMode', {})),
      reply(toolUse('ExitPlanMode', { plan: '1. Write it' })),
      reply(toolUse('Write', { file_path: path.join(place.workspace, 'a.txt'), content: 'x\n' })),
      reply('Done.'),
    ]);
    const started = program(...asks);
    started.say('Plan it');
    const plan = await started.question();
    assert.deepEqual([plan.request['tool_name'], plan.request['input']], ['ExitPlanMode', { plan: '1. Write it' }]);
    started.answer(plan.request_id, {
      behavior: 'allow',
      updatedInput: plan.request['input'],
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    });
    assert.equal((await result(started))['result'], 'Done.');
    assert.ok(there('a.txt'));
  });

  it('the program answers what MCP servers ask, within what they asked for', async () => {
    const trigger = reply(toolUse('mcp__all__trigger-elicitation-request', {}));
    server.setScript([
      reply(toolUse('ToolSearch', { query: 'select:mcp__all__trigger-elicitation-request' })),
      trigger,
      reply('Done.'),
      trigger,
      reply('Done.'),
    ]);
    const servers = JSON.stringify({ mcpServers: { all: referenceServer('everything') } });
    const started = program('--mcp-config', servers, '--allowedTools', 'mcp__all');
    await started.request({ subtype: 'initialize' });
    started.say('Go');
    const asked = await started.question();
    assert.deepEqual([asked.request['subtype'], asked.request['mcp_server_name']], ['elicitation', 'all']);
    assert.deepEqual(asked.request['mode'], 'form');
    const { properties } = asked.request['requested_schema'] as { properties: Record<string, unknown> };
    assert.deepEqual(asked.request['property_order'], Object.keys(properties));
    started.answer(asked.request_id, { action: 'accept', content: { name: 'Ada' } });
    await result(started);
    assert.match(lastSent(), /Ada/);

    started.say('Again');
    started.answer((await started.question()).request_id, { action: 'accept', content: { nobodyAskedForThis: 1 } });
    await result(started);
    assert.match(lastSent(), /decline/i);
    assert.match((await started.close()).stderr, /the server did not ask for `nobodyAskedForThis`/);
  });

  it('a tool of an MCP server decides on calls', async () => {
    const bash = (command: string) => toolUse('Bash', { command });
    server.setScript([
      reply(bash('touch no.txt')),
      reply(bash('touch other.txt')),
      reply(bash('touch odd.txt')),
      reply('Done.'),
    ]);
    const servers = JSON.stringify({
      mcpServers: {
        guard: { command: process.execPath, args: [path.resolve('test/support/mcp/permission-server.mjs')] },
      },
    });
    const run = (tool: string) =>
      place.run(['-p', 'Go', '--output-format', 'json', '--mcp-config', servers, '--permission-prompt-tool', tool], {
        url: server.url,
      });
    const end = await run('mcp__guard__decide');
    assert.equal(end.code, 0, end.stderr);
    assert.deepEqual((await readdir(place.workspace)).sort(), ['yes.txt']);
    const sent = JSON.stringify(server.requests.at(-1)?.body['messages']);
    assert.match(sent, /No Bash here\./);
    assert.match(sent, /The tool mcp__guard__decide gave an unreadable answer/);
    const unknown = await run('mcp__guard__nothing');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no connected MCP server has the tool mcp__guard__nothing/);
    assert.equal(server.requests.length, 4);
  });

  it('with --no-session-persistence nothing of the session stays', async () => {
    server.setScript([reply('One.'), reply('Two.'), reply('Three.')]);
    const temporary = path.join(place.home, 'temporary');
    await mkdir(temporary);
    const run = (...args: string[]) =>
      place.run(['-p', 'Go', '--output-format', 'json', ...args], { url: server.url, env: { TMPDIR: temporary } });
    const kept = jsonLines((await run()).stdout).at(-1);
    const logs = async () => (await readdir(place.sessions)).filter((name) => name.endsWith('.jsonl'));
    const files = await logs();
    const end = await run('--no-session-persistence', '--resume', String(kept?.['session_id']), '--fork-session');
    assert.equal(jsonLines(end.stdout).at(-1)?.['result'], 'Two.', end.stderr);
    assert.match(JSON.stringify(server.requests[1]?.body['messages']), /One\./);
    assert.deepEqual(await logs(), files);
    assert.equal(existsSync(temporary), true);
    assert.deepEqual(
      (await readdir(temporary)).filter((name) => name.startsWith('deft-session-')),
      [],
    );
    const refused = await run('--no-session-persistence', '--continue');
    assert.match(refused.stderr, /continues a session in a copy only: add --fork-session/);
  });
});
