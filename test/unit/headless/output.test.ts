import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, jsonLines, type HeadlessPlace } from '../../support/headless-run';
import {
  dropAfter,
  httpError,
  reply,
  text,
  toolUse,
  withFields,
  type ScriptedReply,
} from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

describe('headless output', function () {
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
  });
  afterEach(async () => {
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });

  const readTheAnswer = (): ScriptedReply[] => [
    withFields(
      reply('I look.', toolUse('Read', { file_path: path.join(place.workspace, 'answer.txt') }, 'toolu_read')),
      {
        usage: { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 1000, cache_read_input_tokens: 0 },
      },
    ),
    withFields(reply('It is 42.'), {
      usage: { input_tokens: 20, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 1000 },
    }),
  ];

  it('has no warnings of the runtime beside ten calls at once', async () => {
    const calls = Array.from({ length: 10 }, (_, index) => toolUse('Glob', { pattern: `*.${index}` }, `t${index}`));
    const url = await serve(reply(...calls), reply('Done.'));
    const { code, stdout, stderr } = await place.run(['-p', 'Go'], { url });
    assert.deepEqual([code, stdout, stderr], [0, 'Done.\n', '']);
  });

  it('text: the answer and nothing else', async () => {
    const url = await serve(...readTheAnswer());
    const end = await place.run(['-p', 'What is the answer?', '--model', 'claude-opus-5'], { url });
    assert.deepEqual({ ...end }, { code: 0, signal: null, stdout: 'It is 42.\n', stderr: '' });
  });

  it('json: one result', async () => {
    const url = await serve(...readTheAnswer());
    const end = await place.run(['-p', 'What is the answer?', '--output-format', 'json', '--model', 'claude-opus-5'], {
      url,
    });
    assert.equal(end.code, 0, end.stderr);
    const [result, ...more] = jsonLines(end.stdout);
    assert.equal(more.length, 0);
    const { uuid, session_id, duration_ms, duration_api_ms, modelUsage, ...rest } = result ?? {};
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.match(String(session_id), /^[0-9a-f-]{36}$/);
    assert.ok(Number(duration_ms) >= Number(duration_api_ms) && Number(duration_api_ms) >= 0);
    assert.deepEqual(rest, {
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 2,
      result: 'It is 42.',
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      total_cost_usd: (120 * 5 + 1000 * 5 * 1.25 + 1000 * 5 * 0.1 + 15 * 25) / 1_000_000,
      usage: { input_tokens: 120, output_tokens: 15, cache_creation_input_tokens: 1000, cache_read_input_tokens: 1000 },
      permission_denials: [],
    });
    assert.deepEqual(Object.keys(modelUsage as object), ['claude-opus-5']);
  });

  it('stream-json: init, messages, tool results, result', async () => {
    const url = await serve(...readTheAnswer());
    const end = await place.run(
      ['-p', 'What is the answer?', '--output-format', 'stream-json', '--verbose', '--model', 'claude-opus-5'],
      { url },
    );
    assert.equal(end.code, 0, end.stderr);
    const lines = jsonLines(end.stdout);
    assert.deepEqual(
      lines.map(({ type, subtype }) => (subtype === undefined ? type : `${String(type)}/${String(subtype)}`)),
      ['system/init', 'assistant', 'assistant', 'user', 'assistant', 'result/success'],
    );
    const [init, , call, result] = lines;
    assert.deepEqual(
      {
        tools: init?.['tools'],
        model: init?.['model'],
        cwd: init?.['cwd'],
        permissionMode: init?.['permissionMode'],
        apiKeySource: init?.['apiKeySource'],
      },
      {
        tools: [
          'Read',
          'Edit',
          'Write',
          'NotebookEdit',
          'Glob',
          'Grep',
          'Bash',
          'Agent',
          'SendMessage',
          'TaskStop',
          'TaskOutput',
          'Tests',
          'WebFetch',
          'WebSearch',
          'Page',
          'TaskCreate',
          'TaskUpdate',
          'TaskGet',
          'TaskList',
          'Sleep',
          'Skill',
          'ToolSearch',
        ],
        model: 'claude-opus-5',
        cwd: place.workspace,
        permissionMode: 'default',
        apiKeySource: 'ANTHROPIC_API_KEY',
      },
    );
    assert.equal(new Set(lines.map((line) => line['session_id'])).size, 1);
    const message = call?.['message'] as {
      id: string;
      role: string;
      content: { type: string; id?: string }[];
      usage: unknown;
    };
    assert.equal(message.role, 'assistant');
    assert.deepEqual(
      message.content.map(({ type, id }) => [type, id]),
      [['tool_use', 'toolu_read']],
    );
    const [block] = (result?.['message'] as { content: { type: string; tool_use_id: string; content: string }[] })
      .content;
    assert.deepEqual([block?.type, block?.tool_use_id], ['tool_result', 'toolu_read']);
    assert.match(block?.content ?? '', /42/);
    assert.equal(result?.['parent_tool_use_id'], null);
  });

  it('stream-json with partial messages: the raw events too', async () => {
    const url = await serve(reply('Hello there, you.'));
    const end = await place.run(['-p', 'Hi', '--output-format', 'stream-json', '--include-partial-messages'], { url });
    const events = jsonLines(end.stdout)
      .filter(({ type }) => type === 'stream_event')
      .map((line) => line['event'] as { type: string; delta?: { text?: string } });
    assert.deepEqual(
      [...new Set(events.map(({ type }) => type))],
      [
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ],
    );
    assert.equal(events.map(({ delta }) => delta?.text ?? '').join(''), 'Hello there, you.');
  });

  it('stream-json: a retry is a message', async () => {
    const url = await serve(
      httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '0' }),
      reply('Here I am.'),
    );
    const end = await place.run(['-p', 'Hi', '--output-format', 'stream-json'], {
      url,
      env: { CLAUDE_CODE_MAX_RETRIES: '3' },
    });
    assert.equal(end.code, 0, end.stderr);
    const retry = jsonLines(end.stdout).find(({ subtype }) => subtype === 'api_retry');
    const { attempt, max_retries, retry_delay_ms, error_status, error } = retry ?? {};
    assert.deepEqual(
      { attempt, max_retries, retry_delay_ms, error_status, error },
      { attempt: 1, max_retries: 3, retry_delay_ms: 0, error_status: 529, error: 'server_error' },
    );
    assert.match(
      end.stderr,
      /^deft: The model is overloaded at 127\.0\.0\.1:\d+\. Trying again in 1 s \(try 2 of 4\)\.$/m,
    );
  });

  it('says which command of the background ends with the run', async () => {
    const url = await serve(
      reply(toolUse('Bash', { command: 'sleep 1000', run_in_background: true })),
      reply('Started.'),
    );
    const end = await place.run(['-p', 'Go', '--allowedTools', 'Bash'], { url });
    assert.deepEqual([end.code, end.stdout], [0, 'Started.\n']);
    assert.equal(end.stderr, 'deft: A command still running in the background was ended with the run: sleep 1000\n');
  });

  it('--max-turns ends the run as a failure that can go on', async () => {
    const url = await serve(reply(toolUse('Read', { file_path: path.join(place.workspace, 'answer.txt') })));
    const end = await place.run(['-p', 'Go', '--output-format', 'json', '--max-turns', '1'], { url });
    const [result] = jsonLines(end.stdout);
    assert.equal(end.code, 1);
    assert.equal(result?.['subtype'], 'error_max_turns');
    assert.equal(result?.['is_error'], true);
    assert.match(end.stderr, /Stopped after 1 turns?\..*--resume/s);
  });

  it('sends what the options and the environment say', async () => {
    const url = await serve(reply('Yes.'));
    const env = {
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1234',
      CLAUDE_CODE_SIMPLE: '1',
      ANTHROPIC_MODEL: 'claude-sonnet-5',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: blue',
    };
    await place.run(['-p', 'Hi', '--append-system-prompt', 'Answer in rhyme.'], { url, env });
    const { body, headers } = server.requests[0] ?? assert.fail('no request');
    assert.equal(body['model'], 'claude-sonnet-5');
    assert.equal(body['max_tokens'], 1234);
    assert.deepEqual(
      (body['tools'] as { name: string }[]).map(({ name }) => name),
      ['Read', 'Edit', 'Bash'],
    );
    assert.equal((body['system'] as { text: string }[]).at(-1)?.text, 'Answer in rhyme.');
    assert.equal(headers['x-team'], 'blue');
    assert.equal(headers['x-api-key'], 'key-of-the-test');
  });

  it('--model takes short names and wins over the environment', async () => {
    const url = await serve(reply('a'), reply('b'));
    await place.run(['-p', 'Hi', '--model', 'haiku'], { url, env: { ANTHROPIC_MODEL: 'claude-sonnet-5' } });
    await place.run(['-p', 'Hi', '--model', 'opus'], { url, env: { ANTHROPIC_DEFAULT_OPUS_MODEL: 'claude-opus-4-8' } });
    assert.deepEqual(
      server.requests.map(({ body }) => body['model']),
      ['claude-haiku-5-5', 'claude-opus-4-8'],
    );
  });

  it('mentions bring their files along', async () => {
    const url = await serve(reply('42.'));
    await place.run(['-p', 'What does @answer.txt say?'], { url });
    assert.match(server.requests[0]?.text ?? '', /attachment path=.*answer\.txt.*1\\t42/);
  });

  it('standard input is the prompt, or stands before it', async () => {
    const url = await serve(reply('a'), reply('b'));
    // With the byte order mark that some editors and shells put in front.
    await place.run(['-p'], { url, stdin: '\uFEFFFrom the pipe\n' });
    await place.run(['-p', 'Explain this'], { url, stdin: 'error: 7\n' });
    const prompts = server.requests.map(
      ({ body }) => (body['messages'] as { content: { text: string }[] }[]).at(-1)?.content.at(-1)?.text,
    );
    assert.deepEqual(prompts, ['From the pipe', 'error: 7\n\nExplain this']);
  });

  it('--input-format stream-json plays one turn a line in one session', async () => {
    const url = await serve(reply('One.'), reply('Two.'));
    const user = (content: unknown) => JSON.stringify({ type: 'user', message: { role: 'user', content } });
    const stdin = `\uFEFF${user('first')}\n\n${user([{ type: 'text', text: 'second' }])}\n`;
    const end = await place.run(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], {
      url,
      stdin,
    });
    assert.equal(end.code, 0, end.stderr);
    const results = jsonLines(end.stdout).filter(({ type }) => type === 'result');
    assert.deepEqual(
      results.map((line) => line['result']),
      ['One.', 'Two.'],
    );
    assert.equal((server.requests[1]?.body['messages'] as unknown[]).length, 3);
  });

  it('parallel calls with skewed delays stay in order', async () => {
    const slow = 'sleep 0.3; cat answer.txt';
    const calls = [
      toolUse('Bash', { command: slow }, 'toolu_a'),
      toolUse('Read', { file_path: path.join(place.workspace, 'answer.txt') }, 'toolu_b'),
      toolUse('Grep', { pattern: '4', path: place.workspace }, 'toolu_c'),
    ];
    const url = await serve(reply(...calls), reply('Done.'));
    const end = await place.run(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url });
    assert.equal(end.stdout, 'Done.\n', end.stderr);
    const messages = server.requests[1]?.body['messages'] as {
      role: string;
      content: { type: string; tool_use_id?: string; is_error?: boolean }[];
    }[];
    const results = messages.at(-1)?.content.filter(({ type }) => type === 'tool_result') ?? [];
    assert.deepEqual(
      results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error ?? false]),
      [
        ['toolu_a', false],
        ['toolu_b', false],
        ['toolu_c', false],
      ],
    );
  });

  it('a stream that drops after a finished call runs it once and goes on', async () => {
    const first = reply(
      text('I write.'),
      toolUse('Bash', { command: 'echo once >> effects.txt' }, 'toolu_once'),
      text('And then I tell you all about it at length, since there is so much to say.'),
    );
    const url = await serve(dropAfter(first, { events: 12 }), reply('Done.'));
    const end = await place.run(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url });
    assert.equal(end.stdout, 'Done.\n', end.stderr);
    assert.equal(await readFile(path.join(place.workspace, 'effects.txt'), 'utf8'), 'once\n');
    const messages = server.requests[1]?.body['messages'] as {
      role: string;
      content: { type: string; tool_use_id?: string }[];
    }[];
    assert.equal(
      messages.flatMap(({ content }) => content).filter(({ tool_use_id }) => tool_use_id === 'toolu_once').length,
      1,
    );
    assert.equal(server.requests.length, 2);
  });
});
