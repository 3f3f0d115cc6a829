// From session events to what the chat shows; live and replayed from the log, with the real tools.
import assert from 'node:assert/strict';
import { diffTexts } from '../../../../src/core/edits/diff-hunks';
import { diffView } from '../../../../src/core/edits/diff-view';
import { type ApprovalRequest } from '../../../../src/core/ports/approver';
import { type CommandRequest, type Terminal } from '../../../../src/core/ports/terminal';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { sessionTitle } from '../../../../src/core/sessions/session-title';
import { slimView } from '../../../../src/shared/view-kinds';
import { createToolRegistry, getAllBaseTools } from '../../../../src/core/tools/registry';
import { emptyChat } from '../../../../src/shared/chat';
import { type ToolView } from '../../../../src/shared/tool-view';
import { reduceEvents } from '../../../../src/shared/reduce-chat';
import { askingTool, fakeTool, latch, safeTool } from '../../../support/fake-tools';
import { dropAfter, gate, reply, text, thinking, toolUse, withFields } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt, type Harness } from '../../../support/session-harness';
import { visibleChat } from '../session/visible-chat';

const terminal: Terminal = {
  run: async (request: CommandRequest, onProgress) => {
    onProgress({ tail: 'half\n', bytes: 5, durationMs: 3 });
    return {
      end: { state: 'exited', code: 1 },
      output: 'half\nwhole\n',
      omittedBytes: 0,
      totalBytes: 11,
      incomplete: false,
      outputPath: '/results/out',
      cwd: request.cwd,
      durationMs: 7,
      survivors: [],
      notes: [],
    };
  },
  background: () => [],
  output: async () => undefined,
  moveToBackground: () => false,
  stop: async () => false,
  onBackgroundEnd: () => () => undefined,
  dispose: async () => undefined,
};

describe('chat projection', () => {
  it('shows the same live and from the log: tools of all kinds, thinking, a drop, steering, an approval, a title', async () => {
    const model = createScriptedModel([
      dropAfter(reply('Lost before it was finished.'), { events: 5 }),
      withFields(
        reply(
          thinking('Plan.', 's1'),
          'Looking.',
          toolUse('Read', { file_path: '/w/a.txt' }, 't1'),
          toolUse('Read', { file_path: '/w/none.txt' }, 't2'),
          toolUse('Bash', { command: 'false; exit 1' }, 't3'),
        ),
        { usage: { input_tokens: 1_000, output_tokens: 50, cache_read_input_tokens: 10_000 } },
      ),
      reply(
        toolUse('Edit', { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' }, 't4'),
        toolUse('Nope', { a: 1 }, 't5'),
        toolUse('Edit', { file_path: 3 }, 't6'),
      ),
      reply('All done.'),
    ]);
    const harness: Harness = createHarness({
      model,
      tools: getAllBaseTools(),
      ports: { terminal },
      onEvent: (event) => {
        if (event.type === 'tool_state' && event.toolUseId === 't1' && event.state === 'running')
          harness.session.steer(prompt('Hurry.'));
      },
    });
    await harness.run('Please\nfix it');
    assert.deepEqual(model.violations, []);
    const live = harness.chat();
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(live));
    assert.deepEqual(
      live.items.map((item) =>
        item.kind === 'tool'
          ? `${item.name} ${item.state} ${item.view?.kind ?? item.message?.slice(0, 20)}`
          : item.kind,
      ),
      [
        'user',
        'thinking',
        'text',
        'Read done files',
        'Read failed File does not exist:',
        'Bash failed terminal',
        'user',
        'Edit done diff',
        'Nope failed Error: No such tool ',
        'Edit failed InputValidationError',
        'text',
        'ledger',
      ],
    );
    assert.deepEqual([live.title, live.status, live.queue, live.approvals], ['Please', 'idle', [], []]);
    assert.equal(live.usage.contextTokens, 15);
    assert.ok(live.usage.costKnown && live.usage.costUsd > 0);
    const read = live.items.find((item) => item.id === 't1');
    assert.ok(read?.kind === 'tool' && read.readOnly);
    assert.deepEqual(read.sentence, { now: 'Reading a.txt', past: 'Read a.txt' });
    const edit = live.items.find((item) => item.id === 't4');
    assert.ok(edit?.kind === 'tool' && edit.view?.kind === 'diff');
    assert.deepEqual([edit.view.path, edit.detail, edit.readOnly], ['a.txt', '+1 −1', false]);
  });

  it("shows a command's output while it runs", async () => {
    const model = createScriptedModel([reply(toolUse('Bash', { command: 'ls' }, 't1')), reply('ok')]);
    const views: ToolView[] = [];
    const registry = createToolRegistry(getAllBaseTools());
    const projection = createChatProjection({ registry, folders: [] });
    const harness = createHarness({
      model,
      tools: getAllBaseTools(),
      ports: { terminal },
      onEvent: (event) => {
        for (const one of projection.project(event))
          if (one.type === 'tool' && one.change.view !== undefined) views.push(one.change.view);
      },
    });
    await harness.run('Go');
    assert.deepEqual(
      views.map((view) => view.kind === 'terminal' && [view.command, view.state, view.tail]),
      [
        ['ls', 'running', 'half\n'],
        ['ls', 'exited', 'half\nwhole\n'],
      ],
    );
  });

  it('shows text as it streams and the card that waits', async () => {
    const held = latch();
    const model = createScriptedModel([
      reply(text('Half', gate(held.opened), ' and whole'), toolUse('Act', {}, 't1')),
      reply('Done.'),
    ]);
    const answered = latch();
    const harness = createHarness({
      model,
      tools: [askingTool('Act')],
      answer: async () => {
        await answered.opened;
        return { behavior: 'allow' };
      },
    });
    const turn = harness.run('Go');
    await harness.when(({ type }) => type === 'block_delta');
    assert.deepEqual(harness.chat().status, 'working');
    const item = harness.chat().items.at(-1);
    assert.ok(item?.kind === 'text' && item.streaming && item.text === 'Half');
    held.open();
    await harness.when(({ type }) => type === 'approval_asked');
    const waiting = harness.chat();
    assert.equal(waiting.status, 'waiting');
    assert.deepEqual(
      waiting.approvals.map(({ title, hasDiff, toolUseId }) => [title, hasDiff, toolUseId]),
      [['Act', false, 't1']],
    );
    answered.open();
    await turn;
    assert.deepEqual([harness.chat().status, harness.chat().approvals], ['idle', []]);
  });

  it('marks calls of a killed process as stopped', async () => {
    const model = createScriptedModel([reply(toolUse('Look', {}, 't1'))]);
    const harness = createHarness({ model, tools: [safeTool('Look')] });
    await harness.run('Go');
    const cut = harness
      .stored()
      .slice(
        0,
        harness.stored().findIndex((record) => record.type === 'system' && record.subtype === 'tool_started') + 1,
      );
    const state = createChatProjection({ registry: createToolRegistry([safeTool('Look')]), folders: [] }).replay(
      emptyChat('s', 'default', 'm'),
      cut,
    );
    const item = state.items.at(-1);
    assert.ok(item?.kind === 'tool' && item.state === 'stopped' && /interrupted/.test(item.message ?? ''));
    assert.equal(state.status, 'idle');
  });

  it('reads logs of another version: tools that are gone, outputs that no longer fit', async () => {
    const model = createScriptedModel([
      reply(toolUse('Old', { text: 'x' }, 't1'), toolUse('Act', { text: 'y' }, 't2')),
      reply('ok'),
    ]);
    const harness = createHarness({ model, tools: [fakeTool('Old'), fakeTool('Act')] });
    await harness.run('Go');
    const changed = fakeTool('Act', {
      view: () => {
        throw new Error('not what I expected');
      },
    });
    const state = createChatProjection({ registry: createToolRegistry([changed]), folders: [] }).replay(
      emptyChat('s', 'default', 'm'),
      harness.stored(),
    );
    const items = state.items.flatMap((item) =>
      item.kind === 'tool' ? [[item.name, item.state, item.view?.kind]] : [],
    );
    assert.deepEqual(items, [
      ['Old', 'done', 'json'],
      ['Act', 'done', undefined],
    ]);
  });

  it('names calls of a transcript as the tools are called now, also of tools that are not built', async () => {
    const older = ['read_file', 'SlashCommand', 'AgentOutputTool', 'mcp__a__b'];
    const model = createScriptedModel([
      reply(...older.map((name, index) => toolUse(name, {}, `t${index}`))),
      reply('ok'),
    ]);
    const harness = createHarness({ model, tools: older.map((name) => fakeTool(name)) });
    await harness.run('Go');
    const state = createChatProjection({ registry: createToolRegistry([]), folders: [] }).replay(
      emptyChat('s', 'default', 'm'),
      harness.stored(),
    );
    assert.deepEqual(
      state.items.flatMap((item) => (item.kind === 'tool' ? [item.name] : [])),
      ['Read', 'Skill', 'TaskOutput', 'mcp__a__b'],
    );
  });

  it('a tool that throws when it is described ends no turn', async () => {
    const model = createScriptedModel([reply(toolUse('Act', {}, 't1')), reply('ok')]);
    const broken = fakeTool('Act', {
      describe: () => {
        throw new Error('no words');
      },
    });
    const projection = createChatProjection({ registry: createToolRegistry([broken]), folders: [] });
    const harness = createHarness({ model, tools: [broken], onEvent: (event) => void projection.project(event) });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      harness.chat().items.map((item) => (item.kind === 'tool' ? item.sentence.now : item.kind)),
      ['user', 'Act', 'text'],
    );
  });

  it('tells of a log that cannot be saved, once', () => {
    const projection = createChatProjection({ registry: createToolRegistry(), folders: [] });
    const events = [1, 2].flatMap(() => projection.project({ type: 'log_failed', message: 'The disk is full.' }));
    const { items } = reduceEvents(emptyChat('s', 'default', 'm'), events);
    assert.equal(items.length, 1);
    assert.match(items[0]?.kind === 'notice' ? items[0].detail : '', /disk is full/);
  });

  it('shortens paths by their folder, with its name where there are several', () => {
    const shown = (folders: { name: string; path: string }[]) =>
      sentenceOf('Read', { file_path: '/home/ann/app/src/a.ts' }, folders);
    assert.equal(shown([{ name: 'app', path: '/home/ann/app' }]), 'Reading src/a.ts');
    assert.equal(
      shown([
        { name: 'app', path: '/home/ann/app' },
        { name: 'lib', path: '/home/ann/lib' },
      ]),
      'Reading app/src/a.ts',
    );
    assert.equal(shown([{ name: 'lib', path: '/home/ann/lib' }]), 'Reading /home/ann/app/src/a.ts');
  });

  it('shows a command as it is, in its card and in its approval', () => {
    const folders = [{ name: 'app', path: '/home/ann/app' }];
    const command = 'cat /home/ann/app/src/a.ts > /home/ann/app/b';
    assert.equal(sentenceOf('Bash', { command }, folders), `Running ${command}`);
    const projection = createChatProjection({ registry: createToolRegistry(), folders });
    const request: ApprovalRequest = {
      id: 'a',
      toolUseId: 't',
      toolName: 'Bash',
      title: `Bash ${command}`,
      view: { kind: 'terminal', command, state: 'not-started', tail: '', bytes: 0 },
      reason: '',
      suggestions: [],
    };
    const { approvals } = reduceEvents(
      emptyChat('s', 'default', 'm'),
      projection.project({ type: 'approval_asked', request }),
    );
    assert.deepEqual(
      approvals.map(({ title, view }) => [title, view]),
      [[`Bash ${command}`, request.view]],
    );
  });

  it('shows in an approval what the user made of the proposal, and what was proposed once they took that back', () => {
    const projection = createChatProjection({
      registry: createToolRegistry(),
      folders: [{ name: 'app', path: '/home/ann/app' }],
    });
    const diff = (text: string): ToolView => diffView('/home/ann/app/a.ts', false, diffTexts('one\n', text));
    const request: ApprovalRequest = {
      id: 'a',
      toolUseId: 't',
      toolName: 'Edit',
      title: 'Edit a.ts',
      view: diff('two\nthree\n'),
      reason: '',
      suggestions: [],
      proposal: { path: '/home/ann/app/a.ts', base: undefined, text: 'two\nthree\n' },
    };
    let state = reduceEvents(emptyChat('s', 'default', 'm'), projection.project({ type: 'approval_asked', request }));
    const shown = () =>
      state.approvals.map(({ view, changed }) => [view.kind === 'diff' && `${view.path} +${view.added}`, changed]);
    const change = (text: string, byUser: boolean, requestId = 'a') =>
      (state = reduceEvents(
        state,
        projection.project({ type: 'approval_changed', requestId, view: diff(text), byUser }),
      ));
    change('two\n', true);
    assert.deepEqual(shown(), [['a.ts +1', true]]);
    change('', true, 'of another chat');
    assert.deepEqual(shown(), [['a.ts +1', true]]);
    change('two\nthree\n', false);
    assert.deepEqual(shown(), [['a.ts +2', undefined]]);
    assert.equal(state.status, 'waiting');
  });
});

/** The sentence of a call's card. */
function sentenceOf(
  name: string,
  input: Record<string, unknown>,
  folders: { name: string; path: string }[],
): string | undefined {
  const projection = createChatProjection({ registry: createToolRegistry(getAllBaseTools()), folders });
  const [event] = projection.project({
    type: 'record',
    record: {
      type: 'assistant',
      uuid: 'u',
      parentUuid: null,
      timestamp: '',
      sessionId: 's',
      cwd: '/w',
      version: '',
      message: {
        id: 'm',
        role: 'assistant',
        model: 'x',
        stop_reason: null,
        content: [{ type: 'tool_use', id: 't', name, input }],
      },
    },
  });
  return event?.type === 'item' && event.item.kind === 'tool' ? event.item.sentence.now : undefined;
}

describe('slimView', () => {
  it('keeps every view small', () => {
    const long = 'x'.repeat(100_000);
    const views: ToolView[] = [
      {
        kind: 'diff',
        path: '/a',
        created: false,
        added: 500,
        removed: 0,
        truncated: false,
        hunks: [
          {
            oldStart: 1,
            oldLines: 0,
            newStart: 1,
            newLines: 500,
            lines: Array.from({ length: 500 }, () => `+${long.slice(0, 900)}`),
          },
        ],
      },
      { kind: 'terminal', command: 'x', state: 'exited', tail: `${long}\n`.repeat(30), bytes: 1 },
      {
        kind: 'matches',
        pattern: 'x',
        matches: 100,
        files: 1,
        truncated: false,
        items: Array.from({ length: 100 }, () => ({ path: '/a', line: 1, text: long })),
      },
      { kind: 'files', items: Array.from({ length: 1_000 }, () => ({ path: '/a' })), total: 1_000, truncated: false },
      { kind: 'json', text: long },
      { kind: 'markdown', text: long },
    ];
    for (const view of views) {
      const slim = slimView(view);
      assert.ok(JSON.stringify(slim).length < 16_000, view.kind);
      if ('truncated' in slim) assert.equal(slim.truncated, true, view.kind);
      assert.deepEqual(slimView(slim), slim);
    }
  });

  it('leaves a small view as it is', () => {
    const view: ToolView = { kind: 'terminal', command: 'ls', state: 'exited', exitCode: 0, tail: 'a\nb\n', bytes: 4 };
    assert.deepEqual(slimView(view), view);
  });
});

describe('sessionTitle', () => {
  const cases: [string, string][] = [
    ['Fix the bug', 'Fix the bug'],
    ['  Fix\tthe   bug \nand more', 'Fix the bug'],
    ['', 'New session'],
    [' \n ', 'New session'],
    ['a'.repeat(60), 'a'.repeat(60)],
    ['word '.repeat(40), `${'word '.repeat(12).slice(0, 59)}…`],
  ];
  for (const [given, expected] of cases) {
    it(`of ${JSON.stringify(given.slice(0, 20))}`, () => assert.equal(sessionTitle(given), expected));
  }
});
