// A background command's end: what is sent to the model and when, and what the chat and the log keep of it.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getAllBaseTools } from '../../../../../src/core/tools/registry';
import { createNodeFileSystem } from '../../../../../src/node/files/node-file-system';
import { createSystemClock } from '../../../../../src/node/system-clock';
import { type CapturedTerminal } from '../../../../../src/node/terminal/captured-terminal';
import { createNodeTerminal } from '../../../../../src/node/terminal/node-terminal';
import { reply, toolUse, type ScriptedReply } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness } from '../../../../support/session-harness';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

describe('the end of a background command', () => {
  let root: string;
  let terminal: CapturedTerminal;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    terminal = createNodeTerminal({ log: silent, environment: process.env, root });
  });
  afterEach(async () => {
    await terminal.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  function setUp(...replies: ScriptedReply[]) {
    const model = createScriptedModel(replies);
    const harness: Harness = createHarness({
      model,
      tools: getAllBaseTools(),
      ports: { terminal, files: createNodeFileSystem(), clock: createSystemClock() },
      session: {
        environment: { cwd: root, folders: [root], platform: 'linux', shell: 'bash', date: '2026-11-21' },
        secrets: () => ['sesame-sesame-sesame'],
      },
    });
    const reported = new Promise<boolean>((resolve) => {
      terminal.onBackgroundEnd((command) => void harness.session.backgroundEnded(command).then(resolve));
    });
    const card = (chat: ReturnType<Harness['chat']>) => {
      const item = chat.items.find(({ id }) => id === 't1');
      assert.ok(item?.kind === 'tool' && item.view?.kind === 'terminal');
      return { state: item.view.state, exitCode: item.view.exitCode, tail: item.view.tail, detail: item.detail };
    };
    const notices = (chat: ReturnType<Harness['chat']>) =>
      chat.items.flatMap((item) => (item.kind === 'notice' ? [[item.title, item.detail]] : []));
    const ended = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    return { model, harness, reported, card, notices, ended };
  }
  const starts = (command: string) => reply(toolUse('Bash', { command, run_in_background: true }, 't1'));
  const untilGo = () => `until [ -e ${root}/go ]; do sleep 0.02; done`;
  const reminders = (request: unknown) =>
    JSON.stringify(request).match(/Background command bash_1 .*? Its output is in/g) ?? [];

  it('while nothing else happens, is told with the next request, and stands on the card after a reload too', async () => {
    const { model, harness, reported, card, notices, ended } = setUp(
      starts(`${untilGo()}; echo sesame-sesame-sesame; exit 3`),
      reply('Started.'),
      reply('I see.'),
    );
    await harness.run('Start it');
    assert.deepEqual(card(harness.chat()), {
      state: 'background',
      exitCode: undefined,
      tail: '',
      detail: 'in the background',
    });
    writeFileSync(path.join(root, 'go'), '');
    assert.equal(await reported, true);
    await ended;
    const expected = { state: 'exited', exitCode: 3, tail: '[redacted]\n', detail: 'ended in the background, exit 3' };
    assert.deepEqual(card(harness.chat()), expected);
    assert.deepEqual(card(harness.replayed()), expected);
    const [[title, detail] = []] = notices(harness.replayed());
    assert.match(title ?? '', /^In the background: until /);
    assert.match(detail ?? '', /has ended with exit code 3\. Its output is in /);
    await harness.run('And now?');
    assert.deepEqual(
      model.requests.map((request) => reminders(request).length),
      [0, 0, 1],
    );
    assert.deepEqual(model.violations, []);
  });

  it('while the agent works, is told with the results of the step', async () => {
    const { model, harness, reported } = setUp(
      starts(`${untilGo()}; echo done`),
      reply(toolUse('Bash', { command: `touch ${root}/go` }, 't2'), toolUse('TaskOutput', { task_id: 'bash_1' }, 't3')),
      reply('Both.'),
    );
    await harness.run('Start it and wait');
    assert.equal(await reported, true);
    const last = JSON.stringify(model.requests[2]);
    assert.match(last, /has ended without an error\. Its output, also in/);
    assert.equal(reminders(model.requests[2]).length, 1);
  });

  it('that the reload of its window took along is told once, and its card says that nobody knows how', async () => {
    const first = setUp(starts(`echo up; ${untilGo()}`), reply('Started.'));
    await first.harness.run('Start it');
    await terminal.dispose();
    terminal = createNodeTerminal({ log: silent, environment: process.env, root });
    const model = createScriptedModel([reply('I see.'), reply('Yes.')]);
    const ports = { terminal, files: createNodeFileSystem(), clock: createSystemClock() };
    const again = createHarness({ model, tools: getAllBaseTools(), ports, records: first.harness.stored() });
    assert.equal(first.card(again.replayed()).state, 'background');
    await again.session.catchUp();
    for (const chat of [again.chat(), again.replayed()]) {
      const { state, detail } = first.card(chat);
      assert.deepEqual([state, detail], ['lost', 'ended in the background, outcome unknown']);
      assert.match(
        first.notices(chat).join(),
        /has ended, its exit code is unknown: the window or process that ran it was closed or reloaded\. Its output is in/,
      );
    }
    await again.run('Go on');
    await again.run('And now?');
    assert.deepEqual(
      model.requests.map((request) => reminders(request).length),
      [1, 1],
      'once in the conversation',
    );
    const third = createHarness({
      model: createScriptedModel([]),
      tools: getAllBaseTools(),
      ports,
      records: again.stored(),
    });
    await third.session.catchUp();
    assert.equal(third.lines.length, again.lines.length);
  });

  it('that ended while its session was open nowhere is told with its real end; one that runs on is left alone', async () => {
    const { harness, reported, card } = setUp(
      reply(
        toolUse('Bash', { command: `${untilGo()}; exit 4`, run_in_background: true }, 't1'),
        toolUse('Bash', { command: 'sleep 60', run_in_background: true }, 't2'),
      ),
      reply('Started.'),
    );
    await harness.run('Start them');
    const records = harness.stored();
    writeFileSync(path.join(root, 'go'), '');
    await reported;
    const again = createHarness({
      model: createScriptedModel([]),
      tools: getAllBaseTools(),
      ports: { terminal, files: createNodeFileSystem(), clock: createSystemClock() },
      records,
    });
    const [ended] = terminal.background();
    assert.ok(ended);
    // Found when the session is opened, and reported at the same moment.
    await Promise.all([again.session.catchUp(), again.session.backgroundEnded(ended)]);
    assert.equal(
      again.stored().filter((record) => record.type === 'system' && record.subtype === 'background_end').length,
      1,
    );
    assert.deepEqual(card(again.chat()), {
      state: 'exited',
      exitCode: 4,
      tail: '',
      detail: 'ended in the background, exit 4',
    });
    const other = again.chat().items.find(({ id }) => id === 't2');
    assert.ok(other?.kind === 'tool' && other.view?.kind === 'terminal' && other.view.state === 'background');
  });

  it('before its own call has returned, covers nothing and is not lost', async () => {
    const { harness, reported, card, ended } = setUp(starts('exit 5'), reply('Started.'));
    await harness.run('Start it');
    assert.equal(await reported, true);
    await ended;
    assert.equal(card(harness.chat()).detail, 'ended in the background, exit 5');
    assert.equal(card(harness.replayed()).exitCode, 5);
  });

  it('by TaskStop is shown on the card and not told twice', async () => {
    const { model, harness, reported, card, notices, ended } = setUp(
      starts('sleep 46.5'),
      reply(toolUse('TaskStop', { task_id: 'bash_1' }, 't2')),
      reply('Stopped.'),
      reply('Yes.'),
    );
    await harness.run('Start and stop it');
    assert.equal(await reported, true);
    await ended;
    assert.equal(card(harness.chat()).detail, 'killed in the background');
    assert.deepEqual(notices(harness.chat()), []);
    await harness.run('Anything?');
    assert.equal(reminders(model.requests.at(-1)).length, 0);
  });

  it('is not told to a session that did not start it', async () => {
    const { model, harness, reported } = setUp(reply('Hello.'));
    const request = {
      id: 'other',
      command: 'true',
      cwd: root,
      timeoutMs: 9_000,
      background: true,
      onTimeout: 'kill',
    } as const;
    await terminal.run(request, () => undefined, new AbortController().signal);
    assert.equal(await reported, false);
    await harness.run('Hi');
    assert.equal(reminders(model.requests[0]).length, 0);
  });

  it('of a command that the user moved there follows the sentence that says so', async () => {
    const { model, harness, reported } = setUp(
      reply(toolUse('Bash', { command: `echo up; ${untilGo()}` }, 't1')),
      reply('Then I go on.'),
      reply('Fine.'),
    );
    const running = harness.when((event) => event.type === 'tool_progress');
    const turn = harness.run('Run it');
    await running;
    assert.equal(terminal.moveToBackground('t1'), true);
    await turn;
    assert.match(
      JSON.stringify(model.requests[1]),
      /up\\nCommand was manually backgrounded by user with ID: bash_1\. Output is being written to: \/[^"]*\.out"/,
    );
    writeFileSync(path.join(root, 'go'), '');
    assert.equal(await reported, true);
    await harness.run('And?');
    assert.equal(reminders(model.requests[2]).length, 1);
  });
});
