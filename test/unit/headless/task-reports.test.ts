// Tasks in the background that end while nobody speaks begin a turn of their own, with a result of its own; and calls that are moved there.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ControlProgram, type Message } from '../../support/control-program';
import { withControlPrograms } from '../../support/control-suite';
import { type HeadlessPlace } from '../../support/headless-run';
import { delayed, gate, reply, text, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('reports of tasks in headless runs', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result } = withControlPrograms((...opened) => ([place, server] = opened));

  const command = 'until [ -e go ]; do sleep 0.05; done';
  const go = () => writeFile(path.join(place.workspace, 'go'), '');
  const facts = ({ result: said, origin, num_turns: turns }: Message): unknown[] => [said, origin, turns];
  const notification = { kind: 'task-notification' };
  const ended = (from: ControlProgram) => from.next(({ subtype }) => subtype === 'task_notification');
  const agent = (more: object = {}) =>
    toolUse('Agent', { description: 'Look', prompt: 'Look around', ...more }, 'toolu_agent');
  const started = (...args: string[]) => {
    const one = program('--allowedTools', 'Bash', ...args);
    one.say('Go');
    return one;
  };

  it('a command that ends between two prompts', async () => {
    server.setScript([
      reply(toolUse('Bash', { command, run_in_background: true }, 'b1')),
      reply('Started.'),
      reply('It has ended.'),
      reply('Thanks.'),
    ]);
    const run = started();
    assert.deepEqual(facts(await result(run)), ['Started.', undefined, 2]);
    await go();
    assert.equal((await ended(run))['status'], 'completed');
    assert.deepEqual(facts(await result(run)), ['It has ended.', notification, 1]);
    assert.match(JSON.stringify(server.requests[2]?.body['messages']), /Background command \w+ .* has ended without/);
    run.say('Thanks');
    assert.deepEqual(facts(await result(run)), ['Thanks.', undefined, 1]);
    assert.equal((await run.close()).code, 0);
    assert.equal(server.requests.length, 4, 'it is told once');
  });

  it('an agent that ends between two prompts', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    server.setScript(({ body }) => {
      const sent = JSON.stringify(body['messages']);
      if (sent.includes('Its report:')) return reply('It saw a house.');
      if (sent.includes('toolu_agent')) return reply('Started.');
      return sent.includes('"Go"') ? reply(agent({ run_in_background: true })) : delayed(reply('A house.'), finished);
    });
    const run = started();
    assert.deepEqual(facts(await result(run)), ['Started.', undefined, 2]);
    finish();
    assert.deepEqual(facts(await result(run)), ['It saw a house.', notification, 1]);
    assert.equal((await run.close()).code, 0);
  });

  it('one that the program ends is told with the next prompt', async () => {
    server.setScript([
      reply(toolUse('Bash', { command, run_in_background: true }, 'b1')),
      reply('Started.'),
      reply('I see.'),
    ]);
    const run = started();
    await result(run);
    const { task_id } = await run.next(({ subtype }) => subtype === 'task_started');
    await run.request({ subtype: 'stop_task', task_id });
    assert.equal((await ended(run))['status'], 'stopped');
    // Answered after whatever the end might have begun.
    await run.request({ subtype: 'get_context_usage', detail: 'summary' });
    assert.equal(server.requests.length, 2);
    run.say('And?');
    assert.deepEqual(facts(await result(run)), ['I see.', undefined, 1]);
    assert.match(JSON.stringify(server.requests[2]?.body['messages']), /was ended by the user/);
    assert.equal((await run.close()).code, 0);
  });

  it('what ended before the program interrupted a turn waits for its next prompt', async () => {
    const never = new Promise<void>(() => undefined);
    server.setScript([
      reply(toolUse('Bash', { command, run_in_background: true }, 'b1')),
      reply(text('Thin', gate(never), 'king.')),
      reply('I see.'),
    ]);
    const run = started();
    await run.next(({ subtype }) => subtype === 'task_started');
    await go();
    await ended(run);
    await run.request({ subtype: 'interrupt' });
    assert.equal((await result(run))['terminal_reason'], 'interrupted');
    await run.request({ subtype: 'get_context_usage', detail: 'summary' });
    assert.equal(server.requests.length, 2);
    run.say('And?');
    assert.deepEqual(facts(await result(run)), ['I see.', undefined, 1]);
    assert.match(JSON.stringify(server.requests.at(-1)?.body['messages']), /has ended without an error/);
    assert.equal((await run.close()).code, 0);
  });

  it('background_tasks moves what calls wait for: a command, and an agent that an end of the turn no longer ends', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    server.setScript(({ body }) => {
      const sent = JSON.stringify(body['messages']);
      if (sent.includes('Its report:')) return reply('It saw a house.');
      if (sent.includes('toolu_agent')) return reply('They run.');
      return sent.includes('"Go"')
        ? reply(agent(), toolUse('Bash', { command }, 'toolu_bash'))
        : delayed(reply('A house.'), finished);
    });
    const run = started();
    const moved = async (tool_use_id: string): Promise<boolean> => {
      const { response } = await run.request({ subtype: 'background_tasks', tool_use_id });
      return (response as Message)['backgrounded'] === true;
    };
    assert.equal(await moved('toolu_other'), false);
    while (!(await moved('toolu_agent'))) await new Promise((resolve) => setTimeout(resolve, 20));
    while (!(await moved('toolu_bash'))) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(facts(await result(run)), ['They run.', undefined, 2]);
    const kinds = [await run.next(isStart), await run.next(isStart)].map(({ task_type }) => task_type);
    assert.deepEqual(kinds.sort(), ['local_agent', 'local_bash']);
    assert.equal(await moved('toolu_agent'), false, 'no call waits for it');
    finish();
    assert.deepEqual(facts(await result(run)), ['It saw a house.', notification, 1]);
    await go();
    assert.deepEqual((await result(run))['origin'], notification);
    assert.equal((await run.close()).code, 0);
  });

  it('background_tasks without an ID moves all of them, unless a variable forbids it', async () => {
    server.setScript([reply(toolUse('Bash', { command }, 'toolu_bash')), reply('It runs.'), reply('It has ended.')]);
    const run = started();
    await run.next(({ type, message }) => type === 'assistant' && JSON.stringify(message).includes('toolu_bash'));
    const asked = { subtype: 'background_tasks' };
    const over = result(run);
    let isOver = false;
    void over.then(() => (isOver = true));
    while (!isOver) assert.deepEqual((await run.request(asked))['response'], { backgrounded: true });
    assert.equal((await over)['result'], 'It runs.');
    await go();
    assert.deepEqual(facts(await result(run)), ['It has ended.', notification, 1]);
    assert.equal((await run.close()).code, 0);

    const settings = JSON.stringify({ env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } });
    const other = program('--settings', settings);
    const { subtype, error } = await other.request(asked);
    assert.deepEqual([subtype, /CLAUDE_CODE_DISABLE_BACKGROUND_TASKS is set/.test(String(error))], ['error', true]);
    assert.equal((await other.close()).code, 0);
  });

  it('nothing runs in the background where a variable forbids it: not offered, and calls that ask for it are waited for', async () => {
    server.setScript(({ body }) => {
      const sent = JSON.stringify(body['messages']);
      if (sent.includes('toolu_agent')) return reply('All done.');
      if (!sent.includes('"Go"')) return reply('A house.');
      const bash = (input: object, id: string) => toolUse('Bash', { command: 'echo whole', ...input }, id);
      return reply(
        bash({ run_in_background: true }, 'b1'),
        bash({ command: 'until [ -e never ]; do :; done', timeout: 300 }, 'b2'),
        agent({ run_in_background: true }),
      );
    });
    const run = started('--settings', JSON.stringify({ env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } }));
    assert.deepEqual(facts(await result(run)), ['All done.', undefined, 2]);
    assert.equal((await run.close()).code, 0);
    const first = server.requests[0]?.body ?? assert.fail();
    const offered = (first['tools'] as { name: string }[]).filter(({ name }) => ['Bash', 'Agent'].includes(name));
    assert.equal(offered.length, 2);
    assert.doesNotMatch(JSON.stringify(offered), /background/i);
    const last = server.requests.at(-1)?.body['messages'] as { content: unknown }[];
    const results = last.at(-1)?.content as { tool_use_id: string; content: unknown }[];
    const of = (id: string) => JSON.stringify(results.find(({ tool_use_id }) => tool_use_id === id)?.content);
    assert.equal(of('b1'), '"whole"');
    assert.match(of('b2'), /killed|timeout|timed out/i);
    assert.match(of('toolu_agent'), /A house\./);
  });
});

function isStart({ subtype }: Message): boolean {
  return subtype === 'task_started';
}
