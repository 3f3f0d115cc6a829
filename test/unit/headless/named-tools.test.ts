// Whatever tools a session offers: the prompt, descriptions, notes and results name no other one.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { namedTools } from '../../support/named-tools';

interface Body {
  system: { text: string }[];
  tools?: { name: string; description?: string; input_schema?: unknown }[];
  messages: { role: string; content: string | Record<string, unknown>[] }[];
}

/** The scripted server takes deferred tools. */
const deferring = { ENABLE_TOOL_SEARCH: 'true' };

/** By name: how the run is started, a tool that it has to offer, and one that it must not. */
const rows: Record<string, { args?: string[]; env?: Record<string, string>; has?: string; lacks: string }> = {
  'as a run is started': { has: 'Bash', lacks: 'ExitPlanMode' },
  'one tool that reads': { args: ['--tools', 'Read'], has: 'Read', lacks: 'Grep' },
  'one tool that writes': { args: ['--tools', 'Write'], has: 'Write', lacks: 'Edit' },
  'commands alone': { args: ['--tools', 'Bash'], has: 'Bash', lacks: 'Read' },
  'searches alone': { args: ['--tools', 'Glob', 'Grep'], has: 'Grep', lacks: 'Read' },
  'agents alone': { args: ['--tools', 'Agent'], has: 'Agent', lacks: 'SendMessage' },
  'no tool': { args: ['--tools', ''], lacks: 'Read' },
  'no commands': { args: ['--disallowedTools', 'Bash'], has: 'Edit', lacks: 'Bash' },
  'no searches': { args: ['--disallowedTools', 'Glob', 'Grep'], has: 'Read', lacks: 'Grep' },
  'no changes': { args: ['--disallowedTools', 'Edit', 'Write', 'NotebookEdit'], has: 'Read', lacks: 'Write' },
  'no new files': { args: ['--disallowedTools', 'Write'], has: 'Edit', lacks: 'Write' },
  'no agents, skills or background': {
    args: ['--disallowedTools', 'Agent', 'Skill', 'SendMessage', 'TaskStop', 'TaskOutput', 'Sleep'],
    has: 'Bash',
    lacks: 'Skill',
  },
  'no tool search': { args: ['--disallowedTools', 'ToolSearch'], has: 'NotebookEdit', lacks: 'ToolSearch' },
  'no web': { args: ['--disallowedTools', 'WebFetch', 'WebSearch'], has: 'Bash', lacks: 'WebFetch' },
  'plan mode': { args: ['--permission-mode', 'plan'], has: 'ExitPlanMode', lacks: 'AskUserQuestion' },
  'plan mode without the tool': {
    args: ['--permission-mode', 'plan', '--disallowedTools', 'ExitPlanMode'],
    has: 'Read',
    lacks: 'ExitPlanMode',
  },
  'the simple mode': { env: { CLAUDE_CODE_SIMPLE: '1' }, has: 'Bash', lacks: 'Write' },
  'built-ins that are not deferred': { env: { ENABLE_TOOL_SEARCH: 'false' }, has: 'Sleep', lacks: 'ToolSearch' },
  'Task tools': { has: 'TaskCreate', lacks: 'TodoWrite' },
  'a list of todos': { env: { CLAUDE_CODE_ENABLE_TASKS: '0' }, has: 'TodoWrite', lacks: 'TaskCreate' },
};

/** Calls whose results give advice. */
const calls: readonly (readonly [string, Record<string, unknown>])[] = [
  ['Read', { file_path: 'nowhere.txt' }],
  ['Read', { file_path: 'src' }],
  ['Read', { file_path: 'bytes.bin' }],
  ['Read', { file_path: 'long.txt' }],
  ['Read', { file_path: 'wide.txt' }],
  ['Read', { file_path: 'bare.ipynb' }],
  ['Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }],
  ['Edit', { file_path: 'nowhere.txt', old_string: 'one', new_string: 'two' }],
  ['Edit', { file_path: 'bare.ipynb', old_string: 'one', new_string: 'two' }],
  ['Edit', { file_path: 'wide.txt', old_string: 'unlike anything', new_string: 'two' }],
  ['Write', { file_path: 'long.txt', content: 'x' }],
  ['Write', { file_path: 'a.txt', content: 'x' }],
  ['NotebookEdit', { notebook_path: 'a.txt', new_source: 'x', cell_id: 'c' }],
  ['NotebookEdit', { notebook_path: 'bare.ipynb', new_source: 'x', cell_id: 'c' }],
  ['Glob', { pattern: '*', path: 'a.txt' }],
  ['Glob', { pattern: 'nowhere/' }],
  ['Grep', { pattern: 'a(' }],
  ['Bash', { command: 'seq 1 20000' }],
  ['Bash', { command: 'false' }],
  ['Agent', { description: 'Look', prompt: 'Look.', subagent_type: 'nobody' }],
  ['Agent', { description: 'Look', prompt: 'Look.', subagent_type: 'Explore' }],
  ['TaskStop', { task_id: 'nobody' }],
  ['TaskOutput', { task_id: 'nobody' }],
  ['SendMessage', { to: 'nobody', message: 'Hello' }],
  ['Skill', { skill: 'nothing' }],
  ['WebFetch', { url: 'http://127.0.0.1/', prompt: 'What?' }],
  ['TodoWrite', { todos: [] }],
  ['TaskCreate', { subject: 'Look', description: '' }],
  ['TaskUpdate', { taskId: '9' }],
  ['TaskGet', { taskId: '9' }],
];

describe('tools that a run names', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const bodies = (): Body[] =>
    server.requests.map(({ body }) => body as unknown as Body).filter(({ messages }) => messages.length > 0);

  for (const [name, { args = [], env = {}, has, lacks }] of Object.entries(rows))
    it(`${name}: are offered`, async () => {
      const at = (file: string): string => path.join(place.workspace, file);
      await mkdir(at('.claude/skills/tidy'), { recursive: true });
      await mkdir(at('src'));
      await writeFile(at('.claude/skills/tidy/SKILL.md'), '---\ndescription: Tidies up\n---\nTidy up.');
      await writeFile(at('CLAUDE.md'), 'Be brief.\n'.repeat(8_000));
      await writeFile(at('a.txt'), 'one\n');
      await writeFile(at('bytes.bin'), Buffer.from([0, 1, 2, 255]));
      await writeFile(at('long.txt'), 'some words in a line\n'.repeat(5_000));
      await writeFile(at('wide.txt'), `${'x'.repeat(5_000)}\nend\n`);
      await writeFile(at('bare.ipynb'), JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
      const start = ['--permission-mode', 'bypassPermissions', ...args];
      const options = { url: server.url, env: { ...deferring, ...env } };
      server.setScript([reply('Done.')]);
      const first = await place.run([...start, '-p', 'Look @../outside.txt @src'], options);
      assert.equal(first.code, 0, first.stderr);
      const offered = offeredIn(bodies()[0]!);
      assert.ok(has === undefined || offered.has(has), `${has} is missing: ${[...offered].join(', ')}`);
      assert.ok(!offered.has(lacks), `${lacks} is there`);

      const made = calls.filter(([tool]) => offered.has(tool));
      server.setScript([
        reply(...made.map(([tool, input], index) => toolUse(tool, input, `toolu_${index}`))),
        ...Array.from({ length: 4 }, () => reply('Done.')),
      ]);
      if (made.length > 0) {
        const second = await place.run([...start, '-p', 'Go'], options);
        assert.equal(second.code, 0, second.stderr);
        const results = bodies().flatMap(({ messages }) => messages.flatMap(({ content }) => resultsIn(content)));
        for (const index of made.keys())
          assert.ok(
            results.some((result) => result['tool_use_id'] === `toolu_${index}`),
            made[index]?.join(' '),
          );
      }
      for (const body of bodies()) {
        const here = offeredIn(body);
        for (const text of textsOf(body)) {
          const others = namedTools(text).filter((tool) => !here.has(tool));
          assert.deepEqual(others, [], text);
          assert.doesNotMatch(text, /\{\{!?[A-Z]\w+/);
        }
      }
    });

  it('say what has to be loaded, and take it back where the next run of the session defers nothing', async () => {
    const told = (): string[] =>
      bodies()
        .at(-1)!
        .messages.flatMap(({ content }) => stringsIn(content))
        .flatMap((text) => /More tools, to be loaded|All your tools are loaded now/.exec(text) ?? []);
    const turn = async (args: readonly string[], env: Record<string, string> = {}): Promise<string[]> => {
      server.setScript([reply('Done.')]);
      const end = await place.run([...args, '-p', 'Go'], { url: server.url, env: { ...deferring, ...env } });
      assert.equal(end.code, 0, end.stderr);
      return told();
    };
    const loading = 'More tools, to be loaded';
    const loaded = 'All your tools are loaded now';
    const whole = { ENABLE_TOOL_SEARCH: 'false' };
    assert.deepEqual(await turn([]), [loading]);
    assert.deepEqual(await turn(['-c']), [loading]);
    assert.deepEqual(await turn(['-c'], whole), [loading, loaded]);
    assert.deepEqual(await turn(['-c'], whole), [loading, loaded]);
    assert.deepEqual(await turn(['-c']), [loading, loaded, loading]);
    assert.deepEqual(await turn([], whole), []);
  });
});

function offeredIn({ tools = [] }: Body): Set<string> {
  return new Set(tools.map(({ name }) => name));
}

function resultsIn(content: Body['messages'][number]['content']): Record<string, unknown>[] {
  return typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result');
}

/** All that the model reads, but for its own words. */
function textsOf({ system, tools = [], messages }: Body): string[] {
  return [
    ...system.map(({ text }) => text),
    ...tools.map(({ description = '', input_schema }) => `${description}\n${stringsIn(input_schema).join('\n')}`),
    ...messages.filter(({ role }) => role === 'user').flatMap(({ content }) => stringsIn(content)),
  ];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
