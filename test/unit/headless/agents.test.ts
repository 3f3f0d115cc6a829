// Agents of a run without a window: files and --agents, messages with their parent's call, transcripts next to the session.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, type HeadlessPlace, jsonLines } from '../../support/headless-run';
import { gitIn } from '../../support/git-repository';
import { referenceServer } from '../../support/mcp/run-servers';
import { delayed, reply, type ScriptedReply, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

describe('agents of a headless run', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  async function serve(...script: ScriptedReply[]): Promise<string> {
    server = await startMessagesApi(script);
    return server.url;
  }

  beforeEach(async () => {
    place = await createHeadlessPlace();
    await writeFile(path.join(place.workspace, 'answer.txt'), '42\n');
    await mkdir(path.join(place.workspace, '.claude/agents'), { recursive: true });
    await writeFile(
      path.join(place.workspace, '.claude/agents/reader.md'),
      '---\nname: reader\ndescription: Reads: files\ntools: Read\n---\nYou are the reader.\n',
    );
  });
  afterEach(async () => {
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });

  const agent = (type: string): ScriptedReply =>
    reply(toolUse('Agent', { description: 'Read it', prompt: 'Read answer.txt', subagent_type: type }, 'toolu_agent'));

  it('count in permission_denials', async () => {
    const touch = { command: 'touch made.txt' };
    const url = await serve(
      reply(
        toolUse('Bash', touch, 'toolu_own'),
        toolUse(
          'Agent',
          { description: 'Make it', prompt: 'Make it', subagent_type: 'general-purpose' },
          'toolu_agent',
        ),
      ),
      reply(toolUse('Bash', touch, 'toolu_agents')),
      reply('It was denied.'),
      reply('It cannot be made.'),
    );
    const end = await place.run(['-p', 'Make it', '--output-format', 'json'], { url });
    assert.equal(end.code, 0, end.stderr);
    const [{ permission_denials: denials }] = jsonLines(end.stdout) as [{ permission_denials: unknown }];
    assert.deepEqual(
      denials,
      ['toolu_own', 'toolu_agents'].map((id) => ({ tool_name: 'Bash', tool_use_id: id, tool_input: touch })),
    );
  });

  it('say in each message whose call it belongs to, keep a transcript of their own, and are not listed as sessions', async () => {
    const url = await serve(
      agent('reader'),
      reply('I look.', toolUse('Read', { file_path: path.join(place.workspace, 'answer.txt') }, 'toolu_read')),
      reply('It says 42.'),
      reply('The answer is 42.'),
    );
    const end = await place.run(
      [
        '-p',
        'What is the answer?',
        '--output-format',
        'stream-json',
        '--include-partial-messages',
        '--model',
        'claude-opus-5',
      ],
      { url },
    );
    assert.equal(end.code, 0, end.stderr);
    const lines = jsonLines(end.stdout);
    const parents = lines.flatMap((line) =>
      line['type'] === 'assistant' || line['type'] === 'user' ? [line['parent_tool_use_id']] : [],
    );
    assert.deepEqual(parents, [null, 'toolu_agent', 'toolu_agent', 'toolu_agent', 'toolu_agent', null, null]);
    const begun = lines.filter(
      (line) => line['type'] === 'stream_event' && (line['event'] as { type: string }).type === 'message_start',
    );
    assert.equal(begun.length, 2, 'the two replies of the conversation stream, those of the agent do not');
    assert.match(JSON.stringify(server.requests[1]?.body), /You are the reader\./);
    const result = lines.at(-1) as { session_id: string; modelUsage: Record<string, { inputTokens: number }> };
    assert.equal(result.modelUsage['claude-opus-5']?.inputTokens, 40, 'what the agent took counts');
    const folders = (await readdir(place.home, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    const own = folders.find((name) => /subagents[/\\]agent-a[0-9a-f]+\.jsonl$/.test(name));
    assert.ok(own?.includes(result.session_id), folders.join());
    const records = jsonLines(await readFile(path.join(place.home, own ?? ''), 'utf8'));
    assert.ok(records.every((record) => record['isSidechain'] === true && record['sessionId'] === result.session_id));
    await server.close();
    const again = await serve(reply('Again.'));
    const next = await place.run(['-p', 'Again', '--continue', '--output-format', 'json', '--model', 'claude-opus-5'], {
      url: again,
    });
    assert.equal((jsonLines(next.stdout)[0] as { session_id: string }).session_id, result.session_id);
  });

  it('come from --agents too', async () => {
    const url = await serve(agent('given'), reply('It says 42.'), reply('42.'));
    const agents = JSON.stringify({ given: { description: 'Given', prompt: 'You are given.' }, bad: {} });
    const end = await place.run(['-p', 'What?', '--agents', agents, '--model', 'claude-opus-5'], { url });
    assert.equal(end.stdout, '42.\n');
    assert.match(end.stderr, /The agent "bad" of --agents: It has no `description`/);
    assert.match(JSON.stringify(server.requests[0]?.body), /- reader: Reads: files \(Tools: Read\)/);
    assert.match(JSON.stringify(server.requests[1]?.body), /You are given\./);
  });

  describe('in the background', () => {
    async function background(): Promise<string> {
      let go = (): void => undefined;
      const promised = new Promise<void>((resolve) => (go = resolve));
      server = await startMessagesApi(({ body }) => {
        const text = JSON.stringify(body);
        if (text.includes('You are the reader.')) return delayed(reply('It says 42.'), promised);
        if (text.includes('Its report:')) return reply('The answer is 42.');
        if (!text.includes('tool_result'))
          return reply(
            toolUse(
              'Agent',
              { description: 'Read it', prompt: 'Read answer.txt', subagent_type: 'reader', run_in_background: true },
              'toolu_agent',
            ),
          );
        go();
        return reply('I am told later.');
      });
      return server.url;
    }

    it('are waited for, and what they report is told before the run ends', async () => {
      const end = await place.run(['-p', 'What is the answer?', '--model', 'claude-opus-5'], {
        url: await background(),
      });
      assert.equal(end.code, 0, end.stderr);
      assert.equal(end.stdout, 'The answer is 42.\n');
    });

    for (const input of ['text', 'stream-json']) {
      it(`are waited for where messages are written as they come, given ${input}`, async () => {
        const url = await background();
        const options = ['--output-format', 'stream-json', '--model', 'claude-opus-5'];
        const message = { type: 'user', message: { role: 'user', content: 'What is the answer?' } };
        const end = await (input === 'text'
          ? place.run(['-p', 'What is the answer?', ...options], { url })
          : place.run(['-p', '--input-format', 'stream-json', ...options], {
              url,
              stdin: `${JSON.stringify(message)}\n`,
            }));
        assert.equal(end.code, 0, end.stderr);
        const lines = jsonLines(end.stdout);
        const last = lines.at(-1) as { type: string; result: string };
        assert.deepEqual([last.type, last.result], ['result', 'The answer is 42.']);
        // One for each turn: the one that no prompt began says so.
        assert.deepEqual(
          lines.flatMap(({ type, origin }) => (type === 'result' ? [origin] : [])),
          input === 'text' ? [undefined] : [undefined, { kind: 'task-notification' }],
        );
        const said = lines.flatMap((line) =>
          line['type'] === 'assistant' && JSON.stringify(line).includes('It says 42.')
            ? [line['parent_tool_use_id']]
            : [],
        );
        assert.deepEqual(said, ['toolu_agent'], 'what the agent said came before, with the call that it belongs to');
      });
    }
  });

  it('have what --agents gives them: a worktree, notes, servers of their own', async () => {
    const { workspace } = place;
    for (const args of [
      ['init', '--quiet'],
      ['add', 'answer.txt'],
      ['commit', '--quiet', '-m', 'First'],
    ])
      await gitIn(workspace, ...args);
    const notes = path.join(place.home, '.claude/agent-memory/given');
    await mkdir(notes, { recursive: true });
    await writeFile(path.join(notes, 'MEMORY.md'), 'Answers are short.\n');
    server = await startMessagesApi(({ body }) => {
      const text = JSON.stringify(body);
      if (!text.includes('You are given.')) return text.includes('tool_result') ? reply('Done.') : agent('given');
      const at = /your own git worktree, (\S+) \(branch/.exec(text)?.[1] ?? '';
      if (text.includes('tool_result')) return reply('I noted it.');
      return reply(
        toolUse('Write', { file_path: path.join(at, 'new.txt'), content: 'new\n' }, 'toolu_write'),
        toolUse('mcp__mine__echo', { message: 'Hello' }, 'toolu_echo'),
      );
    });
    const { url } = server;
    const agents = JSON.stringify({
      given: {
        description: 'Given',
        prompt: 'You are given.',
        isolation: 'worktree',
        memory: 'user',
        mcpServers: [{ mine: referenceServer('everything') }],
      },
    });
    const end = await place.run(
      [
        '-p',
        'What?',
        '--agents',
        agents,
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        'mcp__mine',
        '--model',
        'claude-opus-5',
      ],
      { url },
    );
    assert.equal(end.code, 0, end.stderr);
    const [, first = {}, second] = server.requests.map(({ body }) => body);
    assert.match(JSON.stringify(first), /Answers are short\./);
    assert.match(JSON.stringify(second), /Echo: Hello/);
    const report = JSON.stringify(server.requests.at(-1)?.body);
    const [, branch = ''] =
      /Its changes are the branch (worktree-agent-\S+), not in/.exec(report) ?? assert.fail(report.slice(-2_000));
    assert.equal(await gitIn(workspace, 'show', `${branch}:new.txt`), 'new');
  });
});
