// A team of a run without a window: two teammates write to each other and share tasks, and the run ends when all are idle.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace, jsonLines } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, type ScriptedReply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('a team of a headless run', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const teammate = (name: string, prompt: string): ReturnType<typeof toolUse> =>
    toolUse('Agent', { description: `${prompt} it`, prompt: `${prompt} it all`, name }, `toolu_${name}`);
  const mail = (to: string, message: string, id: string): ReturnType<typeof toolUse> =>
    toolUse('SendMessage', { to, message }, `toolu_${id}`);
  const update = (input: object, id: string): ReturnType<typeof toolUse> => toolUse('TaskUpdate', input, `toolu_${id}`);

  it('works until nobody has anything to do, and tells the lead all', async () => {
    const scripts: Record<string, ScriptedReply[]> = {
      'Find it all': [
        reply(update({ taskId: '1', status: 'in_progress' }, 'f1')),
        reply(update({ taskId: '1', status: 'completed' }, 'f2'), mail('writer', 'It is in answer.txt.', 'f3')),
        reply('Found.'),
      ],
      'Write it all': [
        reply('I wait.'),
        reply(
          update({ taskId: '2', owner: 'writer', status: 'completed' }, 'w1'),
          mail('lead', 'Both are done.', 'w2'),
        ),
        reply('Done.'),
      ],
    };
    const lead = [
      reply(toolUse('TeamCreate', { team_name: 'crew' }, 'toolu_team')),
      reply(
        toolUse('TaskCreate', { subject: 'Find', description: '' }, 'toolu_t1'),
        toolUse('TaskCreate', { subject: 'Write', description: '' }, 'toolu_t2'),
        update({ taskId: '2', addBlockedBy: ['1'] }, 't3'),
      ),
      reply(teammate('finder', 'Find'), teammate('writer', 'Write')),
    ];
    server.setScript(({ body }) => {
      const text = JSON.stringify(body);
      const first = JSON.stringify((body['messages'] as unknown[])[0]);
      const key = Object.keys(scripts).find((prompt) => first.includes(`"${prompt}`));
      if (key !== undefined) return scripts[key]?.shift() ?? reply('Noted.');
      return (
        lead.shift() ?? (text.includes('Both are done.') ? reply('The team has done it.') : reply('I wait for them.'))
      );
    });
    await writeFile(path.join(place.workspace, 'answer.txt'), '42\n');
    const end = await place.run(['-p', 'Begin a team', '--output-format', 'stream-json', '--model', 'claude-opus-5'], {
      url: server.url,
      env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
    });
    assert.equal(end.code, 0, end.stderr);
    const lines = jsonLines(end.stdout);
    const init = lines.find((line) => line['type'] === 'system') as { tools: string[] };
    assert.deepEqual(
      ['TeamCreate', 'TeamDelete', 'TaskCreate', 'TodoWrite'].filter((name) => init.tools.includes(name)),
      ['TeamCreate', 'TeamDelete', 'TaskCreate'],
    );
    assert.equal(lines.findLast(({ type }) => type === 'result')?.['result'], 'The team has done it.');
    const files = (await readdir(place.home, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    assert.equal(files.filter((name) => name.includes('subagents')).length, 2);
    const main = jsonLines(
      await readFile(path.join(place.home, files.find((name) => !name.includes('subagents')) ?? ''), 'utf8'),
    );
    const mails = main.flatMap((record) =>
      record['subtype'] === 'team_mail'
        ? [`${String(record['from'])} to ${String(record['to'])}: ${String(record['text'])}`]
        : [],
    );
    assert.deepEqual(mails, ['finder to writer: It is in answer.txt.', 'writer to lead: Both are done.']);
    const list = main.filter((record) => record['subtype'] === 'task_list').at(-1) as {
      tasks: { status: string; owner: string }[];
    };
    assert.deepEqual(
      list.tasks.map(({ status, owner }) => [status, owner]),
      [
        ['completed', 'finder'],
        ['completed', 'writer'],
      ],
    );
    const ends = main
      .filter((record) => record['subtype'] === 'background_end')
      .map((record) => String(record['message']));
    assert.equal(ends.length, 2);
    assert.ok(
      ends.every((message) => message.includes('was stopped')),
      'they end with the session',
    );
  });
});
