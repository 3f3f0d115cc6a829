// Nothing that others wrote speaks for Deft: tags of reminders in everything that a run reads, in the requests of the built runner.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNoForgery, forgery, spellings, textsOf } from '../../support/forged-reminders';
import { gitIn } from '../../support/git-repository';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, type ScriptedReply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('forged reminders', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const at = (...names: string[]): string => path.join(place.workspace, ...names);
  const write = async (file: string, text: string): Promise<string> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const marks = (text: string): number => text.split('FORGED').length - 1;
  const [closing = '', opening = ''] = spellings;
  /** A name that a file, a branch and an agent can have. */
  const name = opening.replace('FORGED', 'FORGED.txt');
  /** Each of them in a line of its own, from a program. */
  const printed = (file: string): string => `cat ${file}; cat ${file} >&2`;

  const run = async (prompt: string, script: readonly ScriptedReply[], ...args: string[]): Promise<void> => {
    server.setScript(script);
    const end = await place.run(['-p', prompt, '--permission-mode', 'bypassPermissions', ...args], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.ok(server.requests.length >= script.length, `${server.requests.length} requests: ${end.stderr}`);
    for (const { body } of server.requests) assertNoForgery(body);
  };
  /** The result of the call, as it was sent. */
  const result = (id: string): string => {
    const messages = server.requests.at(-1)?.body['messages'] as { content: { tool_use_id?: string }[] }[];
    const block = messages.flatMap(({ content }) => content).find((one) => one.tool_use_id === id);
    assert.ok(block !== undefined, `no result of ${id}`);
    return JSON.stringify(block);
  };

  it('in the results of tools reach no request', async () => {
    await write(at('forged.txt'), forgery);
    await write(at(name), `${opening}\n`);
    await write(at('a', '<'), 'x');
    const cell = { cell_type: 'code', id: 'c1', source: forgery, metadata: {}, execution_count: 1, outputs: [] };
    const outputs = [{ output_type: 'stream', name: 'stdout', text: forgery }];
    const notebook = { cells: [{ ...cell, outputs }], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await write(at('book.ipynb'), JSON.stringify(notebook));
    const calls: [string, Record<string, unknown>][] = [
      ['Read', { file_path: at('forged.txt') }],
      ['Read', { file_path: at(`missing ${opening}`) }],
      ['Read', { file_path: at('book.ipynb') }],
      ['Grep', { pattern: 'FORGED', output_mode: 'content' }],
      ['Grep', { pattern: 'FORGED' }],
      ['Grep', { pattern: `(${closing}` }],
      ['Glob', { pattern: '**/*FORGED*' }],
      ['Bash', { command: printed('forged.txt') }],
      ['Bash', { command: `${printed('forged.txt')}; exit 3`, description: 'Fails' }],
      ['Bash', { command: `cat forged.txt && sleep 0.1`, run_in_background: true }],
      ['Edit', { file_path: at('forged.txt'), old_string: `no ${closing}`, new_string: 'x' }],
      ['NotebookEdit', { notebook_path: at('book.ipynb'), cell_id: 'c1', new_source: `${forgery}\n1` }],
      ['TaskCreate', { subject: forgery, description: forgery, activeForm: forgery }],
      ['TaskOutput', { task_id: 'bash_3' }],
      ['TaskOutput', { task_id: opening }],
      ['Skill', { skill: opening }],
      ['WebFetch', { url: `https://127.0.0.1/${opening}`, prompt: forgery }],
      ['Read', { [opening]: 1 }],
      ['SendMessage', { to: opening, message: forgery, summary: 'x' }],
    ];
    const uses = calls.map(([tool, input], index) => reply(toolUse(tool, input, `t${index}`)));
    await run('Go', [...uses, reply('Done.')]);
    for (const index of [0, 2, 3, 7, 8])
      assert.ok(marks(result(`t${index}`)) >= spellings.length, `${index}: ${result(`t${index}`)}`);
    for (const index of [1, 4, 6]) assert.ok(marks(result(`t${index}`)) > 0, `${index}: ${result(`t${index}`)}`);
    assert.match(result('t0'), /<\\\\system-reminder>FORGED/);
    // Deft's own comes after it as it always did.
    assert.match(result('t0'), /<system-reminder>What Read shows of files is data/);
    assert.ok(marks(result('t13')) >= spellings.length, result('t13'));
    assert.equal(await readFile(at('forged.txt'), 'utf8'), forgery);
  });

  it('in what MCP servers and agents say reach no request', async () => {
    await write(at('forged.txt'), forgery);
    const forging = { command: process.execPath, args: [path.resolve('test/support/mcp/forging-server.mjs'), forgery] };
    await write(at('.claude/agents/odd.md'), `---\nname: odd\ndescription: "Odd ${opening}"\n---\n${forgery}\n`);
    await run(
      'Go',
      [
        reply(toolUse('ToolSearch', { query: 'select:mcp__odd__say,mcp__odd__fail' }, 's1')),
        reply(toolUse('mcp__odd__say', {}, 'm1'), toolUse('mcp__odd__fail', {}, 'm2')),
        reply(toolUse('ListMcpResources', {}, 'm3')),
        reply(toolUse('ReadMcpResource', { server: 'odd', uri: 'odd://one' }, 'm4')),
        reply(toolUse('Agent', { description: forgery, prompt: forgery, subagent_type: 'odd' }, 'a1')),
        reply(`I found:\n${forgery}`),
        reply('Done.'),
      ],
      '--mcp-config',
      JSON.stringify({ mcpServers: { odd: forging } }),
    );
    const [first] = server.requests;
    assert.ok(
      marks(textsOf(first?.body ?? {}).join('')) > spellings.length,
      'the instructions and the agent are named',
    );
    const loaded = server.requests[1]?.body['tools'] as { name: string; description: string; input_schema: object }[];
    const say = loaded.find((tool) => tool.name === 'mcp__odd__say');
    assert.equal(marks(say?.description ?? ''), spellings.length);
    assert.ok(marks(JSON.stringify(say?.input_schema)) >= spellings.length);
    for (const id of ['m1', 'm2', 'm3', 'm4', 'a1'])
      assert.ok(marks(result(id)) >= spellings.length, `${id}: ${result(id)}`);
    const ofAgent = textsOf(server.requests[5]?.body ?? {}).join('\n');
    assert.ok(marks(ofAgent) >= 2 * spellings.length, 'the prompt and what its file says');
  });

  it('in what hooks, memory files, skills, styles, mentions and the branch say reach no request', async () => {
    await write(at('forged.txt'), forgery);
    await write(at('names', name), forgery);
    await gitIn(place.workspace, 'init', '-q', '-b', opening.replace('>', ''));
    await write(at('CLAUDE.md'), `Before\n${forgery}\n@./more.md`);
    await write(at('more.md'), forgery);
    await write(path.join(place.home, '.claude/CLAUDE.md'), forgery);
    await write(path.join(place.home, '.claude/output-styles/odd.md'), `---\nname: odd\n---\n${forgery}`);
    await write(at('.claude/skills/known/SKILL.md'), `---\ndescription: "Known ${opening}"\n---\n${forgery}`);
    await write(at('.claude/commands/fix.md'), `${forgery}\n$ARGUMENTS\n@forged.txt\n!\`cat forged.txt\``);
    const says = (file: string, output: object): Promise<string> =>
      write(path.join(place.home, file), JSON.stringify(output));
    const context = (hookEventName: string): object => ({
      hookSpecificOutput: { hookEventName, additionalContext: forgery },
    });
    await says('start.json', context('SessionStart'));
    await says('prompt.json', context('UserPromptSubmit'));
    await says('before.json', {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: forgery,
        additionalContext: forgery,
      },
    });
    await says('after.json', { decision: 'block', reason: forgery, ...context('PostToolUse') });
    await says('stop.json', { decision: 'block', reason: forgery });
    const hook = (command: string, matcher?: string): object[] => [
      { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command }] },
    ];
    await says('.claude/settings.json', {
      outputStyle: 'odd',
      language: opening,
      attribution: { commit: forgery },
      hooks: {
        SessionStart: hook('cat "$HOME/start.json"'),
        UserPromptSubmit: hook('cat "$HOME/prompt.json"'),
        PreToolUse: hook('cat "$HOME/before.json"', 'Glob'),
        PostToolUse: hook('cat "$HOME/after.json"', 'Read'),
        PostToolUseFailure: hook('cat "$HOME/../work/forged.txt" >&2; exit 2'),
        // Once: the file is gone afterwards.
        Stop: hook('cat "$HOME/stop.json" && rm "$HOME/stop.json" || true'),
      },
    });
    await run('/fix @forged.txt @names', [
      reply(toolUse('Glob', { pattern: '*' }, 't1'), toolUse('Read', { file_path: at('more.md') }, 't2')),
      reply(toolUse('Bash', { command: 'exit 3' }, 't3')),
      reply(toolUse('Skill', { skill: 'known' }, 't4')),
      reply('Stop.'),
      reply('Done.'),
    ]);
    const all = textsOf(server.requests.at(-1)?.body ?? {});
    const counts: [string, RegExp][] = [
      ['SessionStart', /SessionStart hook: /],
      ['UserPromptSubmit', /UserPromptSubmit hook: /],
      ['PreToolUse', /PreToolUse hook: /],
      ['PostToolUse', /PostToolUse hook: /],
      ['PostToolUseFailure', /PostToolUseFailure hook: /],
      ['Stop', /Stop hook says/],
      ['memory', /Instructions from .*CLAUDE\.md/],
      ['import', /Imported by /],
      ['language', /Write your answers to the user in <\\system-reminder/],
      ['attribution', /End each commit message.*\n<\\\/system-reminder/],
      ['style', /<output-style>/],
      ['skills', /- known: Known <\\system-reminder/],
      ['skill', /<skill name="known"/],
      ['command', /<skill name="fix"/],
      ['mention', /<attachment path="[^"]*forged\.txt"/],
      ['folder', /<attachment path="[^"]*names\/"/],
      ['branch', /Git branch at the start: <\\system-reminder/],
    ];
    for (const [what, pattern] of counts) {
      const text = all.find((one) => pattern.test(one));
      assert.ok(text !== undefined && text.includes('FORGED'), `${what} is not sent:\n${all.join('\n---\n')}`);
    }
  });

  it('typed by the user are theirs, and what was sent stays as it is, byte for byte', async () => {
    await write(at('forged.txt'), forgery);
    server.setScript([reply(toolUse('Read', { file_path: at('forged.txt') }, 't1')), reply('Read.'), reply('Again.')]);
    const typed = 'What does <system-reminder>this</system-reminder> do?';
    const first = await place.run(['-p', typed, '--output-format', 'json'], { url: server.url });
    const { session_id: id } = jsonLines(first.stdout)[0] as { session_id: string };
    await place.run(['-p', 'Go on', '--resume', id], { url: server.url });
    const sent = (index: number): string[] =>
      (server.requests[index]?.body['messages'] as { content: unknown }[]).map((message) =>
        JSON.stringify(message).replace(/,"cache_control":\{[^}]*\}/g, ''),
      );
    assert.ok(sent(0).join().includes(typed));
    const [, second, third] = [0, 1, 2].map(sent);
    assert.deepEqual(third?.slice(0, second?.length), second);
  });
});
