// Commands that a run carries out itself, as the message of a program or as the prompt.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withControlPrograms } from '../../support/control-suite';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { referenceServer } from '../../support/mcp/run-servers';
import { reply, toolUse, withFields } from '../../support/messages-api/script';
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

  it('/clear goes on in a new session, with mode, model, hooks and servers of the program', async () => {
    server.setScript([reply('Noted.'), reply('No idea.')]);
    const heard = path.join(place.home, 'heard.jsonl');
    const hook = [{ hooks: [{ type: 'command', command: `cat >> ${heard}; echo >> ${heard}` }] }];
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    const hooks = { SessionStart: hook, SessionEnd: hook };
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify({ hooks }));
    const started = program('--model', 'claude-sonnet-4-5');
    await started.request({
      subtype: 'initialize',
      hooks: { UserPromptSubmit: [{ hookCallbackIds: ['hook_0'] }] },
    });
    const say = async (text: string, uuid?: string) => {
      started.send({ type: 'user', message: { role: 'user', content: text }, ...(uuid === undefined ? {} : { uuid }) });
      if (!text.startsWith('/')) started.answer((await started.question()).request_id, {});
      return result(started);
    };
    const { session_id: first } = await say('The number is 42.');
    const init = await started.next(({ subtype }) => subtype === 'init');
    assert.ok((init['slash_commands'] as string[]).includes('clear'));
    await started.request({ subtype: 'set_permission_mode', mode: 'acceptEdits' });
    await started.request({ subtype: 'set_model', model: 'claude-haiku-4-5' });

    const uuid = '9b9f1a52-6a0e-4c83-8d0f-5a4d7f0c3a11';
    const cleared = await say('/clear', uuid);
    const second = cleared['session_id'];
    assert.notEqual(second, first);
    assert.deepEqual([cleared['subtype'], cleared['result'], cleared['num_turns']], ['success', '', 0]);
    const reset = await started.next(({ type }) => type === 'conversation_reset');
    assert.deepEqual(
      [reset['session_id'], reset['new_conversation_id'], reset['trigger'], reset['user_message_uuid']],
      [first, second, 'clear', uuid],
    );
    const anew = await started.next(({ subtype }) => subtype === 'init');
    assert.deepEqual(
      [anew['session_id'], anew['permissionMode'], anew['model']],
      [second, 'acceptEdits', 'claude-haiku-4-5'],
    );
    assert.equal((await say('Which number?'))['session_id'], second);
    assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /The number is/);
    assert.match(String(server.requests.at(-1)?.body['model']), /haiku/);
    assert.equal((await started.request({ subtype: 'get_context_usage', detail: 'summary' }))['subtype'], 'success');
    assert.equal((await started.close()).code, 0);
    assert.match(JSON.stringify(await place.transcript(String(first))), /42/);
    assert.match(JSON.stringify(await place.transcript(String(second))), /Which number/);
    assert.deepEqual(
      jsonLines(await readFile(heard, 'utf8')).map((one) => [one['hook_event_name'], one['source'] ?? one['reason']]),
      [
        ['SessionStart', 'startup'],
        ['SessionEnd', 'clear'],
        ['SessionStart', 'clear'],
        ['SessionEnd', 'other'],
      ],
    );
  });

  it('/clear leaves the budget of the run as it is, and does not set up again', async () => {
    const heard = path.join(place.home, 'heard.txt');
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    const hooks = { Setup: [{ hooks: [{ type: 'command', command: `echo set up >> ${heard}` }] }] };
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify({ hooks }));
    const looks = () =>
      withFields(reply(toolUse('Glob', { pattern: '*' })), { usage: { input_tokens: 400_000, output_tokens: 0 } });
    server.setScript([looks(), reply('Seen.'), looks(), reply('Never.')]);
    const started = program('--model', 'claude-opus-5', '--max-budget-usd', '5', '--init');
    started.say('Look');
    assert.equal((await result(started))['result'], 'Seen.');
    started.say('/clear');
    assert.equal((await result(started))['subtype'], 'success');
    started.say('Look again');
    const end = await result(started);
    assert.equal(end['subtype'], 'error_max_budget_usd');
    assert.match(String((end['errors'] as string[])[0]), /budget of \$5\.00 was exceeded: \$4\.\d\d is used/);
    assert.equal(server.requests.length, 3);
    await started.close();
    assert.equal(await readFile(heard, 'utf8'), 'set up\n');
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
