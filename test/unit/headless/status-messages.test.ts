// What goes on beside the conversation, as programs read it: tasks in the background, a compaction, another mode; and what is waited for at the end.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message } from '../../support/control-program';
import { withControlPrograms } from '../../support/control-suite';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless status messages', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result, there } = withControlPrograms((...opened) => ([place, server] = opened));
  const without = ({ uuid: _, session_id: id, ...message }: Message): Message => {
    assert.match(String(id), /^[0-9a-f-]{36}$/);
    return message;
  };

  it('a command in the background is announced, and its end too', async () => {
    const command = 'until [ -e go ]; do sleep 0.05; done; exit 3';
    server.setScript([
      reply(toolUse('Bash', { command, run_in_background: true }, 'b1')),
      reply('Started.'),
      reply('It has ended.'),
    ]);
    const started = program('--allowedTools', 'Bash');
    started.say('Go');
    const begun = without(await started.next(({ subtype }) => subtype === 'task_started'));
    const id = begun['task_id'];
    assert.deepEqual(begun, {
      ...{ type: 'system', subtype: 'task_started', task_id: id, tool_use_id: 'b1' },
      ...{ description: command, is_backgrounded: true, task_type: 'local_bash' },
    });
    await result(started);
    await writeFile(path.join(place.workspace, 'go'), '');
    const ended = without(await started.next(({ subtype }) => subtype === 'task_notification'));
    assert.deepEqual([ended['task_id'], ended['tool_use_id'], ended['status']], [id, 'b1', 'failed']);
    assert.match(String(ended['summary']), /exit code 3|code 3/);
    assert.match(String(ended['output_file']), /\.out$/);
    await result(started);
    assert.equal((await started.close()).code, 0);
  });

  it('an agent in the background is announced with its task, and reported when it is done', async () => {
    server.setScript(({ body }) => {
      const text = JSON.stringify(body);
      if (text.includes('Look around') && !text.includes('Started')) {
        return text.includes('"Go"') && !text.includes('tool_result')
          ? reply(toolUse('Agent', { description: 'Look', prompt: 'Look around', run_in_background: true }, 'a1'))
          : reply('Seen.');
      }
      return text.includes('tool_result')
        ? reply('Started.')
        : reply(toolUse('Agent', { description: 'Look', prompt: 'Look around', run_in_background: true }, 'a1'));
    });
    const started = program();
    started.say('Go');
    const begun = without(await started.next(({ subtype }) => subtype === 'task_started'));
    assert.deepEqual(
      [begun['task_type'], begun['subagent_type'], begun['prompt'], begun['tool_use_id']],
      ['local_agent', 'general-purpose', 'Look around', 'a1'],
    );
    const ended = without(await started.next(({ subtype }) => subtype === 'task_notification'));
    assert.deepEqual([ended['task_id'], ended['status']], [begun['task_id'], 'completed']);
    assert.equal((await started.close()).code, 0);
  });

  it('a change of the mode and a compaction are states', async () => {
    server.setScript([reply('One.'), reply('<summary>What was said.</summary>')]);
    const started = program();
    started.say('Go');
    await result(started);
    await started.request({ subtype: 'set_permission_mode', mode: 'plan' });
    const mode = without(await started.next(({ subtype }) => subtype === 'status'));
    assert.deepEqual([mode['status'], mode['permissionMode']], [null, 'plan']);
    started.say('/compact');
    const compacting = without(await started.next(({ subtype }) => subtype === 'status'));
    assert.equal(compacting['status'], 'compacting');
    const over = without(await started.next(({ subtype }) => subtype === 'status'));
    assert.equal(over['status'], null);
    assert.ok(['success', 'failed'].includes(String(over['compact_result'])));
  });

  it('a run waits for commands in the background a while, and names those that it ends', async () => {
    const start = (command: string, id: string) => toolUse('Bash', { command, run_in_background: true }, id);
    server.setScript([reply(start('sleep 1; touch done.txt', 'b1'), start('sleep 600', 'b2')), reply('Started.')]);
    const end = await place.run(['-p', 'Go', '--output-format', 'stream-json', '--allowedTools', 'Bash'], {
      url: server.url,
    });
    assert.equal(end.code, 0, end.stderr);
    assert.ok(there('done.txt'));
    const ends = jsonLines(end.stdout).filter(({ subtype }) => subtype === 'task_notification');
    assert.deepEqual(ends[0]?.['tool_use_id'], 'b1');
    // As the public tool has it: the answer does not wait for commands, and what ends in time is told behind it.
    const lines = jsonLines(end.stdout);
    const behind = lines.slice(lines.findIndex(({ type }) => type === 'result') + 1);
    assert.deepEqual(behind.slice(0, 1), ends.slice(0, 1));
    assert.ok(behind.every(({ type }) => type !== 'result'));
    assert.match(end.stderr, /A command still running in the background was ended with the run: sleep 600/);
  });

  it('the setting `agent` chooses whose conversation it is, and --agent goes before it', async () => {
    await mkdir(path.join(place.home, '.claude/agents'), { recursive: true });
    for (const name of ['one', 'two'])
      await writeFile(
        path.join(place.home, `.claude/agents/${name}.md`),
        `---\nname: ${name}\ndescription: The ${name}.\nmodel: inherit\n---\nYou are ${name}.`,
      );
    const run = (...args: string[]) => place.run(['-p', 'Go', '--output-format', 'json', ...args], { url: server.url });
    server.setScript([reply('One.'), reply('Two.')]);
    const system = (request: number): string => JSON.stringify(server.requests[request]?.body['system']);
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify({ agent: 'one' }));
    assert.equal((await run()).stderr, '');
    assert.match(system(0), /You are one\./);
    await run('--agent', 'two');
    assert.match(system(1), /You are two\./);
    const unknown = await run('--settings', JSON.stringify({ agent: 'three' }));
    assert.match(String(jsonLines(unknown.stdout).at(-1)?.['errors']), /The setting `agent`: there is no agent three/);
  });
});
