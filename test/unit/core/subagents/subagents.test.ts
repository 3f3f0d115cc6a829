// Agents as sessions of their own: what they get, what comes back, how they end.
import assert from 'node:assert/strict';
import { type ToolDefinition } from '../../../../src/core/wire/wire';
import { createSystemClock } from '../../../../src/node/system-clock';
import { decodeRecord } from '../../../../src/core/sessions/session-codec';
import { violationsOf } from '../../../support/accepted-history';
import { type AgentHarnessOptions, agentTools, createAgentHarness, definition } from '../../../support/agent-harness';
import { safeTool } from '../../../support/fake-tools';
import { delayed, reply, toolUse } from '../../../support/messages-api/script';

const agent = (input: object, id = 'a1') =>
  toolUse('Agent', { description: 'Find it', prompt: 'Find the thing', ...input }, id);

describe('a subagent', () => {
  it('works in a context of its own and returns its report, with what it took', async () => {
    const harness = createAgentHarness({
      main: [reply(agent({ subagent_type: 'general-purpose' })), reply('It is in a.txt.')],
      agents: { 'Find the thing': [reply('Looking.', toolUse('Read', {}, 'r1')), reply('It is in /w/a.txt:1.')] },
    });
    assert.deepEqual(await harness.run('Where is it?'), { reason: 'completed' });
    assert.deepEqual(harness.model.violations, []);
    const [first, second] = harness.model.requests.slice(1);
    assert.match(first?.system[0]?.text ?? '', /^You carry out a task for another agent/);
    assert.deepEqual(names(first?.tools), ['Agent', 'Bash', 'Edit', 'Read', 'SendMessage', 'TaskStop']);
    assert.doesNotMatch(JSON.stringify(second?.messages), /Where is it\?/);
    const result = JSON.stringify(harness.model.requests.at(-1)?.messages);
    assert.match(
      result,
      /It is in \/w\/a\.txt:1\.\\n\\nagentId: a[0-9a-f]+ .*<usage>total_tokens: \d+\\ntool_uses: 1\\nduration_ms: \d+<\/usage>/,
    );
    const [id = ''] = harness.agentIds();
    const records = (harness.transcripts.get(id) ?? []).flatMap((line) => decodeRecord(line) ?? []);
    assert.ok(
      records.every(
        (record) => 'isSidechain' in record && record.isSidechain === true && record.sessionId === 'session-1',
      ),
    );
    const card = harness.chat().items.find((item) => item.id === 'a1');
    assert.ok(card?.kind === 'tool' && card.state === 'done' && !card.readOnly);
    assert.match(card.view?.kind === 'markdown' ? card.view.text : '', /- .*Read.*\n\n---\n\nIt is in/s);
    assert.match(card.detail, /^1 tool use · /);
    const { startedAt: _live, ...kept } = card;
    assert.deepEqual(
      harness.replayed().items.find((item) => item.id === 'a1'),
      kept,
    );
  });

  it('several run at once, one of them starts another, and every prefix of every log is a history that the API accepts', async () => {
    let both = (): void => undefined;
    const met = new Promise<void>((resolve) => (both = resolve));
    let begun = 0;
    const meet = (): Promise<void> => {
      if (++begun === 2) both();
      return met;
    };
    const harness = createAgentHarness({
      main: [
        reply(agent({ prompt: 'One' }, 'a1'), agent({ prompt: 'Two', subagent_type: 'Explore' }, 'a2')),
        reply('Both done.'),
      ],
      agents: {
        One: [reply(toolUse('Wait', {}, 'w1')), reply(agent({ prompt: 'Inner' }, 'a3')), reply('One is done.')],
        Two: [reply(toolUse('Wait', {}, 'w2')), reply('Two is done.')],
        Inner: [reply(toolUse('Read', {}, 'r1')), reply('Inner is done.')],
      },
      tools: [...agentTools, safeTool('Wait', { call: async () => (await meet(), { data: { said: 'met' } }) })],
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(harness.model.violations, []);
    assert.equal(harness.transcripts.size, 3);
    const results = JSON.stringify(harness.model.requests.at(-1)?.messages);
    for (const part of ['One is done.', 'Two is done.']) assert.ok(results.includes(part));
    assert.ok(!results.includes('Inner is done.'));
    for (const lines of [harness.lines, ...harness.transcripts.values()]) {
      const records = lines.flatMap((line) => decodeRecord(line) ?? []);
      for (let end = 0; end <= records.length; end++)
        assert.deepEqual(violationsOf(records.slice(0, end)), [], String(end));
    }
    const cost = harness.chat().usage;
    assert.ok(cost.costUsd > 0);
    const spent = harness
      .stored()
      .filter((record) => record.type === 'system' && record.subtype === 'side_usage').length;
    assert.equal(spent, 3 + 2 + 2, 'each reply of each agent counts once');
  });

  it('is stopped with its turn, and what it had said is kept', async () => {
    const abort = new AbortController();
    const harness = createAgentHarness({
      main: [reply(agent({}, 'a1'))],
      agents: { 'Find the thing': [reply('I begin.', toolUse('Hang', {}, 'h1'))] },
      ports: { clock: createSystemClock() },
      tools: [
        ...agentTools,
        safeTool('Hang', {
          call: (_input, { signal }) => {
            abort.abort(new DOMException('Stopped.', 'AbortError'));
            return new Promise((_resolve, reject) =>
              signal.aborted
                ? reject(signal.reason as Error)
                : signal.addEventListener('abort', () => reject(signal.reason as Error)),
            );
          },
        }),
      ],
    });
    assert.equal((await harness.run('Go', abort.signal)).reason, 'interrupted');
    const [lines = []] = [...harness.transcripts.values()];
    for (const all of [harness.lines, lines])
      assert.deepEqual(violationsOf(all.flatMap((line) => decodeRecord(line) ?? [])), []);
    const result = harness.stored().find((record) => record.type === 'user' && record.toolState !== undefined);
    assert.match(JSON.stringify(result), /agent was stopped before it was done\..*I begin\./);
  });

  it('in the background lets the turn go on; its end is told with the next request, and shown', async () => {
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const harness = createAgentHarness({
      main: [
        reply(agent({ run_in_background: true, name: 'scout' }, 'a1')),
        reply('It runs.'),
        reply(toolUse('TaskOutput', { task_id: 'scout', block: false }, 'o1')),
        reply('I see.'),
        reply('Thanks.'),
      ],
      agents: { 'Find the thing': [reply(toolUse('Read', {}, 'r1')), delayed(reply('Found it.'), wait)] },
    });
    await harness.run('Go');
    assert.deepEqual(
      harness.chat().background.map(({ kind, title }) => [kind, title]),
      [['agent', 'general-purpose: Find it']],
    );
    assert.deepEqual(
      names(harness.model.requests.find(({ system }) => system[0]?.text.startsWith('You carry out') === true)?.tools),
      ['Bash', 'Edit', 'Read', 'SendMessage', 'TaskStop'],
    );
    await harness.run('How is it?');
    assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /\(general-purpose: Find it\) runs\./);
    const ended = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    go();
    await ended;
    assert.deepEqual(harness.chat().background, []);
    assert.deepEqual(harness.replayed().background, []);
    await harness.run('Now?');
    assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /is done\. Its report:\\n\\nFound it\./);
    assert.deepEqual(harness.model.violations, []);
    const card = harness.replayed().items.find(({ id }) => id === 'a1');
    assert.ok(card?.kind === 'tool' && card.view?.kind === 'markdown');
    assert.equal(card.detail, 'done in the background');
    assert.match(card.view.text, /Found it\./);
  });

  it('goes on with a message after it has ended, also in another process, and is steered while it runs', async () => {
    const transcripts = new Map<string, string[]>();
    const first = createAgentHarness({
      main: [reply(agent({ name: 'scout' }, 'a1')), reply('Done.')],
      agents: { 'Find the thing': [reply('Found it.')] },
      transcripts,
    });
    await first.run('Go');
    await first.session.close();
    const [id = ''] = transcripts.keys();
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const second = createAgentHarness({
      main: [
        reply(toolUse('SendMessage', { to: 'scout', message: 'And where?' }, 's1')),
        reply(toolUse('SendMessage', { to: id, message: 'Quickly.' }, 's2')),
        reply('Sent.'),
        reply('Thanks.'),
      ],
      agents: { 'Find the thing': [delayed(reply(toolUse('Read', {}, 'r1')), wait), reply('In a.txt.')] },
      transcripts,
      records: first.stored(),
    });
    await second.run('Ask it');
    const ended = second.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    go();
    await ended;
    await second.run('Now?');
    assert.deepEqual(second.model.violations, []);
    assert.match(JSON.stringify(second.model.requests.at(-1)?.messages), /In a\.txt\./);
    const asked = JSON.stringify(
      second.model.requests.filter(({ system }) => system[0]?.text.startsWith('You carry out') === true).at(-1)
        ?.messages,
    );
    for (const part of ['Found it.', 'not from the user', 'And where?', 'Quickly.'])
      assert.ok(asked.includes(part), part);
  });

  it('is lost with its process, and that is told', async () => {
    const first = createAgentHarness({
      main: [reply(agent({ run_in_background: true }, 'a1')), reply('It runs.')],
      agents: { 'Find the thing': [delayed(reply('Never.'), new Promise(() => undefined))] },
    });
    await first.run('Go');
    const second = createAgentHarness({ main: [reply('I see.')], records: first.stored() });
    await second.run('And?');
    assert.match(JSON.stringify(second.model.requests.at(-1)?.messages), /is lost: the window or process/);
    assert.deepEqual(second.replayed().background, []);
    await first.session.close();
  });

  it('is ended by TaskStop and by the user', async () => {
    const harness = createAgentHarness({
      main: [
        reply(
          agent({ run_in_background: true, prompt: 'One', name: 'one' }, 'a1'),
          agent({ run_in_background: true, prompt: 'Two' }, 'a2'),
        ),
        reply(toolUse('TaskStop', { task_id: 'one' }, 's1')),
        reply('Stopped.'),
        reply('Right.'),
      ],
      agents: {
        One: [delayed(reply('Never.'), new Promise(() => undefined))],
        Two: [delayed(reply('Never.'), new Promise(() => undefined))],
      },
    });
    await harness.run('Go');
    const [left] = harness.chat().background;
    assert.equal(harness.chat().background.length, 1);
    assert.equal(await harness.session.controls.end(left?.id ?? ''), true);
    assert.equal(await harness.session.controls.end(left?.id ?? ''), false);
    await harness.run('Now?');
    const sent = JSON.stringify(harness.model.requests.at(-1)?.messages);
    assert.equal(sent.match(/was stopped\./g)?.length, 1, 'what TaskStop ended is told by its result alone');
    assert.deepEqual(harness.model.violations, []);
  });

  it('asks in its own name; a bare rejection ends the call and not the agent; a grant holds in the conversation too', async () => {
    const harness = createAgentHarness({
      main: [reply(agent({}, 'a1')), reply(toolUse('Edit', {}, 'e3')), reply('Done.')],
      agents: {
        'Find the thing': [
          reply(toolUse('Bash', {}, 'b1')),
          reply(toolUse('Edit', {}, 'e1')),
          reply(toolUse('Edit', {}, 'e2')),
          reply('Did what I could.'),
        ],
      },
      answer: ({ toolName }) =>
        toolName === 'Bash'
          ? { behavior: 'deny', interrupt: true }
          : {
              behavior: 'allow',
              updates: [{ type: 'addRules', rules: [{ toolName: 'Edit' }], behavior: 'allow', destination: 'session' }],
            },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      harness.approvals.map(({ toolName, agent: who }) => [toolName, who?.name]),
      [
        ['Bash', 'general-purpose'],
        ['Edit', 'general-purpose'],
      ],
    );
    assert.equal(
      harness.events.filter(({ type }) => type === 'approval_asked' || type === 'approval_settled').length,
      4,
    );
    assert.deepEqual(harness.model.violations, []);
  });
});

describe('which agents may start', () => {
  const cases: [string, AgentHarnessOptions, object, RegExp][] = [
    [
      'an unknown one',
      { main: [] },
      { subagent_type: 'Nobody' },
      /There is no agent \\"Nobody\\"\. There are: general-purpose, Explore, Plan\./,
    ],
    [
      'one that a rule denies',
      {
        main: [],
        session: {
          permission: () => ({
            ...open,
            rules: [
              {
                behavior: 'deny',
                value: { toolName: 'Agent', ruleContent: 'Explore' },
                source: 'userSettings',
                root: '/',
                file: 'f',
              },
            ],
          }),
        },
      },
      { subagent_type: 'Explore' },
      /Permission denied/,
    ],
    [
      'one without tools',
      { main: [], definitions: [definition('bare', { tools: ['Nothing'] })] },
      { subagent_type: 'bare' },
      /The agent bare would have no tools\. It names Nothing\./,
    ],
    ['too deep', { main: [], environment: { CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '0' } }, {}, /0 deep/],
  ];
  for (const [name, options, input, expected] of cases) {
    it(`not ${name}`, async () => {
      const harness = createAgentHarness({ ...options, main: [reply(agent(input, 'a1')), reply('I see.')] });
      await harness.run('Go');
      assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), expected);
      assert.deepEqual(harness.model.violations, []);
    });
  }

  it('no more at once than the limit says', async () => {
    const never = delayed(reply('Never.'), new Promise(() => undefined));
    const harness = createAgentHarness({
      main: [
        reply(agent({ run_in_background: true, prompt: 'One' }, 'a1')),
        reply(agent({ prompt: 'Two' }, 'a2')),
        reply('I see.'),
      ],
      agents: { One: [never], Two: [never] },
      environment: { CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: '1' },
    });
    await harness.run('Go');
    assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /1 agents are running, which is the limit/);
    await harness.session.close();
  });

  it('none below the depth limit: the innermost has no Agent tool', async () => {
    const harness = createAgentHarness({
      main: [reply(agent({ prompt: 'One' }, 'a1')), reply('Done.')],
      agents: { One: [reply(agent({ prompt: 'Two' }, 'a2')), reply('Done.')], Two: [reply('Done.')] },
      environment: { CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH: '2' },
    });
    await harness.run('Go');
    const tools = harness.model.requests.map((request) => names(request.tools).includes('Agent'));
    assert.deepEqual(tools, [true, true, false, true, true]);
  });

  it('with the tools, the model and the mode that its file names, and its turns', async () => {
    const harness = createAgentHarness({
      main: [reply(agent({ subagent_type: 'reviewer' }, 'a1')), reply('Done.')],
      agents: {
        'Find the thing': [reply('More.', toolUse('Read', {}, 'r1')), reply('More.', toolUse('Edit', {}, 'e1'))],
      },
      definitions: [
        definition('reviewer', { tools: ['Read', 'Edit'], model: 'haiku', permissionMode: 'plan', maxTurns: 2 }),
      ],
    });
    await harness.run('Go');
    const [own] = harness.model.requests.filter(
      ({ system }) => system[0]?.text.startsWith('You are reviewer.') === true,
    );
    assert.deepEqual(names(own?.tools), ['Edit', 'Read']);
    assert.match(own?.model ?? '', /haiku/);
    const [lines = []] = [...harness.transcripts.values()];
    assert.match(lines.join('\n'), /Permission denied/);
    assert.match(
      JSON.stringify(harness.model.requests.at(-1)?.messages),
      /Stopped after 2 turns\. It had not reported that it was done/,
    );
  });
});

const open = { folders: ['/w'], ownFolders: ['/results'], home: '/home/ann', ignoreCase: false, trusted: true };

function names(tools: readonly unknown[] | undefined): string[] {
  return ((tools ?? []) as ToolDefinition[]).map(({ name }) => name).sort();
}
