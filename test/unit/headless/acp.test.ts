// Deft as an agent of editors, by the Agent Client Protocol: the built program, driven by the protocol library's own client.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureBrowser } from '../../rig/browser';
import { type AcpEditor, type AcpEditorOptions, startAcpEditor } from '../../support/acp-editor';
import { refOf, startFaultyApp } from '../../support/faulty-app';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { processesWith } from '../../support/machine-processes';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('the Agent Client Protocol', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  let editors: AcpEditor[] = [];

  withHeadlessPlace((...opened) => ([place, server] = opened));
  afterEach(() => {
    for (const { run } of editors) run.child.kill('SIGKILL');
    editors = [];
  });

  const started = async (options: Partial<AcpEditorOptions> = {}): Promise<AcpEditor> => {
    const editor = await startAcpEditor(place, { url: server.url, ...options });
    editors.push(editor);
    return editor;
  };
  const opened = async (editor: AcpEditor): Promise<string> => {
    const { sessionId } = await editor.agent.request('session/new', { cwd: place.workspace, mcpServers: [] });
    return sessionId;
  };
  const ask = (editor: AcpEditor, sessionId: string, text: string) =>
    editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  const file = (name: string): string => path.join(place.workspace, name);
  const lastSent = (): string => JSON.stringify((server.requests.at(-1)?.body['messages'] as unknown[]).at(-1));
  const edit = (from: string, to: string) =>
    reply(toolUse('Edit', { file_path: file('a.txt'), old_string: from, new_string: to }));
  const read = () => reply(toolUse('Read', { file_path: file('a.txt') }));

  it('says what it can do, opens a session with modes and commands, and streams its answer', async () => {
    const answer = 'Hello there. '.repeat(30).trim();
    server.setScript([reply(answer)]);
    const editor = await started();
    assert.equal(editor.initialized.protocolVersion, 1);
    assert.equal(editor.initialized.agentCapabilities?.loadSession, true);
    const session = await editor.agent.request('session/new', { cwd: place.workspace, mcpServers: [] });
    assert.equal(session.modes?.currentModeId, 'default');
    assert.deepEqual(
      session.modes?.availableModes.map(({ id }) => id),
      ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk'],
    );
    const commands = await editor.next(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    assert.ok('availableCommands' in commands && commands.availableCommands.some(({ name }) => name === 'compact'));
    const { stopReason } = await ask(editor, session.sessionId, 'Hi');
    assert.equal(stopReason, 'end_turn');
    assert.equal(editor.said(), answer);
    assert.ok(editor.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk').length > 1);
    await editor.close();
    assert.equal((await editor.run.ended).code, 0);
  });

  it('asks about what is clicked on by its name, and about checks by their commands', async () => {
    ensureBrowser();
    const app = await startFaultyApp();
    try {
      await mkdir(path.join(place.home, '.claude'), { recursive: true });
      const settings = {
        permissions: { ask: ['Page(domain:127.0.0.1)'] },
        problemCommands: [{ command: 'echo "a.txt:1:1: error: bad"; touch ran' }],
      };
      await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify(settings));
      await writeFile(file('a.txt'), 'x\n');
      let calls = 0;
      server.setScript(() => {
        calls++;
        if (calls === 1) return reply(toolUse('Page', { action: 'open', url: `${app.url}/counter` }));
        const ref = refOf(lastSent().replaceAll('\\n', '\n'), /button.*Plus/);
        if (calls === 2) return reply(toolUse('Page', { action: 'click', ref }));
        return calls === 3 ? reply(toolUse('Problems', {})) : reply('Done.');
      });
      const editor = await started({
        choose: ({ options }) => options.find(({ kind }) => kind === 'allow_once')?.optionId,
      });
      assert.equal((await ask(editor, await opened(editor), 'Look')).stopReason, 'end_turn');
      const [open, click, checks] = editor.asked.map(({ toolCall }) => toolCall);
      assert.equal(open?.title, `Page ${app.url}/counter`);
      assert.equal(click?.title, 'Click button "Plus"?');
      assert.match(JSON.stringify(click?.content), /Element: button \\"Plus\\" \(e\d+\)/);
      assert.equal(checks?.title, "Run the project's checks?");
      assert.match(JSON.stringify(checks?.content), /touch ran/);
      assert.match(lastSent(), /1 error in 1 file/);
      assert.ok(existsSync(file('ran')));
      await editor.close();
    } finally {
      await app.close();
    }
  });

  it('shows pictures of pages, and leaves no browser behind', async () => {
    ensureBrowser();
    const app = await startFaultyApp();
    try {
      server.setScript([
        reply(toolUse('Page', { action: 'open', url: `${app.url}/total` })),
        reply(toolUse('Page', { action: 'screenshot' })),
        reply('Done.'),
      ]);
      const editor = await started();
      assert.equal((await ask(editor, await opened(editor), 'Look')).stopReason, 'end_turn');
      const pictures = editor.updates.flatMap((update) =>
        update.sessionUpdate === 'tool_call_update'
          ? (update.content ?? []).filter((part) => part.type === 'content' && part.content.type === 'image')
          : [],
      );
      assert.match(JSON.stringify(pictures), /"mimeType":"image\/jpeg"/);
      await editor.close();
      assert.equal((await editor.run.ended).code, 0);
      assert.deepEqual(processesWith(place.temporary), []);
    } finally {
      await app.close();
    }
  });

  it('shows a change before it asks, and makes it or not as the user says', async () => {
    await writeFile(file('a.txt'), 'one\ntwo\n');
    server.setScript([
      reply(toolUse('Read', { file_path: file('a.txt') })),
      edit('one', 'ONE'),
      reply('Done.'),
      edit('two', 'TWO'),
      reply('As you like.'),
    ]);
    const choices = ['allow', 'reject'];
    const editor = await started({ choose: () => choices.shift() });
    const id = await opened(editor);
    assert.equal((await ask(editor, id, 'Change it')).stopReason, 'end_turn');
    const [first] = editor.asked;
    assert.deepEqual(first?.toolCall.content, [
      { type: 'diff', path: file('a.txt'), oldText: 'one\ntwo\n', newText: 'ONE\ntwo\n' },
    ]);
    assert.deepEqual(
      first.options.map(({ kind }) => kind),
      ['allow_once', 'allow_always', 'allow_always', 'reject_once'],
    );
    assert.equal(await readFile(file('a.txt'), 'utf8'), 'ONE\ntwo\n');
    const done = await editor.next(
      (update) =>
        update.sessionUpdate === 'tool_call_update' &&
        update.toolCallId === first.toolCall.toolCallId &&
        update.status === 'completed',
    );
    assert.deepEqual('content' in done ? done.content : undefined, [
      { type: 'diff', path: file('a.txt'), oldText: 'one\ntwo\n', newText: 'ONE\ntwo\n' },
    ]);
    const call = await editor.next(
      (update) => update.sessionUpdate === 'tool_call' && update.toolCallId === first.toolCall.toolCallId,
    );
    assert.ok(call.sessionUpdate === 'tool_call' && call.kind === 'edit');

    assert.equal((await ask(editor, id, 'And the other line')).stopReason, 'end_turn');
    assert.equal(await readFile(file('a.txt'), 'utf8'), 'ONE\ntwo\n');
    assert.match(lastSent(), /Permission denied|rejected|denied/i);
    const second = editor.asked[1]?.toolCall.toolCallId;
    await editor.next(
      (update) =>
        update.sessionUpdate === 'tool_call_update' && update.toolCallId === second && update.status === 'failed',
    );
  });

  it('an answer for the session is not asked again, and a change of the mode answers what is asked', async () => {
    await writeFile(file('a.txt'), 'one\ntwo\n');
    server.setScript([read(), edit('one', 'ONE'), edit('two', 'TWO'), reply('Done.')]);
    const editor = await started({
      choose: ({ options }) => options.find(({ kind }) => kind === 'allow_always')?.optionId,
    });
    const id = await opened(editor);
    await ask(editor, id, 'Change both');
    assert.equal(editor.asked.length, 1);
    assert.equal(await readFile(file('a.txt'), 'utf8'), 'ONE\nTWO\n');
    await editor.next(
      (update) => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'acceptEdits',
    );

    server.setScript([edit('ONE', 'one'), reply('Done.')]);
    const other = await started({ choose: () => new Promise(() => undefined) });
    const second = await opened(other);
    server.setScript([read(), edit('ONE', '1'), reply('Done.')]);
    const turn = ask(other, second, 'Change it');
    await other.next((update) => update.sessionUpdate === 'tool_call' && update.kind === 'edit');
    while (other.asked.length === 0) await new Promise(setImmediate);
    await other.agent.request('session/set_mode', { sessionId: second, modeId: 'acceptEdits' });
    assert.equal((await turn).stopReason, 'end_turn');
    assert.equal(await readFile(file('a.txt'), 'utf8'), '1\nTWO\n');
    await assert.rejects(
      other.agent.request('session/set_mode', { sessionId: second, modeId: 'bypassPermissions' }),
      /only if it was started with/,
    );
  });

  it('cancels a turn while a command runs, and goes on', async () => {
    server.setScript([reply(toolUse('Bash', { command: 'sleep 60' })), reply('Back.')]);
    const editor = await started({ args: ['--allowedTools', 'Bash(sleep:*)'] });
    const id = await opened(editor);
    const turn = ask(editor, id, 'Wait');
    await editor.next((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'in_progress');
    await editor.agent.notify('session/cancel', { sessionId: id });
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal((await ask(editor, id, 'Again')).stopReason, 'end_turn');
    assert.equal(editor.said(), 'Back.');
  });

  it('a command that ends between two prompts begins no turn: the model is told with the next one', async () => {
    const command = 'until [ -e go ]; do sleep 0.05; done';
    server.setScript([
      reply(toolUse('Bash', { command, run_in_background: true }, 'b1')),
      reply('Started.'),
      ...Array.from({ length: 100 }, () => reply('I see.')),
    ]);
    const editor = await started({ choose: () => 'allow' });
    const id = await opened(editor);
    assert.equal((await ask(editor, id, 'Go')).stopReason, 'end_turn');
    await writeFile(file('go'), '');
    let prompts = 0;
    const told = (): boolean => JSON.stringify(server.requests.at(-1)?.body['messages']).includes('has ended without');
    while (!told()) {
      assert.ok(prompts++ < 90, 'the end is never told');
      assert.equal((await ask(editor, id, 'And?')).stopReason, 'end_turn');
    }
    assert.equal(server.requests.length, 2 + prompts, 'one request for each prompt, and none by itself');
  });

  it('loads a session and replays it, also in another process', async () => {
    await writeFile(file('a.txt'), 'one\n');
    server.setScript([
      read(),
      reply(toolUse('TodoWrite', { todos: [{ content: 'Look', activeForm: 'Looking', status: 'completed' }] })),
      reply('It says one.'),
      reply(toolUse('TaskCreate', { subject: 'Tell', description: 'What it says' })),
      reply('Still one.'),
    ]);
    const plans = (editor: AcpEditor): string[] =>
      editor.updates.flatMap((update) =>
        update.sessionUpdate === 'plan'
          ? [update.entries.map(({ content, status }) => `${content}: ${status}`).join(', ')]
          : [],
      );
    const first = await started({ args: ['--allowedTools', 'TodoWrite'] });
    const id = await opened(first);
    await ask(first, id, 'What does it say?');
    assert.deepEqual(plans(first), ['Look: completed']);
    await first.close();

    // This run has the Task tools, which go on from the list that TodoWrite left.
    const editor = await started();
    const { sessions } = await editor.agent.request('session/list', { cwd: place.workspace });
    assert.deepEqual(
      sessions.map(({ sessionId, title }) => [sessionId, title]),
      [[id, 'What does it say?']],
    );
    const loaded = await editor.agent.request('session/load', {
      sessionId: id,
      cwd: place.workspace,
      mcpServers: [],
    });
    assert.equal(loaded.modes?.currentModeId, 'default');
    const kinds = editor.updates.map(({ sessionUpdate }) => sessionUpdate);
    assert.deepEqual(kinds.slice(0, 2), ['user_message_chunk', 'tool_call']);
    assert.ok(kinds.includes('agent_message_chunk'));
    const [, call] = editor.updates;
    assert.ok(call?.sessionUpdate === 'tool_call');
    assert.deepEqual([call.kind, call.status, call.locations], ['read', 'completed', [{ path: file('a.txt') }]]);
    assert.match(editor.said(), /It says one\./);
    await ask(editor, id, 'And now?');
    assert.match(JSON.stringify(server.requests.at(-1)?.body['messages']), /It says one\.[\s\S]*And now\?/);
    assert.equal(editor.said(), 'Still one.');
    assert.deepEqual(plans(editor), ['Look: completed', '#1 Look: completed, #2 Tell: pending']);
    await assert.rejects(
      editor.agent.request('session/load', { sessionId: 'nobody', cwd: place.workspace, mcpServers: [] }),
      /no session nobody/,
    );
    await editor.agent.request('session/close', { sessionId: id });
    await assert.rejects(ask(editor, id, 'Hello?'));
  });

  it('reads what is not saved in the editor, and writes through it', async () => {
    await writeFile(file('a.txt'), 'on disk\n');
    server.setScript([read(), edit('in the editor', 'changed'), reply('Done.')]);
    const editor = await started({
      args: ['--permission-mode', 'acceptEdits'],
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    });
    const id = await opened(editor);
    await editor.next(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    editor.buffers.set(file('a.txt'), 'in the editor\n');
    await ask(editor, id, 'Change it');
    assert.match(JSON.stringify(server.requests[1]?.body['messages']), /in the editor/);
    assert.deepEqual(editor.written, [file('a.txt')]);
    assert.equal(await readFile(file('a.txt'), 'utf8'), 'changed\n');
  });

  it('runs commands in terminals of the editor, with the exit code and output of the command', async () => {
    server.setScript([reply(toolUse('Bash', { command: 'echo out && exit 3' })), reply('Done.')]);
    const editor = await started({ args: ['--allowedTools', 'Bash'], capabilities: { terminal: true } });
    const id = await opened(editor);
    await ask(editor, id, 'Run it');
    assert.match(lastSent(), /out/);
    assert.match(lastSent(), /3/);
    const shown = await editor.next(
      (update) => update.sessionUpdate === 'tool_call_update' && update.content?.[0]?.type === 'terminal',
    );
    assert.ok(shown.sessionUpdate === 'tool_call_update');
    assert.deepEqual(shown.content, [{ type: 'terminal', terminalId: 'terminal 1' }]);
    const last = editor.updates.findLast(
      (update) => update.sessionUpdate === 'tool_call_update' && update.toolCallId === shown.toolCallId,
    );
    assert.ok(last?.sessionUpdate === 'tool_call_update' && last.content?.[0]?.type === 'terminal');
    assert.deepEqual(editor.terminals, ['terminal 1']);
  });

  it('asks questions by forms, and takes files, texts and images of a prompt', async () => {
    await writeFile(file('b.txt'), 'linked text\n');
    const question = {
      question: 'Which one?',
      header: 'Choice',
      options: [
        { label: 'A', description: 'The first' },
        { label: 'B', description: 'The second' },
      ],
    };
    server.setScript([reply(toolUse('AskUserQuestion', { questions: [question] })), reply('Done.')]);
    const editor = await started({ capabilities: { elicitation: { form: {} } }, fill: () => ({ q1: 'B' }) });
    const id = await opened(editor);
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await editor.agent.request('session/prompt', {
      sessionId: id,
      prompt: [
        { type: 'text', text: 'Look at ' },
        { type: 'resource_link', name: 'b.txt', uri: `file://${file('b.txt')}` },
        { type: 'resource', resource: { uri: 'zed:///selection', text: 'embedded text' } },
        { type: 'image', mimeType: 'image/png', data: png },
      ],
    });
    const sent = JSON.stringify(server.requests[0]?.body['messages']);
    assert.match(sent, /linked text[\s\S]*embedded text/);
    assert.match(sent, /"type":"image"/);
    assert.match(lastSent(), /\\"Which one\?\\": B/);
    await assert.rejects(editor.agent.request('session/prompt', { sessionId: id, prompt: [] }), /The prompt is empty/);
  });

  it('commands answer without the model, and MCP servers of the editor are there', async () => {
    server.setScript([reply(toolUse('Bash', { command: 'true' })), reply('Done.')]);
    const editor = await started();
    const guard = { command: process.execPath, args: [path.resolve('test/support/mcp/permission-server.mjs')] };
    const { sessionId } = await editor.agent.request('session/new', {
      cwd: place.workspace,
      mcpServers: [{ name: 'guard', ...guard, env: [] }],
    });
    await ask(editor, sessionId, '/goal clear');
    assert.match(editor.said(), /goal/i);
    assert.equal(server.requests.length, 0);
    await ask(editor, sessionId, 'Go');
    assert.match(JSON.stringify(server.requests[0]?.body), /mcp__guard__decide/);
  });

  it('a folder or session that is not there, and a key that is missing, are sentences', async () => {
    const editor = await started();
    await assert.rejects(
      editor.agent.request('session/new', { cwd: file('nowhere'), mcpServers: [] }),
      /The folder .*nowhere does not exist/,
    );
    await mkdir(file('other'));
    const { sessionId } = await editor.agent.request('session/new', { cwd: file('other'), mcpServers: [] });
    server.setScript([reply(toolUse('Bash', { command: 'pwd > here.txt' })), reply('Done.')]);
    const second = await started({ args: ['--allowedTools', 'Bash'] });
    const own = await second.agent.request('session/new', { cwd: file('other'), mcpServers: [] });
    assert.notEqual(own.sessionId, sessionId);
    await ask(second, own.sessionId, 'Where?');
    assert.ok(existsSync(file('other/here.txt')), 'a session works in its own folder');
    assert.equal((await readFile(file('other/here.txt'), 'utf8')).trim(), await realpath(file('other')));
  });
});
