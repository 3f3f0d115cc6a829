// What the public agent SDK (0.3.330) sends for each of its options, as it was recorded from the SDK itself: the run is the one that was asked for.
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ControlProgram, type Message, startControlProgram } from '../../support/control-program';
import { withControlPrograms } from '../../support/control-suite';
import { type HeadlessPlace, jsonLines } from '../../support/headless-run';
import { delayed, reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('the options of the agent SDK', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result, there } = withControlPrograms((...opened) => ([place, server] = opened));

  beforeEach(async () => {
    server.setScript([reply('Hello.')]);
    await writeFile(path.join(place.workspace, 'CLAUDE.md'), 'memory of the project');
    await mkdir(path.join(place.home, '.claude/skills/greet'), { recursive: true });
    await writeFile(path.join(place.home, '.claude/CLAUDE.md'), 'memory of the user');
    await writeFile(
      path.join(place.home, '.claude/skills/greet/SKILL.md'),
      '---\ndescription: Greets people.\n---\nSay hello.',
    );
  });

  /** Plays one message; the SDK always begins with `initialize`. */
  const played = async (args: string[], initialize: Message = {}, say = 'hi') => {
    const started = program('--verbose', ...args);
    const answer = await started.request({ subtype: 'initialize', ...initialize });
    assert.equal(answer['subtype'], 'success', JSON.stringify(answer));
    started.say(say);
    const end = await result(started);
    const init = await started.next(({ subtype }) => subtype === 'init');
    const first = server.requests[0];
    assert.ok(first);
    return { started, end, init, first, sent: JSON.stringify(first.body), answer: answer['response'] as Message };
  };
  const system = (body: unknown): string =>
    ((body as { system?: { text: string }[] }).system ?? []).map(({ text }) => text).join('\n');
  const tools = (body: unknown): string[] =>
    ((body as { tools?: { name: string }[] }).tools ?? []).map(({ name }) => name);
  const closed = async (started: ControlProgram): Promise<string> => (await started.close()).stderr;

  it('systemPrompt replaces the prompt, also by nothing; append and preset add to it', async () => {
    const own = await played([], { systemPrompt: ['You are X.'] });
    assert.match(system(own.first.body), /^You are X\.\n\nText inside <system-reminder>/);
    server.setScript([reply('Hello.'), reply('Hello.')]);
    const none = program();
    await none.request({ subtype: 'initialize', systemPrompt: [''] });
    none.say('hi');
    await result(none);
    assert.match(system(server.requests[1]?.body), /^Text inside <system-reminder>/);
    const added = program();
    await added.request({ subtype: 'initialize', appendSystemPrompt: 'And be brief.' });
    added.say('hi');
    await result(added);
    assert.match(system(server.requests[2]?.body), /^You are Deft[\s\S]*And be brief\.$/);
  });

  it('settingSources names whose files are read', async () => {
    const { sent } = await played(['--setting-sources=project']);
    assert.match(sent, /memory of the project/);
    assert.doesNotMatch(sent, /memory of the user/);
  });

  it('settingSources of nobody reads no files at all', async () => {
    const { sent, init } = await played(['--setting-sources=']);
    assert.doesNotMatch(sent, /memory of the (project|user)/);
    assert.ok(!(init['skills'] as string[]).includes('greet'));
  });

  it('tools narrows the built-in tools, down to none', async () => {
    const { first } = await played(['--tools=Read,Bash']);
    assert.deepEqual(tools(first.body).sort(), ['Bash', 'Read']);
    server.setScript([reply('Hello.')]);
    const none = program('--tools=');
    await none.request({ subtype: 'initialize' });
    none.say('hi');
    await result(none);
    assert.deepEqual(tools(server.requests[1]?.body), []);
  });

  it('agents of initialize can be started, and agent makes one of them the conversation', async () => {
    const agents = { rev: { description: 'Reviews.', prompt: 'You review.', tools: ['Read'], initialPrompt: 'Look.' } };
    const { answer, first, init, sent } = await played(['--agent=rev'], { agents, systemPrompt: [''] });
    assert.ok(
      (answer['agents'] as Message[]).some(({ name, description }) => name === 'rev' && description === 'Reviews.'),
    );
    assert.ok((init['agents'] as string[]).includes('rev'));
    assert.match(system(first.body), /^You review\./);
    assert.deepEqual(tools(first.body), ['Read']);
    assert.match(sent, /Look\.\\n\\nhi/);
  });

  it('an agent that is not there ends the run before it begins', async () => {
    const started = program('--agent=nobody');
    started.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } });
    const end = await result(started);
    assert.match(String((end['errors'] as string[])[0]), /--agent: there is no agent nobody\. There are: /);
    assert.equal(server.requests.length, 0);
  });

  it('outputFormat gives one object of its schema, after as many tries as it takes', async () => {
    server.setScript([
      reply('Seven.'),
      reply(toolUse('StructuredOutput', { n: 'seven' })),
      reply(toolUse('StructuredOutput', { n: 7 })),
      reply('Done.'),
    ]);
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
      additionalProperties: false,
    };
    const { end } = await played([`--json-schema=${JSON.stringify(schema)}`, '--model=claude-sonnet-5'], {
      jsonSchema: schema,
    });
    assert.deepEqual([end['subtype'], end['structured_output']], ['success', { n: 7 }]);
    assert.match(JSON.stringify(server.requests[1]?.body['messages']), /A text does not count as the answer/);
    assert.match(JSON.stringify(server.requests[2]?.body['messages']), /\/n must be number/);
    assert.deepEqual(
      server.requests.slice(0, 3).map(({ body }) => body['tool_choice']),
      [undefined, { type: 'tool', name: 'StructuredOutput' }, undefined],
      'only the reply that has been asked for the answer must be one',
    );
  });

  it('outputFormat without an answer is an error of its own', async () => {
    server.setScript(() => reply('No.'));
    const schema = { type: 'object', properties: { n: { type: 'number' } } };
    const { end } = await played([], { jsonSchema: schema });
    assert.deepEqual([end['subtype'], end['is_error']], ['error_max_structured_output_retries', true]);
    assert.equal(server.requests.length, 6);
  });

  it('thinking, effort and betas reach the request', async () => {
    const { first } = await played([
      ...['--model=claude-sonnet-4-5', '--max-thinking-tokens=2000', '--betas=context-1m-2025-08-07'],
    ]);
    assert.equal((first.body['thinking'] as { budget_tokens: number }).budget_tokens, 2000);
    assert.match(String(first.headers['anthropic-beta']), /context-1m-2025-08-07/);
    server.setScript([reply('Hello.'), reply('Hello.')]);
    const off = program('--model=claude-sonnet-4-5', '--thinking=disabled');
    off.say('hi');
    await result(off);
    assert.notEqual((server.requests[1]?.body['thinking'] as { type?: string } | undefined)?.type, 'enabled');
    const hard = program('--model=claude-opus-4-8', '--effort=high');
    hard.say('hi');
    await result(hard);
    assert.deepEqual(server.requests[2]?.body['output_config'], { effort: 'high' });
  });

  it('sessionId names the session, and is refused where there is one of that name', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const { end, started } = await played([`--session-id=${id}`], { title: 'My title' });
    assert.equal(end['session_id'], id);
    await started.close();
    const again = program(`--session-id=${id}`);
    again.say('hi');
    assert.match(String(((await result(again))['errors'] as string[])[0]), /has a session .* already/);
    server.setScript([reply('Again.')]);
    const named = program('--resume', 'my title');
    named.say('hi');
    assert.equal((await result(named))['session_id'], id, 'a session is found by its title');
  });

  it('resumeSessionAt copies a session up to one message', async () => {
    server.setScript([reply('First.'), reply('Second.')]);
    const started = program('--replay-user-messages');
    started.say('one');
    await result(started);
    const first = await started.next(({ type }) => type === 'assistant');
    started.say('two');
    const { session_id: id } = await result(started);
    await started.close();
    server.setScript([reply('Third.')]);
    const copy = program(`--resume=${String(id)}`, '--fork-session', `--resume-session-at=${String(first['uuid'])}`);
    copy.say('three');
    assert.notEqual((await result(copy))['session_id'], id);
    const sent = JSON.stringify(server.requests.at(-1)?.body['messages']);
    assert.match(sent, /one[\s\S]*First\.[\s\S]*three/);
    assert.doesNotMatch(sent, /Second\.|"two"/);
  });

  it('a server inside the program answers over the control channel', async () => {
    server.setScript([reply(toolUse('mcp__calc__add', { a: 2, b: 3 })), reply('Five.')]);
    const started = program('--allowedTools=mcp__calc__add');
    started.send({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', sdkMcpServers: ['calc'] },
    });
    const methods: string[] = [];
    const serve = async (): Promise<void> => {
      for (;;) {
        const { request_id, request } = await started.question();
        assert.deepEqual([request['subtype'], request['server_name']], ['mcp_message', 'calc']);
        const { id, method, params } = request['message'] as { id?: number; method: string; params: Message };
        methods.push(method);
        started.answer(request_id, { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: answerOf(method, params) } });
        if (method === 'tools/call') return;
      }
    };
    const serving = serve();
    started.say('Add');
    assert.equal((await result(started))['result'], 'Five.');
    await serving;
    assert.deepEqual(methods, ['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    assert.match(JSON.stringify(server.requests[1]?.body['messages']), /"5"|SUM 5/);
    const status = await started.request({ subtype: 'mcp_status' });
    const [row] = (status['response'] as { mcpServers: Message[] }).mcpServers;
    assert.deepEqual([row?.['name'], row?.['status'], row?.['source']], ['calc', 'connected', 'sdk']);
  });

  it('the program switches questions off only where the run allows it', async () => {
    const plain = program();
    plain.say('hi');
    await result(plain);
    const refused = await plain.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' });
    assert.equal(refused['subtype'], 'error');
    const allowed = program('--allow-dangerously-skip-permissions');
    server.setScript([reply(toolUse('Bash', { command: 'touch made.txt' })), reply('Done.')]);
    await allowed.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' });
    allowed.say('Make it');
    await result(allowed);
    assert.ok(there('made.txt'));
  });

  it('tells context, changes thinking and effort, and rewinds files', async () => {
    server.setScript([
      reply(toolUse('Write', { file_path: path.join(place.workspace, 'new.txt'), content: 'x\n' })),
      reply('Done.'),
    ]);
    const started = program('--replay-user-messages', '--permission-mode=acceptEdits', '--model=claude-sonnet-4-5');
    started.say('Write it');
    await result(started);
    assert.ok(there('new.txt'));
    const said = await started.next(({ isReplay }) => isReplay === true);
    assert.deepEqual(said['message'], { role: 'user', content: 'Write it' });
    const context = (await started.request({ subtype: 'get_context_usage', detail: 'summary' }))['response'] as Message;
    assert.ok((context['totalTokens'] as number) > 0 && (context['maxTokens'] as number) >= 200_000);
    const dry = await started.request({ subtype: 'rewind_files', user_message_id: said['uuid'], dry_run: true });
    assert.deepEqual((dry['response'] as Message)['filesChanged'], [path.join(place.workspace, 'new.txt')]);
    assert.ok(there('new.txt'));
    const rewound = await started.request({ subtype: 'rewind_files', user_message_id: said['uuid'] });
    assert.equal((rewound['response'] as Message)['canRewind'], true);
    assert.equal(there('new.txt'), false);
    const unknown = await started.request({ subtype: 'rewind_files', user_message_id: 'nobody' });
    assert.equal((unknown['response'] as Message)['canRewind'], false);
    assert.equal(
      (await started.request({ subtype: 'apply_flag_settings', settings: { hooks: {} } }))['subtype'],
      'error',
    );
    await started.request({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 3000 });
    server.setScript([reply('Yes.')]);
    started.say('More');
    await result(started);
    assert.equal((server.requests.at(-1)?.body['thinking'] as Message)['budget_tokens'], 3000);
  });

  it('keeps the ID of a message, replays it under that, and takes the same message once', async () => {
    const started = program('--replay-user-messages', '');
    const uuid = '3f0c2a64-7d0f-4f0e-9d38-0f6f4b8b8f01';
    const message = { type: 'user', uuid, message: { role: 'user', content: 'one' }, parent_tool_use_id: null };
    started.send(message);
    await result(started);
    assert.equal((await started.next(({ isReplay }) => isReplay === true))['uuid'], uuid);
    const context = await started.request({ subtype: 'rewind_files', user_message_id: uuid, dry_run: true });
    assert.equal(context['subtype'], 'success');
    started.send(message);
    const again = await result(started);
    assert.deepEqual([again['subtype'], again['num_turns']], ['success', 0]);
    assert.equal(again['result'], `The session has a message ${uuid} already: it was not sent again.`);
    server.setScript([reply('Second.')]);
    started.say('two');
    assert.equal((await result(started))['result'], 'Second.');
    assert.match(await closed(started), new RegExp(`has a message ${uuid} already`));
    assert.equal(server.requests.length, 2);
  });

  it('says whether it works, waits or is idle where the program asks for that', async () => {
    const states = async (env: Record<string, string>): Promise<unknown[]> => {
      server.setScript([reply(toolUse('Bash', { command: 'touch made.txt' })), reply('Done.')]);
      const run = startControlProgram(place, { url: server.url, env }, '--permission-prompt-tool=stdio');
      await run.request({ subtype: 'initialize' });
      run.say('Make it');
      run.answer((await run.question()).request_id, { behavior: 'allow' });
      await result(run);
      const { stdout } = await run.close();
      return jsonLines(stdout).flatMap(({ type, subtype, state }) =>
        type === 'result' ? ['result'] : subtype === 'session_state_changed' ? [state] : [],
      );
    };
    const all = ['running', 'requires_action', 'running', 'result', 'idle'];
    assert.deepEqual(await states({ CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' }), all);
    assert.deepEqual(await states({}), ['result']);
  });

  it('is idle again once a question of an agent in the background is answered', async () => {
    let go = (): void => undefined;
    const idle = new Promise<void>((resolve) => (go = resolve));
    server.setScript(({ body }) => {
      const sent = JSON.stringify(body);
      if (sent.includes('You are given.'))
        return sent.includes('tool_result')
          ? reply('Touched.')
          : delayed(reply(toolUse('Bash', { command: 'touch made.txt' })), idle);
      if (sent.includes('Its report:')) return reply('All done.');
      const call = { description: 'Touch it', prompt: 'Touch it', subagent_type: 'given', run_in_background: true };
      return sent.includes('tool_result') ? reply('Later.') : reply(toolUse('Agent', call));
    });
    const run = startControlProgram(
      place,
      { url: server.url, env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' } },
      ...['--permission-prompt-tool=stdio', '--model=claude-opus-5', '--agents'],
      JSON.stringify({ given: { description: 'Given', prompt: 'You are given.' } }),
    );
    await run.request({ subtype: 'initialize' });
    run.say('Go');
    await run.next(({ state }) => state === 'idle');
    go();
    run.answer((await run.question()).request_id, { behavior: 'allow' });
    const { stdout } = await run.close();
    assert.deepEqual(
      jsonLines(stdout).flatMap(({ type, state }) => (type === 'result' ? ['result'] : (state ?? []))),
      ['running', 'result', 'idle', 'requires_action', 'idle', 'running', 'result', 'idle'],
    );
    assert.ok(there('made.txt'));
  });

  it('an opening field that comes late, or cannot be read, is refused', async () => {
    const late = program();
    late.say('hi');
    await result(late);
    const answer = await late.request({ subtype: 'initialize', systemPrompt: ['Too late'] });
    assert.match(String(answer['error']), /initialize came too late for systemPrompt/);
    const wrong = program();
    wrong.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize', agents: 'rev' } });
    assert.match(String(((await result(wrong))['errors'] as string[])[0]), /`agents` of initialize must be an object/);
  });

  it('options without effect take one line each, and never end the run', async () => {
    const { end, started } = await played(['--debug', '--task-budget=1000', '--include-hook-events', '--ide']);
    assert.equal(end['subtype'], 'success');
    const lines = (await closed(started)).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => line.replace(/ has no effect\..*/, '')),
      ['deft: --debug', 'deft: --task-budget', 'deft: --ide'],
    );
  });

  it('the result and the init message have the public fields', async () => {
    const { end, init } = await played([]);
    assert.deepEqual([end['stop_reason'], end['terminal_reason']], ['end_turn', 'completed']);
    assert.match(String(init['claude_code_version']), /^\d+\.\d+\.\d+$/);
    assert.ok((init['skills'] as string[]).includes('greet'));
    assert.deepEqual(init['plugins'], []);
    assert.ok((await readdir(place.workspace)).length > 0);
  });
});

function answerOf(method: string, params: Message): unknown {
  if (method === 'initialize')
    return {
      protocolVersion: params['protocolVersion'],
      capabilities: { tools: {} },
      serverInfo: { name: 'calc', version: '1' },
    };
  if (method === 'tools/list')
    return { tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }] };
  if (method !== 'tools/call') return {};
  const { a, b } = params['arguments'] as { a: number; b: number };
  return { content: [{ type: 'text', text: `SUM ${a + b}` }] };
}
