// Environment variables of the public tool in a whole run: what the model is sent because of them, also from `env` of a settings file.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace, jsonLines } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse, withFields } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

type Variables = Record<string, string>;

describe('environment variables of a run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const run = async (args: readonly string[], env: Variables = {}): Promise<string> => {
    const end = await place.run(['-p', 'Go', ...args], { url: server.url, env });
    assert.deepEqual([end.code, end.stderr.replace('deft: Compacting the conversation…\n', '')], [0, '']);
    return end.stdout;
  };
  /** What the first request of a run holds. */
  const bodyOf = async (args: readonly string[], env: Variables = {}): Promise<Record<string, unknown>> => {
    const before = server.requests.length;
    server.setScript(() => reply('Done.'));
    await run(args, env);
    return server.requests[before]!.body;
  };
  const listTools = (body: Record<string, unknown>): string[] =>
    (body['tools'] as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => ['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'].includes(name));
  const tasks = ['TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];
  const inSettings = (env: Variables): string[] => ['--settings', JSON.stringify({ env })];

  describe('CLAUDE_CODE_ENABLE_TASKS', () => {
    const rows: [name: string, args: string[], env: Variables, offered: string[]][] = [
      ['not set', [], {}, tasks],
      ['1', [], { CLAUDE_CODE_ENABLE_TASKS: '1' }, tasks],
      ['true, whatever is allowed', ['--allowedTools', 'TodoWrite'], { CLAUDE_CODE_ENABLE_TASKS: 'true' }, tasks],
      ['0', [], { CLAUDE_CODE_ENABLE_TASKS: '0' }, ['TodoWrite']],
      ['false', [], { CLAUDE_CODE_ENABLE_TASKS: 'false' }, ['TodoWrite']],
      ['false in a settings file', inSettings({ CLAUDE_CODE_ENABLE_TASKS: 'false' }), {}, ['TodoWrite']],
      ['not set, with TodoWrite among the allowed tools', ['--allowedTools', 'TodoWrite'], {}, ['TodoWrite']],
      ['not set, with TodoWrite among the tools', ['--tools', 'Read,TodoWrite'], {}, ['TodoWrite']],
      [
        'not set, with TodoWrite in a settings file',
        ['--settings', JSON.stringify({ permissions: { allow: ['TodoWrite'] } })],
        {},
        ['TodoWrite'],
      ],
      ['not set, with TodoWrite denied', ['--disallowedTools', 'TodoWrite'], {}, tasks],
      ['0, with TodoWrite denied', ['--disallowedTools', 'TodoWrite'], { CLAUDE_CODE_ENABLE_TASKS: '0' }, []],
      [
        'not set, for an agent that lists TodoWrite',
        [
          '--agent',
          'old',
          '--agents',
          JSON.stringify({ old: { description: 'd', prompt: 'p', tools: ['TodoWrite'] } }),
        ],
        {},
        ['TodoWrite'],
      ],
    ];
    for (const [name, args, env, offered] of rows)
      it(name, async () => assert.deepEqual(listTools(await bodyOf(args, env)), offered));

    it('lets an agent have TodoWrite that lists it, unless the user denies it', async () => {
      await mkdir(path.join(place.workspace, '.claude/agents'), { recursive: true });
      await writeFile(
        path.join(place.workspace, '.claude/agents/old.md'),
        '---\nname: old\ndescription: Keeps lists\ntools: Read, TodoWrite\n---\nYou keep lists.\n',
      );
      const ofAgent = async (...args: string[]): Promise<[own: string[], agents: string[]]> => {
        const first = server.requests.length;
        const agent = { description: 'List', prompt: 'List it', subagent_type: 'old' };
        server.setScript([reply(toolUse('Agent', agent)), reply('Listed.'), reply('Done.')]);
        await run(args);
        const [own, agents] = server.requests.slice(first).map(({ body }) => listTools(body));
        return [own ?? [], agents ?? []];
      };
      assert.deepEqual(await ofAgent(), [tasks, ['TodoWrite']]);
      assert.deepEqual(await ofAgent('--disallowedTools', 'TodoWrite'), [tasks, []]);
    });

    it('defers the Task tools where the API takes that, and the list goes on over runs', async () => {
      const body = await bodyOf([], { ENABLE_TOOL_SEARCH: 'true' });
      const deferred = (body['tools'] as { name: string; defer_loading?: boolean }[]).flatMap(
        ({ name, defer_loading: isDeferred }) => (isDeferred === true ? [name] : []),
      );
      assert.deepEqual(
        tasks.filter((name) => !deferred.includes(name)),
        [],
      );
      assert.match(JSON.stringify(body['messages']), /TaskCreate: adds a task to the list/);
      const create = (subject: string) => toolUse('TaskCreate', { subject, description: '' });
      server.setScript([reply(create('Build'), create('Ship')), reply('Begun.')]);
      await run([]);
      server.setScript([
        reply(toolUse('TaskUpdate', { taskId: '1', status: 'completed' }), toolUse('TaskList', {})),
        reply('Done.'),
      ]);
      await run(['--continue']);
      assert.match(
        JSON.stringify((server.requests.at(-1)?.body['messages'] as unknown[]).at(-1)),
        /#1 Build \(completed\)\\n#2 Ship \(pending\)/,
      );
    });
  });

  it('MAX_THINKING_TOKENS limits thinking, and 0 switches it off where the model can be without', async () => {
    const thinking = async (model: string, env: Variables, args: string[] = []): Promise<unknown> =>
      (await bodyOf(['--model', model, ...args], env))['thinking'];
    const budget = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens });
    assert.deepEqual(await thinking('claude-sonnet-4-5', {}), budget(10_000));
    assert.deepEqual(await thinking('claude-sonnet-4-5', { MAX_THINKING_TOKENS: '4000' }), budget(4_000));
    assert.equal(await thinking('claude-sonnet-4-5', { MAX_THINKING_TOKENS: '0' }), undefined);
    assert.deepEqual(await thinking('claude-opus-5', { MAX_THINKING_TOKENS: '0' }), { type: 'disabled' });
    assert.deepEqual(await thinking('claude-opus-5', {}, inSettings({ MAX_THINKING_TOKENS: '0' })), {
      type: 'disabled',
    });
    assert.deepEqual(
      ((await thinking('claude-fable-5', { MAX_THINKING_TOKENS: '0' })) as { type: string }).type,
      'adaptive',
      'it always thinks',
    );
  });

  it('CLAUDE_CODE_EFFORT_LEVEL wins over the settings and the flag, which is said; a word that is none is named', async () => {
    const effort = async (args: string[], env: Variables): Promise<unknown> =>
      (await bodyOf(['--model', 'claude-opus-5', ...args], env))['output_config'];
    const high = { CLAUDE_CODE_EFFORT_LEVEL: 'high' };
    assert.deepEqual(await effort([], high), { effort: 'high' });
    assert.deepEqual(await effort(['--effort', 'low'], {}), { effort: 'low' });
    assert.deepEqual(await effort(['--settings', JSON.stringify({ effortLevel: 'low' })], high), { effort: 'high' });
    assert.deepEqual(await effort(inSettings({ CLAUDE_CODE_EFFORT_LEVEL: 'max' }), {}), { effort: 'max' });
    const end = await place.run(['-p', 'Go'], { url: server.url, env: { CLAUDE_CODE_EFFORT_LEVEL: 'huge' } });
    server.setScript([reply('Done.')]);
    const both = await place.run(['-p', 'Go', '--model', 'claude-opus-5', '--effort', 'low'], {
      url: server.url,
      env: high,
    });
    assert.equal(both.stderr.trim(), 'deft: CLAUDE_CODE_EFFORT_LEVEL=high wins over --effort low.');
    assert.deepEqual(server.requests.at(-1)?.body['output_config'], { effort: 'high' });
    assert.match(end.stderr, /CLAUDE_CODE_EFFORT_LEVEL takes low, medium, high, xhigh, max, not "huge"\./);
  });

  it('ANTHROPIC_SMALL_FAST_MODEL does the small jobs; the newer name wins', async () => {
    const explorer = async (env: Variables): Promise<unknown[]> => {
      const first = server.requests.length;
      server.setScript([
        reply(toolUse('Agent', { description: 'Look', prompt: 'Look', subagent_type: 'Explore' })),
        reply('Seen.'),
        reply('Done.'),
      ]);
      await run(['--model', 'claude-opus-5'], env);
      return server.requests.slice(first).map(({ body }) => body['model']);
    };
    const others = ['claude-opus-5', 'claude-opus-5', 'claude-opus-5'];
    assert.deepEqual(await explorer({}), others);
    assert.deepEqual(await explorer({ ANTHROPIC_SMALL_FAST_MODEL: 'claude-haiku-4-5' }), [
      'claude-opus-5',
      'claude-haiku-4-5',
      'claude-opus-5',
    ]);
    const both = { ANTHROPIC_SMALL_FAST_MODEL: 'older-name', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4-5' };
    assert.deepEqual((await explorer(both))[1], 'claude-haiku-4-5');
  });

  it('CLAUDE_CODE_AUTO_COMPACT_WINDOW compacts a conversation as if the window were that small', async () => {
    const boundaries = async (env: Variables): Promise<number> => {
      server.setScript([
        withFields(reply('A long answer. '.repeat(3_000)), { usage: { input_tokens: 90_000, output_tokens: 10 } }),
      ]);
      await run(['--model', 'claude-haiku-4-5'], env);
      server.setScript(() => reply('The sum.'));
      const shown = await run(['--model', 'claude-haiku-4-5', '--continue', '--output-format', 'stream-json'], env);
      return jsonLines(shown).filter(({ subtype }) => subtype === 'compact_boundary').length;
    };
    assert.equal(await boundaries({}), 0);
    assert.equal(await boundaries({ CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }), 1);
  });
});
